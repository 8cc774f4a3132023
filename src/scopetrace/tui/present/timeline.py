"""The Timeline pane: every event a row, and the strip that shows where instructions moved."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from rich.cells import cell_len

from scopetrace.model import Comparison, Frame, Row, RowKind, TimelineView, Verdict
from scopetrace.report.display import safe_line

from .moment import Moment, last_seq, number_of
from .spans import Cell, Line, Span, columns, cut_end, joined, width_of

LABEL_WIDTH = 13
WIDE_LABEL = 16
_KIND_ROLES = {
    RowKind.INSTRUCTIONS: "good",
    RowKind.PROMPT: "strong",
    RowKind.ASSISTANT: "plain",
    RowKind.TOOL: "info",
    RowKind.RESULT: "dim",
    RowKind.INBOX: "violet",
    RowKind.COMPACTION: "change",
    RowKind.RESUME: "change",
    RowKind.DIRECTORY: "change",
    RowKind.GAP: "bad",
}
_LOUD_TEXT = frozenset((RowKind.PROMPT, RowKind.ASSISTANT, RowKind.TOOL, RowKind.INSTRUCTIONS, RowKind.INBOX))

ON_SURFACE = "│"
SHADOWED = "┊"

VERDICT_MARKS: dict[Verdict, tuple[str, str]] = {
    Verdict.EQUAL: ("recorded = computed ✔", "good"),
    Verdict.DIFFERENT: ("recorded ≠ computed", "bad"),
    Verdict.RECORDED_ONLY: ("recorded only", "bad"),
    Verdict.COMPUTED_ONLY: ("computed only", "bad"),
    Verdict.NOT_COMPARABLE: ("not comparable", "warn"),
}
SHORT_VERDICTS: dict[Verdict, str] = {
    Verdict.EQUAL: "✔",
    Verdict.DIFFERENT: "≠",
    Verdict.RECORDED_ONLY: "≠",
    Verdict.COMPUTED_ONLY: "≠",
    Verdict.NOT_COMPARABLE: "?",
}
_WIDE_MARK = max(len(text) for text, _ in VERDICT_MARKS.values())
WIDE = 90


KEPT_FRAMES = 64


NO_LOG = ("", "scenario")
"""Formats of timelines that were not read from a session log."""


class TimelineMarks:
    """What is known about the whole timeline: changes, comparisons, frames seen. Refreshed while the log is read."""

    def __init__(self, timeline: TimelineView) -> None:
        self._timeline = timeline
        self._comparisons: Sequence[Comparison] | None = None
        self._taken = self._known = 0
        self._recorded = timeline.info.format not in NO_LOG
        self.by_seq: dict[int, list[Comparison]] = {}
        self.changes: Sequence[int] = ()
        self._frames: dict[int, Frame] = {}
        self.refresh()

    def frame(self, index: int) -> Frame:
        """The frame at an event, kept for a while: panes look back at the same few changes again and again."""
        frame = self._frames.pop(index, None)
        if frame is None:
            frame = self._timeline.frame(index)
            if len(self._frames) >= KEPT_FRAMES:
                del self._frames[next(iter(self._frames))]
        self._frames[index] = frame
        return frame

    def refresh(self) -> bool:
        """Look again; true when something was added."""
        comparisons, changes = self._timeline.comparisons, self._timeline.changes
        anew = comparisons is not self._comparisons
        if anew:
            # What came late made other rows of those that were there.
            self._comparisons, self._taken, self.by_seq = comparisons, 0, {}
            self._frames.clear()
        grew = anew or self._taken < len(comparisons) or len(changes) != self._known
        self.changes, self._known = changes, len(changes)
        for comparison in comparisons[self._taken :]:
            self.by_seq.setdefault(comparison.seq, []).append(comparison)
        self._taken = len(comparisons)
        return grew

    def is_change(self, index: int) -> bool:
        """Whether instructions moved at the row."""
        place = bisect_left(self.changes, index)
        return place < len(self.changes) and self.changes[place] == index

    def next_change(self, index: int) -> int | None:
        """Index of the next row at which instructions moved."""
        place = bisect_right(self.changes, index)
        return self.changes[place] if place < len(self.changes) else None

    def previous_change(self, index: int) -> int | None:
        """Index of the previous row at which instructions moved."""
        place = bisect_left(self.changes, index)
        return self.changes[place - 1] if place else None

    @property
    def recorded(self) -> bool:
        """Whether there is a record to compare with; workspaces and scenarios that expect nothing have none."""
        return self._recorded or any(
            item.verdict is not Verdict.NOT_COMPARABLE for items in self.by_seq.values() for item in items
        )

    def verdict(self, seq: int) -> Verdict | None:
        """The worst verdict on the instruction messages of an event; none where nothing was recorded at all."""
        found = self.by_seq.get(seq) if self.recorded else None
        if not found:
            return None
        return next((item.verdict for item in found if item.verdict is not Verdict.EQUAL), Verdict.EQUAL)

    @property
    def differing(self) -> int:
        """How many instruction messages differ between record and claim."""
        bad = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)
        return sum(item.verdict in bad for items in self.by_seq.values() for item in items)

    def moved_count(self, seq: int) -> int:
        """How many transitions the instruction messages of an event carry."""
        return sum(
            len(message.source.changes or ())
            for item in self.by_seq.get(seq, ())
            if (message := item.recorded or item.computed) is not None
        )


class TimelineLines:
    """The events as lines. ``at`` is the present step: it decides what has been shadowed by then.

    ``rows`` are the indices that a filter shows, ascending, ``None`` for all; ``is_match`` tells those that a search
    found. A position is a place in the list, an index a row of the timeline.
    """

    natural_width = 0

    def __init__(self, timeline: TimelineView, marks: TimelineMarks) -> None:
        self.timeline = timeline
        self.marks = marks
        self.at = 0
        self.rows: Sequence[int] | None = None
        self.is_match: Callable[[int], bool] = lambda index: False

    def __len__(self) -> int:
        return len(self.timeline) if self.rows is None else len(self.rows)

    def index_at(self, position: int) -> int:
        """The row at a position."""
        return position if self.rows is None else self.rows[position]

    def position_of(self, index: int) -> int:
        """Where a row stands; where the filter hides it, the shown row before it (the first, if there is none)."""
        return index if self.rows is None else max(0, bisect_right(self.rows, index) - 1)

    def selectable(self, index: int) -> bool:
        return True

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def line(self, index: int, width: int) -> Line:
        index = self.index_at(index)
        row = self.timeline.row(index)
        digits = max(3, len(str(last_seq(self.timeline))))
        here = index == self.at
        pointer = Cell("▶" if here else "›" if self.is_match(index) else " ", "accent", 1)
        number = Cell(number_of(row), "strong" if here else "dim", digits, "right")
        if row.kind in _DIVIDERS:
            return self._divider(row, pointer, number, index > self.at, width)
        gutter, by = " ", None
        if row.on_surface and index <= self.at:
            by = self.timeline.shadowed_by(index, self.at)
            gutter = ON_SURFACE if by is None else SHADOWED
        quiet = by is not None or index > self.at
        label_role = _KIND_ROLES.get(row.kind, "dim") if by is None else "dim"
        label_width = LABEL_WIDTH if width < WIDE else WIDE_LABEL
        text_role = "plain" if row.kind in _LOUD_TEXT and not quiet else "dim"
        moved = self.marks.moved_count(row.seq)
        mark, mark_role = self._mark(row, moved, by, wide=width >= WIDE)
        mark_width = _WIDE_MARK if width >= WIDE else 7
        change = f"⊕ {moved}" if moved else ("⊕" if self.marks.is_change(index) else "")
        return columns(
            width,
            [
                pointer,
                number,
                Cell(gutter, "accent" if by is None else "guide", 1),
                Cell(_nested(row), label_role, label_width),
                Cell(_first_line(row.text), text_role, cut="end"),
                Cell(change, "good" if by is None else "dim", 4, optional=1),
                Cell(mark, mark_role, mark_width, optional=2),
            ],
        )

    def _mark(self, row: Row, moved: int, by: int | None, *, wide: bool) -> tuple[str, str]:
        """The words at the right edge: the loudest thing to say about the row."""
        verdict = self.marks.verdict(row.seq)
        if verdict is not None and (by is None or verdict is not Verdict.EQUAL):
            mark, role = VERDICT_MARKS[verdict]
            return (mark if wide else SHORT_VERDICTS[verdict]), role
        if row.error and not moved:
            return "▲ error", "bad" if by is None else "dim"
        if by is not None:
            return (f"shadowed by event {by}" if wide else f"by {by}"), "dim"
        return ("touch", "dim") if row.touch else ("", "dim")

    @staticmethod
    def _divider(row: Row, pointer: Cell, number: Cell, ahead: bool, width: int) -> Line:
        """A line across the pane: what comes after it runs in another process, or in another directory."""
        role = "dim" if ahead else _KIND_ROLES[row.kind]
        text = joined([safe_line(row.label), _first_line(row.text)])
        start = columns(3 + (number.width or 0), [pointer, number])
        room = width - width_of(start) - 4
        text = cut_end(text, max(0, room - 4))
        return (
            *start,
            Span(" ── ", "guide"),
            Span(text, role),
            Span(" " + "─" * max(0, room - cell_len(text) - 1), "guide"),
        )


_DIVIDERS = frozenset((RowKind.RESUME, RowKind.DIRECTORY))


def _nested(row: Row) -> str:
    """The label; that of a sub-call hangs on the call before it."""
    return ("  " * (min(row.depth, 3) - 1) + "└ " if row.depth else "") + safe_line(row.label)


_STEPS = " ▁▂▃▄▅▆▇█"


def density(changes: Sequence[int], length: int, at: int, width: int) -> Line:
    """Changes over the whole timeline in ``width`` cells; the present step stands out."""
    if width <= 0 or length <= 0:
        return ()
    bins = [0] * width
    for index in changes:
        bins[min(width - 1, index * width // length)] += 1
    top = max(*bins, 1) if width > 1 else max(bins[0], 1)
    here = min(width - 1, at * width // length)
    out: list[Span] = []
    for number, count in enumerate(bins):
        height = 0 if not count else max(2, round(count / top * 7))
        if number == here:
            out.append(Span("█" if count else "▌", "accent"))
        elif count:
            out.append(Span(_STEPS[height], "good"))
        else:
            out.append(Span("▁", "track"))
    return tuple(out)


def strip_index(x: int, width: int, length: int) -> int:
    """The row that a click on the strip means."""
    return max(0, min(length - 1, x * length // max(1, width)))


def strip_notes(marks: TimelineMarks) -> Line:
    """What stands right of the strip."""
    out: list[Span] = [Span(f"⊕ {len(marks.changes)} {_plural(len(marks.changes), 'change')}", "dim")]
    if marks.differing:
        out.append(Span(f"   ≠ {marks.differing} {'differs' if marks.differing == 1 else 'differ'}", "bad"))
    return tuple(out)


def _first_line(text: str) -> str:
    """Untrusted text up to its first line feed, made safe; an ellipsis says that there is more."""
    first, feed, rest = text.strip("\n").partition("\n")
    return safe_line(first) + (" …" if feed and rest else "")


def _plural(number: int, noun: str) -> str:
    return noun if number == 1 else noun + "s"


def describe_event(moment: Moment, shadowed_by: int | None = None) -> str:
    """The status line's words for an event."""
    row = moment.row
    where = joined([f"turn {moment.turn}" if moment.turn else "", f"step {moment.step}" if moment.step else ""])
    text = _first_line(row.text)
    number = f"event {moment.number}" if row.seq >= 0 else moment.number
    gone = f"shadowed by event {shadowed_by} later" if shadowed_by is not None else ""
    return joined([number, where, gone, f"{safe_line(row.label)}{' ' + text if text else ''}"])
