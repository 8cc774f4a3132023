"""The open screen: what is offered, filtering, paths, errors in place, and the way back."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from shots import every_size
from surroundings import NOW_MS, SAMPLES, make_machine
from textual.pilot import Pilot
from textual.widgets import Input

from scopetrace.tui.app import InspectorApp
from scopetrace.tui.finding import Entry, EntryKind, completions, is_path
from scopetrace.tui.present.opening import age, entry_rows, error_parts
from scopetrace.tui.present.spans import text_of
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.open import OpenScreen, Surroundings
from scopetrace.tui.screens.page import PageScreen
from scopetrace.tui.widgets.bars import Bar
from scopetrace.tui.widgets.lines import LineList

Compare = Callable[..., bool]
SIZE = (120, 40)


async def settle(pilot: Pilot[Any], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def lines(app: InspectorApp, name: str) -> list[str]:
    found = app.screen.query_one(f"#{name}", LineList)
    return [text_of(found.source.line(n, max(20, found.row_width))).rstrip() for n in range(len(found.source))]


def chosen(app: InspectorApp) -> Entry:
    assert isinstance(app.screen, OpenScreen)
    assert app.screen.selected is not None
    return app.screen.selected


async def test_everything_is_offered(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        shown = lines(app, "open-list")
        assert shown[0] == "This directory"
        assert "shop" in shown[1]
        assert "Sample sessions" in shown
        sessions = shown[shown.index("Sessions on this machine") + 1 :]
        assert [row.split()[-2:] for row in sessions[:3]] == [["KiB", "v4"], ["KiB", "v4"], ["KiB", "v4"]]
        assert sessions[0].startswith("  Order totals count lines with")  # the title that the log holds
        assert "/home/dev/demo-monorepo" in sessions[0]
        assert [row.split()[-5:-3] for row in sessions[:3]] == [["5", "min"], ["3", "h"], ["1", "d"]]
        assert sessions[3].startswith("▲ 2026-05-01_broken")
        assert "not a session log" in sessions[3]
        assert chosen(app).kind is EntryKind.HERE
        title = text_of(app.screen.query_one("#title", Bar).line_for(120))
        assert "4 sessions in ~/.dsh" in title


async def test_typing_filters_and_enter_opens(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *"DUPL sib")
        assert chosen(app).name == "duplicate-sibling"
        await settle(pilot, "enter")
        assert isinstance(app.screen, MainScreen)
        assert app.screen.timeline.info.title.startswith("duplicate-sibling")


async def test_escape_clears_then_leaves(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *"xyz")
        assert lines(app, "open-list") == ["Nothing here holds “xyz”. A path begins with / ~ or ./"]
        await settle(pilot, "escape")
        assert chosen(app).kind is EntryKind.HERE
        assert app.is_running
        await pilot.press("escape")
    assert app.return_code == 0


async def test_back_from_a_session_to_the_open_screen(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *"compaction", "enter")
        assert isinstance(app.screen, MainScreen)
        app.action_open_another()
        await settle(pilot)
        assert isinstance(app.screen, OpenScreen)
        assert app.screen.query_one(Input).value == "compaction"
        await settle(pilot, "enter")
        assert isinstance(app.screen, MainScreen)
        assert app.back_to_open()


async def test_another_session_over_the_one_that_the_command_named(tmp_path: Path) -> None:
    app = InspectorApp(lambda progress: _opened(SAMPLES / "budget-small"), around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        first = app.screen
        assert isinstance(first, MainScreen)
        assert not app.back_to_open()
        app.action_open_another()
        await settle(pilot)
        assert isinstance(app.screen, OpenScreen)
        await settle(pilot, "escape")
        assert app.screen is first


def _opened(path: Path) -> Any:
    from scopetrace.replay import open_session

    return open_session(path)


async def test_errors_are_shown_in_place(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *"broken", "enter")
        assert isinstance(app.screen, OpenScreen)
        shown = lines(app, "open-details")
        assert shown[0] == "✖ 2026-05-01_broken could not be opened"
        assert "not a session log" in shown[1]
        assert "session.v4.jsonl, byte 0" in "".join(shown)
        assert "name a session" in shown[-1]
        await settle(pilot, "backspace")
        assert not lines(app, "open-details")[0].startswith("✖")


@pytest.mark.parametrize(
    ("typed", "told"), [("./nowhere.jsonl", "no such session log"), ("/tmp\0x", "no such session log")]
)
async def test_a_path_that_is_not_there_says_so(tmp_path: Path, typed: str, told: str) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.screen.query_one(Input).value = typed
        await settle(pilot, "enter")
        assert told in "\n".join(lines(app, "open-details"))


async def test_a_path_is_completed_and_opened(tmp_path: Path) -> None:
    around = make_machine(tmp_path)
    shutil.copytree(SAMPLES / "budget-small", Path(around.cwd) / "recordings" / "small")
    app = InspectorApp(None, around=around)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, *"./rec")
        assert chosen(app).name == "./recordings/"
        await settle(pilot, "tab")
        assert app.screen.query_one(Input).value == "./recordings/"
        await settle(pilot, "down", "tab")
        assert app.screen.query_one(Input).value == "./recordings/small/"
        assert chosen(app).about.startswith("a recording")
        await settle(pilot, "enter")
        assert isinstance(app.screen, MainScreen)
        assert app.screen.timeline.info.title.startswith("budget-small")


async def test_no_sessions_is_no_error(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path, sessions=False))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "Sessions on this machine" not in lines(app, "open-list")
        assert not app.screen.query_one("#open-about").has_class("error")


async def test_sessions_that_cannot_be_listed_leave_the_rest(tmp_path: Path) -> None:
    around = make_machine(tmp_path, sessions=False)
    (Path(around.home) / ".dsh" / "sessions").symlink_to("sessions")  # a link that leads to itself
    app = InspectorApp(None, around=around)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "Sample sessions" in lines(app, "open-list")
        assert lines(app, "open-details")[0] == "✖ The sessions of this machine cannot be listed"


async def test_help_and_theme(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot, "ctrl+t")
        assert app.theme == "scopetrace-light"
        await settle(pilot, "f1")
        assert isinstance(app.screen, PageScreen)
        await settle(pilot, "escape")
        assert isinstance(app.screen, OpenScreen)


async def test_a_click_leaves_the_keys_with_the_field(tmp_path: Path) -> None:
    app = InspectorApp(None, around=make_machine(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.click("#open-list", offset=(5, 4))
        await settle(pilot, "d")
        assert app.screen.query_one(Input).value == "d"


def test_completions_hide_what_cannot_be_opened(tmp_path: Path) -> None:
    for name in ("notes.txt", "log.jsonl", ".hidden.json", "lesson.json"):
        (tmp_path / name).write_text("")
    (tmp_path / "dir").mkdir()

    def named(text: str) -> list[str]:
        return [entry.name for entry in completions(text, str(tmp_path), "/nowhere")]

    assert named("./") == ["./", "./dir/", "./lesson.json", "./log.jsonl"]
    assert named("./l") == ["./lesson.json", "./log.jsonl"]
    assert named("./.h") == ["./.hidden.json"]
    assert named("./none/x") == []
    assert next(entry.path for entry in completions("~", "/", str(tmp_path))) == str(tmp_path)


def test_words_and_paths_are_told_apart() -> None:
    assert all(map(is_path, ("/", "~", ".", "..", "./x", "../x", "~/x")))
    assert not any(map(is_path, ("", "demo", "a/b", ".hidden")))


def test_hostile_names_are_shown_safely() -> None:
    entry = Entry(EntryKind.SESSION, "a\x1b]52;c;x\x07", "/p\u202e", cwd="/c\x9b")
    app_rows = entry_rows([entry], "")
    from scopetrace.tui.present.opening import EntryLines, entry_details

    text = "".join(text_of(EntryLines(app_rows, NOW_MS, "/h").line(n, 100)) for n in range(len(app_rows)))
    text += "".join(map(text_of, entry_details(entry, NOW_MS, "/h", 80)))
    assert not set("\x1b\x07\x9b\u202e") & set(text)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (7199, "1 h"),
        (86400 * 3, "3 d"),
        (86400 * 90, "3 mo"),
        (86400 * 800, "2 y"),
    ],
)
def test_ages(seconds: int, expected: str) -> None:
    assert age(NOW_MS - seconds * 1000, NOW_MS) == expected
    assert age(None, NOW_MS) == ""


def test_errors_come_apart_into_message_place_and_remedy() -> None:
    error = OSError(13, "Permission denied", "/x/y")
    assert error_parts(error) == ("Permission denied", "/x/y", "check the path and its access rights")
    assert error_parts(ValueError("odd")) == ("odd", "", "")


# -- how it looks


def fixed(place: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Surroundings:
    """The machine under names that are the same in every run."""
    import scopetrace.tui.screens.open as module

    around = make_machine(place, **options)
    real = module.found_sessions

    def found(home: str, stop: Callable[[], bool]) -> Any:
        return [_moved(entry, str(place), "/home/dev") for entry in real(str(place / "home" / ".dsh"), stop)]

    monkeypatch.setattr(module, "found_sessions", found)
    monkeypatch.setattr(module, "titled", lambda entries, stop: iter(()))
    monkeypatch.setattr(
        module, "offered", lambda cwd: [_moved(e, str(SAMPLES.parent), "/opt") for e in _offered("/home/dev/shop")]
    )
    return Surroundings("/home/dev/shop", {"DSH_HOME": "/home/dev/.dsh"}, "/home/dev", around.now)


def _offered(cwd: str) -> list[Entry]:
    from scopetrace.tui.finding import offered

    return offered(cwd)


def _moved(entry: Entry, old: str, new: str) -> Entry:
    from dataclasses import replace

    return replace(entry, path=entry.path.replace(old, new), error=entry.error.replace(old, new))


def pressed(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def run(pilot: Pilot[Any]) -> None:
        pilot.app.screen.query_one(Input).cursor_blink = False
        await settle(pilot, *keys)

    return run


@every_size
def test_open_screen(
    snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], theme: str
) -> None:
    app = InspectorApp(None, around=fixed(tmp_path, monkeypatch), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=pressed())


def test_open_screen_filtered(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = InspectorApp(None, around=fixed(tmp_path, monkeypatch))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressed(*"2026"))


def test_open_screen_error(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = InspectorApp(None, around=fixed(tmp_path, monkeypatch))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressed(*"broken", "enter"))


def test_open_screen_without_sessions(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = InspectorApp(None, around=fixed(tmp_path, monkeypatch, sessions=False))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressed(*"zzz"))
