"""Reading on, and following a log that is being written, on the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scopetrace.replay import opening
from scopetrace.sessions import Bundle, LogError
from scopetrace.sessions.errors import ErrorCode
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.opening import Named, Opened, OpenOptions, open_named
from scopetrace.tui.screens import growing
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.widgets.timeline import DensityStrip

SIZE = (120, 40)
DEMO = Path(__file__).parents[1] / "recordings" / "demo-monorepo"


@pytest.fixture
def lines() -> list[bytes]:
    from backports import zstd

    return zstd.decompress(Bundle.open(DEMO).main.read_bytes()).splitlines(keepends=True)


@pytest.fixture
def log(tmp_path: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log with 20 events, looked at as often as the screen has time."""
    monkeypatch.setattr(growing, "POLL_SECONDS", 0)
    monkeypatch.setattr(growing, "DRAW_SECONDS", 0)
    (tmp_path / "workspace" / ".git").mkdir(parents=True)
    path = tmp_path / "log" / "session.v3.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"".join(lines[:21]))
    return path


def app_on(log: Path, *, live: bool) -> InspectorApp:
    options = OpenOptions(workspace=str(log.parents[1] / "workspace"), home=str(log.parent), environ={}, live=live)
    named, timeline = open_named(Named(str(log), options))
    return InspectorApp(Opened(timeline, named=named), start=len(timeline) - 1)


def main_of(app: InspectorApp) -> MainScreen:
    assert isinstance(app.screen, MainScreen)
    return app.screen


def strip(app: InspectorApp) -> str:
    return app.screen.query_one(DensityStrip).render_line(0).text


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    for _ in range(500):
        await pilot.pause(0.01)
        if holds():
            return
    raise AssertionError("it never came to be")


def append(log: Path, *lines: bytes) -> None:
    with log.open("ab") as file:
        file.write(b"".join(lines))


async def test_a_living_log_is_followed_or_stayed_in(log: Path, lines: list[bytes]) -> None:
    app = app_on(log, live=True)
    async with app.run_test(size=SIZE) as pilot:
        main = main_of(app)
        await until(pilot, lambda: len(main.timeline) == 20)
        append(log, *lines[21:40], lines[40][:-4])
        await until(pilot, lambda: main.index == 38)
        await until(pilot, lambda: "● following · a line is being written" in strip(app))
        await pilot.press("left")
        append(log, lines[40][-4:], *lines[41:60])
        await until(pilot, lambda: len(main.timeline) == 59)
        assert main.index == 37
        await until(pilot, lambda: "● live · F follows" in strip(app))
        await pilot.press("F")
        assert main.index == 58
        append(log, *lines[60:])
        await until(pilot, lambda: main.index == len(lines) - 2)
        assert not main.marks.differing
        await pilot.press("F")
        await until(pilot, lambda: "● live" in strip(app))


async def test_any_log_can_be_followed_from_now_on(log: Path, lines: list[bytes]) -> None:
    app = app_on(log, live=False)
    async with app.run_test(size=SIZE) as pilot:
        main = main_of(app)
        await pilot.pause()
        assert "live" not in strip(app)
        append(log, *lines[21:30])
        await pilot.press("F")
        await until(pilot, lambda: len(main.timeline) == 29 and main.index == 28)
        assert "● following" in strip(app)


async def test_a_sample_without_a_log_says_that_there_is_nothing_to_follow(log: Path) -> None:
    app = app_on(log, live=False)
    async with app.run_test(size=SIZE) as pilot:
        main_of(app).named = None
        await pilot.press("F")
        await pilot.pause()
        assert any("can be followed" in note.message for note in app._notifications)


async def test_the_screen_goes_over_to_the_log_that_takes_the_place(log: Path, lines: list[bytes]) -> None:
    app = app_on(log, live=True)
    async with app.run_test(size=SIZE) as pilot:
        main = main_of(app)
        await pilot.press("slash", *"step", "enter")
        newer = log.with_name("session.v4.jsonl")
        newer.write_bytes(b"".join(lines[:35]))
        await until(pilot, lambda: main.named is not None and main.named.path == str(newer))
        await until(pilot, lambda: (len(main.timeline), main.index) == (34, 33))
        assert main.found is None, "what was found were rows of another log"
        assert any("in a newer format" in note.message for note in app._notifications)
        newer.unlink()
        await until(pilot, lambda: any("The log is gone" in note.message for note in app._notifications))
        assert len(main.timeline) == 34
        append(newer, *lines[:30])
        await until(pilot, lambda: len(main.timeline) == 29)


async def test_a_log_that_fails_while_it_is_read_keeps_what_was_read(
    log: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "ROWS_AT_FIRST", 1)
    app = app_on(log, live=True)
    async with app.run_test(size=SIZE) as pilot:
        main = main_of(app)
        await until(pilot, lambda: len(main.timeline) == 20)

        def fail(rows: int | None = None) -> bool:
            raise LogError(ErrorCode.UNREADABLE, str(log), "byte 9", "the disk fails", "copy the log")

        monkeypatch.setattr(main.timeline, "advance", fail)
        await until(pilot, lambda: "reading stopped" in strip(app))
        assert any("the disk fails" in note.message for note in app._notifications)
        await pilot.press("left")
        assert main.index == 18
