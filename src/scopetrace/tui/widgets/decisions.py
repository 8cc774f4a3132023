"""The Decisions pane."""

from __future__ import annotations

from textual.app import ComposeResult

from scopetrace.report.display import safe_line
from scopetrace.tui.keymap import keys_in_force
from scopetrace.tui.present.decisions import DecisionLines, DecisionRow, decision_rows, first_of_interest, summary
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.shown import Shown
from scopetrace.tui.present.spans import EMPTY, Span, StaticLines, wrap

from .lines import LineList
from .panes import PaneBox


class DecisionsPane(PaneBox):
    """What was decided in this step, one row a candidate."""

    def __init__(self) -> None:
        super().__init__(Pane.DECISIONS)
        self._rows: tuple[DecisionRow, ...] = ()
        self._index = -1

    def compose(self) -> ComposeResult:
        """One list."""
        yield LineList(id="decision-list")

    @property
    def list(self) -> LineList:
        """The list inside."""
        return self.query_one(LineList)

    @property
    def selected(self) -> DecisionRow | None:
        """The row under the cursor."""
        cursor = self.list.cursor
        return self._rows[cursor] if 0 <= cursor < len(self._rows) else None

    def show(self, shown: Shown) -> None:
        """Draw the decisions of a step; on another step the cursor goes to what moved."""
        moved = shown.index != self._index
        self._index = shown.index
        self._rows = decision_rows(shown.frame.decisions)
        if self._rows:
            cursor = first_of_interest(self._rows) if moved else None
            self.list.show(DecisionLines(self._rows), cursor=cursor, top=moved and cursor == 0)
            if moved:
                self.list.show_cursor()
        else:
            keys = keys_in_force(self.app)
            back, on = keys.first("main.change_previous"), keys.first("main.change_next")
            text = f"Nothing was decided at this event. {back} and {on} go to the events at which instructions moved."
            if shown.error:
                text = (
                    f"This event could not be computed: {safe_line(shown.error)}. The other events do not depend on it."
                )
            width = max(20, self.list.row_width)
            self.list.show(
                StaticLines([EMPTY, *((Span(" " + part, "dim"),) for part in wrap(text, width - 2))]), top=True
            )
        self.summarise(summary(self._rows))
