"""Work for after the next refresh, by screens that may be closed before it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.screen import Screen


def after_refresh(screen: Screen[Any], action: Callable[[], object]) -> None:
    """Call ``action`` after the next refresh, unless the screen was closed, and emptied, by then."""

    def act() -> None:
        if screen.children:
            action()

    screen.call_after_refresh(act)
