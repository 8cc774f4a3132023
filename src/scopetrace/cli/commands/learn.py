"""``scopetrace learn``: the lessons."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

import click

from scopetrace.cli.failure import fail
from scopetrace.cli.options import json_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from scopetrace.replay.lessons import Lesson

SCREEN = "scopetrace.tui.app"
"""Module whose ``run_lesson(lesson) -> int`` draws a lesson on a terminal."""


@click.command("learn")
@click.argument("name", metavar="[LESSON]", required=False)
@click.option("--text", "as_text", is_flag=True, help="Print the lesson, on a terminal as well.")
@json_option
@click.pass_context
def command(ctx: click.Context, name: str | None, as_text: bool, as_json: bool) -> None:
    """Learn how instruction files load, a page at a time. Every statement is checked against the engine.

    LESSON is a name or number from the list, or a lesson file of your own (docs/lessons.md). Without LESSON, the
    lessons are listed. The exit code is 1 when a claim of the lesson does not hold.

    \b
      scopetrace learn
      scopetrace learn nested
      scopetrace learn docs/lessons/our-rules.json --text
    """
    from scopetrace.cli.console import interactive, print_json, print_lines, width
    from scopetrace.replay.lesson_shape import LessonError
    from scopetrace.replay.lessons import lessons
    from scopetrace.report.lesson_docs import lesson_doc, lessons_doc
    from scopetrace.report.lesson_text import lesson_lines, lessons_lines

    try:
        if name is None:
            listed = lessons_doc(lessons())
            if as_json:
                print_json(listed)
            else:
                print_lines(lessons_lines(listed, width=width()))
            return
        lesson = open_lesson(name)
        screen = None if as_text or as_json or not interactive() else lesson_screen()
        if screen is not None:
            ctx.exit(screen(lesson))
        told = lesson_doc(lesson)
    except LessonError as error:
        raise fail("bad-lesson", error.message, error.remedy, path=error.path, place=error.field) from None
    if as_json:
        print_json(told)
    else:
        print_lines(lesson_lines(told, width=width()))
    ctx.exit(0 if told.holds else 1)


def open_lesson(name: str) -> Lesson:
    """A shipped lesson, else a file. Raises ``LessonError``, :class:`OSError` and ``CliError``."""
    from scopetrace.replay.lessons import find_lesson, lessons, load_lesson

    found = find_lesson(name)
    if found is not None:
        return found
    if os.path.lexists(name) or os.sep in name or name.endswith((".json", ".jsonl", ".gz")):
        return load_lesson(name)
    known = ", ".join(lesson.name for lesson in lessons())
    raise fail("no-such-lesson", f"no lesson is called {name!r}", f"lessons are {known}; or name a lesson file")


def lesson_screen() -> Callable[[Lesson], int] | None:
    """The inspector's lesson screen, if the inspector has one."""
    screen: Callable[[Lesson], int] | None = getattr(import_module(SCREEN), "run_lesson", None)
    return screen
