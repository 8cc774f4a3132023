"""The text of a file as the loader would read it at a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from scopetrace.model.sizes import exact_bytes
from scopetrace.report.display import safe_line
from scopetrace.tui.present.spans import cut_middle
from scopetrace.tui.present.text import TextLines
from scopetrace.tui.widgets.lines import LineList


class FileScreen(ModalScreen[None]):
    """A text to read; esc, enter or q goes back."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Back"),
        Binding("y", "copy", "Copy"),
    ]

    def __init__(self, path: str, text: str, when: str, copy: Callable[[str, str], None]) -> None:
        super().__init__()
        self._path = path
        self._text = text
        self._when = when
        self._copy = copy

    def compose(self) -> ComposeResult:
        """One list in a box."""
        with Vertical(classes="dialog page") as box:
            box.border_title = Content(cut_middle(safe_line(self._path), 70))
            size = exact_bytes(len(self._text.encode("utf-8", "surrogatepass")))
            box.border_subtitle = Content(f"{size} {self._when} · y copy · esc back")
            yield LineList(has_cursor=False, id="file-list")

    def on_mount(self) -> None:
        """Show the text."""
        lines = self.query_one(LineList)
        lines.show(TextLines(self._text))
        lines.focus()

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """Enter goes back."""
        self.dismiss(None)

    def action_copy(self) -> None:
        """Copy the text exactly."""
        self._copy("file text", self._text)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
