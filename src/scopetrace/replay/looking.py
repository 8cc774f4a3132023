"""Looking for rows: search, filters and breakpoints over a timeline."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from scopetrace.model import Outcome, Row, RowKind, Verdict

from .timeline import Timeline

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


def hits(timeline: Timeline, index: int, breakpoint: Breakpoint) -> bool:
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


def next_hit(
    timeline: Timeline, breakpoints: tuple[Breakpoint, ...], after: int, stop: Stop | None = None
) -> int | None:
    """The first row beyond ``after`` at which one of the breakpoints stops."""
    rows = sorted({*timeline.passes, *timeline.changes, *_others(timeline, breakpoints)})
    for index in rows[bisect_right(rows, after) :]:
        if stop is not None and stop():
            return None
        if any(hits(timeline, index, one) for one in breakpoints):
            return index
    return None


def _others(timeline: Timeline, breakpoints: tuple[Breakpoint, ...]) -> Iterator[int]:
    """Rows without a look at files at which something may be decided: touches, resumes, compactions."""
    if any(one.kind is BreakKind.OUTCOME for one in breakpoints):
        quick = (RowKind.RESULT, RowKind.STEP, RowKind.RESUME, RowKind.COMPACTION)
        yield from (index for index in range(len(timeline)) if timeline.kind(index) in quick)


class RowFilter(StrEnum):
    """Which rows of the timeline are shown."""

    ALL = "all events"
    CHANGES = "instruction changes"
    TOUCHES = "touches"
    PROBLEMS = "problems"


def filtered(timeline: Timeline, which: RowFilter, scope: str = "", stop: Stop | None = None) -> Iterator[int]:
    """Indices of the rows that a filter shows; ``scope`` keeps changes of one scope directory only."""
    if scope:
        breakpoint = Breakpoint(BreakKind.SCOPE, scope)
        yield from (index for index in timeline.changes if hits(timeline, index, breakpoint))
        return
    if which is RowFilter.CHANGES:
        yield from timeline.changes
        return
    differing = {one.seq for one in timeline.comparisons if one.verdict in DIFFERING}
    for index in range(len(timeline)):
        if stop is not None and index % 256 == 0 and stop():
            return
        row = timeline.row(index)
        if which is RowFilter.ALL or _shown(row, which, differing):
            yield index


def _shown(row: Row, which: RowFilter, differing: set[int]) -> bool:
    if which is RowFilter.TOUCHES:
        return row.kind is RowKind.TOOL and row.label in ("read", "write", "edit")
    return row.error or row.kind is RowKind.GAP or row.seq in differing


def search(timeline: Timeline, query: str, stop: Stop | None = None) -> Iterator[int]:
    """Indices of the rows whose label, text or stored event holds ``query``, upper and lower case alike."""
    wanted = query.casefold()
    if not wanted:
        return
    for index in range(len(timeline)):
        if stop is not None and index % 64 == 0 and stop():
            return
        row = timeline.row(index)
        if wanted in row.label.casefold() or wanted in row.text.casefold() or wanted in timeline.raw(index).casefold():
            yield index
