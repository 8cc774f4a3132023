"""A small menu: one key a row, or arrows and enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from scopetrace.report.display import safe_line
from scopetrace.tui.present.spans import Cell, Line, columns
from scopetrace.tui.widgets.lines import LineList

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Choice(Generic[Value]):
    """A row: its key, what it does, a quiet remark, and the value handed back. Texts are made safe when drawn."""

    key: str
    label: str
    value: Value
    note: str = ""
    role: str = "plain"


class ChoiceLines(Generic[Value]):
    """The menu as lines."""

    natural_width = 0

    def __init__(self, choices: Sequence[Choice[Value]]) -> None:
        self._choices = choices
        self._notes = max((len(choice.note) for choice in choices), default=0)

    def __len__(self) -> int:
        return len(self._choices)

    def selectable(self, index: int) -> bool:
        return True

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def line(self, index: int, width: int) -> Line:
        choice = self._choices[index]
        return columns(
            width,
            [
                Cell(choice.key, "key", 2),
                Cell(safe_line(choice.label), choice.role, cut="middle"),
                Cell(safe_line(choice.note), "dim", self._notes, "right", optional=1),
            ],
        )


class ChoiceScreen(ModalScreen[Value | None], Generic[Value]):
    """Dismisses with the value of the chosen row, or ``None``."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Back"), Binding("enter", "choose", "Choose")]

    def __init__(self, title: str, choices: Sequence[Choice[Value]], *, hint: str = "") -> None:
        super().__init__()
        self._menu_title = title
        self._choices = tuple(choices)
        self._hint = hint or "enter or its key · esc back"
        for number, choice in enumerate(self._choices):
            if choice.key:
                # Bound rather than handled: a key typed ahead finds the menu before it has been drawn.
                self._bindings.bind(choice.key, f"pick({number})", choice.label)

    def compose(self) -> ComposeResult:
        """One list in a box at the foot of the screen."""
        with Vertical(classes="dialog menu") as box:
            box.border_title = Content(self._menu_title)
            box.border_subtitle = Content(self._hint)
            box.styles.height = min(len(self._choices) + 2, 14)
            yield LineList(id="menu-list")

    def on_mount(self) -> None:
        """Fill the menu."""
        self.query_one(LineList).show(ChoiceLines(self._choices))
        self.query_one(LineList).focus()

    def action_pick(self, number: int) -> None:
        """The row whose key was typed."""
        self.dismiss(self._choices[number].value)

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """Enter, or a second click."""
        self.dismiss(self._choices[event.index].value)

    def action_choose(self) -> None:
        """The row under the cursor."""
        self.query_one(LineList).action_choose()

    def action_cancel(self) -> None:
        """Back without choosing."""
        self.dismiss(None)
