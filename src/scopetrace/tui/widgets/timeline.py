"""The Timeline pane: the strip of changes over the list of events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.shown import Shown
from scopetrace.tui.present.spans import Line, clip, spread, width_of
from scopetrace.tui.present.timeline import TimelineLines, density, strip_index, strip_notes

from .lines import LineList
from .paint import COMPONENTS, Painter
from .panes import PaneBox


class EventList(LineList):
    """The events; enter looks at the decisions of one."""

    BINDINGS = bindings_for("timeline")


class DensityStrip(Painter, Widget):
    """Where instructions moved, over the whole log; a click goes there."""

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENTS
    DEFAULT_CSS = """
    DensityStrip { height: 1; width: 1fr; padding-right: 1; }
    """

    class Picked(Message):
        """An event was asked for by its place."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__(id="density")
        self._shown: Shown | None = None
        self._growth: Line = ()
        self._bar_width = 1

    def show(self, shown: Shown, growth: Line = ()) -> None:
        """Draw the strip with the present step in it; ``growth`` says what is going on with the log."""
        self._shown, self._growth = shown, growth
        self.refresh()

    def _line(self, width: int) -> Line:
        if self._shown is None:
            return ()
        timeline = self._shown.timeline
        notes = (*strip_notes(self._shown.marks), *self._growth)
        self._bar_width = max(8, width - max(width_of(notes), 24) - 3)
        return spread(
            width, density(self._shown.marks.changes, len(timeline), self._shown.index, self._bar_width), notes
        )

    def render_line(self, y: int) -> Strip:
        """The strip."""
        width = self.size.width
        return self.strip_of(clip(self._line(width), width)).crop_extend(0, width, self.cell_style(""))

    def on_click(self, event: events.Click) -> None:
        """Go to the place that was clicked."""
        if self._shown is not None and event.x < self._bar_width:
            self.post_message(self.Picked(strip_index(event.x, self._bar_width, len(self._shown.timeline))))


class TimelinePane(PaneBox):
    """Every event; the cursor is the present step."""

    def __init__(self) -> None:
        super().__init__(Pane.TIMELINE)
        self._lines: TimelineLines | None = None
        self._rows: Sequence[int] | None = None
        self._is_match: Callable[[int], bool] = lambda index: False
        self._growth: Line = ()

    def compose(self) -> ComposeResult:
        """The strip over the list."""
        yield DensityStrip()
        yield EventList(id="event-list")

    @property
    def list(self) -> LineList:
        """The list inside."""
        return self.query_one(LineList)

    def look(self, rows: Sequence[int] | None, is_match: Callable[[int], bool]) -> None:
        """Show only ``rows`` (``None``: all), and mark those that match."""
        self._rows, self._is_match = rows, is_match

    def grows(self, growth: Line) -> None:
        """What is going on with the log."""
        self._growth = growth

    def index_at(self, position: int) -> int:
        """The row of the timeline at a place of the list."""
        return self._lines.index_at(position) if self._lines is not None else position

    def show(self, shown: Shown) -> None:
        """Put the cursor on the step; rows around it tell what is shadowed by now."""
        self.query_one(DensityStrip).show(shown, self._growth)
        if self._lines is None or self._lines.timeline is not shown.timeline:
            self._lines = TimelineLines(shown.timeline, shown.marks)
            self.list.show(self._lines)
        self._lines.at = shown.index
        self._lines.rows, self._lines.is_match = self._rows, self._is_match
        self.list.centre(self._lines.position_of(shown.index))
