"""The main screen: five panes over one step of a timeline."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Grid

from scopetrace.model import TimelineView
from scopetrace.replay.looking import Breakpoint
from scopetrace.report.display import safe_line
from scopetrace.tui.actions import KeysInForce
from scopetrace.tui.keymap import bindings_for, keys_in_force
from scopetrace.tui.present.asking import paths_of_decision, paths_of_event, paths_of_scope
from scopetrace.tui.present.copying import decision_copy, message_copy, scope_copy
from scopetrace.tui.present.decisions import DecisionRow
from scopetrace.tui.present.decisions import describe_row as describe_decision
from scopetrace.tui.present.facts import session_lines
from scopetrace.tui.present.growth import growth_words
from scopetrace.tui.present.header import title_line
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.legend import help_lines
from scopetrace.tui.present.looking import broken_scopes, find_words, foot, offered
from scopetrace.tui.present.message import MessageView
from scopetrace.tui.present.moment import moment_at, number_of
from scopetrace.tui.present.scopes import ScopeRow, describe_row
from scopetrace.tui.present.shown import Shown, shown_at
from scopetrace.tui.present.spans import Line, Span, clip
from scopetrace.tui.present.timeline import describe_event
from scopetrace.tui.present.versions import best_diff
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.budget import BudgetPane
from scopetrace.tui.widgets.decisions import DecisionsPane
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.message import MessagePane
from scopetrace.tui.widgets.scopes import ScopesPane
from scopetrace.tui.widgets.timeline import DensityStrip, TimelinePane

from .asking import Asking
from .fitting import Fitting
from .growing import Growing
from .page import PageScreen
from .shaping import Shaping
from .taking import choose_export, copy_text, step_exports


class MainScreen(Asking, Fitting, Growing, Shaping):
    """Wires panes and keys to the step."""

    CSS_PATH = "main.tcss"
    AUTO_FOCUS = "#event-list"
    BINDINGS = bindings_for("main")
    TARGETS: ClassVar[tuple[str, ...]] = ("main",)

    def __init__(self, timeline: TimelineView, *, start: int = 0) -> None:
        super().__init__(timeline, start)
        self.shown: Shown | None = None

    @property
    def keys(self) -> KeysInForce:
        """The keys that work here."""
        return keys_in_force(self.app)

    # -- building

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
        self.reshape()
        self.look_for_fit()
        self.begin_to_grow()
        self.request_draw()

    # -- drawing

    def draw(self) -> None:
        """Hand the step to the panes."""
        if not len(self.timeline):
            self.draw_bars()
            return
        self.shown = shown = shown_at(self.timeline, self.marks, self.index)
        self.query_one(ScopesPane).mark(broken_scopes(self.breakpoints))
        timeline = self.query_one(TimelinePane)
        timeline.look(self.shown_rows, self.is_match)
        key = self.keys.first("main.follow_log")
        timeline.grows(growth_words(self.timeline, following=self.follows, failed=bool(self.read_error), key=key))
        for kind in (ScopesPane, DecisionsPane, BudgetPane, MessagePane, TimelinePane):
            self.query_one(kind).show(shown)  # type: ignore[attr-defined]
        waiting = len(self.breakpoints)
        complete, total = self.timeline.complete, len(self.timeline)
        timeline.summarise(
            foot(complete, self.filter_name, self.shown_rows, total, waiting, self.keys.first("main.back"))
        )
        self.draw_bars()

    def timeline_grew(self) -> None:
        """Rows were added at the end, or reading ended."""
        self.marks.refresh()
        self.rows_came()
        self.look_for_fit()
        self.request_draw()

    def timeline_replaced(self) -> None:
        """Which rules fit is looked for again."""
        self.fits, self._fit_asked = (), False

    def draw_bars(self) -> None:
        """Title and status line."""
        width = self.size.width
        timeline = self.timeline
        count = len(timeline)
        moment = moment_at(timeline, min(self.index, count - 1)) if count else None
        frame = self.shown.frame if self.shown and not self.shown.error else None
        key = self.keys.first("main.session")
        self.query_one("#title", Bar).show(
            title_line(timeline.info, moment, frame, width, complete=timeline.complete, fits=self.fits, key=key)
        )
        self.query_one("#status", Bar).show(clip(self._status(), width))

    def _status(self) -> Line:
        if not len(self.timeline):
            return (Span(" This log holds no events.", "warn"),)
        if self.shown is not None and self.shown.error:
            where = number_of(self.timeline.row(self.index))
            return (Span(f" ✖ event {where} could not be computed: {safe_line(self.shown.error)}", "bad"),)
        ahead: list[Span] = []
        if self.playing:
            ahead.append(Span(f" ▶ playing ×{self.speed:g} ", "good"))
        if self.looking:
            ahead.append(Span(f" {self.looking} ", "warn"))
        if self.found is not None:
            ahead.append(Span(f" {find_words(self.find_text, self.found, self.index)} ", "accent"))
        pane = self.focused_pane
        text = ""
        if pane is Pane.SCOPES and (scope := self.query_one(ScopesPane).selected) is not None:
            text = describe_row(scope)
        elif pane is Pane.DECISIONS and (decision := self.query_one(DecisionsPane).selected) is not None:
            text = describe_decision(decision)
        if not text:
            last = len(self.timeline) - 1
            text = describe_event(moment_at(self.timeline, self.index), self.timeline.shadowed_by(self.index, last))
        return (*ahead, Span(" " + text, "plain"))

    # -- what is selected

    def is_match(self, index: int) -> bool:
        """Whether the search found a row."""
        return self.found is not None and self.found.place_of(index) > 0

    def selected_scope(self) -> str:
        """Scope key or directory under the cursor of the focused pane."""
        scope, decision = self._selected()
        if scope is not None:
            return scope.candidate.scope if scope.candidate is not None else scope.node.directory
        return next((item.scope for item in decision.chain if item.scope), "") if decision is not None else ""

    def offered_breakpoints(self) -> list[Breakpoint]:
        """Breakpoints that fit to the row under the cursor of the focused pane."""
        return offered(*self._selected())

    def paths_in_question(self) -> list[str]:
        """The path under the cursor of Scopes or Decisions; else what the event speaks of."""
        scope, decision = self._selected()
        paths: list[str] = []
        if scope is not None:
            paths = paths_of_scope(scope)
        elif decision is not None:
            paths = paths_of_decision(decision)
        elif self.shown is not None:
            paths = paths_of_event(self.shown)
        return paths

    def _selected(self) -> tuple[ScopeRow | None, DecisionRow | None]:
        pane = self.focused_pane
        return (
            self.query_one(ScopesPane).selected if pane is Pane.SCOPES else None,
            self.query_one(DecisionsPane).selected if pane is Pane.DECISIONS else None,
        )

    # -- events from panes

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        """The timeline's cursor is the step; elsewhere the status line follows."""
        if event.sender.id == "event-list":
            self.go(self.query_one(TimelinePane).index_at(event.index))
        else:
            self.draw_bars()

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """Enter in the timeline looks at the decisions of the event."""
        if event.sender.id == "event-list":
            self.focus_on(Pane.DECISIONS)

    def on_density_strip_picked(self, event: DensityStrip.Picked) -> None:
        """A click on the strip."""
        self.go(event.index)

    # -- actions

    def action_message_view(self) -> None:
        """Show the Message pane; where it is shown already, turn its view."""
        pane = self.query_one(MessagePane)
        if not pane.display:
            self.focus_on(Pane.MESSAGE)
        else:
            pane.turn()

    def action_diff(self) -> None:
        """Record against computation where they differ, else the versions of what was sent again; d again turns."""
        if self.shown is None:
            return
        pane = self.query_one(MessagePane)
        was_there = pane.display
        self.focus_on(Pane.MESSAGE)
        pane.turn_to(best_diff(self.shown, pane.view if was_there else MessageView.TEXT))

    def action_diff_context(self, steps: int) -> None:
        """More or fewer lines around differences."""
        self.query_one(MessagePane).widen_context(steps)

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
        copy_text(self, what, text)

    def action_export(self) -> None:
        """Ask what to write, then where."""
        if self.shown is not None:
            choose_export(self, step_exports(self.shown))

    def action_back(self) -> None:
        """Stop, forget the search, show all events again, leave the zoom, or go back to the open screen: the first that
        there is to undo."""
        if self.back():
            return
        if self.zoomed:
            self.action_zoom()
        else:
            self.app.back_to_open()  # type: ignore[attr-defined]

    def action_wrap(self) -> None:
        """Wrap, or scroll sideways."""
        pane = self.query_one(MessagePane)
        pane.set_wrap(not pane.wrap_text)

    def action_help(self) -> None:
        """Keys and legend."""
        focused = (self.focused_pane or Pane.TIMELINE).value
        lines = partial(help_lines, focused, keys=self.keys)
        self.app.push_screen(PageScreen("Help", lines, close_keys=self.keys.of("main.help")))

    def action_session(self) -> None:
        """What is replayed."""
        self.app.push_screen(
            PageScreen(
                "Session",
                partial(session_lines, self.timeline, fits=self.fits),
                close_keys=self.keys.of("main.session"),
            )
        )

    async def action_palette(self) -> None:
        """Search all actions."""
        await self.app.run_action("command_palette")

    async def action_theme_next(self) -> None:
        """The next theme."""
        await self.app.run_action("theme_next")

    def action_quit(self) -> None:
        """Leave."""
        self.app.exit()
