"""The inspector's app: themes, the loading of a session, and the screens. Everything else stands below."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import events, work
from textual.app import App, SystemCommand
from textual.markup import escape
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from scopetrace.model import TimelineView
from scopetrace.report.display import safe_line

from .actions import KeysInForce, actions_for
from .finding import Entry, EntryKind
from .opening import Opened, OpenOptions, open_lesson, open_path, opened_lesson
from .screens.loading import LoadingScreen, Progress
from .screens.open import OpenScreen, Surroundings
from .settings import Settings, load_settings
from .signals import leave_on_signals
from .themes import FALLBACK, THEME_NAMES, THEMES
from .widgets.paint import PAINT_CSS

if TYPE_CHECKING:
    from scopetrace.replay.lessons import Lesson


Loader = Callable[[Progress], TimelineView | Opened]
"""Opens a session in a thread. It may report through :class:`Progress` and should stop when that is cancelled."""


class InspectorApp(App[None]):
    """Shows one timeline, or lets the user choose what to open when it is given none."""

    TITLE = "scopetrace"
    CSS = PAINT_CSS
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self,
        source: TimelineView | Opened | Loader | None = None,
        *,
        theme: str = "",
        start: int = 0,
        name: str = "",
        options: OpenOptions | None = None,
        settings: Settings | None = None,
        around: Surroundings | None = None,
        **_options: Any,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        for known in THEMES:
            self.register_theme(known)
        self.settings = settings or Settings()
        self.keys = KeysInForce(self.settings.keys)
        wanted = theme or os.environ.get("TEXTUAL_THEME", "") or self.settings.theme
        self.theme = wanted if wanted in self.available_themes else THEME_NAMES[0]
        self._source = source
        self._start = start
        self._source_name = name
        self._options = options or OpenOptions()
        if self._options.budget is None:
            self._options = replace(self._options, budget=self.settings.budget)
        self._around = around

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our roles for themes that do not define them."""
        return FALLBACK

    def on_load(self) -> None:
        """Before the screen is taken: signals shall give it back."""
        leave_on_signals(self)

    def on_mount(self) -> None:
        """Show the timeline, or load it first, or ask what to open."""
        self.set_keymap(self.settings.keymap())
        if self._source is None:
            self.push_screen(OpenScreen(self._around))
        elif callable(self._source):
            self.begin(self._source, self._source_name, self._start)
        else:
            self.open(self._source, self._start)
        if self.settings.problems:  # one note for all, so that they do not cover the screen
            title = f"Settings: {safe_line(self.settings.path)}"
            told = "\n".join(safe_line(problem) for problem in self.settings.problems)
            self.notify(told, title=title, severity="warning", timeout=20, markup=False)

    # -- opening

    def begin(self, loader: Loader, name: str, start: int = 0) -> None:
        """Load in a thread, with the loading screen up meanwhile."""
        self.push_screen(LoadingScreen(name))
        self.load(loader, name, start)

    def open(self, opened: TimelineView | Opened, start: int = 0) -> None:
        """Show a timeline."""
        if not isinstance(opened, Opened):
            opened = Opened(opened)
        from .showing import screen_for  # only now: the loading screen is painted sooner without it

        main = screen_for(opened, start)
        if isinstance(self.screen, LoadingScreen):
            self.switch_screen(main)
        else:
            self.push_screen(main)

    def on_open_screen_chosen(self, event: OpenScreen.Chosen) -> None:
        """Open what was chosen on the open screen."""
        self.open_entry(event.entry)

    def open_entry(self, entry: Entry) -> None:
        """Open an entry of the open screen."""
        if entry.kind is EntryKind.LESSON:
            self.begin(lambda progress: open_lesson(entry.path), entry.name)
            return
        # What the command line says of a workspace is meant for what it named itself.
        options = replace(self._options, workspace=None) if entry.kind is not EntryKind.PATH else self._options
        self.begin(lambda progress: open_path(entry.path, options), entry.name)

    def open_lesson(self, lesson: Lesson) -> None:
        """The next lesson, in the place of the present one."""
        from .showing import screen_for

        self.switch_screen(screen_for(opened_lesson(lesson), 0))

    def action_what_if(self) -> None:
        """Suppose something at the present event."""
        from .showing import what_if

        screen = what_if(self.screen)
        if screen is None:
            self.notify("Nothing can be supposed here.", timeout=2, markup=False)
        else:
            self.push_screen(screen)

    def action_open_another(self) -> None:
        """The open screen: the one below, or a new one over the present session."""
        if not self.back_to_open():
            self.push_screen(OpenScreen(self._around))

    def back_to_open(self) -> bool:
        """Leave what was opened from the open screen; false when there is none below."""
        if not any(isinstance(screen, OpenScreen) for screen in self.screen_stack[:-1]):
            return False
        while not isinstance(self.screen, OpenScreen):
            self.pop_screen()
        return True

    @work(thread=True, exclusive=True, group="loading")
    def load(self, loader: Loader, name: str, start: int) -> None:
        """Open in a thread."""
        worker = get_current_worker()
        progress = Progress(
            lambda: worker.is_cancelled,
            lambda done, total, note: self.call_from_thread(self._progress, done, total, note),
        )
        try:
            opened = loader(progress)
        except Exception as error:
            if not worker.is_cancelled:
                self.call_from_thread(self._failed, name, error)
            return
        if not worker.is_cancelled:
            self.call_from_thread(self.open, opened, start)

    def _progress(self, done: int, total: int, note: str) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.screen.progress(done, total, note)

    def _failed(self, name: str, error: Exception) -> None:
        """Said on the open screen where there is one, else on the loading screen."""
        if not isinstance(self.screen, LoadingScreen):
            return
        below = self.screen_stack[-2]
        if isinstance(below, OpenScreen):
            self.pop_screen()
            below.failed(name, error)
        else:
            self.screen.failed(error)

    def cancel_loading(self) -> None:
        """Stop loading; back to the open screen where there is one, else leave."""
        self.workers.cancel_group(self, "loading")
        if not self.back_to_open():
            self.exit()

    def on_key(self, event: events.Key) -> None:
        """A key that came past the input was typed before the input was there."""
        take = getattr(self.screen, "type_ahead", None)  # by name: what it is on is imported only when it is opened
        if take is not None:
            take(event)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: every action of the table, and the themes by name."""
        for spec in actions_for(*getattr(screen, "TARGETS", ()), keys=self.keys):
            if spec.palette:
                yield SystemCommand(
                    spec.description, f"{escape(spec.show)}  ·  {spec.group}", self._runner(screen, spec.action)
                )
        for name in THEME_NAMES:
            yield SystemCommand(f"Theme: {name}", "Colours", lambda name=name: setattr(self, "theme", name))

    def _runner(self, screen: Screen[Any], action: str) -> Callable[[], Any]:
        async def run_it() -> None:
            await self.run_action(action, screen)

        return run_it

    def action_theme_next(self) -> None:
        """The next theme of ours."""
        place = THEME_NAMES.index(self.theme) if self.theme in THEME_NAMES else -1
        self.theme = THEME_NAMES[(place + 1) % len(THEME_NAMES)]


def run(source: TimelineView | Loader | None = None, **options: Any) -> int:
    """Open the inspector on a timeline, on a loader that opens one in a thread, or without either on the open screen;
    returns the exit code.

    Options: ``theme`` (a name of :data:`THEME_NAMES`), ``start`` (index of the first event shown), ``name`` (what is
    being opened, for the loading screen), ``options`` (:class:`OpenOptions` for what is opened later). The user's
    settings file is read, nothing is written.
    """
    app = InspectorApp(source, settings=load_settings(), **options)
    app.run()
    return app.return_code or 0


def run_path(path: str, options: OpenOptions, *, start: int = 0) -> int:
    """Open the inspector on whatever is at a path; returns the exit code."""
    return run(lambda progress: open_path(path, options), name=path, options=options, start=start)


def run_lesson(lesson: Lesson) -> int:
    """Open the inspector on a lesson; returns the exit code. Raises ``LessonError`` before the screen is taken."""
    opened = opened_lesson(lesson)
    return run(lambda progress: opened, name=lesson.title)


__all__ = ["InspectorApp", "Loader", "OpenOptions", "Progress", "Worker", "run", "run_lesson", "run_path"]
