"""One look for a whole replay: every answer of a provider is asked for once and kept.

A log replayed against today's files is many thousand looks at the same state; asking the disk each time would be
slow and could show two states in one replay.
"""

from __future__ import annotations

from .fs import Cancel, Cancelled, Entry, FileSystem, FsError, LinkReader, Stat


class Snapshot:
    """A :class:`~scopetrace.workspace.fs.FileSystem` that never changes. Contents are not kept, only probes are.

    :meth:`fresh` begins a new snapshot. Errors are kept like answers.
    """

    def __init__(self, fs: FileSystem) -> None:
        self.fs = fs
        self._links = fs if isinstance(fs, LinkReader) else None
        self._stats: dict[str, Stat | FsError | None] = {}
        self._lists: dict[str, tuple[Entry, ...]] = {}
        self._age = object()

    def fresh(self) -> None:
        """Forget everything that was asked."""
        self._stats.clear()
        self._lists.clear()
        self._age = object()
        refresh = getattr(self.fs, "fresh", None)
        if refresh is not None:
            refresh()

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        if path not in self._stats:
            try:
                self._stats[path] = self.fs.stat(path, cancel)
            except FsError as error:
                self._stats[path] = error
        found = self._stats[path]
        if isinstance(found, FsError):
            raise type(found)(found.path, found.reason)
        return found

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        return self.fs.read(path, limit, cancel)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`."""
        if path not in self._lists:
            self._lists[path] = self.fs.listdir(path)
        return self._lists[path]

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        return None if self._links is None else self._links.readlink(path)

    def generation(self) -> int | None:
        """Constant while the snapshot is."""
        return id(self._age)

    def mark(self) -> object:
        """See :class:`~scopetrace.workspace.fs.ChangeTeller`."""
        return self._age

    def changed_since(self, mark: object) -> frozenset[str] | None:
        """Nothing, within one snapshot."""
        return frozenset() if mark is self._age else None
