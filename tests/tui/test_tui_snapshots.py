"""How the inspector looks. After a wanted change run this file with --snapshot-update, and look at the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fake_timeline import FakeTimeline, empty_timeline
from shots import LIGHT, every_size, narrow_and_wide
from textual.pilot import Pilot

from scopetrace.model import Frame
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.screens.loading import LoadingScreen

Compare = Callable[..., bool]
MakeApp = Callable[..., InspectorApp]


def settled(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Press keys, then wait until nothing is left to draw."""

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        for field in pilot.app.screen.query("Input"):
            field.cursor_blink = False  # type: ignore[attr-defined]
        await pilot.pause()

    return run


@every_size
def test_main(snap_compare: Compare, make_app: MakeApp, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(make_app(theme=theme), terminal_size=size, run_before=settled())


@pytest.mark.parametrize("key", ["1", "3", "4", "5"])
def test_panes_of_the_narrow_screen(snap_compare: Compare, make_app: MakeApp, key: str) -> None:
    assert snap_compare(make_app(), terminal_size=(80, 24), run_before=settled(key))


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_message_views(snap_compare: Compare, make_app: MakeApp, turns: int) -> None:
    assert snap_compare(make_app(start=26), terminal_size=(160, 40), run_before=settled(*["m"] * turns))


def test_reduced(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(), terminal_size=(50, 16), run_before=settled("2"))


def test_baseline_event(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(start=6), terminal_size=(120, 40), run_before=settled("2"))


def test_event_without_decisions(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(start=22), terminal_size=(160, 40), run_before=settled())


@narrow_and_wide
def test_help(snap_compare: Compare, make_app: MakeApp, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(make_app(theme=theme), terminal_size=size, run_before=settled("question_mark"))


def test_session_page(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(theme=LIGHT), terminal_size=(80, 24), run_before=settled("i"))


def test_go_to(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(), terminal_size=(60, 20), run_before=settled("g", *"999", "enter"))


def test_palette(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(theme="ansi-dark"), terminal_size=(80, 24), run_before=settled("ctrl+p"))


def test_high_contrast(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(theme="scopetrace-contrast"), terminal_size=(120, 40), run_before=settled())


def test_ansi(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(theme="ansi-dark"), terminal_size=(120, 40), run_before=settled())


def test_no_colour(snap_compare: Compare, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(make_app(), terminal_size=(120, 40), run_before=settled())


def test_empty_log(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(empty_timeline(), start=0), terminal_size=(80, 24), run_before=settled())


def test_a_step_that_cannot_be_computed(snap_compare: Compare, make_app: MakeApp) -> None:
    class Broken(FakeTimeline):
        def frame(self, index: int) -> Frame:
            if self.rows[index].seq == 30:
                raise RuntimeError("no such\x1b rule")
            return super().frame(index)

    assert snap_compare(make_app(Broken(), theme=LIGHT), terminal_size=(80, 24), run_before=settled())


@narrow_and_wide
def test_loading(snap_compare: Compare, make_app: MakeApp, size: tuple[int, int], theme: str) -> None:
    async def load(pilot: Pilot[Any]) -> None:
        screen = LoadingScreen("~/.dsh/sessions/shop/session.v4.jsonl.zstd")
        await pilot.app.push_screen(screen)
        screen.progress(3 << 20, 8 << 20, "reading the log")
        await pilot.pause()

    assert snap_compare(make_app(theme=theme), terminal_size=size, run_before=load)


def test_loading_and_its_failure(snap_compare: Compare) -> None:
    async def fail(pilot: Pilot[Any]) -> None:
        await settled()(pilot)
        assert isinstance(pilot.app.screen, LoadingScreen)
        pilot.app.screen.failed(ValueError("session.jsonl, line 3: not JSON\nIs this a session log of the agent?"))
        await settled()(pilot)

    app = InspectorApp(lambda progress: (_ for _ in ()).throw(ValueError("not found")), name="session.jsonl")  # type: ignore[arg-type]
    assert snap_compare(app, terminal_size=(80, 24), run_before=fail)
