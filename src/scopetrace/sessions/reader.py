"""Session logs, read forward: ``open_log`` for a pass at your own pace, ``read_log`` for all of it.

Source: ``formats/session-log.md`` sections 2 to 4 and 9.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, Literal

from .errors import ErrorCode, LogError, from_os_error, header_only
from .frames import DEFAULT_LIMITS, Batch, Gap, GapKind, Limits, Line, open_regular, plain_batches, split
from .naming import generation, project_key, session_directory
from .schema import Event, Header, RowError, decode_row, parse_header
from .sequence import Sequencer
from .sniff import need_log_bytes
from .vocabulary import GUESSED_FORMATS
from .zstdframes import FrameReader, is_zstd

_TYPES_NAMED = 20


class LogReader:
    """A log whose header has been read. Iterating makes a fresh pass over the file and keeps nothing.

    ``encoding`` is how the bytes are stored, ``size`` the file's bytes when it was opened, ``position`` how far the
    latest pass has come in the file. ``unknown`` counts, by type, the rows of unknown types that are not ignorable.
    """

    def __init__(self, path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> None:
        self.path = os.fspath(path)
        self._limits = limits
        self.position = 0
        self.unknown: dict[str, int] = {}
        self._remarks: list[str] = []
        with open_regular(self.path) as file:
            try:
                self.size = os.fstat(file.fileno()).st_size
                self.encoding: Literal["zstd", "plain"] = "zstd" if is_zstd(file.read(4)) else "plain"
                first = self._first_line(file)
            except OSError as error:
                raise from_os_error(error, self.path) from None
        self.header: Header = parse_header(first.data, self.path)
        self._remark_header(first)

    @property
    def format(self) -> int:
        """Format number of the header: 0 to 4."""
        return self.header.version

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences a user should know about this log; those about its events are complete after a pass."""
        found = [
            f"event type {kind} ({count} row{'s' if count > 1 else ''}) is unknown and not marked ignorable; "
            "a runtime that does not know it refuses this log"
            for kind, count in self.unknown.items()
        ]
        return (*self._remarks, *found)

    def __iter__(self) -> Iterator[Event | Gap]:
        """Events and gaps in file order.

        Raises :class:`LogError` at the end of a log without any event: ``header-only`` when nothing follows the header,
        ``corrupt`` when something does but none of it is an event.
        """
        self.unknown.clear()
        sequencer = Sequencer(self.format < 2)
        events, last_gap, held = 0, None, None
        for item in self._items(sequencer):
            # Runs of the same trouble become one gap, so that a spoilt megabyte is one row and not thousands.
            if isinstance(item, Gap):
                last_gap = item
                if held is not None and _same_trouble(held, item):
                    held = _joined(held, item)
                else:
                    if held is not None:
                        yield held
                    held = item
                continue
            if held is not None:
                yield held
                held = None
            events += 1
            if not item.known and not item.ignorable:
                self._count_unknown(item.type)
            yield item
        if held is not None:
            yield held
        if not events:
            if last_gap is None or last_gap.harmless:
                raise header_only(self.path)
            place = f"byte {last_gap.offset}"
            message = f"no event of the log can be read ({last_gap.reason})"
            raise LogError(ErrorCode.CORRUPT, self.path, place, message, "restore the file from a copy")

    def raw(self, event: Event | Gap) -> bytes:
        """The line an event came from, as it is stored (without line end); packed events share a line.

        Raises :class:`LogError` when the file has changed since.
        """
        with open_regular(self.path) as file:
            start = event.offset
            for item in self._batches(file, start):
                if not isinstance(item, Batch) or (item.zstd and item.offset != start):
                    break
                for line in split(item):
                    if line.offset == event.offset and line.inner == event.inner:
                        return line.data
        remedy = "open the log again"
        raise LogError(ErrorCode.CORRUPT, self.path, f"byte {start}", "the log has changed since it was read", remedy)

    def _count_unknown(self, kind: str) -> None:
        if kind in self.unknown or len(self.unknown) < _TYPES_NAMED:
            self.unknown[kind] = self.unknown.get(kind, 0) + 1

    def _batches(self, file: BinaryIO, start: int = 0) -> Iterator[Batch | Gap]:
        if self.encoding == "zstd":
            yield from FrameReader(file, self.size, self._limits).batches(start)
        else:
            yield from plain_batches(file, start, self._limits)

    def _first_line(self, file: BinaryIO) -> Line:
        if self.encoding == "plain":
            file.seek(0)
            need_log_bytes(file.read(4096), self.path)
        for item in self._batches(file):
            if isinstance(item, Batch):
                if self.encoding == "zstd":
                    need_log_bytes(item.data[:4096], self.path)
                return next(split(item))
            if not item.harmless:
                message = f"the header cannot be read ({item.reason})"
                place = f"byte {item.offset}"
                raise LogError(ErrorCode.CORRUPT, self.path, place, message, "restore the file from a copy")
        message, remedy = "the log has no complete first line", "the session was never written; pick another log"
        raise LogError(ErrorCode.EMPTY_LOG, self.path, "byte 0", message, remedy)

    def _items(self, sequencer: Sequencer) -> Iterator[Event | Gap]:
        header_seen = False
        with open_regular(self.path) as file:
            try:
                for batch in self._batches(file):
                    self.position = batch.offset
                    if isinstance(batch, Gap):
                        yield batch
                        continue
                    for line in split(batch):
                        if not header_seen:
                            header_seen = True
                        elif line.data and not line.data.isspace():
                            try:
                                yield from sequencer.admit(decode_row(line.data), line)
                            except RowError as error:
                                yield Gap(error.kind, line.offset, error.reason, len(line.data), line.inner)
            except OSError as error:
                raise from_os_error(error, self.path) from None
        yield from sequencer.flush()
        self.position = self.size

    def _remark_header(self, first: Line) -> None:
        if self.format in GUESSED_FORMATS:
            self._remarks.append(f"log format {self.format} is read like its neighbours; it was never seen in use")
        if first.data.endswith(b"\r"):
            self._remarks.append("lines end with CR LF; the runtime writes LF")
        path = os.path.abspath(self.path)
        named = generation(os.path.basename(path))
        if named is not None and named != self.format:
            self._remarks.append(f"the file name says format {named}, the header format {self.format}")
        directory = os.path.dirname(path)
        if os.path.basename(os.path.dirname(directory)) == project_key(self.header.cwd):
            name = os.path.basename(directory)
            if name != session_directory(self.header.id):
                self._remarks.append(f"the header's id {self.header.id} does not match its directory {name}")


_JOINABLE = frozenset({GapKind.NOT_JSON, GapKind.NOT_AN_EVENT, GapKind.REPEATED_SEQ})


def _same_trouble(first: Gap, second: Gap) -> bool:
    return first.kind is second.kind and first.kind in _JOINABLE


def _joined(first: Gap, second: Gap) -> Gap:
    reason = first.reason if first.reason.endswith(_MORE) else first.reason + _MORE
    return replace(first, reason=reason, skipped=first.skipped + second.skipped, last_seq=second.last_seq)


_MORE = "; more lines of this kind follow"


@dataclass(frozen=True, slots=True)
class Log:
    """A log read to its end. ``items`` holds events and gaps in order; ``events`` and ``gaps`` are its two parts."""

    path: str
    header: Header
    encoding: Literal["zstd", "plain"]
    items: tuple[Event | Gap, ...]
    events: tuple[Event, ...]
    gaps: tuple[Gap, ...]
    notes: tuple[str, ...]

    @property
    def format(self) -> int:
        """Format number of the header: 0 to 4."""
        return self.header.version


def open_log(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> LogReader:
    """Open a log and read its header; nothing else is read yet. Raises :class:`LogError`."""
    return LogReader(path, limits)


def read_log(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Log:
    """Read a whole log. Raises :class:`LogError`, also (``header-only``) for a log without events."""
    reader = LogReader(path, limits)
    items = tuple(reader)
    events = tuple(item for item in items if isinstance(item, Event))
    gaps = tuple(item for item in items if isinstance(item, Gap))
    return Log(reader.path, reader.header, reader.encoding, items, events, gaps, reader.notes)
