"""Pane sizes, jump mode, the diff view and its context."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from resizing import resize

from scopetrace.tui.app import InspectorApp
from scopetrace.tui.present.header import short_title
from scopetrace.tui.present.layout import (
    Pane,
    Shape,
    Sizes,
    budget_height,
    column_widths,
    resized,
    tab_at,
    tab_places,
    timeline_height,
)
from scopetrace.tui.present.message import MessageView
from scopetrace.tui.screens.jump import JumpScreen
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.message import MessagePane

MakeApp = Callable[..., InspectorApp]
SIZE = (120, 40)


def main_of(app: InspectorApp) -> MainScreen:
    assert isinstance(app.screen, MainScreen)
    return app.screen


def width(app: InspectorApp, pane: Pane) -> int:
    return main_of(app).pane(pane).region.width


def height(app: InspectorApp, pane: Pane) -> int:
    return main_of(app).pane(pane).region.height


# -- sizes


GROWTHS = (
    ("1", "right_parenthesis", "width", 4),
    ("1", "left_parenthesis", "width", -4),
    ("2", "right_parenthesis", "width", 4),
    ("2", "ctrl+left", "width", -4),
    ("4", "ctrl+right", "width", 4),
    ("3", "equals_sign", "height", 1),
    ("3", "minus", "height", -1),
    ("5", "ctrl+down", "height", 1),
    ("5", "minus", "height", -1),
    ("1", "equals_sign", "height", 1),
    ("2", "equals_sign", "height", 1),
)
"""Number of a pane, key, and by how many cells of which side it changes the pane."""


@pytest.mark.parametrize("size", [(120, 40), (200, 50)])
async def test_the_focused_pane_grows_and_shrinks(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        for number, key, side, change in GROWTHS:
            await pilot.press(number)
            pane = list(Pane)[int(number) - 1]
            measure = width if side == "width" else height
            before = measure(app, pane)
            await pilot.press(key)
            await pilot.pause()
            assert measure(app, pane) == before + change, (number, key)
            await pilot.press("0")
            await pilot.pause()
            assert measure(app, pane) == before, (number, key)


async def test_sizes_outlive_zoom_and_a_narrow_screen(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1", "right_parenthesis", "right_parenthesis")
        await pilot.pause()
        before = width(app, Pane.SCOPES)
        await pilot.press("plus", "plus")
        await resize(pilot, 80, 24)
        await pilot.pause()
        await resize(pilot, *SIZE)
        await pilot.pause()
        assert width(app, Pane.SCOPES) == before == 56


@pytest.mark.parametrize("shape", [Shape.MIDDLE, Shape.WIDE])
@pytest.mark.parametrize("pane", list(Pane))
@pytest.mark.parametrize(("wider", "taller"), [(4, 0), (-4, 0), (0, 1), (0, -1)])
def test_no_pane_is_ever_squeezed_away(shape: Shape, pane: Pane, wider: int, taller: int) -> None:
    screen = (160, 40) if shape is Shape.WIDE else (110, 30)
    sizes = Sizes()
    for _ in range(200):
        sizes = resized(sizes, pane, shape, wider, taller, screen)
    assert resized(sizes, pane, shape, wider, taller, screen) == sizes
    columns = [int(part) for part in column_widths(shape, screen[0], sizes).split() if part != "1fr"]
    assert all(column >= 24 for column in columns)
    assert screen[0] - sum(columns) >= 24
    assert 3 <= budget_height(screen[1], sizes) <= screen[1] // 2
    assert 4 <= timeline_height(screen[1], sizes) <= screen[1] - 12
    # One step the other way is seen at once: nothing was counted beyond the edge.
    back = resized(sizes, pane, shape, -wider, -taller, screen)
    if sizes != Sizes():
        assert back != sizes


# -- jumping


@pytest.mark.parametrize("size", [(50, 16), (80, 24), (120, 40), (200, 50)])
async def test_every_pane_has_a_letter(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        for letter, pane in zip("sdbmt", Pane, strict=True):
            await pilot.press("ctrl+o")
            await pilot.pause()
            assert isinstance(app.screen, JumpScreen)
            assert len(app.screen.query(".jump")) == len(Pane)
            await pilot.press(letter)
            await pilot.pause()
            assert main_of(app).focused_pane is pane


async def test_jump_mode_ends_with_any_other_key_and_takes_clicks(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        for key in ("escape", "z", "ctrl+o"):
            await pilot.press("ctrl+o", key)
            await pilot.pause()
            assert main_of(app).focused_pane is Pane.TIMELINE
        await pilot.press("ctrl+o")
        await pilot.pause()
        await pilot.click("#jump-message")
        await pilot.pause()
        assert main_of(app).focused_pane is Pane.MESSAGE


@pytest.mark.parametrize("shape", list(Shape))
def test_names_in_titles_are_where_clicks_look_for_them(shape: Shape) -> None:
    for pane in Pane:
        for other, at in tab_places(pane, shape):
            if len(tab_places(pane, shape)) > 1:
                assert tab_at(pane, shape, at) is other


# -- comparing


async def test_d_shows_record_against_computation_where_they_differ(make_app: MakeApp) -> None:
    app = make_app(start=26)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        pane = app.screen.query_one(MessagePane)
        assert pane.view is MessageView.RECORD
        assert main_of(app).focused_pane is Pane.MESSAGE
        await pilot.press("d")
        await pilot.pause()
        assert pane.view is MessageView.VERSION


async def test_d_shows_the_latest_versions_where_record_and_computation_agree(make_app: MakeApp) -> None:
    app = make_app(start=28)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        rows = app.screen.query_one("#message-list", LineList)
        text = "\n".join(rows.render_line(y).text.rstrip() for y in range(rows.page_height))
        assert "the last time was at event 47:" in text
        assert "- services/api/AGENTS.md at event 30" in text
        assert "+ - Plain JSON." in text


async def test_without_any_replacement_d_says_so(make_app: MakeApp) -> None:
    app = make_app(start=6)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        rows = app.screen.query_one("#message-list", LineList)
        assert "No file was sent again at this event or before it" in rows.render_line(0).text


async def test_context_grows_and_shrinks(make_app: MakeApp) -> None:
    app = make_app(start=26)
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.press("d")
        await pilot.pause()
        pane = app.screen.query_one(MessagePane)
        lengths = [len(pane.list.source)]
        for _ in range(3):
            await pilot.press("right_curly_bracket")
            await pilot.pause()
            lengths.append(len(pane.list.source))
        assert lengths == sorted(lengths)
        assert lengths[0] < lengths[-1]
        assert "record ±25" in str(pane.border_subtitle)
        for _ in range(8):
            await pilot.press("left_curly_bracket")
        await pilot.pause()
        assert pane.context == 0
        assert len(pane.list.source) < lengths[0]


# -- polish


def test_titles_end_with_a_whole_part() -> None:
    title = "demo-monorepo · Order totals count lines with care"
    assert [short_title(title, width) for width in (60, 40, 26, 22)] == [
        title,
        "demo-monorepo · Order totals count…",
        "demo-monorepo",
        "demo-monorepo",
    ]
    assert short_title("one-very-long-name-without-any-gap", 12) == "one-very-lo…"


async def test_the_budget_names_files_before_frames(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        rows = app.screen.query_one("#budget-list", LineList)
        text = [rows.render_line(y).text for y in range(rows.page_height)]
        assert not any("frame" in row and "━" not in row for row in text[:2])
        assert "frame, intro" not in text[-1]
        whole = [str(rows.source.line(index, 80)) for index in range(len(rows.source))]
        assert sum("frame, intro" in row for row in whole) == 2
