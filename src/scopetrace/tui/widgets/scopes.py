"""The Scopes pane."""

from __future__ import annotations

from textual.app import ComposeResult

from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.scopes import ScopeLines, ScopeRow, empty_scopes, scope_rows, summary
from scopetrace.tui.present.shown import Shown
from scopetrace.tui.present.spans import StaticLines

from .lines import LineList
from .panes import PaneBox


class ScopeList(LineList):
    """The tree as a list; enter opens and closes directories."""

    BINDINGS = bindings_for("scopes")


class ScopesPane(PaneBox):
    """Every scope with the present state of its candidates."""

    def __init__(self) -> None:
        super().__init__(Pane.SCOPES)
        self._collapsed: set[str] = set()
        self._shown: Shown | None = None
        self._rows: tuple[ScopeRow, ...] = ()
        self._broken: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """One list."""
        yield ScopeList(id="scope-list")

    @property
    def list(self) -> LineList:
        """The list inside."""
        return self.query_one(LineList)

    @property
    def selected(self) -> ScopeRow | None:
        """The row under the cursor."""
        cursor = self.list.cursor
        return self._rows[cursor] if 0 <= cursor < len(self._rows) else None

    def show(self, shown: Shown) -> None:
        """Draw the tree of a step; the cursor stays on its scope."""
        before = self.selected
        same = self._shown is not None and self._shown.tree == shown.tree and self._shown.frame is shown.frame
        self._shown = shown
        if same:
            return
        self._draw(before.key if before else "")

    def mark(self, broken: frozenset[str]) -> None:
        """Mark the scopes and directories that a breakpoint waits for."""
        if broken != self._broken:
            self._broken = broken
            self._draw(self.selected.key if self.selected else "")

    def _draw(self, key: str) -> None:
        if self._shown is None:
            return
        self._rows = scope_rows(self._shown.tree, self._shown.frame.decisions, self._collapsed)
        cursor = next((index for index, row in enumerate(self._rows) if row.key == key), None)
        if self._rows:
            self.list.show(ScopeLines(self._rows, self._broken), cursor=cursor)
        else:
            self.list.show(StaticLines(empty_scopes(self.list.row_width)))
        self.summarise(summary(self._shown.tree))

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """Open or close the directory under the cursor."""
        row = self.selected
        if row is None or row.candidate is not None:
            return
        event.stop()
        self._collapsed ^= {row.node.directory}
        self._draw(row.key)
