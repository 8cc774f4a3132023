"""A one-line question at the foot of the screen, what is wrong or found below it while typing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from scopetrace.report.display import safe_line
from scopetrace.tui.widgets.field import SafeInput

Hint = Callable[[str], tuple[str, bool]]
"""For what is typed: the words below it, raw, and whether they are a complaint."""

LOOK_SECONDS = 0.1


class Typing(Screen[Any]):
    """A screen with one input that takes keys typed before it was there.

    A key read together with the one that opened the screen was aimed at the screen below; the app hands it on here.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ahead: list[str] = []

    def type_ahead(self, event: events.Key) -> None:
        """Take a key that the input did not get. Enter on an input that is there already is bound and needs no help."""
        if event.is_printable and event.character is not None:
            self._ahead.append(event.character)
        elif event.key == "enter" and not isinstance(self.focused, Input):
            self._ahead.append("\n")
        if self.is_mounted and self.query(Input):
            self.call_after_refresh(self._catch_up)

    def on_mount(self) -> None:
        """Enter what was typed already."""
        self.call_after_refresh(self._catch_up)

    @property
    def held_back(self) -> bool:
        """Whether enter came before what was typed ahead of it has been entered; it is done afterwards then."""
        if self._ahead:
            self._ahead.append("\n")
            return True
        return False

    async def _catch_up(self) -> None:
        # Escape may have closed the question, and emptied the screen, before this was called.
        fields = self.query(Input)
        if not fields or not self.is_running:
            return
        field = fields.first()
        while self._ahead:
            character = self._ahead.pop(0)
            if character == "\n":
                await field.action_submit()
            else:
                field.insert_text_at_cursor(character)


class PromptScreen(Typing, ModalScreen[str | None]):
    """Dismisses with the text, or ``None``.

    ``accept`` is asked on enter and may keep the question open; ``live`` looks at the hint now and then, for one that
    changes by itself.
    """

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Back")]

    def __init__(
        self,
        title: str,
        hint: Hint,
        *,
        value: str = "",
        placeholder: str = "",
        accept: Callable[[str], bool] = lambda text: bool(text.strip()),
        changed: Callable[[str], None] = lambda text: None,
        live: bool = False,
    ) -> None:
        super().__init__()
        self._question = title
        self._hint = hint
        self._value = value
        self._placeholder = placeholder
        self._accept = accept
        self._changed = changed
        self._live = live

    def compose(self) -> ComposeResult:
        """The question in a box."""
        with Vertical(classes="dialog prompt") as box:
            box.border_title = Content(self._question)
            hint = self._placeholder
            yield SafeInput(value=self._value, placeholder=hint, classes="prompt-input", select_on_focus=False)
            yield Static(Content(""), classes="prompt-hint")

    def on_mount(self) -> None:
        """The cursor stands at the end of what is given."""
        field = self.query_one(Input)
        field.cursor_position = len(self._value)
        self.look()
        if self._live:
            self.set_interval(LOOK_SECONDS, self.look)

    def look(self) -> None:
        """Ask for the hint again."""
        text, complaint = self._hint(self.query_one(Input).value)
        hint = self.query_one(".prompt-hint", Static)
        hint.set_class(complaint, "error")
        hint.update(Content(safe_line(text)))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell the asker, and show what it says."""
        self._changed(event.value)
        self.look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the text back, if it will do."""
        if self.held_back:
            return
        if self._accept(event.value):
            self.dismiss(event.value)
        else:
            self.look()

    def action_cancel(self) -> None:
        """Back without an answer."""
        self.dismiss(None)
