"""The inspector on the bundled sessions: every event of every one can be drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from scopetrace.replay import open_session, prepare_session
from scopetrace.tui.app import InspectorApp, Progress
from scopetrace.tui.present.message import MessageView
from scopetrace.tui.present.spans import text_of
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.widgets.bars import Bar
from scopetrace.tui.widgets.lines import LineList

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if (path / "recording.json").is_file())
DEMO = SAMPLES / "demo-monorepo"


def rows_of(app: InspectorApp, name: str) -> str:
    rows = app.screen.query_one(f"#{name}", LineList)
    return "\n".join(rows.render_line(y).text.rstrip() for y in range(rows.page_height))


def title(app: InspectorApp) -> str:
    return text_of(app.screen.query_one("#title", Bar).line_for(app.size.width))


@pytest.mark.parametrize("name", NAMES)
async def test_every_event_draws(name: str) -> None:
    timeline = open_session(SAMPLES / name)
    app = InspectorApp(timeline)
    async with app.run_test(size=(160, 45)) as pilot:
        await pilot.pause()
        main = app.screen
        assert isinstance(main, MainScreen)
        views = list(MessageView)
        for index in range(len(timeline)):
            main.index = index
            main.draw()
            assert main.shown is not None
            assert main.shown.error == ""
            assert main.shown.index == index
            if main.marks.is_change(index):
                for _ in views:
                    main.action_message_view()
                await pilot.pause()
                ElementTree.fromstring(app.export_screenshot())


async def test_the_demo_tells_its_story() -> None:
    timeline = open_session(DEMO)
    app = InspectorApp(timeline, start=timeline.index_of(30) or 0)
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.pause()
        assert "event 30/153" in title(app)
        assert "turn 1 · step 3" in title(app)
        assert "recorded = computed ✔" in title(app)
        assert "rules 0.2" in title(app)
        assert "new" in rows_of(app, "decision-list")
        assert "services/AGENTS.md" in rows_of(app, "decision-list")
        assert "Additional instructions from: services/AGENTS.md" in rows_of(app, "message-list")
        assert "not reached" in rows_of(app, "scope-list")
        assert "update" in rows_of(app, "budget-list")
        await pilot.press("right_square_bracket")
        await pilot.pause()
        assert "event 68/153" in title(app)


async def test_the_screen_is_there_before_the_log_is_replayed_to_its_end() -> None:
    sizes: list[tuple[int, bool]] = []

    def load(progress: Progress) -> Any:
        timeline = prepare_session(DEMO)
        timeline.advance(10)
        sizes.append((len(timeline), timeline.complete))
        return timeline

    app = InspectorApp(load, name=str(DEMO))
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        while "/153" not in title(app) or "+" in title(app):
            await pilot.pause(0.02)
        assert sizes == [(10, False)]
        await pilot.press("end")
        await pilot.pause()
        assert "event 153/153" in title(app)


async def test_a_missing_session_says_where_and_what_to_do() -> None:
    app = InspectorApp(lambda progress: open_session(DEMO / "nothing.jsonl"), name="nothing.jsonl")
    async with app.run_test(size=(100, 30)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        text = rows_of(app, "loading-lines")
        assert "could not be opened" in text
        assert "nothing.jsonl" in text
