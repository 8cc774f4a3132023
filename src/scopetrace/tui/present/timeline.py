"""The Timeline pane: every event a row, and the strip that shows where instructions moved."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from scopetrace.model import Comparison, Frame, RowKind, TimelineView, Verdict
from scopetrace.report.display import safe_line

from .moment import Moment, last_seq, number_of
from .spans import Cell, Line, Span, columns, joined

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


class TimelineMarks:
    """What is known about the whole timeline: changes, comparisons, frames seen. Refreshed while the log is read."""

    def __init__(self, timeline: TimelineView) -> None:
        self._timeline = timeline
        self._seen = (-1, -1)
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
        seen = (len(comparisons), len(changes))
        self.changes = changes
        if seen == self._seen:
            return False
        self._seen = seen
        self.by_seq = {}
        for comparison in comparisons:
            self.by_seq.setdefault(comparison.seq, []).append(comparison)
        return True

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

    def verdict(self, seq: int) -> Verdict | None:
        """The worst verdict on the instruction messages of an event."""
        found = self.by_seq.get(seq)
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
    """The events as lines. ``at`` is the present step: it decides what has been shadowed by then."""

    natural_width = 0

    def __init__(self, timeline: TimelineView, marks: TimelineMarks) -> None:
        self.timeline = timeline
        self.marks = marks
        self.at = 0

    def __len__(self) -> int:
        return len(self.timeline)

    def selectable(self, index: int) -> bool:
        return True

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def line(self, index: int, width: int) -> Line:
        row = self.timeline.row(index)
        gutter, shadowed = " ", False
        if row.on_surface and index <= self.at:
            shadowed = self.timeline.shadowed_by(index, self.at) is not None
            gutter = SHADOWED if shadowed else ON_SURFACE
        quiet = shadowed or index > self.at
        label_role = _KIND_ROLES.get(row.kind, "dim")
        label_width = LABEL_WIDTH if width < WIDE else WIDE_LABEL
        text_role = "plain" if row.kind in _LOUD_TEXT and not quiet else "dim"
        digits = max(3, len(str(last_seq(self.timeline))))
        verdict = self.marks.verdict(row.seq)
        moved = self.marks.moved_count(row.seq)
        mark, mark_role = VERDICT_MARKS[verdict] if verdict is not None else ("", "dim")
        if not moved and row.error:
            mark, mark_role = "▲ error", "bad"
        elif not mark and row.touch:
            mark, mark_role = "touch", "dim"
        if width < WIDE and verdict is not None:
            mark = SHORT_VERDICTS[verdict]
        mark_width = _WIDE_MARK if width >= WIDE else 7
        change = f"⊕ {moved}" if moved else ("⊕" if self.marks.is_change(index) else "")
        return columns(
            width,
            [
                Cell("▶" if index == self.at else " ", "accent", 1),
                Cell(number_of(row), "strong" if index == self.at else "dim", digits, "right"),
                Cell(gutter, "accent" if not shadowed else "guide", 1),
                Cell("  " * min(row.depth, 3) + safe_line(row.label), label_role, label_width),
                Cell(_first_line(row.text), text_role, cut="end"),
                Cell(change, "good", 4, optional=1),
                Cell(mark, mark_role, mark_width, optional=2),
            ],
        )


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


def strip_notes(marks: TimelineMarks, complete: bool, length: int) -> Line:
    """What stands right of the strip."""
    out: list[Span] = [Span(f"⊕ {len(marks.changes)} {_plural(len(marks.changes), 'change')}", "dim")]
    if marks.differing:
        out.append(Span(f"   ≠ {marks.differing} {'differs' if marks.differing == 1 else 'differ'}", "bad"))
    if not complete:
        out.append(Span(f"   reading … {length}", "warn"))
    return tuple(out)


def _first_line(text: str) -> str:
    """Untrusted text up to its first line feed, made safe; an ellipsis says that there is more."""
    first, feed, rest = text.strip("\n").partition("\n")
    return safe_line(first) + (" …" if feed and rest else "")


def _plural(number: int, noun: str) -> str:
    return noun if number == 1 else noun + "s"


def describe_event(moment: Moment) -> str:
    """The status line's words for an event."""
    row = moment.row
    where = joined([f"turn {moment.turn}" if moment.turn else "", f"step {moment.step}" if moment.step else ""])
    text = _first_line(row.text)
    number = f"event {moment.number}" if row.seq >= 0 else moment.number
    return joined([number, where, f"{safe_line(row.label)}{' ' + text if text else ''}"])
