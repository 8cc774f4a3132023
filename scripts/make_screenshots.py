"""Write the pictures in screenshots/ from a bundled session: SVG, at several sizes, dark and light. Never by hand."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from scopetrace.model import TimelineView
from scopetrace.replay import open_session
from scopetrace.tui.app import InspectorApp, Loader
from scopetrace.tui.opening import open_lesson
from scopetrace.tui.screens.open import Surroundings

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample_sessions" / "demo-monorepo"
PLACE = ROOT / "screenshots"
NOWHERE = Surroundings("/home/dev/shop", {"DSH_HOME": "/home/dev/.dsh"}, "/home/dev")
DARK, LIGHT = "scopetrace-dark", "scopetrace-light"


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the size in cells, the event to stand at, and the keys pressed there.

    ``lesson`` opens a lesson instead of the sample; a negative ``seq`` the open screen.
    """

    name: str
    size: tuple[int, int]
    theme: str
    seq: int
    keys: tuple[str, ...] = ()
    lesson: str = ""


SHOTS = (
    Shot("main", (120, 40), DARK, 30, ("2",)),
    Shot("main-light", (120, 40), LIGHT, 30, ("2",)),
    Shot("main-80x24", (80, 24), DARK, 30, ("2",)),
    Shot("main-80x24-light", (80, 24), LIGHT, 30, ("1",)),
    Shot("main-200x50", (200, 50), DARK, 30, ("2",)),
    Shot("why", (120, 40), DARK, 30, ("1", "down", "down", "down", "down", "w")),
    Shot("why-80x24-light", (80, 24), LIGHT, 9, ("1", "G", "w")),
    Shot("diff", (120, 40), DARK, 113, ("d",)),
    Shot("filtered", (120, 40), LIGHT, 113, ("f", "c")),
    Shot("what-if", (120, 40), DARK, 68, ("x", *["backspace"] * 5, *"700")),
    Shot("what-if-light", (120, 40), LIGHT, 15, ("x", "up", "up", *"read services/worker/jobs.py")),
    Shot("lesson", (120, 40), DARK, 0, ("right", "right", "right", "space"), lesson="budget"),
    Shot("lesson-light", (80, 24), LIGHT, 0, ("right",), lesson="nested"),
    Shot("open", (120, 40), DARK, -1),
    Shot("narrow", (60, 20), DARK, 30, ("1",)),
    Shot("help", (120, 40), LIGHT, 30, ("question_mark",)),
)


async def shoot(shot: Shot, timeline: TimelineView) -> str:
    """The picture as SVG."""
    source: TimelineView | Loader | None = timeline if shot.seq >= 0 else None
    if shot.lesson:
        source = lambda progress: open_lesson(shot.lesson)  # noqa: E731
    app = InspectorApp(source, theme=shot.theme, start=timeline.index_of(shot.seq) or 0, around=NOWHERE)
    async with app.run_test(size=shot.size) as pilot:
        for key in ("", *shot.keys):
            if key:
                await pilot.press(key)
            await pilot.pause()
            await app.workers.wait_for_complete()
        await pilot.pause()
        return app.export_screenshot(title="scopetrace")


def main() -> int:
    """Write every picture; returns the exit code."""
    for name in ("NO_COLOR", "TEXTUAL_THEME"):
        os.environ.pop(name, None)
    timeline = open_session(str(SAMPLE))
    PLACE.mkdir(exist_ok=True)
    for shot in SHOTS:
        (PLACE / f"{shot.name}.svg").write_text(asyncio.run(shoot(shot, timeline)), encoding="utf-8")
        print(f"screenshots/{shot.name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
