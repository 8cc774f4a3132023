"""How looking, asking and taking along look. After a wanted change run with --snapshot-update; look at the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from made_answers import BACKGROUND, LATER
from shots import DARK, LIGHT, every_size, narrow_and_wide
from textual.pilot import Pilot

from scopetrace.tui.app import InspectorApp
from scopetrace.tui.screens.main import MainScreen

Compare = Callable[..., bool]
MakeApp = Callable[..., InspectorApp]


def settled(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Press keys, then wait until nothing is left to look for or to draw. The cursor of an input stands still."""

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.press(*keys)
        await pilot.pause()
        main = next(screen for screen in pilot.app.screen_stack if isinstance(screen, MainScreen))
        while main.busy:
            await pilot.pause(0.02)
        for field in pilot.app.screen.query("Input"):
            field.cursor_blink = False  # type: ignore[attr-defined]
        await pilot.pause()

    return run


@every_size
def test_why(
    snap_compare: Compare, make_app: MakeApp, size: tuple[int, int], theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MainScreen, "answer", lambda self, path: BACKGROUND)
    assert snap_compare(make_app(theme=theme), terminal_size=size, run_before=settled("1", "w"))


def test_why_on_a_reduced_screen(snap_compare: Compare, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MainScreen, "answer", lambda self, path: LATER)
    assert snap_compare(make_app(), terminal_size=(50, 16), run_before=settled("1", "w"))


@narrow_and_wide
def test_why_read_a_file(
    snap_compare: Compare, make_app: MakeApp, size: tuple[int, int], theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MainScreen, "answer", lambda self, path: LATER)
    assert snap_compare(make_app(theme=theme), terminal_size=size, run_before=settled("1", "w", "enter"))


def test_why_asks_for_a_path(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(), terminal_size=(80, 24), run_before=settled("p"))


def test_why_offers_the_files_of_an_event(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(), terminal_size=(120, 40), run_before=settled("w"))


def test_found(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(start=10), terminal_size=(120, 40), run_before=settled("slash", *"orders", "enter"))


def test_nothing_found(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(), terminal_size=(80, 24), run_before=settled("slash", *"zzz"))


def test_filtered(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(theme=LIGHT), terminal_size=(120, 40), run_before=settled("f", "c"))


def test_filter_menu(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(), terminal_size=(80, 24), run_before=settled("2", "f"))


def test_breakpoints(snap_compare: Compare, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MainScreen, "notify", lambda *args, **options: None)  # a note goes by itself, sooner or later
    keys = ("b", "r", "1", *["down"] * 7, "b", "s", "b")
    assert snap_compare(make_app(), terminal_size=(120, 40), run_before=settled(*keys))


def test_shadowed_and_resumed(snap_compare: Compare, make_app: MakeApp) -> None:
    keys = ("plus", *["k"] * 12, "end")
    assert snap_compare(make_app(), terminal_size=(120, 40), run_before=settled(*keys))


@every_size
def test_diff_with_more_context(snap_compare: Compare, make_app: MakeApp, size: tuple[int, int], theme: str) -> None:
    keys = ("d", "right_curly_bracket")
    assert snap_compare(make_app(theme=theme, start=26), terminal_size=size, run_before=settled(*keys))


@pytest.mark.parametrize("theme", [DARK, "ansi-dark"])
def test_jump(snap_compare: Compare, make_app: MakeApp, theme: str) -> None:
    assert snap_compare(make_app(theme=theme), terminal_size=(80, 24), run_before=settled("ctrl+o"))


def test_resized(snap_compare: Compare, make_app: MakeApp) -> None:
    keys = ("1", *["left_parenthesis"] * 3, "3", *["equals_sign"] * 3, "5", *["minus"] * 3)
    assert snap_compare(make_app(), terminal_size=(200, 50), run_before=settled(*keys))


def test_export(snap_compare: Compare, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s-1-event-30.json").write_text("")
    assert snap_compare(make_app(), terminal_size=(80, 24), run_before=settled("e", "r"))


def test_export_menu(snap_compare: Compare, make_app: MakeApp) -> None:
    assert snap_compare(make_app(theme=LIGHT), terminal_size=(120, 40), run_before=settled("e"))
