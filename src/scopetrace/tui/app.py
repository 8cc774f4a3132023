"""The inspector's app: themes, the loading of a session, and the screens. Everything else stands below."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

from textual import work
from textual.app import App, SystemCommand
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from scopetrace.model import TimelineView

from .actions import actions_for
from .pace import Pace
from .screens.loading import LoadingScreen, Progress
from .screens.main import MainScreen
from .themes import FALLBACK, THEME_NAMES, THEMES
from .widgets.paint import PAINT_CSS

Loader = Callable[[Progress], TimelineView]
"""Opens a session in a thread. It may report through :class:`Progress` and should stop when that is cancelled."""


LOOK_SECONDS = 0.05


@runtime_checkable
class Growing(Protocol):
    """A timeline that is read on by its owner."""

    def advance(self, rows: int | None = None) -> bool:
        """Read up to ``rows`` more rows; true when nothing is left."""
        ...


class InspectorApp(App[None]):
    """Shows one timeline."""

    TITLE = "scopetrace"
    CSS = PAINT_CSS
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self, source: TimelineView | Loader, *, theme: str = "", start: int = 0, name: str = "", **_options: Any
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        for known in THEMES:
            self.register_theme(known)
        wanted = theme or os.environ.get("TEXTUAL_THEME", "")
        self.theme = wanted if wanted in self.available_themes else THEME_NAMES[0]
        self._source = source
        self._start = start
        self._source_name = name
        self._polled = (-1, False)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our roles for themes that do not define them."""
        return FALLBACK

    def on_mount(self) -> None:
        """Show the timeline, or load it first."""
        if callable(self._source):
            self.push_screen(LoadingScreen(self._source_name))
            self.load()
        else:
            self.open(self._source)

    def open(self, timeline: TimelineView) -> None:
        """Show a timeline; while its log is still being read, look for new rows."""
        main = MainScreen(timeline, start=self._start)
        if isinstance(self.screen, LoadingScreen):
            self.switch_screen(main)
        else:
            self.push_screen(main)
        if not timeline.complete:
            self._watch(main)

    def _watch(self, main: MainScreen) -> None:
        """Look for new rows now and then. A timeline that can be read on piecemeal is read on here, between keys."""
        growing = main.timeline if isinstance(main.timeline, Growing) else None
        pace = Pace()

        def look() -> None:
            if growing is not None:
                pace.run(growing.advance)
            size = (len(main.timeline), main.timeline.complete)
            if size != self._polled:
                self._polled = size
                main.timeline_grew()
            if main.timeline.complete:
                timer.stop()

        timer = self.set_interval(LOOK_SECONDS, look)

    @work(thread=True, exclusive=True, exit_on_error=False)
    def load(self) -> None:
        """Open the session in a thread."""
        worker = get_current_worker()
        progress = Progress(
            lambda: worker.is_cancelled,
            lambda done, total, note: self.call_from_thread(self._progress, done, total, note),
        )
        assert callable(self._source)
        try:
            timeline = self._source(progress)
        except Exception as error:
            if not worker.is_cancelled:
                self.call_from_thread(self._failed, error)
            return
        if not worker.is_cancelled:
            self.call_from_thread(self.open, timeline)

    def _progress(self, done: int, total: int, note: str) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.screen.progress(done, total, note)

    def _failed(self, error: Exception) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.screen.failed(error)

    def cancel_loading(self) -> None:
        """Stop loading and leave."""
        self.workers.cancel_all()
        self.exit()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: every action of the table, and the themes by name."""
        if isinstance(screen, MainScreen):
            for spec in actions_for("main"):
                if spec.palette:
                    yield SystemCommand(
                        spec.description, f"{spec.show}  ·  {spec.group}", self._runner(screen, spec.action)
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


def run(source: TimelineView | Loader, **options: Any) -> int:
    """Open the inspector on a timeline, or on a loader that opens one in a thread; returns the exit code.

    Options: ``theme`` (a name of :data:`THEME_NAMES`), ``start`` (index of the first event shown), ``name`` (what is
    being opened, for the loading screen).
    """
    app = InspectorApp(source, **options)
    app.run()
    return app.return_code or 0


__all__ = ["InspectorApp", "Loader", "Progress", "Worker", "run"]
