"""What if: the form, the replay beside what it was, scratch copies; and that no disk is touched."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from shop import FILES, HOME, SHOP, shop_app, workspace
from shots import LIGHT, every_size, narrow_and_wide
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from scopetrace.engine.config import Config
from scopetrace.model import Outcome
from scopetrace.replay import Timeline, open_scenario, open_session
from scopetrace.replay.whatif import Variation
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.opening import Opened
from scopetrace.tui.present.spans import text_of
from scopetrace.tui.present.trying import initial, parse_bytes, variation
from scopetrace.tui.screens.choice import ChoiceScreen
from scopetrace.tui.screens.edit import EditScreen, ScratchArea, losses
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.page import PageScreen
from scopetrace.tui.screens.plain import PlainScreen
from scopetrace.tui.screens.whatif import FieldRow, WhatIfScreen
from scopetrace.tui.supposing import ScenarioGround, SessionGround, Stopped, WorkspaceGround, compare
from scopetrace.tui.widgets.bars import Bar
from scopetrace.tui.widgets.lines import LineList
from scopetrace.workspace.overlay import Edit

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
Compare = Callable[..., bool]
SIZE = (120, 40)


@pytest.fixture(scope="module")
def demo() -> Timeline:
    return open_session(SAMPLES / "demo-monorepo")


async def settle(pilot: Pilot[Any], *keys: str) -> None:
    for key in ("", *keys):
        if key:
            await pilot.press(key)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def put(pilot: Pilot[Any], **values: str) -> None:
    for key, text in values.items():
        pilot.app.screen.query_one(f"#field-{key}", Input).value = text
    await settle(pilot)


def what_if(app: InspectorApp) -> WhatIfScreen:
    assert isinstance(app.screen, WhatIfScreen)
    return app.screen


def result(app: InspectorApp) -> str:
    rows = what_if(app).query_one("#whatif-lines", LineList)
    return "\n".join(text_of(rows.source.line(n, max(30, rows.row_width))) for n in range(len(rows.source)))


def error_of(app: InspectorApp, key: str) -> str:
    row = next(row for row in what_if(app).query(FieldRow) if row.field.key == key)
    assert row.has_class("wrong")
    return str(row.query_one(".field-error").render())


def app_at(demo: Timeline, seq: int, **options: Any) -> InspectorApp:
    return InspectorApp(demo, start=demo.index_of(seq) or 0, **options)


# -- the form


async def test_a_smaller_budget_shows_what_is_left_out(demo: Timeline) -> None:
    app = app_at(demo, 68)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x", *["backspace"] * 5, *"700")
        shown = result(app)
        assert "2 candidates would come out otherwise" in shown
        row = next(line for line in shown.split("\n") if "~/.dsh/AGENTS.md" in line)
        assert row.split()[2:5] == ["loaded", "→", "omitted"]
        assert "what if" in shown
        assert "700 B" in shown
        assert "+ Workspace instruction budget 700 bytes" in shown
        assert "- # Personal" in shown
        await settle(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


async def test_two_keys_to_the_form_and_back(demo: Timeline) -> None:
    app = app_at(demo, 68)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x")
        assert app.focused is what_if(app).query_one("#field-maxBytes")
        assert "Change a field" in result(app)
        await settle(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


async def test_mistakes_are_told_at_their_field(demo: Timeline) -> None:
    app = app_at(demo, 68)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x")
        for key, value, told in (
            ("maxBytes", "many", "“many” is no number of bytes"),
            ("maxSourceBytes", "-3", "must be a positive whole number of bytes, not -3"),
            ("maxTotalSourceBytes", "0", "must be a positive whole number of bytes, not 0"),
            ("profile", "0.3", "no rules “0.3”; known are 0.1, 0.2, next"),
            ("home", "", "name a directory"),
            ("touch", "read", "name a path, too"),
        ):
            await put(pilot, **{key: value})
            assert told in error_of(app, key)
            await settle(pilot, "ctrl+r")
            assert not any(row.has_class("wrong") for row in what_if(app).query(FieldRow)), key
            assert "Change a field" in result(app), key


async def test_a_touch_at_this_event(demo: Timeline) -> None:
    app = app_at(demo, 15)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x")
        await put(pilot, touch="read services/worker/jobs.py")
        shown = result(app)
        assert "Told with the next step" in shown
        assert "services/worker/CLAUDE.md" in shown
        assert "would be told: set" in shown
        assert "+ Additional instructions from: services/worker/CLAUDE.md" in shown


async def test_every_setting_can_be_supposed(demo: Timeline) -> None:
    app = app_at(demo, 10)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x")
        for values, expected in (
            ({"instructionFileCandidates": "CLAUDE.md"}, "no candidate"),
            ({"localInstructionFileCandidates": ""}, "AGENTS.local.md"),
            ({"profile": "0.1"}, "~/.agents/AGENTS.md"),
            ({"maxSourceBytes": "10"}, "too big"),
            ({"maxTotalSourceBytes": "100"}, "candidate"),
            ({"home": "/nowhere", "dshHome": ""}, "AGENTS.md"),
            ({"projectRootMarkers": "package.json"}, "Nothing would come out otherwise"),
        ):
            await settle(pilot, "ctrl+r")
            assert "Change a field" in result(app), values
            await put(pilot, **values)
            assert expected in result(app), values


async def test_arrows_and_enter_walk_the_fields(demo: Timeline) -> None:
    app = app_at(demo, 68)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x", "down", "enter")
        assert app.focused is what_if(app).query_one("#field-localInstructionFileCandidates")
        status = text_of(app.screen.query_one("#status", Bar).line_for(120))
        assert "as it is: AGENTS.local.md, CLAUDE.local.md" in status
        await settle(pilot, "up", "up", "up")
        assert app.focused is what_if(app).query_one("#whatif-edits")
        await settle(pilot, "f1")
        assert isinstance(app.screen, PageScreen)


async def test_the_result_scrolls_from_within_a_field(demo: Timeline) -> None:
    app = app_at(demo, 68)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot, "x")
        await put(pilot, maxBytes="600")
        await settle(pilot, "pagedown")
        assert what_if(app).query_one("#whatif-lines", LineList).scroll_offset.y > 0
        await settle(pilot, "pageup")
        assert what_if(app).query_one("#whatif-lines", LineList).scroll_offset.y == 0


async def test_nothing_to_suppose_on_a_timeline_that_cannot_be_replayed(make_app: Callable[..., InspectorApp]) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x")
        assert isinstance(app.screen, MainScreen)


# -- scratch copies


async def test_an_edited_file_counts_and_the_disk_does_not_change(tmp_path: Path) -> None:
    import shutil

    bundle = tmp_path / "bundle"
    shutil.copytree(SAMPLES / "demo-monorepo", bundle)
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    timeline = open_session(bundle)
    app = app_at(timeline, 68)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x", "f2")
        assert isinstance(app.screen, ChoiceScreen)
        await settle(pilot, "down", "down", "enter", "e")
        assert isinstance(app.screen, EditScreen)
        await settle(pilot, *"new words", "enter", "escape")
        shown = result(app)
        assert "AGENTS.md" in shown
        assert "+ new words" in shown
        assert "AGENTS.md" in str(what_if(app).query_one("#whatif-edits").render())
        await settle(pilot, "f2", "down", "down", "enter", "u")
        assert "Change a field" in result(app)
    assert {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()} == before


async def test_a_file_that_is_looked_at_only_is_no_edit(demo: Timeline) -> None:
    app = app_at(demo, 68)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x", "f2", "enter", "e", "x", "ctrl+r", "escape")
        assert "Change a field" in result(app)


async def test_a_file_supposed_away(demo: Timeline) -> None:
    app = app_at(demo, 10)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x", "f2", "down", "down", "enter", "d")
        shown = result(app)
        assert "AGENTS.md gone" in str(what_if(app).query_one("#whatif-edits").render())
        row = next(line for line in shown.split("\n") if " CLAUDE.md " in line)
        assert row.split()[2:5] == ["duplicate", "→", "absent"]  # it is a link to the other one


async def test_a_candidate_that_does_not_exist_can_be_written(demo: Timeline) -> None:
    app = app_at(demo, 10)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x", "f2")
        rows = app.screen.query_one(LineList)
        words = [text_of(rows.source.line(n, 70)) for n in range(len(rows.source))]
        place = next(n for n, text in enumerate(words) if " CLAUDE.local.md" in text and "absent" in text)
        rows.move_to(place)
        await settle(pilot, "enter")
        assert isinstance(app.screen, EditScreen)
        await settle(pilot, *"mine", "escape")
        assert "+ mine" in result(app)


def test_what_the_editor_would_change_is_named() -> None:
    assert losses("one\ntwo\n") == ""
    assert losses("one\r\ntwo\r\n") == ""
    assert "1 × CRLF" in losses("one\r\ntwo\nthree")
    assert "1 × U+2028" in losses("a\u2028b\nc")
    assert "1 × FF" in losses("a\x0cb\nc")
    assert "2 × NEL" in losses("a\x85b\x85c\n")


async def test_the_editor_shows_hostile_text_safely() -> None:
    hostile = "a\x1b]52;c;x\x07b\u202ec\U000e0041d\x9b1m\ttab\u200bz"
    app = InspectorApp(open_scenario({"home": "/h", "cwd": "/w", "config": {"maxBytes": 10}, "files": {}, "ops": []}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.push_screen(EditScreen("x", hostile, hostile))
        await pilot.pause()
        area = app.screen.query_one(ScratchArea)
        drawn = "".join(segment.text for y in range(5) for segment in area.render_line(y))
        assert not set("\x1b\x07\u202e\U000e0041\x9b\u200b") & set(drawn)
        assert "␛" in drawn
        assert app.screen.query_one(TextArea).text == hostile


# -- grounds


def test_a_session_that_is_not_wanted_any_more_stops(demo: Timeline) -> None:
    with pytest.raises(Stopped):
        compare(SessionGround(demo), Variation(settings=(("maxBytes", 10),)), 100, lambda: True)


def test_a_workspace_is_supposed_from_its_files() -> None:
    place = workspace().touching((("read", "app/main.py"),))
    timeline = place.replay()
    ground = WorkspaceGround(timeline, place)
    edits = (Edit.write(f"{SHOP}/app/AGENTS.md", b"# Other\n"),)
    found = compare(ground, Variation(edits=edits), len(timeline) - 1)
    assert [delta.path for delta in found.deltas] == ["app/AGENTS.md"]
    assert "# Other" in found.text_after
    assert "# Other" not in found.text_before
    found = compare(ground, Variation(touches=((2, "write", "app/deep/new.py"),)), 2)
    changed = {delta.path: delta.outcomes for delta in found.deltas}
    assert changed == {"app/deep/CLAUDE.md": (Outcome.NOT_REACHED, Outcome.LOADED)}
    found = compare(ground, Variation(settings=(("instructionFileCandidates", ["CLAUDE.md"]),)), 0)
    assert "CLAUDE.md" in {delta.path for delta in found.deltas}


async def test_what_if_in_a_workspace_without_a_session() -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "x")
        await put(pilot, touch="app/deep/x.py")
        assert "app/deep/CLAUDE.md" in result(app)
        await settle(pilot, "escape")
        assert isinstance(app.screen, PlainScreen)


SCENARIO: dict[str, Any] = {
    "home": HOME,
    "cwd": SHOP,
    "config": {"maxBytes": 65536},
    "files": FILES,
    "ops": [
        {"op": "preStep", "step": 1, "messages": [{"id": "u1", "text": "hello"}]},
        {"op": "write", "path": f"{SHOP}/AGENTS.md", "text": "# Newer\n"},
        {"op": "preStep", "step": 2, "messages": []},
    ],
}


def test_a_scenario_is_supposed_from_what_it_says() -> None:
    ground = ScenarioGround(open_scenario(SCENARIO), SCENARIO)
    found = compare(ground, Variation(settings=(("maxBytes", 250),)), 0)
    assert found.deltas
    found = compare(ground, Variation(touches=((0, "read", "app/main.py"),)), 0)
    assert [coming.path for coming in found.coming] + [delta.path for delta in found.deltas]
    edits = (Edit.write(f"{SHOP}/AGENTS.md", b"# Mine\n"),)
    found = compare(ground, Variation(edits=edits), 2)
    assert "# Mine" in found.text_after
    assert "# Newer" not in found.text_after
    gone = compare(ground, Variation(edits=(Edit.delete(f"{SHOP}/AGENTS.md"),)), 2)
    assert "AGENTS.md" in {delta.path for delta in gone.deltas}


async def test_a_scenario_file_plays_like_a_session(tmp_path: Path) -> None:
    from scopetrace.tui.opening import OpenOptions, open_path

    path = tmp_path / "story.json"
    path.write_text(json.dumps(SCENARIO))
    app = InspectorApp(lambda progress: open_path(str(path), OpenOptions()))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "end", "x")
        await put(pilot, maxBytes="250")
        assert "would come out otherwise" in result(app)
    assert json.loads(path.read_text()) == SCENARIO


# -- what is typed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("65536", 65536),
        ("65 536", 65536),
        ("64 KiB", 65536),
        ("64k", 65536),
        ("1.5M", 1572864),
        ("0", 0),
        ("-1", -1),
        ("100.25", 100.25),
        ("", None),
        ("x", None),
        ("1 GiB", None),
    ],
)
def test_bytes(text: str, expected: float | None) -> None:
    assert parse_bytes(text) == expected


def test_a_field_that_holds_what_it_held_changes_nothing(demo: Timeline) -> None:
    before = initial(demo.setting, 0)
    found, wrong = variation({**before, "maxBytes": " 65536 "}, before, demo.setting.config(0), 3, ())
    assert found.empty
    assert wrong == {}


def test_homes_are_settings_where_they_were_and_variables_where_not() -> None:
    before = {**initial(_Rules(), 0)}
    found, _ = variation({**before, "dshHome": "/x", "agentsHome": "/y"}, before, Config(100, dsh_home="/c"), 0, ())
    assert found.settings == (("dshHome", "/x"),)
    assert found.environ == (("DSH_AGENTS_HOME", "/y"),)


class _Rules:
    """Just enough of a replay's rules."""

    from scopetrace.engine.flavour import POSIX as flavour
    from scopetrace.engine.profile import DEFAULT_PROFILE as profile

    home = "/h"
    environ: ClassVar[dict[str, str]] = {}
    origin_cwd = "/w"

    def config(self, run: int) -> Config:
        return Config(100, dsh_home="/c")


# -- how it looks


def at(*keys: str, **values: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot, "x")
        for field in pilot.app.screen.query(Input):
            field.cursor_blink = False
        await put(pilot, **values)
        await settle(pilot, *keys)

    return run


@every_size
def test_what_if_screen(snap_compare: Compare, demo: Timeline, size: tuple[int, int], theme: str) -> None:
    app = app_at(demo, 68, theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=at(maxBytes="600"))


def test_what_if_before_anything_is_supposed(snap_compare: Compare, demo: Timeline) -> None:
    assert snap_compare(app_at(demo, 68), terminal_size=(80, 24), run_before=at())


def test_what_if_error(snap_compare: Compare, demo: Timeline) -> None:
    assert snap_compare(app_at(demo, 68), terminal_size=(80, 24), run_before=at(maxBytes="x", profile="9"))


def test_what_if_help(snap_compare: Compare, demo: Timeline) -> None:
    assert snap_compare(app_at(demo, 68, theme=LIGHT), terminal_size=(80, 24), run_before=at("f1"))


@narrow_and_wide
def test_what_if_editor(snap_compare: Compare, demo: Timeline, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at("f2", "enter", "e")(pilot)
        pilot.app.screen.query_one(TextArea).cursor_blink = False
        await settle(pilot)

    assert snap_compare(app_at(demo, 68, theme=theme), terminal_size=size, run_before=run)


@narrow_and_wide
def test_scenario_screen(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot, "end", "2")

    app = InspectorApp(lambda progress: Opened(open_scenario(SCENARIO), scenario=SCENARIO), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=run)
