"""Session logs, read forward: ``open_log`` for a pass at your own pace, ``read_log`` for all of it.

Source: ``formats/session-log.md`` sections 2 to 4 and 9. For logs too large to keep as events, see ``index``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import ErrorCode, LogError, from_os_error
from .fetch import LineFetcher
from .frames import DEFAULT_LIMITS, Batch, Gap, GapKind, Limits, Line, Pause, open_regular, read_full, split
from .naming import generation, project_key, session_directory
from .rows import RowPass, UnknownTypes, need_events
from .schema import Event, Header, parse_header
from .sniff import need_log_bytes
from .source import Encoding, LogSource
from .vocabulary import GUESSED_FORMATS
from .zstdframes import is_zstd

RAW_GAP = 1 << 16
"""Bytes shown, at most, of a stretch of the file that could not be read."""
_BYTES = frozenset({GapKind.TORN_TAIL, GapKind.PADDING, GapKind.CORRUPT_FRAME, GapKind.GARBAGE, GapKind.TOO_LARGE})


class LogReader:
    """A log whose header has been read. Iterating makes a fresh pass over the file and keeps nothing.

    ``encoding`` is how the bytes are stored, ``size`` the file's bytes when it was opened, ``position`` how far the
    latest pass has come in the file. ``unknown`` counts, by type, the rows of unknown types that are not ignorable.
    """

    def __init__(self, path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> None:
        self.path = os.fspath(path)
        self._limits = limits
        self._unknown = UnknownTypes()
        self._remarks: list[str] = []
        with open_regular(self.path) as file:
            try:
                status = os.fstat(file.fileno())
                self.size, self.identity = status.st_size, (status.st_dev, status.st_ino)
                head = read_full(file, 4096)
            except OSError as error:
                raise from_os_error(error, self.path) from None
        self.encoding: Encoding = "zstd" if is_zstd(head) else "plain"
        if self.encoding == "plain":
            need_log_bytes(head, self.path)
        self._fetcher = LineFetcher(self.path, self.encoding, limits, self.identity)
        first = self._first_line()
        self._source = self.source()
        self.header: Header = parse_header(first.data, self.path)
        self._remark_header(first)

    @property
    def format(self) -> int:
        """Format number of the header: 0 to 4."""
        return self.header.version

    @property
    def counted(self) -> bool:
        """Whether rows without a number are numbered by counting."""
        return self.format < 2

    @property
    def position(self) -> int:
        """How far the latest pass has come, in bytes of the file."""
        return self._source.position

    @property
    def unknown(self) -> dict[str, int]:
        """Rows of unknown types that are not ignorable, by type; complete after a pass."""
        return self._unknown.counts

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences a user should know about this log; those about its events are complete after a pass."""
        return (*self._remarks, *self._unknown.notes)

    def __iter__(self) -> Iterator[Event | Gap]:
        """Events and gaps in file order.

        Raises :class:`LogError` at the end of a log without any event: ``header-only`` when nothing follows the header,
        ``corrupt`` when something does but none of it is an event.
        """
        self._unknown = UnknownTypes()
        source = self._source = self.source()
        rows = RowPass(self.counted, self._unknown)
        with source.opened() as file:
            yield from rows.items(source.batches(file))
        yield from rows.end()
        need_events(self.path, rows.events, rows.last_gap)

    def source(self, live: bool = False) -> LogSource:
        """A fresh pass over the bytes of this file."""
        return LogSource(self.path, self.encoding, self._limits, live, self.identity)

    def line(self, offset: int, inner: int = 0) -> bytes:
        """The line at a place, as it is stored (without line end). Raises :class:`LogError` when it is not there."""
        return self._fetcher.line(offset, inner)

    def forget(self) -> None:
        """Drop what is kept of the file for :meth:`line`: its end was written anew."""
        self._fetcher.forget()

    def raw(self, item: Event | Gap) -> bytes:
        """The line an item came from, as it is stored (without line end); packed events share a line.

        For a stretch that is no line it is the bytes of the file, at most :data:`RAW_GAP`. Raises :class:`LogError`
        when the file has changed since.
        """
        if isinstance(item, Gap) and item.kind in _BYTES:
            return self._fetcher.stored(item.offset, min(item.skipped, RAW_GAP))
        return self._fetcher.line(item.offset, item.inner)

    def _first_line(self) -> Line:
        source = self.source()
        with source.opened() as file:
            for item in source.batches(file):
                if isinstance(item, Batch):
                    if self.encoding == "zstd":
                        need_log_bytes(item.data[:4096], self.path)
                    return next(split(item))
                if not isinstance(item, Pause) and not item.harmless:
                    message = f"the header cannot be read ({item.reason})"
                    place = f"byte {item.offset}"
                    raise LogError(ErrorCode.CORRUPT, self.path, place, message, "restore the file from a copy")
        message, remedy = "the log has no complete first line", "the session was never written; pick another log"
        raise LogError(ErrorCode.EMPTY_LOG, self.path, "byte 0", message, remedy)

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


@dataclass(frozen=True, slots=True)
class Log:
    """A log read to its end. ``items`` holds events and gaps in order; ``events`` and ``gaps`` are its two parts."""

    path: str
    header: Header
    encoding: Encoding
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
