"""From complete lines to events and gaps: the one way in which every reader of this package does it.

Source: ``formats/session-log.md`` sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .errors import ErrorCode, LogError, header_only
from .frames import Batch, Gap, GapKind, Line, Pause, split
from .schema import Event, RowError, decode_row
from .sequence import Placed, Sequencer

_JOINABLE = frozenset({GapKind.NOT_JSON, GapKind.NOT_AN_EVENT, GapKind.REPEATED_SEQ})
_MORE = "; more lines of this kind follow"
_TYPES_NAMED = 20


class UnknownTypes:
    """Counts, by type, the rows of unknown types that are not ignorable; only so many types are told apart."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def note(self, kind: str) -> None:
        """One more row of this type."""
        if kind in self.counts or len(self.counts) < _TYPES_NAMED:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence a type."""
        return tuple(
            f"event type {kind} ({count} row{'s' if count > 1 else ''}) is unknown and not marked ignorable; "
            "a runtime that does not know it refuses this log"
            for kind, count in self.counts.items()
        )


def place(line: Line, sequencer: Sequencer) -> Iterator[Placed | Gap]:
    """What one line (not the header) leads to: nothing when it is blank, a gap when it is no event."""
    if line.data and not line.data.isspace():
        try:
            yield from sequencer.admit(decode_row(line.data), line)
        except RowError as error:
            yield Gap(error.kind, line.offset, error.reason, len(line.data), line.inner)


def same_trouble(first: Gap, second: Gap) -> bool:
    """Whether two gaps in a row are one: a spoilt megabyte is one row and not thousands."""
    return first.kind is second.kind and first.kind in _JOINABLE


def joined(first: Gap, second: Gap) -> Gap:
    """Two gaps of the same trouble as one."""
    reason = first.reason if first.reason.endswith(_MORE) else first.reason + _MORE
    return replace(first, reason=reason, skipped=first.skipped + second.skipped, last_seq=second.last_seq)


def need_events(path: str, events: int, last_gap: Gap | None) -> None:
    """Raise :class:`LogError` for a log that ended without any event.

    ``header-only`` when nothing follows the header, ``corrupt`` when something does but none of it is an event.
    """
    if events:
        return
    if last_gap is None or last_gap.harmless:
        raise header_only(path)
    message = f"no event of the log can be read ({last_gap.reason})"
    raise LogError(ErrorCode.CORRUPT, path, f"byte {last_gap.offset}", message, "restore the file from a copy")


class RowPass:
    """Events and gaps of one pass over a log, the header left out. ``events`` counts the events so far."""

    def __init__(self, counted: bool, unknown: UnknownTypes) -> None:
        self._sequencer = Sequencer(counted)
        self._unknown = unknown
        self._header_seen = False
        self._held: Gap | None = None
        self.last_gap: Gap | None = None
        self.events = 0

    def items(self, batches: Iterable[Batch | Gap | Pause]) -> Iterator[Event | Gap]:
        """The items in these batches, in file order; at a pause all that can be said has been said."""
        for batch in batches:
            if isinstance(batch, Batch):
                for line in split(batch):
                    if self._header_seen:
                        for item in place(line, self._sequencer):
                            yield from self._take(item)
                    self._header_seen = True
            elif isinstance(batch, Gap):
                yield from self._take(batch)
            else:
                yield from self._release()

    def end(self) -> Iterator[Event | Gap]:
        """No batches follow."""
        for item in self._sequencer.flush():
            yield from self._take(item)
        yield from self._release()

    def _release(self) -> Iterator[Gap]:
        held, self._held = self._held, None
        if held is not None:
            yield held

    def _take(self, item: Placed | Gap) -> Iterator[Event | Gap]:
        if isinstance(item, Gap):
            self.last_gap = item
            if self._held is not None and same_trouble(self._held, item):
                self._held = joined(self._held, item)
            else:
                yield from self._release()
                self._held = item
            return
        yield from self._release()
        for event in item.events(self.events):
            self.events += 1
            if not event.known and not event.ignorable:
                self._unknown.note(event.type)
            yield event
