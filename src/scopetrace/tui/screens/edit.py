"""A scratch copy of a file, changed in memory only."""

from __future__ import annotations

import unicodedata
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.document._document import Document
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from scopetrace.report.display import safe_line

STAND_IN = "�"
_ENDS = {"\r\n": "CRLF", "\r": "CR", "\x0b": "VT", "\x0c": "FF", "\x1c": "FS", "\x1d": "GS", "\x1e": "RS"}
_ENDS |= {"\x85": "NEL", "\u2028": "U+2028", "\u2029": "U+2029"}


def losses(text: str) -> str:
    """What the editor would change in a text by itself, in words; empty when it holds the text exactly."""
    kept = Document(text).text
    if kept == text:
        return ""
    found = []
    rest = text.replace("\r\n", "\n")
    for end, name in _ENDS.items():
        count = text.count(end) if end == "\r\n" else rest.count(end)
        if count:
            found.append(f"{count} × {name}")
    ends = ", ".join(found)
    return f"The editor breaks lines at {ends} and writes one kind of line end: an edited copy differs there, too."


class ScratchArea(TextArea):
    """An editor that shows untrusted text safely: what a terminal must not get is shown as one stand-in."""

    def get_line(self, line_index: int) -> Text:
        """The line for the screen; every character keeps its place."""
        line = self.document.get_line(line_index)
        return Text("".join(map(_shown, line)), end="", no_wrap=True)


def _shown(char: str) -> str:
    if char == "\t" or (char.isprintable() and safe_line(char) == char):
        return char
    code = ord(char)
    if code < 0x20 or code == 0x7F:
        return safe_line(char)
    return char if unicodedata.combining(char) else STAND_IN


class EditScreen(ModalScreen[str | None]):
    """Dismisses with the edited text, or ``None`` when the file is as it was."""

    CSS_PATH = "whatif.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "keep", "Back", priority=True),
        Binding("ctrl+r", "restore", "As it was", priority=True),
    ]

    def __init__(self, name: str, original: str, text: str) -> None:
        super().__init__()
        self._file = name
        self._original = original
        self._text = text
        self._loaded = Document(original).text

    def compose(self) -> ComposeResult:
        """The editor, the caveat above it where there is one."""
        with Vertical(id="edit-box", classes="dialog") as box:
            box.border_title = Content(f"Scratch copy of {safe_line(self._file)}")
            box.border_subtitle = Content("esc counts it · ^r as it was · no file is touched")
            caveat = losses(self._original)
            if caveat:
                yield Static(Content(f"▲ {caveat}"), id="edit-caveat")
            yield ScratchArea(self._text, id="edit-area", soft_wrap=True, tab_behavior="indent", show_line_numbers=True)

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one(TextArea).focus()

    def action_keep(self) -> None:
        """Back with the text; a text that was not changed counts as the file itself, byte for byte."""
        text = self.query_one(TextArea).text
        self.dismiss(None if text in (self._loaded, self._original) else text)

    def action_restore(self) -> None:
        """The text of the file again."""
        self.query_one(TextArea).text = self._original
