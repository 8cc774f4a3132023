"""Write the pictures in screenshots/ from a bundled session: SVG, at several sizes, dark and light. Never by hand."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from scopetrace.model import TimelineView
from scopetrace.replay import open_session
from scopetrace.tui.app import InspectorApp

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample_sessions" / "demo-monorepo"
PLACE = ROOT / "screenshots"
DARK, LIGHT = "scopetrace-dark", "scopetrace-light"


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the size in cells, the event to stand at, and the keys pressed there."""

    name: str
    size: tuple[int, int]
    theme: str
    seq: int
    keys: tuple[str, ...] = ()


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
    Shot("help", (120, 40), LIGHT, 30, ("question_mark",)),
)


async def shoot(shot: Shot, timeline: TimelineView) -> str:
    """The picture as SVG."""
    app = InspectorApp(timeline, theme=shot.theme, start=timeline.index_of(shot.seq) or 0)
    async with app.run_test(size=shot.size) as pilot:
        await pilot.press(*shot.keys)
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
