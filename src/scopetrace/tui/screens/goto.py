"""Go to an event: one input, the error below it while typing."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from scopetrace.tui.present.steps import StepError
from scopetrace.tui.widgets.field import SafeInput

from .prompt import Typing


class GoToScreen(Typing, ModalScreen[int | None]):
    """Dismisses with the index of a row, or ``None``."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Back")]

    def __init__(self, parse: Callable[[str], int]) -> None:
        super().__init__()
        self._parse = parse

    def compose(self) -> ComposeResult:
        """A small box at the foot of the screen."""
        with Vertical(id="goto-box", classes="dialog") as box:
            box.border_title = "Go to event"
            yield SafeInput(placeholder="30    +5    -5    50%", id="goto-input")
            yield Static(Content("enter goes there · esc goes back"), id="goto-hint")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say what is wrong while it is typed."""
        self._check(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go, if the input names an event."""
        if self.held_back:
            return
        index = self._check(event.value)
        if index is not None:
            self.dismiss(index)

    def _check(self, text: str) -> int | None:
        hint = self.query_one("#goto-hint", Static)
        index = None
        message = "enter goes there · esc goes back"
        if text.strip() and text.strip() not in "+-":
            try:
                index = self._parse(text)
            except StepError as error:
                message = str(error)
        hint.set_class(index is None and bool(text.strip()), "error")
        hint.update(Content(message))
        return index

    def action_cancel(self) -> None:
        """Back without going."""
        self.dismiss(None)
