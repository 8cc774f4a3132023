"""Keys that arrive together reach the screen that the first of them opens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual import events

from scopetrace.tui.app import InspectorApp
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.screens.main import MainScreen

MakeApp = Callable[..., InspectorApp]


def send(app: InspectorApp, text: str) -> None:
    """Everything in one read, as from a slow line or a pasted macro."""
    names = {"/": "slash", "\n": "enter", "\x0f": "ctrl+o", "?": "question_mark"}
    for character in text:
        app.post_message(events.Key(names.get(character, character), character))


@pytest.mark.parametrize(
    ("text", "seq"),
    [("g47\n", 47), ("/worker?\n", 48), ("fch", 9)],
)
async def test_typed_ahead(make_app: MakeApp, text: str, seq: int) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        send(app, text)
        await pilot.pause()
        while not isinstance(app.screen, MainScreen):
            await pilot.pause(0.02)
        await pilot.pause()
        main = app.screen
        assert isinstance(main, MainScreen)
        assert main.timeline.row(main.index).seq == seq


async def test_jumped_ahead(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        send(app, "\x0fm")
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        assert app.screen.focused_pane is Pane.MESSAGE


async def test_a_screen_closed_before_it_was_drawn_does_no_harm(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for key in ("g", "slash", "question_mark", "i", "w", "p", "x", "b", "f", "e"):
            for _ in range(3):
                app.simulate_key(key)
                await asyncio.sleep(0)
                app.simulate_key("escape")
                await pilot.pause()
            while len(app.screen_stack) > 2:
                await pilot.press("escape")
            assert isinstance(app.screen, MainScreen), key
