"""The rows of a log as a replay asks for them: types and numbers without reading, events from a small store.

A replay looks ahead and back by a few rows; what it has just decoded is kept for that, the rest is decoded again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from scopetrace.sessions import Event, Flag, Gap, LogIndex, Surface

EVENTS_KEPT = 512
"""Decoded rows kept. Memory: at most this many rows of :data:`LARGE` bytes."""
LARGE = 1 << 16
"""Rows of more bytes are decoded anew each time."""
_RESHAPES = Flag.REPLACE | Flag.INVALID_OP


class LogRows(Sequence[Event | Gap]):
    """Rows of an index, as many as it has by now."""

    def __init__(self, index: LogIndex) -> None:
        self.log = index
        self._kept: dict[int, Event] = {}

    def __len__(self) -> int:
        return len(self.log)

    @overload
    def __getitem__(self, at: int) -> Event | Gap: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event | Gap]: ...
    def __getitem__(self, at: int | slice) -> Event | Gap | list[Event | Gap]:
        if isinstance(at, slice):
            return self.log[at]
        kept = self._kept.get(at)
        if kept is not None:
            return kept
        item = self.log[at]
        # A gap in the last row may still grow.
        if isinstance(item, Event) and self.log.size(at) <= LARGE:
            if len(self._kept) >= EVENTS_KEPT:
                self._kept = {}
            self._kept[at] = item
        return item

    @property
    def surface(self) -> Surface:
        """The visible surface; it has taken note of all rows."""
        return self.log.surface

    def raw(self, item: Event | Gap) -> bytes:
        """The line of a row as it is stored. Raises :class:`~scopetrace.sessions.LogError`."""
        return self.log.raw(item)

    def kind(self, at: int) -> str:
        """Type of the event in a row, empty for a gap; nothing is read."""
        return self.log.kind(at)

    def seq(self, at: int) -> int:
        """Number of the event in a row, -1 for a gap; nothing is read."""
        return -1 if self.log.is_gap(at) else self.log.seq(at)

    def seq_before(self, at: int) -> int:
        """Number of the last event up to a row; -1 if there is none."""
        return self.log.seq(at)

    def row_of(self, seq: int) -> int | None:
        """The row of an event."""
        return self.log.row_of(seq)

    def idle(self, at: int) -> bool:
        """Whether the event of a row certainly changes nothing around a loader, seen alone."""
        if not self.log.matters(at):
            return True
        # Messages are taken up by the step that begins before them.
        return self.log.kind(at) == "user/message" and not self.log.flags(at) & _RESHAPES

    def of_kinds(self, kinds: frozenset[str], start: int, stop: int) -> Iterator[int]:
        """Rows of some types, in order; nothing is read."""
        return self.log.of_kinds(kinds, start, stop)

    def last_of(self, kinds: frozenset[str], start: int, stop: int) -> int | None:
        """The last row of some types in a stretch; nothing is read."""
        return self.log.last_of(kinds, start, stop)

    def speaks(self, at: int) -> bool:
        """Whether a row may hold an instruction message; nothing is read."""
        return self.log.speaks(at)
