"""Finding, filtering, breakpoints and playing on the main screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from fake_timeline import FakeTimeline
from textual.pilot import Pilot

from scopetrace.model import Row, RowKind
from scopetrace.replay.looking import BreakKind, Breakpoint
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.present.looking import breakpoint_text, scope_name
from scopetrace.tui.present.spans import text_of
from scopetrace.tui.present.timeline import TimelineLines, TimelineMarks
from scopetrace.tui.screens.choice import ChoiceScreen
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.prompt import PromptScreen
from scopetrace.tui.sweep import Sweep, Sweeps
from scopetrace.tui.widgets.bars import Bar
from scopetrace.tui.widgets.lines import LineList

MakeApp = Callable[..., InspectorApp]
SIZE = (120, 40)


def main_of(app: InspectorApp) -> MainScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, MainScreen))


def seq(app: InspectorApp) -> int:
    main = main_of(app)
    return main.timeline.row(main.index).seq


def bar(app: InspectorApp, name: str) -> str:
    return text_of(main_of(app).query_one(f"#{name}", Bar).line_for(app.size.width))


def events_of(app: InspectorApp) -> list[str]:
    rows = main_of(app).query_one("#event-list", LineList)
    return [text for y in range(rows.page_height) if (text := rows.render_line(y).text.rstrip())]


def foot(app: InspectorApp) -> str:
    return str(main_of(app).query_one("#timeline").border_subtitle)


async def settle(pilot: Pilot[None], app: InspectorApp) -> None:
    await pilot.pause()
    while main_of(app).busy:
        await pilot.pause(0.02)
    await pilot.pause()


# -- finding


async def test_find_counts_while_typing_and_goes_to_the_first_match_from_here(make_app: MakeApp) -> None:
    app = make_app(start=4)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"app/orders.py")
        await settle(pilot, app)
        assert isinstance(app.screen, PromptScreen)
        assert "3 matches" in str(app.screen.query_one(".prompt-hint").render())
        await pilot.press("enter")
        await settle(pilot, app)
        assert seq(app) == 22
        assert "“app/orders.py” 1 of 3" in bar(app, "status")
        assert any(row.startswith("▶  22") for row in events_of(app))
        for key, expected in (("n", 32), ("n", 34), ("n", 22), ("N", 34)):
            await pilot.press(key)
            await settle(pilot, app)
            assert seq(app) == expected
        assert "“app/orders.py” 3 of 3" in bar(app, "status")
        assert any(row.startswith("›  32") for row in events_of(app))
        await pilot.press("escape")
        await settle(pilot, app)
        assert "orders.py” " not in bar(app, "status")
        assert not any(row.startswith("›") for row in events_of(app))


async def test_find_wraps_to_matches_before_this_event(make_app: MakeApp) -> None:
    app = make_app(start=25)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"baseline", "enter")
        await settle(pilot, app)
        assert seq(app) == 9


async def test_find_looks_into_raw_events(make_app: MakeApp) -> None:
    app = make_app(start=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *'"TURN": 2}', "enter")
        await settle(pilot, app)
        assert seq(app) == 44


async def test_find_without_a_match_says_so_and_stays(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"[/bold]\\")
        await settle(pilot, app)
        hint = app.screen.query_one(".prompt-hint")
        assert "“[/bold]\\” 0 matches" in str(hint.render())
        assert hint.has_class("error")
        await pilot.press("enter")
        await settle(pilot, app)
        assert seq(app) == 30
        await pilot.press("n")
        await settle(pilot, app)
        assert seq(app) == 30


async def test_escape_in_the_question_forgets_the_search(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"orders", "escape")
        await settle(pilot, app)
        assert seq(app) == 30
        assert main_of(app).found is None


LONG = 10_000


class Slow(FakeTimeline):
    """A long log whose events take a while to read."""

    asked = 0

    def raw(self, index: int) -> str:
        self.asked += 1
        time.sleep(0.002)
        return ""


def long_timeline() -> Slow:
    return Slow(rows=[Row(index, 1000 + index, RowKind.TOOL, "bash", f"command {index}") for index in range(LONG)])


async def test_a_long_search_does_not_hold_the_keys_and_can_be_dropped(make_app: MakeApp) -> None:
    slow = long_timeline()
    app = make_app(slow, start=5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", "~", "enter", "right")
        await pilot.pause()
        assert main_of(app).busy
        assert seq(app) == 1006
        assert "looking …" in bar(app, "status")
        await pilot.press("escape")
        await pilot.pause()
        assert not main_of(app).busy
        assert main_of(app).found is None
        assert 0 < slow.asked < LONG


async def test_a_search_goes_on_with_rows_that_come_in(make_app: MakeApp) -> None:
    fake = FakeTimeline()
    later, fake.rows = fake.rows[20:], fake.rows[:20]
    fake.complete = False
    app = make_app(fake, start=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"services/api/app", "enter")
        await settle(pilot, app)
        assert "1 of 1" in bar(app, "status")
        fake.rows = fake.rows + later
        fake.complete = True
        main_of(app).timeline_grew()
        await settle(pilot, app)
        assert "1 of 3" in bar(app, "status")


# -- filtering


async def test_filters(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        for key, shown in (("c", [9, 30, 47]), ("t", [22, 23, 34]), ("p", [25, 47])):
            main_of(app).go(20)
            await pilot.press("f", key)
            await settle(pilot, app)
            assert [int(row[1:6]) for row in events_of(app)] == shown
            assert f"{len(shown)} of 29 · esc shows all" in foot(app)
            assert seq(app) == 30
            await pilot.press("end")
            await settle(pilot, app)
            assert seq(app) == shown[-1]
            await pilot.press("left")
            await settle(pilot, app)
            assert seq(app) == shown[-2]
            await pilot.press("right", "right", "right")
            await settle(pilot, app)
            assert seq(app) == shown[-1]
            await pilot.press("home")
            await settle(pilot, app)
            assert seq(app) == shown[0]
            await pilot.press("escape")
            await settle(pilot, app)
            assert "all events" in foot(app)
            assert len(events_of(app)) > len(shown)


async def test_moving_in_the_filtered_list_goes_to_its_events(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f", "c", "down")
        await settle(pilot, app)
        assert seq(app) == 47
        await pilot.press("up", "up")
        await settle(pilot, app)
        assert seq(app) == 9


async def test_the_changes_of_the_selected_scope(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("2", "down", "down", "f")
        await pilot.pause()
        assert isinstance(app.screen, ChoiceScreen)
        await pilot.press("s")
        await settle(pilot, app)
        assert [int(row[1:6]) for row in events_of(app)] == [30, 47]
        assert "changes of services/api/AGENTS.md · 2 of 29" in foot(app)


async def test_an_empty_filter_says_so(make_app: MakeApp) -> None:
    fake = FakeTimeline()
    fake.rows = [replace(row, error=False) for row in fake.rows if row.seq != 47]
    app = make_app(fake)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f", "p")
        await settle(pilot, app)
        assert events_of(app) == []
        assert "problems · 0 of 28 · esc shows all" in foot(app)
        await pilot.press("right", "left", "home", "end", "enter")
        await settle(pilot, app)
        await pilot.press("escape")
        await settle(pilot, app)
        assert len(events_of(app)) > 3


# -- breakpoints


async def test_breakpoints_are_set_listed_hit_and_removed(make_app: MakeApp) -> None:
    app = make_app(start=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("b", "r")
        await settle(pilot, app)
        assert main_of(app).breakpoints == (Breakpoint(BreakKind.MISMATCH),)
        assert "◆ 1 breakpoint" in foot(app)
        await pilot.press("c")
        await settle(pilot, app)
        assert seq(app) == 47
        await pilot.press("c")
        await settle(pilot, app)
        assert seq(app) == 47
        await pilot.press("b", "1")
        await settle(pilot, app)
        assert main_of(app).breakpoints == ()
        assert "◆" not in foot(app)


async def test_a_scope_and_an_outcome_stop(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1", *["down"] * 7, "b", "s")
        await settle(pilot, app)
        assert [breakpoint_text(one) for one in main_of(app).breakpoints] == ["services/AGENTS.md changes"]
        scopes = main_of(app).query_one("#scope-list", LineList)
        assert any("◆" in scopes.render_line(y).text and "AGENTS.md" in scopes.render_line(y).text for y in range(20))
        await pilot.press("2", "b", "o")
        await settle(pilot, app)
        assert "outcome set (new)" in [breakpoint_text(one) for one in main_of(app).breakpoints]
        await pilot.press("home", "c")
        await settle(pilot, app)
        assert seq(app) == 30
        await pilot.press("b", "x", "c")
        await settle(pilot, app)
        assert main_of(app).breakpoints == ()
        assert seq(app) == 30


async def test_continuing_can_be_stopped(make_app: MakeApp) -> None:
    app = make_app(long_timeline(), start=0)
    async with app.run_test(size=SIZE) as pilot:
        main_of(app).breakpoints = (Breakpoint(BreakKind.OUTCOME, "duplicate"),)
        await pilot.press("c")
        await pilot.pause()
        assert "looking for the next hit" in bar(app, "status")
        await pilot.press("escape")
        await pilot.pause()
        assert not main_of(app).busy
        assert seq(app) == 1000
        assert main_of(app).breakpoints


async def test_playing_stops_at_a_breakpoint_and_keeps_its_speed(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scopetrace.tui.screens.stepping.PLAY_SECONDS", 0.05)
    app = make_app(start=18)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("full_stop", "full_stop", "comma", "full_stop")
        assert main_of(app).speed == 4
        await pilot.press("b", "r", "space")
        await pilot.pause()
        while main_of(app).playing:
            await pilot.pause(0.02)
        await pilot.pause()
        assert seq(app) == 47


async def test_speed_while_playing(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scopetrace.tui.screens.stepping.PLAY_SECONDS", 3600)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space", "full_stop")
        assert "playing ×2" in bar(app, "status")
        await pilot.press("escape")
        assert "playing" not in bar(app, "status")


# -- rows


def lines_at(fake: FakeTimeline, at: int, width: int) -> list[str]:
    lines = TimelineLines(fake, TimelineMarks(fake))
    lines.at = fake.index_of(at) or 0
    return [text_of(lines.line(index, width)) for index in range(len(lines))]


def test_shadowed_events_say_by_which_event() -> None:
    fake = FakeTimeline()
    before, after = lines_at(fake, 35, 110), lines_at(fake, 47, 110)
    row = fake.index_of(13) or 0
    assert "shadowed" not in before[row]
    assert after[row].rstrip().endswith("shadowed by event 40")
    assert "by 40" in lines_at(fake, 47, 80)[row]


def test_sub_calls_hang_on_their_call_and_resumes_divide() -> None:
    fake = FakeTimeline()
    fake.rows = [
        Row(0, 1, RowKind.TOOL, "run", "script.py"),
        Row(1, 2, RowKind.TOOL, "read", "a.py", depth=1),
        Row(2, 3, RowKind.TOOL, "read", "b.py", depth=2),
        Row(3, 4, RowKind.RESUME, "resume", "a new run"),
        Row(4, 5, RowKind.DIRECTORY, "cd", "/home/\x1bdev/web"),
    ]
    rows = lines_at(fake, 4, 60)
    assert "└ read" in rows[1]
    assert "  └ read" in rows[2]
    assert "── resume · a new run ──" in rows[3]
    assert "── cd · /home/␛dev/web ──" in rows[4]
    assert {len(row) for row in rows} == {60}


async def test_the_status_tells_when_an_event_is_shadowed_later(make_app: MakeApp) -> None:
    app = make_app(start=7)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "shadowed by event 40 later" in bar(app, "status")


# -- below the screen


def test_a_sweep_keeps_rows_ascending_whatever_the_order() -> None:
    sweep = Sweep([5, 6, 7, 0, 1, 2], lambda index: index % 2 == 0)
    assert not sweep.advance(3)
    assert sweep.found == [6]
    assert sweep.share == 50
    assert sweep.advance(10)
    assert sweep.found == [0, 2, 6]
    assert [sweep.after(6), sweep.after(2), sweep.before(0), sweep.before(6)] == [0, 6, 6, 2]
    assert [sweep.place_of(2), sweep.place_of(5)] == [2, 0]
    sweep.extend([8])
    assert not sweep.done
    assert sweep.advance(1)
    assert sweep.after(6) == 8


def test_a_dropped_sweep_never_says_that_it_is_done() -> None:
    told: list[Sweep] = []
    sweeps = Sweeps()
    sweeps.start("one", Sweep(range(3), bool), told.append)
    sweeps.start("two", Sweep(range(3), bool), told.append)
    assert sweeps.drop("one")
    assert not sweeps.drop("one")
    while sweeps.busy:
        sweeps.run()
    assert len(told) == 1


def test_names_of_scopes() -> None:
    assert scope_name("services\0AGENTS.md") == "services/AGENTS.md"
    assert scope_name(".\0AGENTS.md") == "AGENTS.md"
    assert scope_name("services") == "services/"
    assert scope_name("a\x1bb") == "a␛b/"
