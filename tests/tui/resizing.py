"""Another size of the terminal, passed on to the screen."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

PASSED_ON = 1 / 60
"""An app hands a resize to its screen by a timer of 1/120 s, which is longer than the quiet a pilot waits for."""


async def resize(pilot: Pilot[Any], width: int, height: int) -> None:
    """Resize, and wait until the screen has the size."""
    await pilot.resize_terminal(width, height)
    await pilot.pause(PASSED_ON)
    await pilot.pause()
    assert pilot.app.screen.size == (width, height)
