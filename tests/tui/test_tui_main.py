"""The main screen under keys, mouse and resizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from fake_timeline import FakeTimeline, empty_timeline
from resizing import resize
from textual import events
from textual.widgets import Input

from scopetrace.model import Frame, Row, RowKind, RunInfo
from scopetrace.tui.app import InspectorApp, Progress
from scopetrace.tui.present.layout import Pane, Shape
from scopetrace.tui.present.message import MessageView
from scopetrace.tui.present.spans import text_of
from scopetrace.tui.screens.loading import LoadingScreen
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.page import PageScreen
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.decisions import DecisionsPane
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.message import MessagePane
from scopetrace.tui.widgets.scopes import ScopesPane

MakeApp = Callable[..., InspectorApp]
SIZE = (120, 40)


def main_of(app: InspectorApp) -> MainScreen:
    assert isinstance(app.screen, MainScreen)
    return app.screen


def seq(app: InspectorApp) -> int:
    main = main_of(app)
    return main.timeline.row(main.index).seq


def bar(app: InspectorApp, name: str) -> str:
    return text_of(app.screen.query_one(f"#{name}", Bar).line_for(app.size.width))


def rows_of(rows: LineList) -> list[str]:
    return [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]


async def test_stepping(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        for keys, expected in (
            ("right", 32),
            ("l", 32),
            ("left", 29),
            ("h", 29),
            ("right_square_bracket", 47),
            ("left_square_bracket", 9),
            ("home", 0),
            ("end", 49),
            ("down", 32),
            ("k", 29),
            ("g 4 7 enter", 47),
            ("g minus 3 enter", 26),
            ("g escape", 30),
        ):
            main_of(app).go(20)
            await pilot.press(*keys.split())
            await pilot.pause()
            assert seq(app) == expected, keys
            assert f"event {expected}/49" in bar(app, "title"), keys


async def test_many_steps_draw_only_the_last(make_app: MakeApp) -> None:
    fake = FakeTimeline()
    app = make_app(fake, start=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        fake.frames_asked.clear()
        main = main_of(app)
        for _ in range(15):
            main.action_step_next()
        await pilot.pause()
        assert main.index == 15
        assert {15} <= set(fake.frames_asked) <= {15, 6}  # 6 holds the baseline whose budget is still in force


async def test_no_change_beyond_the_last(make_app: MakeApp) -> None:
    app = make_app(start=26)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right_square_bracket")
        await pilot.pause()
        assert seq(app) == 47


async def test_a_wrong_step_is_told_and_does_not_move(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g", *"999", "enter")
        await pilot.pause()
        hint = app.screen.query_one("#goto-hint")
        assert "the last event is 49" in str(hint.render())
        assert app.screen.query_one(Input).value == "999"
        await pilot.press("escape")
        await pilot.pause()
        assert seq(app) == 30


@pytest.mark.parametrize("size", [(50, 16), (80, 24), (120, 40), (200, 50)])
async def test_every_pane_is_reached_by_number_and_tab(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        for number, pane in enumerate(Pane, 1):
            await pilot.press(str(number))
            await pilot.pause()
            assert main_of(app).focused_pane is pane
            assert main_of(app).pane(pane).region.height > 2
        seen = set()
        for _ in Pane:
            await pilot.press("tab")
            await pilot.pause()
            seen.add(main_of(app).focused_pane)
        assert seen == set(Pane)
        await pilot.press("shift+tab")
        await pilot.pause()
        assert main_of(app).focused_pane is Pane.MESSAGE


async def test_the_shape_follows_the_size_and_keeps_the_focus(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.press("4")
        for size, shape in (((120, 40), Shape.MIDDLE), ((80, 24), Shape.NARROW), ((40, 12), Shape.REDUCED)):
            await resize(pilot, *size)
            await pilot.pause()
            main = main_of(app)
            assert main.shape is shape
            assert main.focused_pane is Pane.MESSAGE
            assert main.pane(Pane.MESSAGE).region.height > 2


async def test_m_shows_the_message_then_turns_its_views(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        pane = app.screen.query_one(MessagePane)
        assert not pane.display
        await pilot.press("m")
        await pilot.pause()
        assert pane.display
        assert pane.view is MessageView.TEXT
        assert any("# Services" in row for row in rows_of(pane.list))
        await pilot.press("m", "m")
        await pilot.pause()
        assert pane.view is MessageView.RAW
        assert any('"seq": 30' in row for row in rows_of(pane.list))
        await pilot.press("right")
        await pilot.pause()
        assert any('"seq": 32' in row for row in rows_of(pane.list))


async def test_decisions_open_on_what_moved_and_the_status_tells_it(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("2")
        await pilot.pause()
        pane = app.screen.query_one(DecisionsPane)
        assert pane.selected is not None
        assert pane.selected.label == "services/AGENTS.md"
        assert "services/AGENTS.md is announced" in bar(app, "status")
        await pilot.press("down", "down")
        await pilot.pause()
        assert "services/api/AGENTS.md is announced" in bar(app, "status")


async def test_scopes_close_and_keep_the_cursor_while_stepping(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1", *["down"] * 6)
        pane = app.screen.query_one(ScopesPane)
        assert pane.selected is not None
        assert pane.selected.key == "services/"
        before = len(pane.list.source)
        await pilot.press("enter")
        await pilot.pause()
        assert len(pane.list.source) < before
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert pane.selected.key == "services/"
        assert "services: scope directory, not reached yet" in bar(app, "status")


async def test_help_shows_keys_and_legend_and_goes_away(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, PageScreen)
        assert any("Keys in 5 Timeline" in row for row in rows_of(app.screen.query_one(LineList)))
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)


async def test_the_palette_runs_actions(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press(*"last event")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await pilot.pause(0.2)
        assert seq(app) == 49


async def test_footer_keys_can_be_clicked(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        keys = bar(app, "keys")
        await pilot.click(KeyBar, offset=(keys.index("change"), 0))
        await pilot.pause()
        assert seq(app) == 47
        await pilot.press("1")
        await pilot.pause()
        assert "fold" in bar(app, "keys")


async def test_titles_and_strip_can_be_clicked(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("#decisions", offset=(18, 0))
        await pilot.pause()
        assert main_of(app).focused_pane is Pane.MESSAGE
        await pilot.click("#density", offset=(0, 0))
        await pilot.pause()
        assert seq(app) == 0


async def test_play_stops_at_the_end(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scopetrace.tui.screens.stepping.PLAY_SECONDS", 0.01)
    app = make_app(start=20)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space")
        while seq(app) != 49:
            await pilot.pause(0.02)
        await pilot.pause()
        assert "playing" not in bar(app, "status")


async def test_play_and_pause(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scopetrace.tui.screens.stepping.PLAY_SECONDS", 3600)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space")
        assert "playing" in bar(app, "status")
        await pilot.press("space")
        assert "playing" not in bar(app, "status")


async def test_themes_turn(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        seen = [app.theme]
        for _ in range(5):
            await pilot.press("T")
            await pilot.pause()
            seen.append(app.theme)
        assert seen[0] == seen[-1] == "scopetrace-dark"
        assert "ansi-light" in seen


async def test_an_empty_log_says_so(make_app: MakeApp) -> None:
    app = make_app(empty_timeline(), start=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "end", "right_square_bracket", "tab", "m", "space")
        await pilot.pause()
        assert "no events" in bar(app, "title")
        assert "This log holds no events" in bar(app, "status")


async def test_rows_that_arrive_later_show_up(make_app: MakeApp) -> None:
    fake = FakeTimeline(complete=False)
    app = make_app(fake)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "30/49+" in bar(app, "title")
        fake.rows.append(Row(len(fake.rows), 60, RowKind.OTHER, "late", "row"))
        fake.complete = True
        while "/60" not in bar(app, "title"):
            await pilot.pause(0.02)
        assert "+" not in bar(app, "title").split("event")[1]
        await pilot.press("end")
        await pilot.pause()
        assert seq(app) == 60


async def test_loading_reports_opens_and_fails() -> None:
    def load(progress: Progress) -> FakeTimeline:
        progress.report(512, 1024, "reading the log")
        return FakeTimeline()

    app = InspectorApp(load, name="session.jsonl")
    async with app.run_test(size=SIZE) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)

    def fail(progress: Progress) -> FakeTimeline:
        raise ValueError("session.jsonl, line 3: not JSON; is this a session log?\x1b[31m")

    app = InspectorApp(fail, name="session.jsonl")
    async with app.run_test(size=SIZE) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, LoadingScreen)
        text = "\n".join(rows_of(app.screen.query_one(LineList)))
        assert "could not be opened" in text
        assert "line 3: not JSON" in text
        assert "␛[31m" in text
        await pilot.press("q")


async def test_loading_can_be_cancelled() -> None:
    stopped = []

    def load(progress: Progress) -> FakeTimeline:
        while not progress.cancelled:
            progress.report(1, 2, "reading")
        stopped.append(True)
        return FakeTimeline()

    app = InspectorApp(load, name="x")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, LoadingScreen)
        await pilot.press("escape")
        await pilot.pause()
    while not stopped:
        await pilot.pause(0.01)
    assert app.return_code == 0


async def test_the_agreement_is_lost_where_the_record_differs(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "recorded = computed ✔" in bar(app, "title")
        await pilot.press("right_square_bracket")
        await pilot.pause()
        assert "recorded ≠ computed" in bar(app, "title")


def test_rows_are_values() -> None:
    row = FakeTimeline().row(0)
    assert replace(row, seq=1) != row


async def test_the_session_page_tells_rules_and_notes(make_app: MakeApp) -> None:
    class Noted(FakeTimeline):
        @property
        def info(self) -> RunInfo:
            return replace(super().info, notes=("paths of /home/old are looked up below /home/dev",))

    app = make_app(Noted())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "▲ 1 note (i)" in bar(app, "title")
        await pilot.press("i")
        await pilot.pause()
        text = "\n".join(rows_of(app.screen.query_one(LineList)))
        assert "paths of /home/old" in text
        assert "recorded ≠ computed" in text
        assert "65 536 B (64 KiB)" in text
        await pilot.press("i")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)


async def test_an_error_in_one_step_stays_in_that_step(make_app: MakeApp) -> None:
    class Broken(FakeTimeline):
        def frame(self, index: int) -> Frame:
            if self.rows[index].seq == 30:
                raise RuntimeError("no such\x1b rule")
            return super().frame(index)

    app = make_app(Broken())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "event 30 could not be computed: no such␛ rule" in bar(app, "status")
        await pilot.press("m", "m", "m", "left")
        await pilot.pause()
        assert "could not be computed" not in bar(app, "status")
        assert seq(app) == 29


async def test_the_wheel_scrolls_without_moving_the_step(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        rows = app.screen.query_one("#event-list", LineList)
        before = rows.scroll_offset.y
        rows.post_message(
            events.MouseScrollUp(rows, 5, 3, 0, -1, 0, shift=False, meta=False, ctrl=False, screen_x=5, screen_y=30)
        )
        await pilot.pause()
        assert rows.scroll_offset.y < before
        assert seq(app) == 30


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
async def test_zoom_gives_a_pane_the_screen_and_takes_it_back(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await pilot.press("1", "plus")
        await pilot.pause()
        main = main_of(app)
        assert main.pane(Pane.SCOPES).region.width == size[0]
        assert main.pane(Pane.SCOPES).region.height == size[1] - 3
        await pilot.press("5")
        await pilot.pause()
        assert main.pane(Pane.TIMELINE).region.height == size[1] - 3
        await pilot.press("plus")
        await pilot.pause()
        assert main.pane(Pane.TIMELINE).region.height < size[1] // 2


async def test_copies_are_exact(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        for keys, copied in (
            ("5 y", '{"seq": 30, '),
            ("2 y", "/home/dev/demo-monorepo/services/AGENTS.md"),
            ("1 y", "/home/dev/demo-monorepo/~/.dsh/AGENTS.md"),
            ("4 y", "<system-reminder>\nAdditional instructions from: services/AGENTS.md\n"),
            ("4 m y", '[\n  {\n    "action": "set",\n    "scope": "services\\u0000AGENTS.md"'),
        ):
            await pilot.press(*keys.split())
            await pilot.pause()
            assert app.clipboard.startswith(copied), keys
