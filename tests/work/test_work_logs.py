"""Work on a long log, counted: rows read, decoded and replayed must follow what is looked at, not the log's length."""

from __future__ import annotations

from pathlib import Path

import pytest

from scopetrace.replay import Timeline, opening, prepare_session
from scopetrace.replay.course import CHECKPOINT_EVERY
from scopetrace.replay.driver import BATCH_LIMIT, Driver
from scopetrace.sessions import LogIndex
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.widgets.lines import LineList

EVENTS = 6000


def prepared(log: Path, **options: object) -> Timeline:
    place = str(log.parent / "workspace")
    return prepare_session(log, workspace=place, home=place, environ={}, **options)  # type: ignore[arg-type]


def test_the_first_screen_costs_its_own_rows(
    long_log: Path, decoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "ROWS_AT_FIRST", 1000)
    timeline = prepared(long_log)
    assert len(decoded) <= 2, "rows that may speak of instructions, and no others"
    assert timeline.progress.rows < EVENTS // 2
    timeline.advance(200)
    assert len(timeline) == 200
    assert max(decoded) < 200 + BATCH_LIMIT
    assert len(decoded) < 300


def test_rows_that_cannot_matter_are_never_decoded(long_log: Path, decoded: list[int]) -> None:
    timeline = prepared(long_log)
    timeline.advance()
    index = LogIndex(long_log)
    index.advance()
    idle = {row for row in range(EVENTS) if not index.matters(row)}
    assert len(idle) > EVENTS // 5
    assert not idle & set(decoded)


def test_a_log_is_decoded_once_while_it_is_replayed(long_log: Path, decoded: list[int]) -> None:
    prepared(long_log).advance()
    assert len(decoded) < 1.1 * len(set(decoded))


def test_a_seek_costs_the_rows_since_the_checkpoint(
    long_log: Path, decoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline = prepared(long_log)
    timeline.advance()
    applied: list[int] = []
    apply = Driver.apply

    def counting(self: Driver, state: object, index: int, reporter: object = None) -> object:
        applied.append(index)
        return apply(self, state, index, reporter)  # type: ignore[arg-type]

    monkeypatch.setattr(Driver, "apply", counting)
    for index in (EVENTS - 1, EVENTS // 2, 31, EVENTS // 3):
        decoded.clear()
        applied.clear()
        timeline.frame(index)
        assert len(applied) <= CHECKPOINT_EVERY
        assert len(decoded) <= CHECKPOINT_EVERY + BATCH_LIMIT
        assert min(applied) >= index - CHECKPOINT_EVERY


def test_a_look_at_a_living_log_that_did_not_grow_decodes_nothing(long_log: Path, decoded: list[int]) -> None:
    timeline = prepared(long_log, live=True)
    while not timeline.advance():
        pass
    decoded.clear()
    for _ in range(3):
        assert timeline.advance()
    assert decoded == []


def test_lines_that_are_appended_cost_themselves(long_log: Path, decoded: list[int], tmp_path: Path) -> None:
    lines = long_log.read_bytes().splitlines(keepends=True)
    log = tmp_path / "session.v4.jsonl"
    log.write_bytes(b"".join(lines[:5001]))
    (tmp_path / "workspace" / ".git").mkdir(parents=True)
    timeline = prepared(log, live=True)
    while not timeline.advance():
        pass
    assert len(timeline) == 5000
    decoded.clear()
    with log.open("ab") as file:
        file.write(b"".join(lines[5001:5101]))
    while not timeline.advance():
        pass
    assert len(timeline) == 5100
    assert min(decoded) >= 5000 - CHECKPOINT_EVERY - 16, "from the last open step on"
    assert len(decoded) < 250


async def test_a_key_decodes_a_screenful_and_paints_few_lines(
    long_log: Path, decoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline = prepared(long_log)
    timeline.advance()
    painted: list[int] = []
    paint = LineList.render_line

    def counting(self: LineList, y: int) -> object:
        painted.append(y)
        return paint(self, y)

    monkeypatch.setattr(LineList, "render_line", counting)
    app = InspectorApp(timeline, start=EVENTS // 2)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("right", "right")
        await pilot.pause()
        decoded.clear()
        painted.clear()
        for _ in range(20):
            await pilot.press("right")
        await pilot.pause()
        assert len(decoded) / 20 < CHECKPOINT_EVERY
        assert len(painted) / 20 < 40
