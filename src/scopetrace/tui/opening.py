"""From what a user names to what a screen shows; runs in a thread while the loading screen is up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scopetrace.engine.config import Config
from scopetrace.model import TimelineView

if TYPE_CHECKING:
    from scopetrace.replay import Timeline
    from scopetrace.replay.lessons import Lesson
    from scopetrace.replay.steps import StepTimeline
    from scopetrace.workspace.fs import FileSystem

ROWS_AT_ONCE = 300
"""Rows replayed before the screen appears; it reads the rest on by itself."""

Touch = tuple[str, str]
"""Tool and path."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """What the command line says about everything that is opened; ``None`` leaves it to the log or the bundle.

    ``budget`` is the user's default in bytes, for workspaces opened without settings; ``live`` keeps a log being read.
    """

    profile: str | None = None
    config: Config | None = None
    home: str | None = None
    workspace: str | None = None
    environ: Mapping[str, str] | None = None
    follow_outside: bool = True
    budget: float | None = None
    live: bool = False


@dataclass(frozen=True, slots=True)
class Workspace:
    """A directory without a session: what loads there now, and after touches. ``fs`` stands for the disk."""

    cwd: str
    options: OpenOptions
    touches: tuple[Touch, ...] = ()
    fs: FileSystem | None = None

    def touching(self, touches: tuple[Touch, ...]) -> Workspace:
        """The same directory with other touches."""
        return replace(self, touches=touches)

    def replay(self) -> StepTimeline:
        """Look at the files as they are now. Raises :class:`OSError` for the directory."""
        from scopetrace.replay import open_workspace

        options = self.options
        config = options.config or (Config(options.budget) if options.budget is not None else None)
        return open_workspace(
            self.cwd,
            home=options.home,
            profile=options.profile,
            config=config,
            environ=options.environ,
            touches=self.touches,
            fs=self.fs,
            follow_outside=options.follow_outside,
        )


@dataclass(frozen=True, slots=True)
class Named:
    """A session's log, and how it was opened."""

    path: str
    options: OpenOptions

    def alive(self, path: str) -> Named:
        """The same options for a log that may be written to."""
        return Named(path, replace(self.options, live=True))


@dataclass(frozen=True, slots=True)
class Opened:
    """What was opened: a timeline, and what it stands for where there is no session.

    ``named`` is the session's log; ``following`` is the lesson after ``lesson``.
    """

    timeline: TimelineView
    workspace: Workspace | None = None
    scenario: Mapping[str, Any] | None = None
    lesson: Lesson | None = None
    following: Lesson | None = None
    named: Named | None = None


def open_named(named: Named, rows: int = 0) -> tuple[Named, Timeline]:
    """Open a session's log; of a long one only the beginning is replayed, ``rows`` at least.

    Raises :class:`~scopetrace.sessions.LogError`.
    """
    from scopetrace.replay import prepare_session

    options = named.options
    timeline = prepare_session(
        named.path,
        workspace=options.workspace,
        home=options.home,
        profile=options.profile,
        config=options.config,
        environ=options.environ,
        follow_outside=options.follow_outside,
        live=options.live,
    )
    while not timeline.advance(ROWS_AT_ONCE) and len(timeline) < rows:
        pass
    return named, timeline


def open_path(path: str, options: OpenOptions) -> Opened:
    """Open what is at a path; of a long log only the beginning is replayed.

    Raises :class:`~scopetrace.sessions.LogError`, :class:`~scopetrace.replay.played.ScenarioError`, :class:`OSError`.
    """
    from scopetrace.replay.anything import kind_of, log_in, open_any

    kind = kind_of(path)
    if kind == "workspace":
        workspace = Workspace(os.path.abspath(path), options)
        return Opened(workspace.replay(), workspace)
    if kind in ("bundle", "log"):
        named, timeline = open_named(Named(log_in(path), options))
        return Opened(timeline, named=named)
    if kind == "scenario":
        from scopetrace.replay.played import open_scenario, read_scenario

        row = read_scenario(path)
        if "captions" in row:
            from scopetrace.replay.lessons import lesson_from

            return opened_lesson(lesson_from(row, path))
        return Opened(open_scenario(row, options.profile), scenario=row)
    return Opened(open_any(path, profile=options.profile))


def open_lesson(name: str) -> Opened:
    """A lesson that comes with the program, by its name. Raises ``LessonError`` and :class:`KeyError`."""
    from scopetrace.replay.lessons import find_lesson

    lesson = find_lesson(name)
    if lesson is None:
        raise KeyError(name)
    return opened_lesson(lesson)


def opened_lesson(lesson: Lesson) -> Opened:
    """A lesson, played, and the shipped one that comes after it. Raises ``LessonError``."""
    from scopetrace.replay.lessons import lessons

    lesson.pages  # noqa: B018 - what is wrong with the lesson is said before a screen shows it
    following = None
    shipped = lessons()
    for this, other in pairwise(shipped):
        if (this.name, this.path) == (lesson.name, lesson.path):
            following = other
    return Opened(lesson.timeline(), lesson=lesson, following=following)
