"""Opening a log of any size in the inspector: first usable screen, keys while the rest is read, how cost grows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench_seek import seek_log
from bench_start import first_paint
from make_log import write_log
from measure import Result, median

REPEAT = 3
USABLE = "getattr(screen, 'shown', None) is not None and len(screen.timeline) > 0"
"""The screen on which the painted rows can be stepped through."""
_OPEN = """
import sys
from scopetrace.cli import main
sys.exit(main(['open', {log!r}, '--workspace', {workspace!r}, '--home', {workspace!r}]))
"""
_INDEX = """
import sys, time
from scopetrace.sessions import LogIndex
index = LogIndex(sys.argv[1])
start = time.perf_counter()
index.advance()
print(time.perf_counter() - start)
"""
SIZES = (10_000, 100_000, 1_000_000)


def workspace_in(place: Path) -> Path:
    """A small workspace for a generated log."""
    workspace = place / "workspace"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "AGENTS.md").write_text("# Root\n", encoding="utf-8")
    return workspace


def first_screen(log: Path, workspace: Path) -> float:
    """Seconds from the start of the process until rows of the log are on the screen."""
    code = _OPEN.format(log=str(log), workspace=str(workspace))
    first_paint(code, USABLE)
    return median([first_paint(code, USABLE) for _ in range(REPEAT)])


def opening(events: int) -> Iterator[Result]:
    """First usable screen on a large log, plain and zstd."""
    with tempfile.TemporaryDirectory() as name:
        workspace = workspace_in(Path(name))
        for kind, suffix in (("plain", ""), ("zstd", ".zstd")):
            log = Path(name) / f"session.v4.jsonl{suffix}"
            size = write_log(log, events)
            taken = first_screen(log, workspace)
            yield Result(f"first usable screen, {events} events, {kind}", taken, 1.5, "s", f"{size / 1e6:.0f} MB")
            log.unlink()


def growing(sizes: tuple[int, ...] = SIZES) -> Iterator[str]:
    """A table: how the cost of one session grows with its length."""
    yield "   events     MB  index s  screen s  replay s  seek p95 ms  memory MB"
    with tempfile.TemporaryDirectory() as name:
        workspace = workspace_in(Path(name))
        for events in sizes:
            log = Path(name) / "session.v4.jsonl"
            size = write_log(log, events)
            index = subprocess.run([sys.executable, "-c", _INDEX, str(log)], check=True, capture_output=True).stdout
            screen = first_screen(log, workspace)
            seek, _, memory, replay = seek_log(log, workspace, keys=False)
            first = f"{events:>9} {size / 1e6:>6.0f} {float(index):>8.2f} {screen:>9.2f}"
            yield f"{first} {replay:>9.1f} {seek * 1e3:>12.1f} {memory:>10.0f}"
