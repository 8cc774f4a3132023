"""An index of a log of any size: read once, in steps; a few bytes a row are kept and rows decoded when asked for.

Source: ``formats/session-log.md`` sections 2 to 6. Says the same as :mod:`.reader`, row by row.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from threading import Thread
from time import monotonic
from typing import NamedTuple, overload

from .columns import GAP, MANY, Columns, Flag
from .frames import DEFAULT_LIMITS, Batch, Gap, Limits, Line, Pause
from .indexing import Indexer
from .reader import LogReader
from .rows import need_events
from .schema import Event, Header, Row, RowError, decode_row
from .sequence import Placed
from .source import FileChange, changed
from .surface import Surface
from .vocabulary import PACKED_TYPES

# Plain numbers: the operators of IntFlag are slow.
_MATTERS, _EXPANDED, _SPEAKS = int(Flag.MATTERS), int(Flag.EXPANDED), int(Flag.SPEAKS)


class Progress(NamedTuple):
    """How far an index has come: ``position`` of ``size`` bytes of the file, ``rows`` so far."""

    position: int
    size: int
    rows: int


class LogIndex(Sequence[Event | Gap]):
    """The events and gaps of a log as a sequence that grows while :meth:`advance` is called.

    A row that is there stays as it is; only a gap in the last row may still grow. One thread may advance while others
    read what is there. With ``live`` the log may grow: :meth:`advance` pauses at its end and can be called again, and
    the unfinished end is :attr:`waiting` instead of a gap at the end.

    Raises :class:`LogError` as :func:`open_log` does.
    """

    def __init__(self, path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS, *, live: bool = False) -> None:
        self._reader = LogReader(path, limits)
        self._source = self._reader.source(live)
        self._columns = Columns(self._reader.encoding == "zstd")
        self._indexer = Indexer(self._columns, self._reader.counted)
        self._count = 0
        self._cancelled = False
        self._unfolded: tuple[int, list[Event]] = (-1, [])
        self.complete = False

    # -- the pass

    def advance(self, rows: int | None = None, seconds: float | None = None) -> bool:
        """Read on, for about so many rows or seconds (to the end, if neither is given); true at the end.

        Stops between two stretches of at most 1 MB, or one frame. Raises :class:`LogError`: as reading a log does
        (``header-only``, ``corrupt``) at the end, and when the file is no longer the one that was begun.
        """
        if self.complete and not self._source.live:
            return True
        self.complete = False
        stop_rows = None if rows is None else self._count + rows
        stop_time = None if seconds is None else monotonic() + seconds
        taken_back = self._source.taken_back
        with self._source.opened() as file:
            if self._source.taken_back != taken_back:
                self._reader.forget()
            for item in self._source.batches(file):
                if isinstance(item, Batch):
                    self._indexer.take(item)
                else:
                    self._indexer.flush()
                    if isinstance(item, Gap):
                        self._indexer.add(item)
                self._publish()
                if isinstance(item, Pause):
                    self.complete = True
                    return True
                over = stop_rows is not None and self._count >= stop_rows
                if over or self._cancelled or (stop_time is not None and monotonic() >= stop_time):
                    self._indexer.flush()
                    self._publish()
                    return False
        self._indexer.end()
        self._publish()
        need_events(self.path, self._count - self._columns.gap_count, self._indexer.last_gap)
        self.complete = True
        return True

    def _publish(self) -> None:
        self._count = len(self._columns)

    def cancel(self) -> None:
        """Make a running :meth:`advance` return soon; what is there stays usable. Safe from another thread."""
        self._cancelled = True

    @property
    def live(self) -> bool:
        """Whether the log may grow: the end reached is the present one."""
        return self._source.live

    @property
    def progress(self) -> Progress:
        """How far the pass has come."""
        return Progress(self._source.position, self._source.size, self._count)

    @property
    def waiting(self) -> Gap | None:
        """The unfinished end of a live log; ``None`` when it ends well or the log is not live."""
        return self._source.waiting if self._source.live and self.complete else None

    def look(self) -> FileChange | None:
        """Whether the file is no longer the log that was begun. Not while another thread advances."""
        return self._source.look()

    # -- what is there

    @property
    def path(self) -> str:
        """The log's file."""
        return self._reader.path

    @property
    def header(self) -> Header:
        """The log's first line."""
        return self._reader.header

    @property
    def encoding(self) -> str:
        """How the bytes are stored: ``zstd`` or ``plain``."""
        return self._reader.encoding

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences a user should know about this log, as :attr:`LogReader.notes`."""
        return (*self._reader.notes, *self._indexer.unknown.notes)

    @property
    def surface(self) -> Surface:
        """The visible surface, which has taken note of all rows so far."""
        return self._indexer.surface

    @property
    def decoded(self) -> int:
        """Lines that had to be decoded whole on the way."""
        return self._indexer.decoded

    @property
    def memory(self) -> int:
        """Bytes kept for rows and surface nodes."""
        return self._columns.memory + self._indexer.surface.memory

    def __len__(self) -> int:
        return self._count

    def _row(self, index: int) -> int:
        row = index + self._count if index < 0 else index
        if not 0 <= row < self._count:
            raise IndexError(index)
        return row

    @overload
    def __getitem__(self, index: int) -> Event | Gap: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event | Gap]: ...
    def __getitem__(self, index: int | slice) -> Event | Gap | list[Event | Gap]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(self._count))]
        row = self._row(index)
        gap = self._columns.gap(row)
        return self._event(row) if gap is None else gap

    def event(self, index: int) -> Event:
        """The event in a row, decoded anew.

        Raises :class:`IndexError`, :class:`ValueError` when a gap is there, and :class:`LogError` when the file has
        changed.
        """
        item = self[index]
        if isinstance(item, Gap):
            raise ValueError(f"row {index} is a gap")
        return item

    def raw(self, item: Event | Gap) -> bytes:
        """As :meth:`LogReader.raw`."""
        return self._reader.raw(item)

    def is_gap(self, index: int) -> bool:
        """Whether a row is a gap; nothing is read."""
        return self._columns.kinds[self._row(index)] == GAP

    def kind(self, index: int) -> str:
        """The type of the event in a row, ``""`` for a gap; nothing is read, but for types beyond thousands."""
        row = self._row(index)
        code = self._columns.kinds[row]
        return self._event(row).type if code == MANY else self._columns.kind_names.names[code]

    def flags(self, index: int) -> Flag:
        """What else is known of a row without reading it."""
        return Flag(self._columns.flags[self._row(index)])

    def size(self, index: int) -> int:
        """About how many bytes a row takes, 0 where its neighbour does not tell; nothing is read."""
        row, columns = self._row(index), self._columns
        if row + 1 >= self._count:
            return 0
        if columns.offsets[row] != columns.offsets[row + 1]:
            return 0 if columns.framed else columns.offsets[row + 1] - columns.offsets[row]
        return columns.inner(row + 1) - columns.inner(row)

    def seq(self, index: int) -> int:
        """The number of the event in a row, or, for a gap, of the event before it (-1 if none)."""
        return self._columns.seqs[self._row(index)]

    def row_of(self, seq: int) -> int | None:
        """The row of event ``seq``; ``None`` when it is not in the log, or not yet."""
        return self._columns.row_of(seq, self._count)

    def matters(self, index: int) -> bool:
        """Whether a row can change what a loader does: by its type, or because it reshapes the surface."""
        return bool(self._columns.flags[self._row(index)] & _MATTERS)

    def of_kinds(self, kinds: Iterable[str], start: int = 0, stop: int | None = None) -> Iterator[int]:
        """Rows of some known types, in order; nothing is read."""
        columns, end = self._columns, self._count if stop is None else min(stop, self._count)
        codes = {columns.kind_names.code(kind) for kind in kinds}
        return (row for row, code in enumerate(columns.kinds[start:end], start) if code in codes)

    def last_of(self, kinds: Iterable[str], start: int, stop: int) -> int | None:
        """The last row of some known types in a stretch; nothing is read."""
        columns = self._columns
        codes = {columns.kind_names.code(kind) for kind in kinds}
        return next((row for row in range(stop - 1, start - 1, -1) if columns.kinds[row] in codes), None)

    def speaks(self, index: int) -> bool:
        """Whether a row may hold an instruction message; nothing is read."""
        return bool(self._columns.flags[self._row(index)] & _SPEAKS)

    def operations(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Event]]:
        """Rows that matter, in order, with their index, decoded on the way."""
        flags = self._columns.flags
        for row in range(start, self._count if stop is None else min(stop, self._count)):
            if flags[row] & _MATTERS:
                yield row, self._event(row)

    def _event(self, row: int) -> Event:
        columns = self._columns
        seq, ordinal = columns.seqs[row], columns.ordinal(row)
        line = Line(columns.offsets[row], columns.inner(row), b"")
        if columns.flags[row] & _EXPANDED:
            nth = columns.nth(row)
            first, events = self._unfolded
            if first != row - nth:
                stored = self._decode(line)
                events = list(Placed(seq - nth, 0, stored, line).events(ordinal - nth)) if self._packed(stored) else []
                self._unfolded = (row - nth, events)
            if nth < len(events):
                return events[nth]
        else:
            stored = self._decode(line)
            if stored.seq is None or stored.seq == seq:
                return Placed(seq, 1, stored, line).event(ordinal)
        raise changed(self.path, f"byte {line.offset}")

    @staticmethod
    def _packed(row: Row) -> bool:
        return row.type in PACKED_TYPES

    def _decode(self, line: Line) -> Row:
        data = self._reader.line(line.offset, line.inner)
        try:
            return decode_row(data)
        except RowError:
            pass
        # The stack may be deeper here than it was in the pass; a deeply nested row fits on a fresh one.
        found: list[Row] = []
        thread = Thread(target=lambda: found.extend(_decoded(data)))
        thread.start()
        thread.join()
        if not found:
            raise changed(self.path, f"byte {line.offset}")
        return found[0]


def _decoded(data: bytes) -> Iterator[Row]:
    try:
        yield decode_row(data)
    except RowError:
        return
