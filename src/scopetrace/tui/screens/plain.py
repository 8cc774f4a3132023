"""A directory without a session: what would load there now, and what the agent would be told after touching files."""

from __future__ import annotations

import os
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Grid
from textual.worker import get_current_worker

from scopetrace.replay.steps import StepTimeline
from scopetrace.report.display import safe_line
from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.opening import Touch, Workspace
from scopetrace.tui.present.filetree import FileRow, describe_file, shortest
from scopetrace.tui.present.keyspage import keys_page
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.legend import help_lines
from scopetrace.tui.present.opening import error_parts
from scopetrace.tui.present.spans import EMPTY, Line, Span, joined
from scopetrace.tui.present.timeline import TimelineMarks
from scopetrace.tui.present.trying import parse_touch
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.budget import BudgetPane
from scopetrace.tui.widgets.decisions import DecisionsPane
from scopetrace.tui.widgets.files import FilesPane
from scopetrace.tui.widgets.message import MessagePane
from scopetrace.tui.widgets.timeline import TimelinePane

from .main import MainScreen
from .page import PageScreen
from .prompt import PromptScreen

ABOUT = (
    "No session is replayed here: the loader runs on the files as they are on the disk now, and nothing is written.",
    "The first step is what a session that starts in this directory would be given. Every file that you touch adds a "
    "touch and the step after it, with what the agent would then be told. Files need not exist: a touch of a new file "
    "counts like any other.",
)


class PlainScreen(MainScreen):
    """The main screen over a timeline that grows by the user's touches."""

    BINDINGS = bindings_for("plain")
    TARGETS: ClassVar[tuple[str, ...]] = ("main", "plain")
    AUTO_FOCUS = "#scope-list"

    def __init__(self, timeline: StepTimeline, workspace: Workspace, *, start: int = 0) -> None:
        super().__init__(timeline, start=start)
        self.workspace = workspace
        self._told = ""

    def compose(self) -> ComposeResult:
        """As the main screen, with all files where scopes are."""
        yield Bar(id="title")
        with Grid(id="panes"):
            yield FilesPane(self.workspace.cwd)
            yield DecisionsPane()
            yield MessagePane()
            yield BudgetPane()
        yield TimelinePane()
        yield Bar(id="status")
        yield KeyBar(id="keys", targets=self.TARGETS, instead={"scopes": "files"})

    @property
    def files(self) -> FilesPane:
        """The pane of files."""
        return self.query_one(FilesPane)

    # -- replaying

    def touch(self, touches: tuple[Touch, ...]) -> None:
        """Look at the workspace again, with these touches."""
        self.run_touches(self.workspace.touching(touches))

    @work(thread=True, exclusive=True, group="workspace")
    def run_touches(self, workspace: Workspace) -> None:
        """Run the loader in a thread; only the last one asked for is shown."""
        worker = get_current_worker()
        try:
            timeline = workspace.replay()
        except Exception as error:
            if not worker.is_cancelled:
                self.app.call_from_thread(self._failed, error)
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._replace, workspace, timeline)

    def _replace(self, workspace: Workspace, timeline: StepTimeline) -> None:
        self.workspace = workspace
        self.timeline = timeline
        self.marks = TimelineMarks(timeline)
        self.forget_rows()
        cwd = workspace.cwd
        tools: dict[str, str] = {}
        for tool, path in workspace.touches:
            place = os.path.normpath(os.path.join(cwd, path))
            tools[place] = (
                joined([tools.get(place, ""), tool], ", ") if tool not in tools.get(place, "") else tools[place]
            )
        self.files.touched(tools)
        self.index = len(timeline) - 1
        last = timeline.row(self.index)
        if workspace.touches:
            tool, path = workspace.touches[-1]
            self._told = f"{tool} {path} → {last.text}"
        else:
            self._told = last.text
        self.request_draw()

    def forget_rows(self) -> None:
        """What was found or filtered belonged to the timeline before."""
        while self.back():
            pass

    def _failed(self, error: Exception) -> None:
        message, where, _ = error_parts(error)
        self.notify(safe_line(f"{message}: {where}"), severity="error", timeout=6, markup=False)

    # -- drawing

    def _status(self) -> Line:
        row = self.files.selected if self.focused_pane is Pane.SCOPES else None
        if self._told and row is not None:
            return (Span(f" {safe_line(self._told)}", "good"),)
        text = describe_file(row, self.workspace.cwd, self.keys) if isinstance(row, FileRow) else ""
        return (Span(f" {text}", "plain"),) if text else super()._status()

    # -- events and actions

    def on_line_list_moved(self, event: object) -> None:
        """The cursor says something else now."""
        self._told = ""

    def on_files_pane_touched(self, event: FilesPane.Touched) -> None:
        """Read the file, for a start."""
        self.touch((*self.workspace.touches, ("read", shortest(event.path, self.workspace.cwd))))

    def action_touch(self) -> None:
        """Ask for tool and path."""
        row = self.files.selected
        path = ""
        if isinstance(row, FileRow) and row.path:
            path = shortest(row.path, self.workspace.cwd)
            path = f"{path}/" if row.is_directory and path != "." else "" if path == "." else path

        def hint(text: str) -> tuple[str, bool]:
            touch = parse_touch(text)
            if touch is None:
                return "read, write or edit, then a path; it need not exist", bool(text.strip())
            return f"enter touches {touch[1]} with {touch[0]} · esc goes back", False

        def take(text: str | None) -> None:
            touch = parse_touch(text or "")
            if touch is not None:
                self.touch((*self.workspace.touches, touch))

        self.app.push_screen(
            PromptScreen("Touch", hint, value=f"read {path}", accept=lambda text: parse_touch(text) is not None), take
        )

    def action_untouch(self) -> None:
        """Take the last touch back."""
        if self.workspace.touches:
            self.touch(self.workspace.touches[:-1])
        else:
            self.notify("Nothing was touched yet.", timeout=2, markup=False)

    def action_reload(self) -> None:
        """Look at the disk again."""
        self.touch(self.workspace.touches)

    def action_files(self) -> None:
        """All files, or scopes only."""
        self.files.turn()

    def action_help(self) -> None:
        """What this screen is, its own keys, then keys and legend of the main screen."""
        focused = (self.focused_pane or Pane.TIMELINE).value

        def lines(width: int) -> list[Line]:
            own = keys_page(("plain", "files"), width, about=ABOUT, keys=self.keys)
            return [*own, EMPTY, *help_lines(focused, width, self.keys)]

        self.app.push_screen(PageScreen("Help", lines, close_keys=self.keys.of("main.help")))
