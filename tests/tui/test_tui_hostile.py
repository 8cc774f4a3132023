"""Text from files and logs reaches no widget raw: no markup is obeyed, no control character gets through."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from enum import Enum
from types import MappingProxyType
from typing import Any

from fake_timeline import FakeTimeline

from scopetrace.tui.app import InspectorApp, Progress
from scopetrace.tui.present.message import MessageView

HOSTILE = "\x1b]52;c;eA==\x07[/x][tool.ruff]\u202e\u200b\x9b31m\U000e0041\ud800"
DANGEROUS = ("\x1b", "\x07", "\u202e", "\u200b", "\x9b", "\U000e0041", "\ud800")


def poison(value: Any) -> Any:
    """Every string of a value with the hostile text put before it."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return HOSTILE + value
    if isinstance(value, tuple):
        return tuple(poison(item) for item in value)
    if isinstance(value, MappingProxyType | dict):
        return {key: poison(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(
            value, **{field.name: poison(getattr(value, field.name)) for field in dataclasses.fields(value)}
        )
    return value


class HostileTimeline(FakeTimeline):
    """The hand-made timeline, poisoned."""

    @property
    def info(self) -> Any:
        return poison(super().info)

    def row(self, index: int) -> Any:
        return poison(super().row(index))

    def raw(self, index: int) -> str:
        return HOSTILE + super().raw(index)

    def frame(self, index: int) -> Any:
        return poison(super().frame(index))

    def tree(self, index: int) -> Any:
        return poison(super().tree(index))

    def file_text(self, absolute_path: str, index: int) -> str | None:
        return HOSTILE + str(index)


def check(app: InspectorApp) -> str:
    """The screen as SVG: well-formed, and without anything that a terminal would obey."""
    svg = app.export_screenshot()
    ElementTree.fromstring(svg)
    for char in DANGEROUS:
        assert char not in svg
    return svg.replace("&#160;", " ")


async def test_every_pane_at_every_kind_of_event() -> None:
    app = InspectorApp(HostileTimeline(), start=6)
    async with app.run_test(size=(80, 24)) as pilot:
        for seq in (9, 22, 30, 47):
            app.screen.go(app.screen.timeline.index_of(seq))  # type: ignore[attr-defined]
            for pane in "12345":
                await pilot.press(pane, "down")
                await pilot.pause()
                assert "[/x]" in check(app)


async def test_all_panes_at_once_at_every_kind_of_event() -> None:
    app = InspectorApp(HostileTimeline(), start=6)
    async with app.run_test(size=(200, 50)) as pilot:
        for seq in (9, 22, 30, 47):
            app.screen.go(app.screen.timeline.index_of(seq))  # type: ignore[attr-defined]
            for pane in "12345":
                await pilot.press(pane, "down")
            await pilot.pause()
            assert "[/x]" in check(app)


async def test_every_message_view() -> None:
    app = InspectorApp(HostileTimeline(), start=26)
    seen = set()
    async with app.run_test(size=(160, 45)) as pilot:
        for _ in MessageView:
            await pilot.press("m")
            await pilot.pause()
            seen.add(app.screen.query_one("#message").view)  # type: ignore[attr-defined]
            check(app)
    assert seen == set(MessageView)


async def test_names_and_errors_while_loading() -> None:
    def fail(progress: Progress) -> FakeTimeline:
        progress.report(1, 2, HOSTILE)
        raise ValueError(HOSTILE)

    app = InspectorApp(fail, name=HOSTILE)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "[/x]" in check(app)


async def test_what_is_typed_is_not_markup(make_app: Callable[..., InspectorApp]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("g", "left_square_bracket", "slash", "x", "right_square_bracket", "enter")
        await pilot.pause()
        check(app)


async def test_copying_text_with_lone_surrogates() -> None:
    app = InspectorApp(HostileTimeline(), start=20)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("4", "y")
        await pilot.pause()
        check(app)
        assert app.clipboard.startswith("\x1b]52;")
