"""A lesson: captions over the panes, one key a page."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Grid, Vertical
from textual.content import Content

from scopetrace.replay.lessons import Lesson, Page
from scopetrace.report.display import safe_line
from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.later import after_refresh
from scopetrace.tui.present.caption import caption_height, caption_lines, checked
from scopetrace.tui.present.keyspage import keys_page
from scopetrace.tui.present.layout import Pane, sharing
from scopetrace.tui.present.legend import help_lines
from scopetrace.tui.present.spans import EMPTY, Line, Span, StaticLines, spread
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.budget import BudgetPane
from scopetrace.tui.widgets.decisions import DecisionsPane
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.message import MessagePane
from scopetrace.tui.widgets.scopes import ScopesPane
from scopetrace.tui.widgets.timeline import TimelinePane

from .page import PageScreen
from .scenario import ScenarioScreen

ABOUT = (
    "The right arrow turns the page, the left one turns back. Every caption is checked against the loader.",
    "Everything of the main screen works in a lesson, too: look into the panes, ask why, suppose something.",
)


LOW = 28
"""Rows of a screen below which the timeline shows two events only."""


class CaptionLines(LineList, can_focus=False):
    """The page's text."""


class LessonScreen(ScenarioScreen):
    """The main screen over a lesson's scenario, led by its pages."""

    CSS_PATH = ["main.tcss", "lesson.tcss"]  # type: ignore[assignment]  # noqa: RUF012
    BINDINGS = bindings_for("lesson")
    TARGETS: ClassVar[tuple[str, ...]] = ("lesson", "main")

    def __init__(self, lesson: Lesson, following: Lesson | None = None) -> None:
        super().__init__(lesson.timeline(), lesson.row, start=lesson.pages[0].at)
        self.lesson = lesson
        self.following = following
        self.turned = 0
        self._answered: set[int] = set()

    def compose(self) -> ComposeResult:
        """As the main screen, with the caption over the panes."""
        yield Bar(id="title")
        with Vertical(id="caption"):
            yield CaptionLines(has_cursor=False, id="caption-lines")
        with Grid(id="panes"):
            yield ScopesPane()
            yield DecisionsPane()
            yield MessagePane()
            yield BudgetPane()
        yield TimelinePane()
        yield Bar(id="status")
        yield KeyBar(id="keys", targets=("lesson",))

    @property
    def page(self) -> Page:
        """The page that is open."""
        return self.lesson.pages[self.turned]

    # -- drawing

    def reshape(self) -> None:
        """On a low screen the timeline gives way to the caption."""
        super().reshape()
        if self.app.size.height < LOW and Pane.TIMELINE not in sharing(self.shape):
            self.pane(Pane.TIMELINE).styles.height = 5

    def on_mount(self) -> None:
        """The first page."""
        after_refresh(self, self.draw_caption)

    def on_resize(self, event: events.Resize) -> None:
        """The caption for the width."""
        after_refresh(self, self.draw_caption)

    def draw_caption(self) -> None:
        """The open page, as high as the lesson's highest one, so that the panes do not jump."""
        box = self.query_one("#caption")
        rows = self.query_one(CaptionLines)
        width = max(20, self.size.width - 5)
        most = max(3, self.app.size.height * 2 // 5 - 2)
        box.styles.height = caption_height(self.lesson.pages, width, most) + 2
        page = self.page
        answered = self.turned in self._answered
        key = self.keys.first("lesson.answer")
        rows.show(StaticLines(caption_lines(page, width, answered=answered, most=most, key=key)), top=True)
        box.border_title = Content(safe_line(self.lesson.title))
        text, role = checked(page)
        box.border_subtitle = Content.styled(text, f"$st-{role}")
        self.draw_bars()

    def draw_bars(self) -> None:
        """The title says which lesson it is; the status line is the main screen's."""
        super().draw_bars()
        page = self.page
        left: Line = (
            Span(" scopetrace", "accent"),
            Span("  lesson", "dim"),
            Span(f"  {safe_line(self.lesson.title)}", "strong"),
            Span(f"  rules {safe_line(self.lesson.profile)}", "dim"),
        )
        right = (Span(f"page {page.number}", "strong"), Span(f"/{page.total} ", "dim"))
        width = self.size.width
        self.query_one("#title", Bar).show(spread(width, left, right))

    # -- actions

    def turn_to(self, number: int) -> None:
        """Open a page, counted from 0."""
        self.turned = number
        self.go(self.page.at)
        self.draw_caption()

    def action_page_next(self) -> None:
        """Turn the page; behind the last one comes the next lesson."""
        if self.turned + 1 < len(self.lesson.pages):
            self.turn_to(self.turned + 1)
        elif self.following is not None:
            self.app.open_lesson(self.following)  # type: ignore[attr-defined]
        else:
            self.notify("That was the last page.", timeout=2, markup=False)

    def action_page_previous(self) -> None:
        """Turn back."""
        if self.turned:
            self.turn_to(self.turned - 1)

    def action_answer(self) -> None:
        """Show the answer of the page's question, or hide it again."""
        if self.page.question:
            self._answered ^= {self.turned}
            self.draw_caption()
        else:
            self.notify("This page asks nothing.", timeout=2, markup=False)

    def action_help(self) -> None:
        """What a lesson is, its own keys, then keys and legend of the main screen."""
        focused = (self.focused_pane or Pane.TIMELINE).value

        def lines(width: int) -> list[Line]:
            own = keys_page(("lesson",), width, about=ABOUT, keys=self.keys)
            return [*own, EMPTY, *help_lines(focused, width, self.keys)]

        self.app.push_screen(PageScreen("Help", lines, close_keys=self.keys.of("lesson.help")))
