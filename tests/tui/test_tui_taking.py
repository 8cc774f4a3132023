"""Copies and exports: exact, whole, never over a file without a second enter."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_timeline import UPDATE_TEXT, FakeTimeline

from scopetrace.replay import open_session
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.clipboard import LIMIT, doubt, keep
from scopetrace.tui.screens.choice import ChoiceScreen
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.prompt import PromptScreen
from scopetrace.tui.screens.taking import file_name

MakeApp = Callable[..., InspectorApp]
DEMO = Path(__file__).resolve().parents[2] / "sample_sessions" / "demo-monorepo"
SIZE = (120, 40)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("TMUX", "TERM_PROGRAM", "VTE_VERSION"):
        monkeypatch.delenv(name, raising=False)


def told(app: InspectorApp) -> list[str]:
    return [str(note.message) for note in app._notifications]


# -- copies


@pytest.mark.parametrize(
    ("environ", "size", "said"),
    [
        ({"TERM": "xterm-256color"}, 100, ""),
        ({"TERM": "xterm-kitty"}, LIMIT, ""),
        ({"TERM": "xterm-kitty"}, LIMIT + 1, "long"),
        ({"TERM": "linux"}, 1, "no clipboard"),
        ({}, 1, "no clipboard"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, 1, "set-clipboard"),
        ({"TERM": "screen"}, 1, "screen"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7200"}, 1, "does not take"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, 1, "does not take"),
    ],
)
def test_what_a_terminal_may_not_take(environ: dict[str, str], size: int, said: str) -> None:
    found = doubt(environ, size)
    assert said in found
    assert bool(found) == bool(said)


def test_a_kept_copy_is_exact_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    place = Path(keep("a\r\nb\x1b\udce9\n"))
    assert place.parent == tmp_path
    assert place.read_bytes() == b"a\r\nb\x1b\xed\xb3\xa9\n"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


async def test_a_doubtful_copy_says_where_the_text_is(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("4", "y")
        await pilot.pause()
        assert app.clipboard == UPDATE_TEXT
        [note] = told(app)
        [place] = tmp_path.glob("scopetrace-copy-*")
        assert note.endswith(f"so it is in {place}, too")
        assert place.read_text(encoding="utf-8") == UPDATE_TEXT


async def test_a_copy_that_cannot_be_kept_says_so(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")

    def full(text: str) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("scopetrace.tui.screens.taking.keep", full)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("4", "y")
        await pilot.pause()
        [note] = told(app)
        assert "No space left on device" in note


async def test_a_terminal_that_takes_copies_leaves_no_file(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("4", "y")
        await pilot.pause()
        assert told(app) == [f"copied: message text, {len(UPDATE_TEXT.encode())} B"]
        assert list(tmp_path.iterdir()) == []


# -- exports


async def test_the_message_is_written_byte_for_byte(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e", "m")
        await pilot.pause()
        assert isinstance(app.screen, PromptScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
    assert [path.name for path in tmp_path.iterdir()] == ["s-1-event-30.txt"]
    assert (tmp_path / "s-1-event-30.txt").read_bytes() == UPDATE_TEXT.encode()


async def test_a_file_that_is_there_needs_a_second_enter(make_app: MakeApp, tmp_path: Path) -> None:
    there = tmp_path / "s-1-event-30.json"
    there.write_text("mine")
    fake = FakeTimeline()
    app = make_app(fake)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e", "r")
        await pilot.pause()
        hint = app.screen.query_one(".prompt-hint")
        assert "that file exists" in str(hint.render())
        await pilot.press("enter")
        await pilot.pause()
        assert there.read_text() == "mine"
        assert "enter writes over it" in str(hint.render())
        await pilot.press("escape")
        await pilot.pause()
        assert there.read_text() == "mine"
        await pilot.press("e", "r", "enter", "enter")
        await pilot.pause()
    assert there.read_text() == fake.raw(20)
    assert list(tmp_path.iterdir()) == [there]


async def test_a_place_that_cannot_be_written_is_told(make_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e", "r", *["backspace"] * 60, *"dir", "enter")
        await pilot.pause()
        hint = app.screen.query_one(".prompt-hint")
        assert "dir is a directory" in str(hint.render())
        await pilot.press(*"/no/x", "enter")
        await pilot.pause()
        assert "there is no directory" in str(hint.render())
        await pilot.press("escape")
        await pilot.pause()
    assert [path.name for path in tmp_path.rglob("*")] == ["dir"]


async def test_a_failing_export_leaves_nothing_behind(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(os, "replace", full)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e", "m", "enter")
        await pilot.pause()
        assert told(app) == ["s-1-event-30.txt: No space left on device; nothing was written."]
    assert list(tmp_path.iterdir()) == []


async def test_the_timeline_is_written_in_the_format_of_its_name(tmp_path: Path) -> None:
    app = InspectorApp(open_session(DEMO))
    async with app.run_test(size=SIZE) as pilot:
        for suffix, start in (("json", "{"), ("md", "#"), ("html", "<!DOCTYPE html>")):
            await pilot.press("e", "t", *["backspace"] * 60, *f"out.{suffix}", "enter")
            await pilot.pause()
            assert (tmp_path / f"out.{suffix}").read_text(encoding="utf-8").startswith(start)
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["schema"] == "scopetrace/timeline/1"


async def test_an_event_without_a_message_offers_what_there_is(make_app: MakeApp) -> None:
    app = make_app(start=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert isinstance(app.screen, ChoiceScreen)
        assert [choice.key for choice in app.screen._choices] == ["r", "t"]


def test_file_names_are_plain() -> None:
    assert file_name("../a b/c", "event", "3") == "a-b-c-event-3"
    assert file_name("\x1b[1m", "") == "1m"
