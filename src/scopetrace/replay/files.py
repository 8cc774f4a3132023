"""The files that a replay looks at, at every moment of the session.

Source: ``design/REPLAY.md`` points 2 and 11.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from scopetrace.model import Message
from scopetrace.sessions import time_after, time_before
from scopetrace.workspace.fs import FileSystem
from scopetrace.workspace.history import History


class Files(Protocol):
    """Files in time. ``None`` stands for a provider that is not there. ``seq`` and ``time`` are the event's."""

    def before(self, seq: int, time: int) -> FileSystem | None:
        """As a look just before the event sees them."""
        ...

    def after(self, seq: int, time: int) -> FileSystem | None:
        """As a look between the event and the next one sees them."""
        ...


@runtime_checkable
class Doubting(Protocol):
    """Files that may not be those of the session."""

    def doubt(self, recorded: Message, seq: int) -> str:
        """Why a recorded message cannot be held against these files; empty when it can."""
        ...


class StillFiles:
    """One state for the whole session: a workspace as it is now, or no files at all."""

    def __init__(self, fs: FileSystem | None) -> None:
        self._fs = fs

    def before(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self._fs

    def after(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self._fs


class RecordedFiles:
    """A bundle's files by event of its main log."""

    def __init__(self, history: History) -> None:
        self.history = history

    def before(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self.history.at(time_before(seq))

    def after(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self.history.at(time_after(seq))


class ChildFiles:
    """A bundle's files seen from a child session: its events are placed on the main log by their clock.

    ``times`` are the main log's event times (ms), not decreasing.
    """

    def __init__(self, history: History, times: Sequence[int]) -> None:
        self.history = history
        self._times = times

    def before(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self.history.at(time_after(bisect_right(self._times, time) - 1))

    def after(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self.before(seq, time)
