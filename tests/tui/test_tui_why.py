"""Why, on the screen: the three jobs by number of key presses, the panel, and where its rows lead."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fake_timeline import ROOT, FakeTimeline
from made_answers import BACKGROUND, LATER
from resizing import resize

from scopetrace.explain import why
from scopetrace.model import Row, RowKind
from scopetrace.replay import open_session
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.present.answer import answer_rows
from scopetrace.tui.present.asking import paths_of_event
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.shown import shown_at
from scopetrace.tui.present.spans import text_of, width_of
from scopetrace.tui.present.timeline import TimelineMarks
from scopetrace.tui.screens.choice import ChoiceScreen
from scopetrace.tui.screens.filepage import FileScreen
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.prompt import PromptScreen
from scopetrace.tui.screens.why import WhyScreen
from scopetrace.tui.widgets.lines import LineList

MakeApp = Callable[..., InspectorApp]
DEMO = Path(__file__).resolve().parents[2] / "sample_sessions" / "demo-monorepo"
SIZE = (120, 40)


@cache
def demo() -> Any:
    return open_session(DEMO)


def demo_app(seq: int) -> InspectorApp:
    return InspectorApp(demo(), start=demo().index_of(seq) or 0)


def main_of(app: InspectorApp) -> MainScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, MainScreen))


def seq(app: InspectorApp) -> int:
    main = main_of(app)
    return main.timeline.row(main.index).seq


def panel(app: InspectorApp) -> str:
    assert isinstance(app.screen, WhyScreen), app.screen
    rows = app.screen.query_one(LineList)
    return "\n".join(rows.render_line(y).text.rstrip() for y in range(rows.page_height))


# -- the jobs of the inspector, in key presses


async def test_job_one_why_is_a_selected_file_not_loaded_in_three_presses() -> None:
    app = demo_app(9)
    presses = ["1", "G", "w"]  # the last file of the tree: web/src/checkout/AGENTS.local.md
    assert len(presses) <= 3
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*presses)
        await pilot.pause()
        assert "Not loaded: web/src/checkout/AGENTS.local.md waits for a read, write or edit" in panel(app)
        assert "event 68 ›" in panel(app)


async def test_job_one_with_a_typed_path_takes_two_presses_and_the_path() -> None:
    app = demo_app(9)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", *"services/api/AGENTS.md", "enter")
        await pilot.pause()
        assert "Not loaded: services/api/AGENTS.md waits" in panel(app)


async def test_job_two_the_exact_text_at_an_event_in_six_presses() -> None:
    app = demo_app(0)
    presses = ["g", "1", "1", "3", "enter", "4"]
    assert len(presses) <= 6
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*presses)
        await pilot.pause()
        main = main_of(app)
        assert seq(app) == 113
        assert main.focused_pane is Pane.MESSAGE
        rows = main.query_one("#message-list", LineList)
        text = "\n".join(rows.render_line(y).text for y in range(rows.page_height))
        assert "services/api/AGENTS.md" in text


# -- asking


async def test_a_path_that_exists_nowhere_is_answered() -> None:
    app = demo_app(30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", *"web/nowhere/agents.md", "enter")
        await pilot.pause()
        assert "not AGENTS.md" in panel(app) or "is not" in panel(app)
        await pilot.press("escape")
        await pilot.pause()
        assert seq(app) == 30


async def test_only_what_can_be_read_is_called_a_file() -> None:
    app = demo_app(30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", *"nowhere/AGENTS.md", "enter")
        await pilot.pause()
        assert "nowhere/AGENTS.md does not exist" in panel(app)
        assert "›" not in panel(app)
        await pilot.press("enter")  # leads nowhere
        await pilot.press("p", *"docs/AGENTS.md", "enter")
        await pilot.pause()
        assert "file ›" in panel(app)


def test_a_row_about_another_path_without_a_text_leads_to_its_answer() -> None:
    rows = answer_rows(LATER, 100, lambda path: False)
    assert not [row for row in rows if row.target is not None and row.target.path]
    rows = answer_rows(replace(LATER, absolute_path=ROOT), 100, lambda path: False)
    assert [row.target.words for row in rows if row.target is not None and row.target.path] == ["why ›", "why ›"]


async def test_an_event_with_several_files_offers_them() -> None:
    app = demo_app(30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        await pilot.pause()
        assert isinstance(app.screen, ChoiceScreen)
        await pilot.press("3")
        await pilot.pause()
        assert isinstance(app.screen, WhyScreen)
        assert app.screen.answer.path == "services/api/CLAUDE.md"


async def test_a_decision_and_a_touch_are_asked_about() -> None:
    app = demo_app(30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("2", "w")
        await pilot.pause()
        assert isinstance(app.screen, WhyScreen)
        assert app.screen.answer.path == "services/AGENTS.md"
        await pilot.press("escape", "5", "g", *"33", "enter", "w")
        await pilot.pause()
        assert isinstance(app.screen, WhyScreen)
        assert app.screen.answer.path == "services/api/app/orders.py"
        assert app.screen.answer.standing == "applies"


async def test_an_event_about_no_path_asks_for_one() -> None:
    app = demo_app(0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        await pilot.pause()
        assert isinstance(app.screen, PromptScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PromptScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)


async def test_another_path_takes_the_place_of_the_answer() -> None:
    app = demo_app(30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("2", "w", "p", *"CLAUDE.md", "enter")
        await pilot.pause()
        assert "CLAUDE.md says the same as AGENTS.md" in panel(app)
        await pilot.press("w")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)


async def test_an_error_in_one_answer_stays_in_that_answer(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: MainScreen, path: str) -> None:
        raise RuntimeError("[/no] such rule")

    monkeypatch.setattr(MainScreen, "answer", fail)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", "x", "enter")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        assert [note.message for note in app._notifications] == ["x: no answer at this event: [/no] such rule"]


# -- where rows lead


async def test_rows_lead_to_events_and_files(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MainScreen, "answer", lambda self, path: LATER)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", "x", "enter", "enter")
        await pilot.pause()
        assert isinstance(app.screen, FileScreen)
        text = app.screen.query_one(LineList)
        assert text.render_line(2).text.rstrip() == "- FastAPI only."
        await pilot.press("y", "escape")
        await pilot.pause()
        assert app.clipboard == "# API\n\n- FastAPI only.\n"
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        assert seq(app) == 47


async def test_the_cursor_keeps_its_row_when_the_screen_is_resized(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MainScreen, "answer", lambda self, path: BACKGROUND)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", "x", "enter", "down", "down")
        await pilot.pause()

        def led() -> object:
            rows = app.screen.query_one(LineList)
            return rows.source.rows[rows.cursor].target  # type: ignore[attr-defined]

        before = led()
        await resize(pilot, 70, 30)
        await pilot.pause()
        assert led() == before


@pytest.mark.parametrize("width", [30, 46, 70, 110])
def test_rows_fit_the_width_and_hostile_text_is_made_safe(width: int) -> None:
    rows = answer_rows(BACKGROUND, width)
    assert max(width_of(row.line) for row in rows) <= width
    text = "\n".join(text_of(row.line) for row in rows)
    assert "\x1b" not in text
    assert "␛" in text


def test_every_kind_of_answer_of_the_demo_fits() -> None:
    timeline = demo()
    paths = (
        "AGENTS.md",
        "CLAUDE.md",
        "agents.md",
        "services",
        "web/src/x.ts",
        "/elsewhere/AGENTS.md",
        "~/.dsh/AGENTS.md",
    )
    for path in paths:
        for at in (0, 9, 30, 113, 142):
            answer = why(timeline, path, at=timeline.index_of(at))
            for width in (40, 76, 120):
                assert max(width_of(row.line) for row in answer_rows(answer, width)) <= width


def test_paths_of_events() -> None:
    fake = FakeTimeline()
    marks = TimelineMarks(fake)

    def paths(number: int) -> list[str]:
        return paths_of_event(shown_at(fake, marks, fake.index_of(number) or 0))

    assert paths(30) == [
        f"{ROOT}/services/AGENTS.md",
        f"{ROOT}/services/api/AGENTS.md",
        f"{ROOT}/services/api/CLAUDE.md",
    ]
    assert paths(22) == ["services/api/app/orders.py"]
    assert paths(12) == []
    fake.rows[8] = Row(8, 12, RowKind.TOOL, "edit", "")
    assert paths(12) == []


# -- taking answers along


async def test_answers_are_copied_and_exported(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(MainScreen, "answer", lambda self, path: LATER)
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p", "x", "enter", "y")
        await pilot.pause()
        assert app.clipboard.startswith("○ Not loaded: services/api/AGENTS.md waits")
        await pilot.press("e", "end", *["backspace"] * 2, *"json", "enter")
        await pilot.pause()
        assert isinstance(app.screen, WhyScreen)
    [written] = tmp_path.iterdir()
    assert written.name == "why-services-api-AGENTS.md-event-30.json"
    assert json.loads(written.read_text(encoding="utf-8"))["headline"] == LATER.headline
