"""A directory without a session: what loads there, and what every touch would add."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from shop import FILES, SHOP, shop_app, workspace
from shots import LIGHT, every_size
from surroundings import make_machine
from textual.pilot import Pilot
from textual.widgets import Input

from scopetrace.tui.app import InspectorApp
from scopetrace.tui.present.filetree import SHOWN
from scopetrace.tui.present.spans import text_of
from scopetrace.tui.present.trying import parse_touch
from scopetrace.tui.screens.plain import PlainScreen
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.lines import LineList

Compare = Callable[..., bool]
SIZE = (120, 40)


async def settle(pilot: Pilot[Any], *keys: str) -> None:
    for key in ("", *keys):
        if key:
            await pilot.press(key)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def lines(app: InspectorApp, name: str) -> list[str]:
    found = app.screen.query_one(f"#{name}", LineList)
    return [text_of(found.source.line(n, max(20, found.row_width))).rstrip() for n in range(len(found.source))]


def line_of(app: InspectorApp, word: str) -> str:
    return next(row for row in lines(app, "scope-list") if word in row)


def bar(app: InspectorApp, name: str) -> str:
    return text_of(app.screen.query_one(f"#{name}", Bar).line_for(app.size.width))


def plain(app: InspectorApp) -> PlainScreen:
    assert isinstance(app.screen, PlainScreen)
    return app.screen


async def choose(pilot: Pilot[Any], app: InspectorApp, word: str) -> None:
    rows = lines(app, "scope-list")
    app.screen.query_one("#scope-list", LineList).move_to(next(n for n, row in enumerate(rows) if word in row))
    await settle(pilot, "enter")


async def test_what_would_load_now(tmp_path: Path) -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        rows = lines(app, "scope-list")
        assert rows[0].startswith("● ~/.dsh/AGENTS.md")
        assert "working directory" in rows[2]
        assert "● AGENTS.md" in line_of(app, "● AGENTS.md")
        assert "duplicate" in line_of(app, "CLAUDE.md")
        assert "README.md" in rows[-1]
        assert "baseline · 2 set" in lines(app, "event-list")[0]
        assert "no session" in bar(app, "title")
        assert "not comparable" not in "\n".join(lines(app, "event-list"))


async def test_reading_a_file_two_directories_down_takes_three_keys_from_its_row(tmp_path: Path) -> None:
    """The daily use: open the directory, go down, read; the agent is told of both directories."""
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await choose(pilot, app, "▸ app")
        await choose(pilot, app, "▸ deep")
        await choose(pilot, app, "x.py")
        assert plain(app).workspace.touches == (("read", "app/deep/x.py"),)
        events = lines(app, "event-list")
        assert "read" in events[1]
        assert "app/deep/x.py" in events[1]
        assert "update · 2 set · app/AGENTS.md, app/deep/CLAUDE.md" in events[2]
        assert "⟲ read" in line_of(app, "x.py")
        assert "read app/deep/x.py → update · 2 set" in bar(app, "status")
        await settle(pilot, "m")
        assert "Ask before you touch this." in "\n".join(lines(app, "message-list"))


async def test_the_cursor_stays_and_directories_stay_open(tmp_path: Path) -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await choose(pilot, app, "▸ app")
        await choose(pilot, app, "main.py")
        selected = plain(app).files.selected
        assert selected is not None
        assert selected.label == "main.py"
        assert any("AGENTS.md" in row and "● " in row for row in lines(app, "scope-list")[4:])


async def test_a_touch_of_a_new_file_with_another_tool(tmp_path: Path) -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await settle(pilot, "t")
        field = app.screen.query_one(Input)
        assert field.value == "read "
        field.value = "write app/new/y.py"
        await settle(pilot, "enter")
        assert plain(app).workspace.touches == (("write", "app/new/y.py"),)
        assert "app/AGENTS.md" in lines(app, "event-list")[2]
        await settle(pilot, "u")
        assert plain(app).workspace.touches == ()
        assert len(plain(app).timeline) == 1


async def test_a_touch_without_a_path_is_refused_in_place(tmp_path: Path) -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "t", "enter")
        assert not isinstance(app.screen, PlainScreen)
        await settle(pilot, "escape")
        assert plain(app).workspace.touches == ()


async def test_scopes_only(tmp_path: Path) -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "a")
        assert "README.md" not in "\n".join(lines(app, "scope-list"))
        assert "not reached" in line_of(app, "deep") + line_of(app, "CLAUDE.md") + "".join(lines(app, "scope-list"))
        await settle(pilot, "a")
        assert "README.md" in "\n".join(lines(app, "scope-list"))


async def test_reload_looks_at_the_files_again(tmp_path: Path) -> None:
    around = make_machine(tmp_path)
    app = InspectorApp(None, around=around)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "enter")
        assert "app" in line_of(app, "▸ app")
        before = sorted(str(path) for path in tmp_path.rglob("*"))
        (Path(around.cwd) / "NEW.md").write_text("x")
        await settle(pilot, "R")
        assert "NEW.md" in line_of(app, "NEW.md")
        (Path(around.cwd) / "NEW.md").unlink()
        assert sorted(str(path) for path in tmp_path.rglob("*")) == before


async def test_the_directory_may_go_away(tmp_path: Path) -> None:
    around = make_machine(tmp_path)
    app = InspectorApp(None, around=around)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "enter")
        Path(around.cwd).rename(tmp_path / "elsewhere")
        await settle(pilot, "R")
        assert [note.message for note in app._notifications] == [f"no such directory: {around.cwd}"]
        assert isinstance(app.screen, PlainScreen)


async def test_the_budget_of_the_settings_counts_here(tmp_path: Path) -> None:
    app = shop_app(workspace(budget=250))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "250 B" in bar(app, "title")


async def test_a_directory_of_very_many_names_is_cut(tmp_path: Path) -> None:
    files = {**FILES, **{f"{SHOP}/n/{number:05}": {"text": ""} for number in range(SHOWN + 7)}}
    app = shop_app(workspace(files))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await choose(pilot, app, "▸ n")
        assert "… 7 more" in "\n".join(lines(app, "scope-list"))


async def test_footer_and_help_speak_of_touching(tmp_path: Path) -> None:
    app = shop_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        keys = text_of(app.screen.query_one(KeyBar).line_for(120))
        assert "enter touch" in keys
        assert "u undo" in keys
        await settle(pilot, "question_mark")
        assert "Take the last touch back" in "\n".join(lines(app, "page-list"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read a b.py", ("read", "a b.py")),
        ("write  x", ("write", "x")),
        ("app/x.py", ("read", "app/x.py")),
        ("edit", None),
        ("", None),
        ("reader", ("read", "reader")),
    ],
)
def test_what_is_typed_for_a_touch(text: str, expected: tuple[str, str] | None) -> None:
    assert parse_touch(text) == expected


def opened_and_read(pilot: Pilot[Any]) -> Awaitable[None]:
    async def run() -> None:
        await settle(pilot)
        app = pilot.app
        assert isinstance(app, InspectorApp)
        await choose(pilot, app, "▸ app")
        await choose(pilot, app, "main.py")

    return run()


@every_size
def test_plain_screen(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(shop_app(theme=theme), terminal_size=size, run_before=opened_and_read)


def test_touch_any_path(snap_compare: Compare) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot, "t")
        pilot.app.screen.query_one(Input).cursor_blink = False
        await settle(pilot, *"app/new.py")

    assert snap_compare(shop_app(theme=LIGHT), terminal_size=(80, 24), run_before=run)


def test_nothing_to_load(snap_compare: Compare) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)

    app = shop_app(workspace({f"{SHOP}/README.md": {"text": ""}}))
    assert snap_compare(app, terminal_size=(80, 24), run_before=run)
