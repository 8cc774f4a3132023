"""Following a log that is being written: what is new since the last look, and when the file is another one.

Source: ``formats/session-log.md`` sections 1, 2 and 8. Nothing waits here and nothing is watched: call
:meth:`Follower.poll` when a watcher or a clock says so. What was read is not read again.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from enum import StrEnum

from .errors import ErrorCode, LogError
from .frames import DEFAULT_LIMITS, Gap, Limits
from .home import logs_in
from .index import LogIndex
from .naming import generation
from .reader import LogReader
from .rows import RowPass, UnknownTypes
from .schema import Event, Header
from .source import FileChange, LogSource, sentence

NEWER = "the session is written on in a newer format"


class RotationKind(StrEnum):
    """Why what follows is not the continuation of what was read."""

    GONE = "gone"
    REPLACED = "replaced"
    TRUNCATED = "truncated"
    REWRITTEN = "rewritten"
    NEWER_GENERATION = "newer-generation"


@dataclass(frozen=True, slots=True)
class Rotation:
    """Said among the items of a followed log: from here on they are those of ``path``, from its first event on.

    Event numbers before and after it must not be mixed. When ``kind`` is ``gone`` nothing follows until a file is there
    again. With ``error`` the file named was not gone over to, because it cannot be read.
    """

    kind: RotationKind
    path: str
    reason: str
    error: LogError | None = None


def newer_generation(path: str) -> str | None:
    """The log of the newest format beside a log, if it is newer than it; ``None`` when the directory cannot be read."""
    own = generation(os.path.basename(path))
    if own is None:
        return None
    try:
        newest = logs_in(os.path.dirname(path) or ".")[0]
    except (OSError, ValueError, IndexError):
        return None
    number = generation(os.path.basename(newest))
    return newest if number is not None and number > own else None


class Follower:
    """Follows one session's log. Nothing is read before the first :meth:`poll`; nothing is held open between two.

    ``path`` is the file followed at present. ``header`` is ``None`` until a first line has been written.
    """

    def __init__(self, path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> None:
        self.path = os.fspath(path)
        self.header: Header | None = None
        self._limits = limits
        self._reader: LogReader | None = None
        self._source: LogSource | None = None
        self._unknown = UnknownTypes()
        self._rows = RowPass(False, self._unknown)
        self._gone = False
        self._refused: set[str] = set()

    @property
    def waiting(self) -> Gap | None:
        """The end of the file that is not whole yet, if there is one."""
        return self._source.waiting if self._source is not None else None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences a user should know about the log followed at present."""
        return () if self._reader is None else (*self._reader.notes, *self._unknown.notes)

    def poll(self) -> list[Event | Gap | Rotation]:
        """What has been written since the last look, in order; at first all there is.

        A row is handed out when its line is whole, in a packed log also before its frame is; a row whose number leaves
        a hole waits for the next one. Raises :class:`LogError` when the log cannot be read; polling on is allowed.
        """
        out: list[Event | Gap | Rotation] = []
        change = self._source.look() if self._source is not None else None
        if change is FileChange.GONE:
            if not self._gone:
                self._gone = True
                out.append(Rotation(RotationKind.GONE, self.path, sentence(change)))
        elif change is not None:
            self._source = None
            out.append(Rotation(RotationKind(change.value), self.path, sentence(change)))
        if change is not FileChange.GONE:
            self._gone = False
            if self._source is None:
                self._source = self._begin(self.path)
            out.extend(self._read())
        out.extend(self._go_on())
        return out

    def _begin(self, path: str) -> LogSource | None:
        """Start with a file; ``None`` when its first line is not whole yet."""
        try:
            status = os.stat(path)
            if stat.S_ISREG(status.st_mode) and status.st_size < 4:
                return None
        except (OSError, ValueError):
            # Said better by the reader.
            pass
        try:
            reader = LogReader(path, self._limits)
        except LogError as error:
            if error.code is ErrorCode.EMPTY_LOG:
                return None
            raise
        self.path, self._reader, self.header = path, reader, reader.header
        self._unknown = UnknownTypes()
        self._rows = RowPass(reader.counted, self._unknown)
        return reader.source(live=True)

    def _read(self) -> list[Event | Gap]:
        if self._source is None:
            return []
        with self._source.opened() as file:
            return list(self._rows.items(self._source.batches(file)))

    def _go_on(self) -> list[Event | Gap | Rotation]:
        """Go over to a newer generation beside the file, once it has a first line."""
        newer = newer_generation(self.path)
        if newer is None or newer in self._refused:
            return []
        old = self.path
        try:
            source = self._begin(newer)
        except LogError as error:
            self.path = old
            self._refused.add(newer)
            return [Rotation(RotationKind.NEWER_GENERATION, newer, NEWER, error)]
        if source is None:
            return []
        self._source, self._gone = source, False
        return [Rotation(RotationKind.NEWER_GENERATION, newer, NEWER), *self._read()]


class Rotations:
    """Watches whether an index's log is still the one that is written to; for readers that hold an index themselves."""

    def __init__(self, index: LogIndex) -> None:
        self._index = index
        self._refused: set[str] = set()

    def look(self) -> Rotation | None:
        """What has become of the log, if it is not simply longer. Not while another thread advances the index.

        A newer generation is told once it has a first line; one that cannot be read is told once, with its error.
        """
        change = self._index.look()
        if change is not None:
            return Rotation(RotationKind(change.value), self._index.path, sentence(change))
        newer = newer_generation(self._index.path)
        if newer is None or newer in self._refused:
            return None
        try:
            LogReader(newer)
        except LogError as error:
            if error.code is ErrorCode.EMPTY_LOG:
                return None
            self._refused.add(newer)
            return Rotation(RotationKind.NEWER_GENERATION, newer, NEWER, error)
        return Rotation(RotationKind.NEWER_GENERATION, newer, NEWER)
