"""The byte layer: complete lines out of a plain or zstd log, with their places, whatever state the file is in.

Source: ``formats/session-log.md`` section 2. A zstd log is a row of independent checksummed frames; everything about
frames, tears and rot lives here and in ``zstdframes``. Nothing is read whole.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import BinaryIO, NamedTuple

from .errors import ErrorCode, LogError, from_os_error

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
CHUNK = 1 << 16


class GapKind(StrEnum):
    """Why something of a log is not there."""

    TORN_TAIL = "torn-tail"
    PADDING = "padding"
    CORRUPT_FRAME = "corrupt-frame"
    GARBAGE = "garbage"
    TOO_LARGE = "too-large"
    NOT_JSON = "not-json"
    NOT_AN_EVENT = "not-an-event"
    MISSING_SEQ = "missing-seq"
    REPEATED_SEQ = "repeated-seq"
    STRAY_SEQ = "stray-seq"


HARMLESS = frozenset({GapKind.TORN_TAIL, GapKind.PADDING})
"""What a killed or still running writer leaves behind; the runtime itself ignores it."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something of the log that could not be used, in its place among the events.

    ``offset`` is the byte in the file, ``inner`` the byte inside the unpacked frame that starts there (0 in plain
    files), ``skipped`` how many bytes were passed over (of the file, or of unpacked text when ``inner`` or a line is
    meant; 0 when only events are missing). ``first_seq``/``last_seq`` name the event numbers concerned, -1 if unknown.
    """

    kind: GapKind
    offset: int
    reason: str
    skipped: int = 0
    inner: int = 0
    first_seq: int = -1
    last_seq: int = -1

    @property
    def harmless(self) -> bool:
        """Whether the runtime that wrote the log would pass over this too."""
        return self.kind in HARMLESS


class Pause(Enum):
    """Said by a pass over a living log at the end of what is written so far; it goes on when asked again."""

    END = "end"


class Batch(NamedTuple):
    """Complete lines as they lie in the file; ``data`` ends with a line feed.

    In a plain log the first line starts at file byte ``offset`` and ``inner`` is 0. In a zstd log ``offset`` is where
    the frame starts and ``inner`` the first line's byte inside the unpacked frame.
    """

    offset: int
    inner: int
    data: bytes
    zstd: bool


class Line(NamedTuple):
    """One line without its line feed; ``offset`` and ``inner`` as in :class:`Gap`."""

    offset: int
    inner: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep a hostile file from eating the machine; all bytes, except the two ratios.

    ``line`` is the longest line kept. ``held`` is how much of a frame waits for its checksum before its lines are
    handed out; a larger frame is handed out as it is unpacked. A frame is given up when it has unpacked to more than
    ``bomb_size`` and to more than ``bomb_ratio`` times what it took from the file. After damage the search for the
    next frame may unpack ``rescan_ratio`` times the file at most.
    """

    line: int = 256 << 20
    held: int = 8 << 20
    bomb_size: int = 256 << 20
    bomb_ratio: int = 4000
    rescan_ratio: int = 4


DEFAULT_LIMITS = Limits()


class LineCutter:
    """Cuts a stream of chunks into batches of complete lines, keeping at most one partial line in memory."""

    def __init__(self, offset: int, zstd: bool, limits: Limits) -> None:
        self._offset, self._zstd, self._limit = offset, zstd, limits.line
        self._parts: list[bytes] = []
        self._start = 0
        self._size = 0
        self._skipping = False

    def _place(self) -> tuple[int, int]:
        return (self._offset, self._start) if self._zstd else (self._offset + self._start, 0)

    @property
    def rest(self) -> int:
        """Bytes after the last line feed so far."""
        return self._size

    @property
    def rest_place(self) -> tuple[int, int]:
        """Where the unfinished line starts: ``offset, inner``."""
        return self._place()

    def feed(self, chunk: bytes) -> Iterator[Batch | Gap]:
        """Take the next bytes; hand out what is complete."""
        end = chunk.rfind(b"\n") + 1
        if not end:
            self._keep(chunk)
            return
        start = 0
        if self._size:
            first = chunk.find(b"\n") + 1
            if self._skipping or self._size + first > self._limit + 1:
                yield self._too_long(self._size + first)
                self._start += self._size + first
                start = first
            else:
                self._parts.append(chunk[:end])
                chunk, end = b"".join(self._parts) + chunk[end:], self._size + end
            self._parts, self._size, self._skipping = [], 0, False
        if end > start:
            offset, inner = self._place()
            yield Batch(offset, inner, chunk[start:end], self._zstd)
            self._start += end - start
        self._keep(chunk[end:])

    def _keep(self, rest: bytes) -> None:
        if not rest:
            return
        self._size += len(rest)
        if self._size > self._limit:
            self._skipping = True
            self._parts = []
        if not self._skipping:
            self._parts.append(rest)

    def _too_long(self, size: int) -> Gap:
        offset, inner = self._place()
        reason = f"a line of {size} bytes is longer than the limit of {self._limit} bytes; it was passed over"
        return Gap(GapKind.TOO_LARGE, offset, reason, size, inner)

    def end(self, reason: str, kind: GapKind = GapKind.TORN_TAIL) -> Iterator[Gap]:
        """No more bytes: report the unfinished line, if there is one."""
        if not self._size:
            return
        offset, inner = self._place()
        if not self._skipping and not any(part.strip(b"\0") for part in self._parts):
            yield Gap(GapKind.PADDING, offset, f"{self._size} zero bytes at the end", self._size, inner)
        elif self._skipping:
            yield self._too_long(self._size)
        else:
            yield Gap(kind, offset, reason, self._size, inner)


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading; never waits on a pipe, never opens a device.

    Raises :class:`LogError` with code ``no-such-log``, ``is-a-directory``, ``not-regular-file`` or ``unreadable``.
    """
    try:
        _need_regular(path, os.stat(path))
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (OSError, ValueError) as error:
        raise from_os_error(error, path) from None
    try:
        # Looked at again through the descriptor: the name may have changed hands in between.
        _need_regular(path, os.fstat(descriptor))
        return os.fdopen(descriptor, "rb", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


def _need_regular(path: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise from_os_error(OSError(errno.EISDIR, ""), path)
    if not stat.S_ISREG(status.st_mode):
        message = "not a regular file (a pipe, socket or device)"
        raise LogError(ErrorCode.NOT_REGULAR_FILE, path, "", message, "copy the log into a file and name that")


def read_full(file: BinaryIO, count: int) -> bytes:
    """``count`` bytes from where the file stands; fewer only at its end, however small the pieces a disk hands out."""
    parts: list[bytes] = []
    while count > 0 and (part := file.read(count)):
        parts.append(part)
        count -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class PlainReader:
    """Reads the lines of one plain file, front to back.

    ``live`` says that the file may grow: at its end a pass pauses. ``safe`` is the start of the line that is not yet
    whole, ``file`` may be opened anew while the pass stands still.
    """

    def __init__(self, file: BinaryIO, limits: Limits = DEFAULT_LIMITS, live: bool = False) -> None:
        self.file, self._limits, self._live = file, limits, live
        self.safe = 0

    def batches(self, start: int = 0) -> Iterator[Batch | Gap | Pause]:
        """Complete lines from byte ``start`` (the start of a line) on."""
        cutter = LineCutter(start, False, self._limits)
        at = self.safe = start
        while True:
            # The file may be another opening since the last piece.
            self.file.seek(at)
            chunk = self.file.read(CHUNK)
            at += len(chunk)
            yield from cutter.feed(chunk)
            self.safe = at - cutter.rest
            if not chunk:
                if not self._live:
                    break
                yield Pause.END
        yield from cutter.end("the last line has no line end; a writer was cut off in it")


def plain_batches(file: BinaryIO, start: int = 0, limits: Limits = DEFAULT_LIMITS) -> Iterator[Batch | Gap]:
    """Complete lines of a plain log from byte ``start`` (the start of a line) on."""
    return (item for item in PlainReader(file, limits).batches(start) if not isinstance(item, Pause))


def split(batch: Batch) -> Iterator[Line]:
    """The lines of a batch, each with its place."""
    at = 0
    for data in batch.data[:-1].split(b"\n"):
        yield Line(batch.offset, batch.inner + at, data) if batch.zstd else Line(batch.offset + at, 0, data)
        at += len(data) + 1
