"""Event numbers in order: which rows are events, which repeat, which are missing.

Source: ``formats/session-log.md`` section 4. From format 2 on a row's number is its line number; formats 0 and 1 pack
rows and may leave numbers out altogether. One row of look-ahead tells a lost stretch from a single wrong number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .frames import Gap, GapKind, Line
from .packed import packed_count, unpack
from .schema import Event, Row, RowError, milliseconds, parse_sources, parse_surface_op
from .vocabulary import PACKED_TYPES


class Sequencer:
    """Turns decoded rows into events with contiguous numbers, and gaps where there are none.

    ``counted`` says that rows without a number are numbered by counting (formats 0 and 1).
    """

    def __init__(self, counted: bool) -> None:
        self._counted = counted
        self._expected = 0
        self._index = 0
        self._pending: tuple[int, int, Row, Line] | None = None

    def admit(self, row: Row, line: Line) -> Iterable[Event | Gap]:
        """Take the next row; hand out what can be said by now, to be iterated before the next row is admitted.

        Raises :class:`RowError` for a row that is no event, here or while iterating.
        """
        if row.seq == self._expected and self._pending is None and row.type not in PACKED_TYPES:
            return (self._event(row.seq, row, line),)
        return self._admit(row, line)

    def _admit(self, row: Row, line: Line) -> Iterator[Event | Gap]:
        packed = row.type in PACKED_TYPES
        count = packed_count(row) if packed else 1
        first = row.seq0 if packed and row.seq0 is not None else row.seq
        if first is None:
            if not self._counted:
                raise RowError(GapKind.NOT_AN_EVENT, "the row has no seq")
            first = self._pending[0] + self._pending[1] if self._pending else self._expected
        if first < 0:
            raise RowError(GapKind.NOT_AN_EVENT, f"the row's seq is {first}")
        if first < self._expected:
            yield self._gap(GapKind.REPEATED_SEQ, line, f"event {first} stands here again; passed over", first, count)
            return
        if self._pending is not None:
            start, length, _, where = self._pending
            if first >= start + length:
                yield from self.flush()
            else:
                self._pending = None
                reason = f"a row claims to be event {start}, which does not follow; passed over"
                yield self._gap(GapKind.STRAY_SEQ, where, reason, start, length)
        if first == self._expected:
            yield from self._events(first, row, line)
        else:
            self._pending = (first, count, row, line)

    def flush(self) -> Iterator[Event | Gap]:
        """No row follows that could decide: believe the row that waits."""
        if self._pending is None:
            return
        first, _, row, line = self._pending
        self._pending = None
        lost = first - self._expected
        what = f"event {self._expected} is" if lost == 1 else f"events {self._expected} to {first - 1} are"
        yield self._gap(GapKind.MISSING_SEQ, line, f"{what} missing", self._expected, lost)
        yield from self._events(first, row, line)

    def _gap(self, kind: GapKind, line: Line, reason: str, first: int, count: int) -> Gap:
        skipped = 0 if kind is GapKind.MISSING_SEQ else len(line.data)
        return Gap(kind, line.offset, reason, skipped, line.inner, first, first + count - 1)

    def _events(self, first: int, row: Row, line: Line) -> Iterator[Event]:
        if row.type in PACKED_TYPES:
            for seq, (time, data) in enumerate(unpack(row), first):
                yield Event(seq, "assistant/chunk", time, data, self._index, line.offset, line.inner)
                self._index += 1
                self._expected = seq + 1
            return
        yield self._event(first, row, line)

    def _event(self, seq: int, row: Row, line: Line) -> Event:
        self._index += 1
        self._expected = seq + 1
        return Event(
            seq,
            row.type,
            milliseconds(row.time),
            row.data,
            self._index - 1,
            line.offset,
            line.inner,
            parse_surface_op(row.surface_op),
            parse_sources(row.source_event_seqs),
            row.ignorable,
        )
