"""The main screen on the bundled demo session: how it looks, and a whole session driven by keys."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from scopetrace.replay import Timeline, open_session
from scopetrace.sessions.samples import sample_dir
from scopetrace.tui.app import InspectorApp

SIZES = [(80, 24), (120, 40), (200, 50)]
STEPS = {"baseline": 9, "nested": 30, "removal": 122}
Compare = Callable[..., bool]


@pytest.fixture(scope="module")
def demo() -> Timeline:
    return open_session(f"{sample_dir()}/demo-monorepo")


def app_at(demo: Timeline, seq: int) -> InspectorApp:
    index = demo.index_of(seq)
    assert index is not None
    return InspectorApp(demo, theme="scopetrace-dark", start=index)


def shown(app: InspectorApp) -> str:
    """The text on the screen, without its colours."""
    return re.sub(r"<style.*?</style>|<[^>]+>", "", app.export_screenshot(), flags=re.DOTALL).replace("&#160;", " ")


async def settled(pilot: Pilot[Any]) -> None:
    await pilot.press("2")
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("step", STEPS)
def test_main_screen(snap_compare: Compare, demo: Timeline, step: str, size: tuple[int, int]) -> None:
    run: Callable[[Pilot[Any]], Awaitable[None]] = settled
    assert snap_compare(app_at(demo, STEPS[step]), terminal_size=size, run_before=run)


async def test_a_whole_session_forward_and_back_by_keys_ends_where_it_began() -> None:
    timeline = open_session(f"{sample_dir()}/budget-small")
    last = len(timeline) - 1
    frames = [timeline.frame(index) for index in range(len(timeline))]
    app = InspectorApp(timeline, theme="scopetrace-dark", start=0)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        first = shown(app)
        await pilot.press(*["right"] * last)
        await pilot.pause()
        assert f"event {last}/{last}" in shown(app)
        await pilot.press(*["left"] * last)
        await pilot.pause()
        assert shown(app) == first
    assert [timeline.frame(index) for index in range(len(timeline))] == frames


async def test_the_demo_from_change_to_change_and_back_home(demo: Timeline) -> None:
    app = InspectorApp(demo, theme="scopetrace-dark", start=0)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        first = shown(app)
        for index in demo.changes:
            await pilot.press("right_square_bracket")
            await pilot.pause()
            assert f"event {demo.row(index).seq}/153" in shown(app)
        await pilot.press("end", "home")
        await pilot.pause()
        assert shown(app) == first


async def test_rules_that_fit_a_differing_record_are_named() -> None:
    recording = Path(__file__).parents[1] / "recordings" / "v0.1.5rc1-full"
    timeline = open_session(recording, profile="0.2")
    app = InspectorApp(timeline, theme="scopetrace-dark", start=len(timeline) - 1)
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "recorded ≠ computed · rules 0.1 fits" in shown(app)
