"""Looking for rows: search, filters and breakpoints over a timeline."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from scopetrace.model import Outcome, Row, RowKind, TimelineView, Verdict

DIFFERING = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)
Stop = Callable[[], bool]
"""Asked now and then during a long search; true gives up."""


_CODES = frozenset(outcome.value for outcome in Outcome)


class BreakKind(StrEnum):
    """What a breakpoint waits for."""

    SCOPE = "scope"
    OUTCOME = "outcome"
    MISMATCH = "mismatch"


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Stops where a transition of a scope directory (or one scope key) is decided, where an outcome occurs, or where
    record and claim differ (``value`` empty)."""

    kind: BreakKind
    value: str = ""

    @classmethod
    def parse(cls, text: str) -> Breakpoint:
        """``mismatch``, an outcome code, else a scope directory or path. Raises :class:`ValueError` when empty."""
        text = text.strip()
        if not text:
            raise ValueError("name a scope, an outcome code, or mismatch")
        if text in ("mismatch", "!="):
            return cls(BreakKind.MISMATCH)
        if text in _CODES:
            return cls(BreakKind.OUTCOME, text)
        return cls(BreakKind.SCOPE, text.rstrip("/") or ".")


_MOVES = frozenset(
    {
        Outcome.SET,
        Outcome.REPLACE,
        Outcome.REMOVED_ABSENT,
        Outcome.REMOVED_DUPLICATE,
        Outcome.REMOVED_BUDGET,
        Outcome.REMOVED_SUPERSEDED,
    }
)


def hits(timeline: TimelineView, index: int, breakpoint: Breakpoint) -> bool:
    """Whether a breakpoint stops at a row."""
    frame = timeline.frame(index)
    if breakpoint.kind is BreakKind.MISMATCH:
        return any(one.verdict in DIFFERING for one in frame.comparisons)
    if breakpoint.kind is BreakKind.OUTCOME:
        return any(decision.outcome == breakpoint.value for decision in frame.decisions)
    wanted = breakpoint.value
    return any(
        decision.outcome in _MOVES
        and wanted in (decision.directory, decision.scope, decision.path, decision.absolute_path)
        for decision in frame.decisions
    )


@runtime_checkable
class _Passing(Protocol):
    """A timeline that knows the rows at which the loader looked at files."""

    @property
    def passes(self) -> Sequence[int]: ...


def rows_to_try(timeline: TimelineView, breakpoints: Sequence[Breakpoint], after: int) -> list[int]:
    """The rows beyond ``after``, ascending, at which one of the breakpoints could stop."""
    found: set[int] = set()
    if any(one.kind is BreakKind.MISMATCH for one in breakpoints):
        # Known without computing a frame: every message has been compared while the log was replayed.
        rows = (timeline.index_of(one.seq) for one in timeline.comparisons if one.verdict in DIFFERING)
        found |= {row for row in rows if row is not None}
    if any(one.kind is not BreakKind.MISMATCH for one in breakpoints):
        if not isinstance(timeline, _Passing):
            return list(range(after + 1, len(timeline)))
        found |= {*timeline.passes, *timeline.changes, *_others(timeline, breakpoints)}
    rows_found = sorted(found)
    return rows_found[bisect_right(rows_found, after) :]


def next_hit(
    timeline: TimelineView, breakpoints: tuple[Breakpoint, ...], after: int, stop: Stop | None = None
) -> int | None:
    """The first row beyond ``after`` at which one of the breakpoints stops."""
    for index in rows_to_try(timeline, breakpoints, after):
        if stop is not None and stop():
            return None
        if any(hits(timeline, index, one) for one in breakpoints):
            return index
    return None


def _others(timeline: TimelineView, breakpoints: Sequence[Breakpoint]) -> Iterator[int]:
    """Rows without a look at files at which something may be decided: touches, resumes, compactions."""
    if any(one.kind is BreakKind.OUTCOME for one in breakpoints):
        quick = (RowKind.RESULT, RowKind.STEP, RowKind.RESUME, RowKind.COMPACTION)
        yield from (index for index in range(len(timeline)) if timeline.row(index).kind in quick)


class RowFilter(StrEnum):
    """Which rows of the timeline are shown."""

    ALL = "all events"
    CHANGES = "instruction changes"
    TOUCHES = "touches"
    PROBLEMS = "problems"


def row_test(timeline: TimelineView, which: RowFilter, scope: str = "") -> Callable[[int], bool]:
    """Whether a row is shown; ``scope`` keeps changes of one scope directory (or one scope key) only."""
    if scope:
        breakpoint = Breakpoint(BreakKind.SCOPE, scope)
        return lambda index: _is_change(timeline, index) and hits(timeline, index, breakpoint)
    if which is RowFilter.ALL:
        return lambda index: True
    if which is RowFilter.CHANGES:
        return lambda index: _is_change(timeline, index)
    if which is RowFilter.TOUCHES:
        return lambda index: _is_touch(timeline.row(index))
    differing = _Differing(timeline)
    return lambda index: differing.is_problem(timeline.row(index))


def _is_change(timeline: TimelineView, index: int) -> bool:
    changes = timeline.changes
    place = bisect_left(changes, index)
    return place < len(changes) and changes[place] == index


def _is_touch(row: Row) -> bool:
    return row.kind is RowKind.TOOL and row.label in ("read", "write", "edit")


class _Differing:
    """The events at which record and claim differ, looked up again when a log that is still read brings more."""

    def __init__(self, timeline: TimelineView) -> None:
        self._timeline = timeline
        self._known = 0
        self._seqs: set[int] = set()

    def is_problem(self, row: Row) -> bool:
        """Whether a row failed, is a gap, or holds a message that differs."""
        comparisons = self._timeline.comparisons
        if len(comparisons) != self._known:
            self._known = len(comparisons)
            self._seqs = {one.seq for one in comparisons if one.verdict in DIFFERING}
        return row.error or row.kind is RowKind.GAP or row.seq in self._seqs


def filtered(timeline: TimelineView, which: RowFilter, scope: str = "", stop: Stop | None = None) -> Iterator[int]:
    """Indices of the rows that a filter shows; ``scope`` keeps changes of one scope directory only."""
    shows = row_test(timeline, which, scope)
    for index in timeline.changes if scope else range(len(timeline)):
        if stop is not None and index % 256 == 0 and stop():
            return
        if shows(index):
            yield index


def search_test(timeline: TimelineView, query: str) -> Callable[[int], bool]:
    """Whether a row's label, text or stored event holds ``query``, upper and lower case alike; nothing holds ``""``."""
    wanted = query.casefold()

    def holds(index: int) -> bool:
        row = timeline.row(index)
        return bool(wanted) and (
            wanted in row.label.casefold() or wanted in row.text.casefold() or wanted in timeline.raw(index).casefold()
        )

    return holds


def search(timeline: TimelineView, query: str, stop: Stop | None = None) -> Iterator[int]:
    """Indices of the rows whose label, text or stored event holds ``query``, upper and lower case alike."""
    holds = search_test(timeline, query)
    for index in range(len(timeline) if query else 0):
        if stop is not None and index % 64 == 0 and stop():
            return
        if holds(index):
            yield index
