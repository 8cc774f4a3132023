"""Seeking in a timeline of a hundred thousand rows: frame and scope tree of any row, key to paint, memory."""

from __future__ import annotations

import asyncio
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from measure import Result, percentile

HERE = Path(__file__).parent
ROWS = 100_000
SEEKS = 400
KEYS = 150


def write_log(place: Path, rows: int) -> Path:
    """A generated log and a workspace for it."""
    log = place / "session.v4.jsonl"
    subprocess.run([sys.executable, str(HERE / "make_log.py"), str(log), "--events", str(rows)], check=True)
    workspace = place / "workspace"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "AGENTS.md").write_text("# Root\n", encoding="utf-8")
    return log


def seeking(rows: int = ROWS) -> Iterator[Result]:
    """Seek and key targets, in a process of its own so that its peak memory is its own."""
    with tempfile.TemporaryDirectory() as place:
        log = write_log(Path(place), rows)
        seek, key, memory, replay = seek_log(log, Path(place) / "workspace")
    yield Result("seek in 100,000 rows, p95", seek * 1e3, 16, "ms", f"replayed in {replay:.1f} s")
    yield Result("key to paint in 100,000 rows, p95", key * 1e3, 50, "ms")
    yield Result("memory with 100,000 rows", memory, 400, "MB")


def seek_log(log: Path, workspace: Path, *, keys: bool = True) -> tuple[float, float, float, float]:
    """Seek p95, key p95 (seconds), peak memory (MB) and replay (seconds) of a log, in a process of its own."""
    command = [sys.executable, __file__, str(log), str(workspace), str(KEYS if keys else 0)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seek, key, memory, replay = (float(word) for word in done.stdout.split()[-4:])
    return seek, key, memory, replay


async def keys(timeline: object, count: int) -> list[float]:
    """Seconds from a key to the display call that follows it."""
    from textual.app import App

    from scopetrace.tui.app import InspectorApp

    painted: list[float] = []
    original = App._display

    def display(self: App[object], *arguments: object) -> None:
        original(self, *arguments)  # type: ignore[arg-type]
        painted.append(time.perf_counter())

    App._display = display  # type: ignore[method-assign, assignment]
    taken: list[float] = []
    app = InspectorApp(timeline, start=len(timeline) // 2)  # type: ignore[arg-type]
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for number in range(count):
            painted.clear()
            start = time.perf_counter()
            app.simulate_key("right" if number % 3 else "left")
            while not painted:
                await asyncio.sleep(0)
            taken.append(painted[0] - start)
            await asyncio.sleep(0.002)
    App._display = original  # type: ignore[method-assign]
    return taken


def inside(log: str, workspace: str, count: int) -> None:
    """The measured process: prints seek p95, key p95 (seconds), peak memory (MB), replay (seconds)."""
    from scopetrace.replay import prepare_session

    start = time.perf_counter()
    timeline = prepare_session(log, workspace=workspace, home=workspace, environ={})
    timeline.advance()
    replay = time.perf_counter() - start
    pick = random.Random(1)
    seeks: list[float] = []
    for _ in range(SEEKS):
        index = pick.randrange(len(timeline))
        start = time.perf_counter()
        timeline.row(index)
        timeline.frame(index)
        timeline.tree(index)
        seeks.append(time.perf_counter() - start)
    pressed = asyncio.run(keys(timeline, count)) if count else [0.0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(percentile(seeks, 0.95), percentile(pressed, 0.95), peak, replay)


if __name__ == "__main__":
    inside(sys.argv[1], sys.argv[2], int(sys.argv[3]))
