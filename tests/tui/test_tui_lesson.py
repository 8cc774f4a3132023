"""Lessons: one key a page, questions with answers, and every shipped lesson from its first page to its last."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from shots import every_size
from surroundings import make_machine
from textual.pilot import Pilot

from scopetrace.replay.lesson_shape import LessonError
from scopetrace.replay.lessons import lesson_from, lessons
from scopetrace.tui.app import InspectorApp, run_lesson
from scopetrace.tui.opening import OpenOptions, open_lesson, open_path, opened_lesson
from scopetrace.tui.present.caption import caption_height, caption_lines
from scopetrace.tui.present.spans import text_of, width_of
from scopetrace.tui.screens.lesson import CaptionLines, LessonScreen
from scopetrace.tui.screens.open import OpenScreen
from scopetrace.tui.screens.whatif import WhatIfScreen
from scopetrace.tui.settings import parse_settings
from scopetrace.tui.widgets.bars import Bar

Compare = Callable[..., bool]
SIZE = (120, 40)
LESSONS = lessons()


async def settle(pilot: Pilot[Any], *keys: str) -> None:
    for key in ("", *keys):
        if key:
            await pilot.press(key)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def lesson_app(name: str, **options: Any) -> InspectorApp:
    return InspectorApp(lambda progress: open_lesson(name), **options)


def shown(app: InspectorApp) -> LessonScreen:
    assert isinstance(app.screen, LessonScreen)
    return app.screen


def caption(app: InspectorApp) -> str:
    rows = shown(app).query_one(CaptionLines)
    return "\n".join(text_of(rows.source.line(n, 200)) for n in range(len(rows.source)))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
async def test_one_key_a_page_through_every_lesson(lesson: Any) -> None:
    app = lesson_app(lesson.name)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for number, page in enumerate(lesson.pages):
            screen = shown(app)
            assert screen.index == page.at
            assert screen.shown is not None
            assert screen.shown.error == ""
            assert page.caption.split()[0] in caption(app)
            title = text_of(screen.query_one("#title", Bar).line_for(120))
            assert f"page {number + 1}/{len(lesson.pages)}" in title
            ElementTree.fromstring(app.export_screenshot())
            if number + 1 < len(lesson.pages):
                await pilot.press("right")
                await pilot.pause()


async def test_the_answer_comes_with_the_key_of_the_user() -> None:
    app = lesson_app("budget", settings=parse_settings({"keys": {"lesson.answer": "f7"}}))
    place = next(n for n, page in enumerate(LESSONS[2].pages) if page.question)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *["right"] * place)
        assert "F7 shows the answer" in caption(app)
        await settle(pilot, "f7")
        assert "shows the answer" not in caption(app)


async def test_a_question_keeps_its_answer_until_space() -> None:
    app = lesson_app("budget")
    place = next(n for n, page in enumerate(LESSONS[2].pages) if page.question)
    page = LESSONS[2].pages[place]
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *["right"] * place)
        assert "space shows the answer" in caption(app)
        assert page.answer.split(".")[0] not in caption(app)
        await settle(pilot, "space")
        assert page.answer.split(".")[0] in caption(app).replace("\n", " ")
        await settle(pilot, "right", "left")
        assert page.answer.split(".")[0] in caption(app).replace("\n", " ")  # once seen, it stays
        await settle(pilot, "space")
        assert "space shows the answer" in caption(app)


async def test_turning_back_and_the_ends() -> None:
    app = lesson_app("chain")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "left")
        assert shown(app).turned == 0
        await settle(pilot, "right", "right", "left")
        assert shown(app).turned == 1
        await settle(pilot, *["right"] * (len(LESSONS[0].pages) - 1))
        assert shown(app).lesson.name == LESSONS[1].name  # behind the last page comes the next lesson
        assert shown(app).turned == 0
    app = lesson_app(LESSONS[-1].name)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *["right"] * (len(LESSONS[-1].pages) + 1))
        assert shown(app).turned == len(LESSONS[-1].pages) - 1
        assert [note.message for note in app._notifications][-1] == "That was the last page."


async def test_from_the_open_screen_and_back(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *"lesson nest", "enter")
        assert shown(app).lesson.name == "nested"
        await settle(pilot, "escape")
        assert isinstance(app.screen, OpenScreen)


async def test_steps_between_pages_can_be_looked_at_and_supposed() -> None:
    app = lesson_app("nested")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "right", "down")
        assert shown(app).index == LESSONS[3].pages[1].at + 1
        assert shown(app).turned == 1
        await settle(pilot, "x")
        assert isinstance(app.screen, WhatIfScreen)
        await settle(pilot, "escape", "right")
        assert shown(app).index == LESSONS[3].pages[2].at


async def test_a_lesson_of_ones_own_is_opened_by_its_path(tmp_path: Path) -> None:
    row = {**LESSONS[0].row, "title": "Our rules [/x]\x1b"}
    path = tmp_path / "ours.json"
    path.write_text(json.dumps(row))
    app = InspectorApp(lambda progress: open_path(str(path), OpenOptions()))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert shown(app).following is None
        assert "Our rules [/x]␛" in text_of(shown(app).query_one("#title", Bar).line_for(120))


async def test_a_claim_that_does_not_hold_is_shown(tmp_path: Path) -> None:
    first = LESSONS[0].row["captions"][0]
    row = {**LESSONS[0].row, "captions": [{**first, "claims": [{"nothing": True}]}]}
    app = InspectorApp(lambda progress: opened_lesson(lesson_from(row)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "✖ the claim does not hold" in caption(app)
        assert "1 of 1 claims do not hold" in str(shown(app).query_one("#caption").border_subtitle)


def test_what_is_wrong_is_said_before_the_screen_is_taken() -> None:
    broken = replace(LESSONS[0], row={**LESSONS[0].row, "ops": [{"op": "tool"}]})
    with pytest.raises(LessonError):
        run_lesson(broken)


@pytest.mark.parametrize("width", [40, 58, 78, 118])
def test_every_page_fits_its_width(width: int) -> None:
    for lesson in LESSONS:
        for page in lesson.pages:
            for answered in (False, True):
                assert all(width_of(line) <= width for line in caption_lines(page, width, answered=answered))
                short = caption_lines(page, width, answered=answered, most=4)
                assert not answered or not page.question or text_of(short[0]).startswith("?") or len(short) <= 4
        assert caption_height(lesson.pages, width, 6) <= 6


# -- how it looks


def pages(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot, *keys)

    return run


@every_size
def test_lesson_screen(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    keys = pages("right", "right", "right", "space")
    assert snap_compare(lesson_app("budget", theme=theme), terminal_size=size, run_before=keys)


def test_lesson_question(snap_compare: Compare) -> None:
    assert snap_compare(lesson_app("budget"), terminal_size=(80, 24), run_before=pages("right", "right", "right"))
