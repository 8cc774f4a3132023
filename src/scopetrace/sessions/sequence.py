"""Event numbers in order: which rows are events, which repeat, which are missing.

Source: ``formats/session-log.md`` section 4. From format 2 on a row's number is its line number; formats 0 and 1 pack
rows and may leave numbers out altogether. One row of look-ahead tells a lost stretch from a single wrong number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .frames import Gap, GapKind, Line
from .packed import packed_count, unpack
from .schema import MAX_SEQ, Event, Row, RowError, milliseconds, parse_sources, parse_surface_op
from .vocabulary import PACKED_TYPES


class Placed(NamedTuple):
    """A row that stands for the ``length`` events from number ``first`` on."""

    first: int
    length: int
    row: Row
    line: Line

    def event(self, index: int, nth: int = 0) -> Event:
        """Its event number ``first + nth``, which is the event ``index`` of the log."""
        row, line = self.row, self.line
        if row.type in PACKED_TYPES:
            time, data = unpack(row)[nth]
            return Event(self.first + nth, "assistant/chunk", time, data, index, line.offset, line.inner)
        return Event(
            self.first,
            row.type,
            milliseconds(row.time),
            row.data,
            index,
            line.offset,
            line.inner,
            parse_surface_op(row.surface_op),
            parse_sources(row.source_event_seqs),
            row.ignorable,
        )

    def events(self, index: int) -> Iterable[Event]:
        """All its events; the first is the event ``index`` of the log."""
        row, line = self.row, self.line
        if row.type not in PACKED_TYPES:
            return (self.event(index),)
        return (
            Event(self.first + nth, "assistant/chunk", time, data, index + nth, line.offset, line.inner)
            for nth, (time, data) in enumerate(unpack(row))
        )


class Sequencer:
    """Gives decoded rows their places among contiguous numbers, and tells where there are gaps.

    ``counted`` says that rows without a number are numbered by counting (formats 0 and 1). ``expected`` is the next
    number; a row that carries it, while none ``waits``, may be passed by adding its events to it.
    """

    def __init__(self, counted: bool) -> None:
        self._counted = counted
        self.expected = 0
        self._pending: Placed | None = None

    @property
    def waits(self) -> bool:
        """Whether a row waits for the next one to decide about it."""
        return self._pending is not None

    def admit(self, row: Row, line: Line) -> Iterable[Placed | Gap]:
        """Take the next row; hand out what can be said by now, to be iterated before the next row is admitted.

        Raises :class:`RowError` for a row that is no event, here or while iterating.
        """
        if row.seq == self.expected and self._pending is None and row.type not in PACKED_TYPES:
            self.expected += 1
            return (Placed(row.seq, 1, row, line),)
        return self._admit(row, line)

    def _admit(self, row: Row, line: Line) -> Iterator[Placed | Gap]:
        packed = row.type in PACKED_TYPES
        count = packed_count(row) if packed else 1
        first = row.seq0 if packed and row.seq0 is not None else row.seq
        if first is None:
            if not self._counted:
                raise RowError(GapKind.NOT_AN_EVENT, "the row has no seq")
            first = self._pending.first + self._pending.length if self._pending else self.expected
        if not 0 <= first <= MAX_SEQ:
            raise RowError(GapKind.NOT_AN_EVENT, f"the row's seq is {str(first)[:24]}")
        if first < self.expected:
            yield _gap(GapKind.REPEATED_SEQ, line, f"event {first} stands here again; passed over", first, count)
            return
        if self._pending is not None:
            waiting = self._pending
            if first >= waiting.first + waiting.length:
                yield from self.flush()
            else:
                self._pending = None
                reason = f"a row claims to be event {waiting.first}, which does not follow; passed over"
                yield _gap(GapKind.STRAY_SEQ, waiting.line, reason, waiting.first, waiting.length)
        placed = Placed(first, count, row, line)
        if first == self.expected:
            self.expected = first + count
            yield placed
        else:
            self._pending = placed

    def flush(self) -> Iterator[Placed | Gap]:
        """No row follows that could decide: believe the row that waits."""
        if self._pending is None:
            return
        placed, self._pending = self._pending, None
        first, expected = placed.first, self.expected
        lost = first - expected
        what = f"event {expected} is" if lost == 1 else f"events {expected} to {first - 1} are"
        yield _gap(GapKind.MISSING_SEQ, placed.line, f"{what} missing", expected, lost)
        self.expected = first + placed.length
        yield placed


def _gap(kind: GapKind, line: Line, reason: str, first: int, count: int) -> Gap:
    skipped = 0 if kind is GapKind.MISSING_SEQ else len(line.data)
    return Gap(kind, line.offset, reason, skipped, line.inner, first, first + count - 1)
