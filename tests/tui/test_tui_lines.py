"""The one list: virtual, with cursor, details, mouse and sideways scrolling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest
from resizing import resize
from textual.app import App, ComposeResult

from scopetrace.tui.present.spans import Line, Span
from scopetrace.tui.present.text import TextLines
from scopetrace.tui.themes import FALLBACK
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.paint import PAINT_CSS


class Numbers:
    """A source that remembers which rows were asked for."""

    natural_width = 0

    def __init__(self, count: int, *, opened: int = 0, skip: frozenset[int] = frozenset()) -> None:
        self.count = count
        self.opened = opened
        self.skip = skip
        self.asked: list[int] = []

    def __len__(self) -> int:
        return self.count

    def line(self, index: int, width: int) -> Line:
        self.asked.append(index)
        return (Span(f"row {index}"),)

    def details(self, index: int, width: int) -> Sequence[Line]:
        return tuple((Span(f"detail {index}.{number}"),) for number in range(self.opened))

    def selectable(self, index: int) -> bool:
        return index not in self.skip


class ChoosingList(LineList):
    BINDINGS: ClassVar = [("enter", "choose", "")]


class ListApp(App[None]):
    CSS = PAINT_CSS + "\nLineList { height: 10; scrollbar-gutter: stable; }"

    def __init__(self, **options: bool) -> None:
        super().__init__()
        self.options = options
        self.moved: list[int] = []
        self.chosen: list[int] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return FALLBACK

    def compose(self) -> ComposeResult:
        yield ChoosingList(**self.options)  # type: ignore[arg-type]

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        self.moved.append(event.index)

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        self.chosen.append(event.index)


def screen_rows(rows: LineList) -> list[str]:
    return [rows.render_line(y).text.rstrip() for y in range(rows.page_height)]


async def test_a_million_rows_cost_a_screenful() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        rows, source = app.query_one(LineList), Numbers(1_000_000)
        rows.show(source)
        await pilot.press("ctrl+end")
        await pilot.pause()
        assert rows.cursor == 999_999
        assert screen_rows(rows)[-1] == "row 999999"
        assert len(set(source.asked)) <= 3 * rows.page_height


async def test_keys_move_and_announce_once_each() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        rows.show(Numbers(100))
        await pilot.press("down", "j", "k", "pagedown", "pageup", "enter")
        await pilot.pause()
        assert rows.cursor == 1
        assert app.moved == [1, 2, 1, 10, 1]
        assert app.chosen == [1]


async def test_details_open_below_the_cursor_and_close_again() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        rows.show(Numbers(50, opened=2), cursor=1)
        await pilot.pause()
        assert screen_rows(rows)[:5] == ["row 0", "row 1", "detail 1.0", "detail 1.1", "row 2"]
        await pilot.press("down")
        assert screen_rows(rows)[:5] == ["row 0", "row 1", "row 2", "detail 2.0", "detail 2.1"]
        await pilot.press("ctrl+end")
        assert screen_rows(rows)[-3:] == ["row 49", "detail 49.0", "detail 49.1"]


async def test_rows_that_may_not_be_selected_are_passed_over() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        rows.show(Numbers(9, skip=frozenset((1, 2))))
        await pilot.press("down")
        assert rows.cursor == 3
        await pilot.press("up")
        assert rows.cursor == 0


async def test_the_mouse_selects_chooses_and_scrolls() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        rows.show(Numbers(100, opened=1))
        await pilot.click(LineList, offset=(3, 4))
        assert rows.cursor == 3
        await pilot.click(LineList, offset=(3, 4))
        assert rows.cursor == 3
        await pilot.click(LineList, offset=(3, 6), times=2)
        assert rows.cursor == 5
        assert app.chosen == [5]


async def test_text_without_cursor_scrolls_down_and_sideways() -> None:
    app = ListApp(has_cursor=False)
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        rows.show(TextLines("\n".join(f"{number} " + "x" * 60 + "END" for number in range(30)), wrap=False))
        await pilot.press("down")
        await pilot.pause()
        assert screen_rows(rows)[0].startswith("1 xxx")
        await pilot.press(*["greater_than_sign"] * 9)
        await pilot.pause()
        assert screen_rows(rows)[0].endswith("END")


async def test_text_is_wrapped_to_the_pane_and_again_on_resize() -> None:
    app = ListApp(has_cursor=False)
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        source = TextLines("word " * 40)
        rows.show(source)
        before = len(source)
        await resize(pilot, 20, 12)
        await pilot.pause()
        assert len(source) > before


async def test_a_scrollbar_has_a_column_of_its_own() -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        rows = app.query_one(LineList)
        rows.show(Numbers(3))
        await pilot.pause()
        before = rows.row_width
        rows.show(Numbers(300))
        await pilot.pause()
        assert rows.show_vertical_scrollbar
        assert rows.row_width == before < rows.region.width


async def test_only_lines_that_look_otherwise_are_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = ListApp()
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        widget = app.query_one(LineList)
        source = Numbers(5)
        widget.show(source)
        await pilot.pause()
        painted: list[int] = []
        paint = LineList.render_line
        monkeypatch.setattr(LineList, "render_line", lambda self, y: painted.append(y) or paint(self, y))
        await pilot.press("down")
        await pilot.pause()
        assert sorted(painted) == [0, 1]
        painted.clear()
        widget.renew()
        await pilot.pause()
        assert painted == []
        source.count = 6
        widget.renew()
        await pilot.pause()
        assert painted == [5]
