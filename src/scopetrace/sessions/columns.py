"""What an index keeps of each row: a few numbers in arrays, no objects.

Memory: 19 bytes a row of a plain log, 27 of a packed one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import IntFlag
from itertools import islice

from .frames import Gap
from .rows import joined, same_trouble
from .vocabulary import KNOWN_TYPES, MATTERING_TYPES, MESSAGE_TYPES, PACKED_TYPES, SURFACE_TYPES


class Flag(IntFlag):
    """What is known of a row beside its type."""

    APPEND = 1
    REPLACE = 2
    INVALID_OP = 4
    IGNORABLE = 8
    EXPANDED = 16
    MATTERS = 32
    SPEAKS = 64
    """May hold instructions: a message, or a change of the messages that wait, with the word in it."""


GAP = 0
MANY = 1
"""Kind of all types beyond :data:`KINDS_KEPT`: the row has to be read to know its type."""
KINDS_KEPT = 4096

_FIRST = ("", "?", *sorted(KNOWN_TYPES))


class Kinds:
    """Types of rows as small numbers: the same for known types in every log, then in order of appearance."""

    def __init__(self) -> None:
        self.names = list(_FIRST)
        self._codes = {name: code for code, name in enumerate(_FIRST) if code > MANY}

    def code(self, name: str) -> int:
        """The number of a type."""
        code = self._codes.get(name)
        if code is None:
            if len(self.names) >= KINDS_KEPT:
                return MANY
            code = self._codes[name] = len(self.names)
            self.names.append(name)
        return code


PASSED = {
    name: code for code, name in enumerate(_FIRST) if code > MANY and name not in SURFACE_TYPES | set(PACKED_TYPES)
}
"""Known types that never stand on the surface, with their numbers."""
SHOWN = {name: code for code, name in enumerate(_FIRST) if name in SURFACE_TYPES}
"""Known types that do."""
FLAGS = bytes(
    (Flag.MATTERS if name in MATTERING_TYPES else 0) | (Flag.APPEND if name in SURFACE_TYPES else 0) for name in _FIRST
).ljust(256, b"\0")
"""Flags of a usual row of a known type, by number, as a table for :meth:`bytes.translate`."""
APPENDS = bytes(flags & Flag.APPEND for flags in range(256))
"""Flags to their :attr:`Flag.APPEND` alone."""
MESSAGES = bytes(name in MESSAGE_TYPES for name in _FIRST).ljust(256, b"\0")
"""Numbers of types to whether they are of :data:`MESSAGE_TYPES`."""


class Columns:
    """Rows in order, events and gaps. A gap has the number of the event before it in ``seqs``."""

    def __init__(self, framed: bool) -> None:
        self.framed = framed
        self.seqs = array("q")
        self.kinds = array("H")
        self.flags = bytearray()
        self.offsets = array("q")
        self.inners = array("q")
        self.kind_names = Kinds()
        self._gaps: dict[int, Gap] = {}
        self._gap_rows = array("q")

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def gap_count(self) -> int:
        """How many rows are gaps."""
        return len(self._gap_rows)

    def add(self, seq: int, kind: int, flags: int, offset: int, inner: int) -> None:
        """One more event."""
        self.seqs.append(seq)
        self.flags.append(flags)
        self.offsets.append(offset)
        if self.framed:
            self.inners.append(inner)
        self.kinds.append(kind)

    def extend(
        self, first: int, kinds: Sequence[int], flags: bytes | bytearray, offsets: Iterable[int], inners: Iterable[int]
    ) -> None:
        """Many more events from number ``first`` on."""
        count = len(kinds)
        self.seqs.extend(range(first, first + count))
        self.flags += flags
        self.offsets.extend(islice(offsets, count))
        self.inners.extend(islice(inners, count))
        self.kinds.extend(kinds)

    def add_gap(self, gap: Gap) -> None:
        """One more gap; or the last row grows, when it is a gap of the same trouble."""
        row = len(self.kinds)
        last = self._gaps.get(row - 1)
        if last is not None and same_trouble(last, gap):
            self._gaps[row - 1] = joined(last, gap)
            return
        self._gaps[row] = gap
        self._gap_rows.append(row)
        self.add(self.seqs[-1] if self.seqs else -1, GAP, 0, gap.offset, gap.inner)

    def gap(self, row: int) -> Gap | None:
        """The gap in a row; ``None`` for an event."""
        return self._gaps.get(row)

    def inner(self, row: int) -> int:
        """Byte of the row inside its unpacked frame; 0 in a plain log."""
        return self.inners[row] if self.framed else 0

    def ordinal(self, row: int) -> int:
        """How many events stand before the row."""
        return row - bisect_left(self._gap_rows, row)

    def row_of(self, seq: int, count: int) -> int | None:
        """The row of event ``seq`` among the first ``count``."""
        row = bisect_left(self.seqs, seq, 0, count)
        return row if row < count and self.seqs[row] == seq and self.kinds[row] != GAP else None

    def nth(self, row: int) -> int:
        """The place of an expanded event among those of its stored row."""
        first = row
        while (
            first
            and self.offsets[first - 1] == self.offsets[row]
            and self.inner(first - 1) == self.inner(row)
            and self.kinds[first - 1] != GAP
        ):
            first -= 1
        return row - first

    @property
    def memory(self) -> int:
        """Bytes taken by the columns, without gaps."""
        arrays = (self.seqs, self.kinds, self.offsets, self.inners)
        return len(self.flags) + sum(len(one) * one.itemsize for one in arrays)
