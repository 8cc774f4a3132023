"""The bytes of one log as a pass that can be left and taken up again: nothing is held open in between.

Source: ``formats/session-log.md`` section 2. Readers, index and follower read through here; this is also where a file
that is no longer the one that was begun is noticed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import BinaryIO, Literal

from .errors import ErrorCode, LogError, from_os_error
from .frames import Batch, Gap, GapKind, Limits, Pause, PlainReader, open_regular, read_full
from .zstdframes import FrameReader

Encoding = Literal["zstd", "plain"]
_MARK = 64


class FileChange(StrEnum):
    """Why a file is no longer the log that was begun."""

    GONE = "gone"
    REPLACED = "replaced"
    TRUNCATED = "truncated"
    REWRITTEN = "rewritten"


_SENTENCES = {
    FileChange.GONE: "the log is no longer there",
    FileChange.REPLACED: "another file has taken the place of the log",
    FileChange.TRUNCATED: "the log has been cut short",
    FileChange.REWRITTEN: "the log has been written anew",
}


def sentence(change: FileChange) -> str:
    """What happened, for a user."""
    return _SENTENCES[change]


class LogSource:
    """One pass over the complete lines of a log file.

    ``size`` is the file's bytes at the latest look, ``position`` how far the pass has come. A ``live`` pass pauses at
    the end of what is written and goes on when the file has grown; ``taken_back`` counts how often its unfinished end
    went away instead.
    """

    def __init__(self, path: str, encoding: Encoding, limits: Limits, live: bool, identity: tuple[int, int]) -> None:
        self.path, self.encoding, self.live = path, encoding, live
        self._limits = limits
        self.size = self.position = self.taken_back = 0
        self._identity = identity
        self._mark = (0, b"")
        self._paused_at = -1
        self._reader: FrameReader | PlainReader | None = None
        self._batches: Iterator[Batch | Gap | Pause] = iter(())

    @property
    def safe(self) -> int:
        """Where the line or frame starts that is not whole yet; what lies before has been handed out."""
        return self._reader.safe if self._reader else 0

    @property
    def waiting(self) -> Gap | None:
        """The unfinished end of a living log, as the gap it would be if nothing followed."""
        if self.size <= self.safe:
            return None
        what = "frame" if self.encoding == "zstd" else "line"
        reason = f"the last {what} is not written to its end yet"
        return Gap(GapKind.TORN_TAIL, self.safe, reason, self.size - self.safe)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file, opened for a while and checked to be the one that was begun.

        Raises :class:`LogError`: as :func:`open_regular`, ``corrupt`` when the file has changed, ``unreadable`` when
        the disk fails.
        """
        with open_regular(self.path) as file:
            try:
                change = self._compare(file)
                if change is not None:
                    raise changed(self.path, f"byte {self.position}", sentence(change))
                yield file
            except OSError as error:
                raise from_os_error(error, self.path) from None

    def look(self) -> FileChange | None:
        """Whether the file is no longer the log that was begun. Raises :class:`LogError` for a failing look."""
        try:
            with open_regular(self.path) as file:
                return self._compare(file)
        except LogError as error:
            if error.code is ErrorCode.NO_SUCH_LOG:
                return FileChange.GONE
            raise
        except OSError as error:
            raise from_os_error(error, self.path) from None

    def _compare(self, file: BinaryIO) -> FileChange | None:
        status = os.fstat(file.fileno())
        if self._identity != (status.st_dev, status.st_ino):
            return FileChange.REPLACED
        if self._reader is not None:
            if status.st_size < self.safe:
                return FileChange.TRUNCATED
            start, mark = self._mark
            file.seek(start)
            if read_full(file, len(mark)) != mark:
                return FileChange.REWRITTEN
            if status.st_size < self.size and not self._take_back():
                return FileChange.TRUNCATED
        self.size = status.st_size
        return None

    def _take_back(self) -> bool:
        """Begin again behind the last whole frame or line, if nothing after it has been handed out."""
        if not self.live or (isinstance(self._reader, FrameReader) and self._reader.handed):
            return False
        self.position, self.taken_back = self.safe, self.taken_back + 1
        self._reader, self._paused_at = None, -1
        return True

    def batches(self, file: BinaryIO) -> Iterator[Batch | Gap | Pause]:
        """Go on with the pass, through this opening; after a pause, only when the file has grown."""
        if self._reader is None:
            start = self.position
            if self.encoding == "zstd":
                self._reader = FrameReader(file, self.size, self._limits, self.live)
            else:
                self._reader = PlainReader(file, self._limits, self.live)
            self._reader.safe = start
            self._batches = self._reader.batches(start)
        elif self.size == self._paused_at:
            yield Pause.END
            return
        elif isinstance(self._reader, FrameReader):
            self._reader.refresh(file, self.size)
        else:
            self._reader.file = file
        for item in self._batches:
            if isinstance(item, Pause):
                self._paused_at = self.position = self.size
                self._keep_mark(file)
            elif isinstance(item, Batch) and not item.zstd:
                self.position = item.offset + len(item.data)
            else:
                self.position = item.offset
            yield item
            if isinstance(item, Pause):
                return
        self.position = self.size

    def _keep_mark(self, file: BinaryIO) -> None:
        start = max(0, self.safe - _MARK)
        file.seek(start)
        self._mark = (start, read_full(file, self.safe - start))


def changed(path: str, place: str, what: str = "the log has changed since it was read") -> LogError:
    """The error for a file that is not what it was."""
    return LogError(ErrorCode.CORRUPT, path, place, what, "open the log again")
