"""The open screen: one field that filters or takes a path, and everything there is to open below it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import get_current_worker

from scopetrace.report.display import safe_line
from scopetrace.tui.finding import (
    Entry,
    EntryKind,
    absolute,
    completions,
    found_sessions,
    homes,
    is_path,
    offered,
    titled,
)
from scopetrace.tui.keymap import bindings_for, keys_in_force
from scopetrace.tui.later import after_refresh
from scopetrace.tui.present.header import homely
from scopetrace.tui.present.keyspage import keys_page
from scopetrace.tui.present.opening import (
    EntryLines,
    EntryRow,
    count_words,
    entry_details,
    entry_rows,
    error_lines,
    error_parts,
)
from scopetrace.tui.present.spans import Line, Span, StaticLines, clip, spread
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.field import SafeInput
from scopetrace.tui.widgets.lines import LineList

from .page import PageScreen

BATCH = 40
"""Sessions that are shown at once while they are found."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the open screen looks, and what time it is (ms)."""

    cwd: str
    environ: Mapping[str, str]
    home: str
    now: Callable[[], int] = lambda: int(time.time() * 1000)

    @classmethod
    def real(cls) -> Surroundings:
        """Of this process."""
        return cls(os.getcwd(), os.environ, os.path.expanduser("~"))


class EntryList(LineList, can_focus=False):
    """The list; keys stay in the field above it."""

    STRONG_CURSOR = True


class OpenScreen(Screen[None]):
    """Posts :class:`Chosen` for what is to be opened."""

    CSS_PATH = "open.tcss"
    AUTO_FOCUS = "#open-input"
    BINDINGS = bindings_for("open")

    class Chosen(Message):
        """An entry is to be opened."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, around: Surroundings | None = None) -> None:
        super().__init__()
        self.around = around or Surroundings.real()
        self._offered: list[Entry] = []
        self._sessions: list[Entry] = []
        self._typed: list[Entry] = []
        self._rows: tuple[EntryRow, ...] = ()
        self._searching = False
        self._note: tuple[str, str, str, str] | None = None

        # -- building
        self._filled_for = ""

    def compose(self) -> ComposeResult:
        """Title, field, list, details, footer."""
        yield Bar(id="title")
        with Vertical(id="open-field", classes="open-box") as box:
            box.border_title = Content("Filter, or a path")
            yield SafeInput(placeholder="words to look for   ~/shop   /logs/session.v4.jsonl.zstd", id="open-input")
        with Vertical(id="open-entries", classes="open-box") as box:
            box.border_title = Content("Open")
            yield EntryList(id="open-list")
        with Vertical(id="open-about", classes="open-box"):
            yield LineList(has_cursor=False, id="open-details")
        yield KeyBar(id="keys", targets=("open",))

    def on_mount(self) -> None:
        """Show what needs no search, and search."""
        self.query_one("#open-details", LineList).can_focus = False
        self.again()

    def again(self) -> None:
        """Look for everything once more."""
        self._offered = offered(self.around.cwd)
        self._sessions = []
        self._searching = True
        self._fill(first=True)
        self._search()

    def on_resize(self, event: events.Resize) -> None:
        """The boxes for the height."""
        self.set_class(self.size.height < 22, "-low")
        after_refresh(self, self._tell)

    # -- searching

    @work(thread=True, exclusive=True, group="open-search")
    def _search(self) -> None:
        """Find the sessions of this machine, then their titles."""
        worker = get_current_worker()

        def stop() -> bool:
            return worker.is_cancelled

        found: list[Entry] = []
        try:
            for entry in found_sessions(homes(self.around.environ), stop):
                found.append(entry)
                if len(found) % BATCH == 0:
                    self.app.call_from_thread(self._found, list(found), True)
            if stop():
                return
            self.app.call_from_thread(self._found, list(found), True)
            for place, entry in titled(list(found), stop):
                found[place] = entry
                if place % 8 == 7:
                    self.app.call_from_thread(self._found, list(found), True)
        except Exception as error:
            if not stop():
                self.app.call_from_thread(self._not_found, error)
            return
        if not stop():
            self.app.call_from_thread(self._found, found, False)

    def _found(self, sessions: list[Entry], searching: bool) -> None:
        self._sessions = sessions
        self._searching = searching
        self._fill()

    def _not_found(self, error: Exception) -> None:
        """Sessions that cannot be listed leave the rest of the screen as it is."""
        self._searching = False
        message, where, remedy = error_parts(error)
        if getattr(error, "code", "") != "no-such-log":
            self._note = ("The sessions of this machine cannot be listed", message, where, remedy)
        self._fill()

    # -- drawing

    @property
    def entries(self) -> list[Entry]:
        """Everything that may be shown now."""
        return self._typed or [*self._offered, *self._sessions]

    @property
    def list(self) -> LineList:
        """The list of entries."""
        return self.query_one("#open-list", LineList)

    @property
    def selected(self) -> Entry | None:
        """The entry under the cursor."""
        cursor = self.list.cursor
        return self._rows[cursor].entry if 0 <= cursor < len(self._rows) else None

    def _fill(self, *, first: bool = False) -> None:
        text = self._filled_for = self.query_one("#open-input", Input).value.strip()
        path = is_path(text)
        self._typed = completions(text, self.around.cwd, self.around.home) if path else []
        before = self.selected
        entries = self._typed if path else self.entries
        self._rows = entry_rows(entries, "" if path else text)
        shown = sum(row.entry is not None for row in self._rows)
        cursor = next((n for n, row in enumerate(self._rows) if row.entry is not None), 0)
        if text and not path:
            # A name that holds the words is meant before a description that happens to hold them.
            wanted = text.casefold()
            named = (n for n, row in enumerate(self._rows) if row.entry and wanted in row.entry.name.casefold())
            cursor = next(named, cursor)
        if before is not None and not first:
            cursor = next(
                (n for n, row in enumerate(self._rows) if row.entry is not None and row.entry.path == before.path),
                cursor,
            )
        if self._rows:
            self.list.show(EntryLines(self._rows, self.around.now(), self.around.home), cursor=cursor, top=first)
        else:
            self.list.show(StaticLines([(Span(self._nothing(text, path), "dim"),)]))
        if cursor <= 2:
            self.list.scroll_to(0, 0, animate=False, immediate=True)
        self.query_one("#open-entries").border_subtitle = Content(count_words(shown, len(entries), self._searching))
        self._tell()

    @staticmethod
    def _nothing(text: str, path: bool) -> str:
        if path:
            return "There is no such path, and no log, scenario or directory whose name begins so."
        return f"Nothing here holds “{safe_line(text)}”. A path begins with / ~ or ./"

    def _tell(self) -> None:
        """The title, and the box below the list: an error, or what is known of the selected entry."""
        width = self.size.width
        home = homes(self.around.environ)
        left: Line = (Span(" scopetrace", "accent"), Span("  what would you like to look at?", "dim"))
        number = len(self._sessions)
        sessions = f"{number} {'session' if number == 1 else 'sessions'}"
        sessions += f" in {safe_line(homely(home, self.around.home))} " if width >= 80 else " "
        self.query_one("#title", Bar).show(clip(spread(width, left, (Span(sessions, "dim"),)), width))
        details = self.query_one("#open-details", LineList)
        box = self.query_one("#open-about")
        box.set_class(self._note is not None, "error")
        if self._note is not None:
            lines = error_lines(*self._note, details.row_width)
            box.border_title = Content("Error")
        else:
            lines = entry_details(self.selected, self.around.now(), self.around.home, details.row_width)
            box.border_title = Content("")
        details.show(StaticLines(lines), top=True)

    def failed(self, what: str, error: BaseException) -> None:
        """Say here what could not be opened, why, and what to do."""
        self._note = (f"{what} could not be opened", *error_parts(error))
        self._tell()

    # -- events and actions

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as it is typed; an old error goes."""
        self._note = None
        self._fill(first=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open what is selected."""
        self.action_open_entry()

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        """The box below follows the cursor."""
        self._note = None
        self._tell()

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """A second click opens."""
        self.action_open_entry()

    def on_click(self, event: events.Click) -> None:
        """Keys always go to the field."""
        self.query_one("#open-input", Input).focus()

    def action_open_entry(self) -> None:
        """Open the selected entry, or the typed path even where nothing is listed: opening says what is wrong."""
        text = self.query_one("#open-input", Input).value.strip()
        if text != self._filled_for:
            # Words and enter that arrive together: the list has not heard of the words yet.
            self._fill(first=True)
        entry = self.selected if self._rows else None
        if entry is None and is_path(text):
            path = absolute(text, self.around.cwd, self.around.home)
            entry = Entry(EntryKind.PATH, text, path)
        if entry is not None:
            self._note = None
            self.post_message(self.Chosen(entry))

    def action_move(self, rows: int) -> None:
        """Move in the list."""
        self.list.move_to(self.list.cursor + rows)
        first = next((n for n, row in enumerate(self._rows) if row.entry is not None), 0)
        if self.list.cursor == first:
            self.list.scroll_to(0, 0, animate=False, immediate=True)

    def action_move_page(self, pages: int) -> None:
        """Move a page in the list."""
        self.action_move(pages * max(1, self.list.page_height - 1))

    def action_complete(self) -> None:
        """Put the selected path into the field, to go on from there."""
        entry = self.selected
        if entry is None:
            return
        field = self.query_one("#open-input", Input)
        text = entry.name if entry.kind is EntryKind.PATH else entry.path
        field.value = text if not entry.directory or text.endswith("/") else f"{text}/"
        field.cursor_position = len(field.value)

    def action_again(self) -> None:
        """Look for sessions once more."""
        self._note = None
        self.again()

    def action_help(self) -> None:
        """The keys of this screen."""
        keys = keys_in_force(self.app)
        self.app.push_screen(
            PageScreen("Help", partial(keys_page, ("open",), keys=keys), close_keys=keys.of("open.help"))
        )

    def action_leave(self) -> None:
        """Empty the field; when it is empty, back to what was open before, or out."""
        field = self.query_one("#open-input", Input)
        if field.value:
            field.value = ""
        elif len(self.app.screen_stack) > 2:
            self.app.pop_screen()
        else:
            self.app.exit()

    async def action_theme_next(self) -> None:
        """The next theme."""
        await self.app.run_action("theme_next")
