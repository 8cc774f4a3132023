"""The main screen: five panes over one step of a timeline."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Grid

from scopetrace.model import TimelineView
from scopetrace.model.sizes import exact_bytes
from scopetrace.report.display import safe_line
from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.present.copying import decision_copy, message_copy, scope_copy
from scopetrace.tui.present.decisions import describe_row as describe_decision
from scopetrace.tui.present.facts import session_lines
from scopetrace.tui.present.header import title_line
from scopetrace.tui.present.layout import (
    Pane,
    Shape,
    budget_height,
    column_widths,
    shape_for,
    sharing,
    timeline_height,
    visible_panes,
)
from scopetrace.tui.present.legend import help_lines
from scopetrace.tui.present.message import MessageView
from scopetrace.tui.present.moment import moment_at, number_of
from scopetrace.tui.present.scopes import describe_row
from scopetrace.tui.present.shown import Shown, shown_at
from scopetrace.tui.present.spans import Line, Span, clip
from scopetrace.tui.present.timeline import describe_event
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.budget import BudgetPane
from scopetrace.tui.widgets.decisions import DecisionsPane
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.message import MessagePane
from scopetrace.tui.widgets.panes import PaneBox
from scopetrace.tui.widgets.scopes import ScopesPane
from scopetrace.tui.widgets.timeline import DensityStrip, TimelinePane

from .page import PageScreen
from .stepping import Stepping


class MainScreen(Stepping):
    """Wires panes and keys to the step."""

    CSS_PATH = "main.tcss"
    AUTO_FOCUS = "#event-list"
    BINDINGS = bindings_for("main")
    TARGETS: ClassVar[tuple[str, ...]] = ("main",)

    def __init__(self, timeline: TimelineView, *, start: int = 0) -> None:
        super().__init__(timeline, start)
        self.shown: Shown | None = None
        self.shape = Shape.WIDE
        self._zoomed = False
        self._recent = [Pane.DECISIONS, Pane.TIMELINE, Pane.MESSAGE, Pane.SCOPES, Pane.BUDGET]

    # -- building and shape

    def compose(self) -> ComposeResult:
        """Title, panes, timeline, status, footer."""
        yield Bar(id="title")
        with Grid(id="panes"):
            yield ScopesPane()
            yield DecisionsPane()
            yield MessagePane()
            yield BudgetPane()
        yield TimelinePane()
        yield Bar(id="status")
        yield KeyBar(id="keys", targets=self.TARGETS)

    def on_mount(self) -> None:
        """Start on the timeline."""
        self._reshape()
        self.request_draw()

    def pane(self, pane: Pane) -> PaneBox:
        """A pane's box."""
        return self.query_one(f"#{pane.value}", PaneBox)

    def on_resize(self, event: events.Resize) -> None:
        """Take the shape for the size."""
        self._reshape()
        self.draw_bars()

    def _reshape(self) -> None:
        size = self.app.size
        shape = shape_for(size.width, size.height)
        if self._zoomed and shape is not Shape.REDUCED:
            shape = Shape.ZOOMED
        for other in Shape:
            self.set_class(other is shape, other.value)
        self.shape = shape
        for pane in Pane:
            self.pane(pane).reshape(shape)
        self._arrange()
        two_rows = shape in (Shape.MIDDLE, Shape.WIDE)
        grid = self.query_one("#panes").styles
        grid.grid_columns = column_widths(shape, size.width)
        grid.grid_rows = f"1fr {budget_height(size.height)}" if two_rows else "1fr"
        self.pane(Pane.TIMELINE).styles.height = (
            "1fr" if Pane.TIMELINE in sharing(shape) else timeline_height(size.height)
        )

    def _arrange(self) -> None:
        """Show the panes of the shape; of those that share a place the one that was used last."""
        shared = sharing(self.shape)
        front = next((pane for pane in self._recent if pane in shared), Pane.DECISIONS)
        visible = visible_panes(self.shape, front)
        for pane in Pane:
            self.pane(pane).display = pane in visible
        self.query_one("#panes").display = bool(visible - {Pane.TIMELINE})

    # -- drawing

    def draw(self) -> None:
        """Hand the step to the panes."""
        if not len(self.timeline):
            self.draw_bars()
            return
        self.shown = shown = shown_at(self.timeline, self.marks, self.index)
        for kind in (ScopesPane, DecisionsPane, BudgetPane, MessagePane, TimelinePane):
            self.query_one(kind).show(shown)  # type: ignore[attr-defined]
        self.draw_bars()

    def timeline_grew(self) -> None:
        """Rows were added at the end, or reading ended."""
        self.marks.refresh()
        self.request_draw()

    def draw_bars(self) -> None:
        """Title and status line."""
        width = self.size.width
        timeline = self.timeline
        count = len(timeline)
        moment = moment_at(timeline, min(self.index, count - 1)) if count else None
        frame = self.shown.frame if self.shown and not self.shown.error else None
        self.query_one("#title", Bar).show(title_line(timeline.info, moment, frame, width, complete=timeline.complete))
        self.query_one("#status", Bar).show(clip(self._status(), width))

    def _status(self) -> Line:
        if not len(self.timeline):
            return (Span(" This log holds no events.", "warn"),)
        if self.shown is not None and self.shown.error:
            where = number_of(self.timeline.row(self.index))
            return (Span(f" ✖ event {where} could not be computed: {safe_line(self.shown.error)}", "bad"),)
        play = (Span(" ▶ playing ", "good"),) if self.playing else ()
        pane = self.focused_pane
        text = ""
        if pane is Pane.SCOPES and (scope := self.query_one(ScopesPane).selected) is not None:
            text = describe_row(scope)
        elif pane is Pane.DECISIONS and (decision := self.query_one(DecisionsPane).selected) is not None:
            text = describe_decision(decision)
        if not text:
            text = describe_event(moment_at(self.timeline, self.index))
        return (*play, Span(" " + text, "plain"))

    # -- events from panes

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        """The timeline's cursor is the step; elsewhere the status line follows."""
        if event.sender.id == "event-list":
            self.go(event.index)
        else:
            self.draw_bars()

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """Enter in the timeline looks at the decisions of the event."""
        if event.sender.id == "event-list":
            self.action_focus_pane(Pane.DECISIONS.value)

    def on_density_strip_picked(self, event: DensityStrip.Picked) -> None:
        """A click on the strip."""
        self.go(event.index)

    def on_pane_box_switch(self, event: PaneBox.Switch) -> None:
        """A click on a name in a title."""
        self._focus(event.pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The footer and the status line follow the focus."""
        pane = self.focused_pane
        if pane is not None:
            self._recent.remove(pane)
            self._recent.insert(0, pane)
            self.query_one(KeyBar).show_keys(pane.value)
        self.draw_bars()

    # -- panes

    @property
    def focused_pane(self) -> Pane | None:
        """The pane that holds the focus."""
        widget = self.focused
        while widget is not None:
            if isinstance(widget, PaneBox):
                return widget.pane
            widget = widget.parent if isinstance(widget.parent, PaneBox) else None
        return None

    def _focus(self, pane: Pane) -> None:
        self._recent.remove(pane)
        self._recent.insert(0, pane)
        if pane in sharing(self.shape):
            self._arrange()
        self.pane(pane).query_one(LineList).focus()

    # -- actions

    def action_focus_pane(self, name: str) -> None:
        """Focus a pane, bringing it to the front."""
        with suppress(ValueError):
            self._focus(Pane(name))

    def action_pane_next(self) -> None:
        """Focus the next pane; panes that share a place are all visited."""
        self._cycle(1)

    def action_pane_previous(self) -> None:
        """Focus the previous pane."""
        self._cycle(-1)

    def _cycle(self, step: int) -> None:
        panes = list(Pane)
        now = self.focused_pane or Pane.TIMELINE
        self._focus(panes[(panes.index(now) + step) % len(panes)])

    def action_message_view(self) -> None:
        """Show the Message pane; where it is shown already, turn its view."""
        pane = self.query_one(MessagePane)
        if not pane.display:
            self._focus(Pane.MESSAGE)
        else:
            pane.turn()

    def action_zoom(self) -> None:
        """Give the focused pane the whole screen, or take it back."""
        self._zoomed = not self._zoomed
        self._reshape()

    def action_copy(self) -> None:
        """Copy what the focused pane is about, exactly."""
        if self.shown is None:
            return
        what, text = "", ""
        match self.focused_pane:
            case Pane.SCOPES if (scope := self.query_one(ScopesPane).selected) is not None:
                what, text = scope_copy(scope)
            case Pane.DECISIONS if (decision := self.query_one(DecisionsPane).selected) is not None:
                what, text = decision_copy(decision)
            case Pane.MESSAGE:
                what, text = message_copy(self.shown, self.query_one(MessagePane).view)
            case Pane.TIMELINE:
                what, text = message_copy(self.shown, MessageView.RAW)
        if text:
            sent = text.encode("utf-8", "replace").decode("utf-8")
            self.app.copy_to_clipboard(sent)
            note = "" if sent == text else " (lone surrogates became ?)"
            self.notify(f"copied: {what}, {exact_bytes(len(sent.encode()))}{note}", timeout=2, markup=False)
        else:
            self.notify("Nothing to copy here.", timeout=2, markup=False)

    def action_wrap(self) -> None:
        """Wrap, or scroll sideways."""
        pane = self.query_one(MessagePane)
        pane.set_wrap(not pane.wrap_text)

    def action_help(self) -> None:
        """Keys and legend."""
        focused = (self.focused_pane or Pane.TIMELINE).value
        self.app.push_screen(PageScreen("Help", partial(help_lines, focused), close_keys="question_mark,f1"))

    def action_session(self) -> None:
        """What is replayed."""
        self.app.push_screen(PageScreen("Session", partial(session_lines, self.timeline), close_keys="i"))

    async def action_palette(self) -> None:
        """Search all actions."""
        await self.app.run_action("command_palette")

    async def action_theme_next(self) -> None:
        """The next theme."""
        await self.app.run_action("theme_next")

    def action_quit(self) -> None:
        """Leave."""
        self.app.exit()
