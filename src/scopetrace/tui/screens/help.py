"""Help: the keys for the focused pane, and the legend of outcomes."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scopetrace.tui.present.legend import help_lines
from scopetrace.tui.present.spans import StaticLines
from scopetrace.tui.widgets.lines import LineList


class HelpScreen(ModalScreen[None]):
    """A scrolling page over the main screen."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,f1", "close", "Back")]

    def __init__(self, focused: str) -> None:
        super().__init__()
        self._focused = focused

    def compose(self) -> ComposeResult:
        """One list in a box."""
        with Vertical(id="help-box", classes="dialog") as box:
            box.border_title = "Help"
            box.border_subtitle = "↑↓ scroll · esc back"
            yield LineList(has_cursor=False, id="help-list")

    def on_mount(self) -> None:
        """Fill the page."""
        self._fill()

    def on_resize(self) -> None:
        """Lay the page out for the width."""
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        page = self.query_one(LineList)
        page.show(StaticLines(help_lines(self._focused, max(40, page.row_width))))
        page.focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
