"""A page over the main screen: help, session facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from scopetrace.tui.later import after_refresh
from scopetrace.tui.present.spans import Line, StaticLines
from scopetrace.tui.widgets.lines import LineList


class PageScreen(ModalScreen[None]):
    """Shows lines that a function lays out for a width; any of ``close_keys``, esc or q goes back."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Back")]

    def __init__(self, title: str, lines: Callable[[int], Sequence[Line]], *, close_keys: Sequence[str] = ()) -> None:
        super().__init__()
        self._page_title = title
        self._lines = lines
        for key in close_keys:
            self._bindings.bind(key, "close", "Back")

    def compose(self) -> ComposeResult:
        """One list in a box."""
        with Vertical(classes="dialog page") as box:
            box.border_title = Content(self._page_title)
            box.border_subtitle = Content("↑↓ scroll · esc back")
            yield LineList(has_cursor=False, id="page-list")

    def on_mount(self) -> None:
        """Fill the page."""
        self._fill()
        self.query_one(LineList).focus()

    def on_resize(self) -> None:
        """Lay the page out for the width."""
        after_refresh(self, self._fill)

    def _fill(self) -> None:
        page = self.query_one(LineList)
        lines = self._lines(max(30, page.row_width))
        page.show(StaticLines(lines))
        self.query_one(".page").styles.height = min(len(lines) + 2, self.size.height * 9 // 10)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
