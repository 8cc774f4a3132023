"""The Budget pane."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from scopetrace.tui.present.budget import BudgetPart, budget_lines, budgets_in_force, summary
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.shown import Shown
from scopetrace.tui.present.spans import Line, Span, clip

from .lines import LineList
from .panes import PaneBox


class BudgetLines:
    """The pane's lines; what they are depends on the width as a whole."""

    natural_width = 0

    def __init__(self, parts: Sequence[BudgetPart]) -> None:
        self._parts = parts
        self._width = -1
        self._lines: tuple[Line, ...] = budget_lines(parts, 40)

    def __len__(self) -> int:
        return len(self._lines) or 1

    def line(self, index: int, width: int) -> Line:
        if not self._parts:
            return clip((Span("no block was rendered yet", "dim"),), width)
        if width != self._width:
            self._width, self._lines = width, budget_lines(self._parts, width)
        return self._lines[index]

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def selectable(self, index: int) -> bool:
        return True


class BudgetPane(PaneBox):
    """How the budgets were spent."""

    def __init__(self) -> None:
        super().__init__(Pane.BUDGET)
        self._index = -1

    def compose(self) -> ComposeResult:
        """One list without a cursor."""
        yield LineList(id="budget-list", has_cursor=False)

    @property
    def list(self) -> LineList:
        """The list inside."""
        return self.query_one(LineList)

    def show(self, shown: Shown) -> None:
        """Draw the budgets of a step, and of the blocks still in force."""
        parts = budgets_in_force(shown)
        self.list.show(BudgetLines(parts), top=shown.index != self._index)
        self._index = shown.index
        text = summary(parts)
        self.summarise(text, "warn")
