"""A mutable file tree in memory: a history with a clock, seen at "now"."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from .fs import Cancel, Entry, Stat
from .history import FailHow, History, HistoryView


class MemoryFs:
    """A :class:`~scopetrace.workspace.fs.FileSystem` whose tree is changed by methods; each change is a new time.

    ``stats`` counts probes and ``reads`` lists requested paths of reads, failing ones included (FORMAT.md 1.5).
    ``history`` keeps every earlier tree.
    """

    def __init__(self, files: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        """An empty tree, or one holding ``files`` in the shape of FORMAT.md 1.2."""
        self.history = History()
        self.stats = 0
        self.reads: list[str] = []
        self._now = 0
        self._view = self.history.at(0)
        for path, file in (files or {}).items():
            self.put(path, file)

    @property
    def now(self) -> int:
        """Time of the last change, 0 before the first."""
        return self._now

    @property
    def view(self) -> HistoryView:
        """The tree as it is now; stays so."""
        return self._view

    def put(self, path: str, file: Mapping[str, Any]) -> None:
        """Put a FILE of FORMAT.md 1.2: ``text`` or ``base64`` (with ``noSize``), ``symlink``, or ``dir``."""
        if "symlink" in file:
            self.symlink(path, file["symlink"])
        elif file.get("dir"):
            self.mkdir(path)
        else:
            data = b64decode(file["base64"]) if "base64" in file else file["text"].encode()
            self.write(path, data, no_size=bool(file.get("noSize")), keep_version=bool(file.get("keepVersion")))

    def write(self, path: str, data: bytes | str, *, no_size: bool = False, keep_version: bool = False) -> None:
        """See :meth:`History.write`; text is encoded as UTF-8."""
        raw = data.encode() if isinstance(data, str) else data
        self.history.write(self._tick(), path, raw, no_size=no_size, keep_version=keep_version)

    def touch(self, path: str) -> None:
        """See :meth:`History.touch`."""
        self.history.touch(self._tick(), path)

    def delete(self, path: str) -> None:
        """See :meth:`History.delete`."""
        self.history.delete(self._tick(), path)

    def symlink(self, path: str, target: str) -> None:
        """See :meth:`History.symlink`."""
        self.history.symlink(self._tick(), path, target)

    def mkdir(self, path: str) -> None:
        """See :meth:`History.mkdir`."""
        self.history.mkdir(self._tick(), path)

    def fail(self, path: str, how: FailHow) -> None:
        """See :meth:`History.fail`."""
        self.history.fail(self._tick(), path, how)

    def heal(self, path: str) -> None:
        """See :meth:`History.heal`."""
        self.history.heal(self._tick(), path)

    def chmod(self, path: str, mode: int) -> None:
        """See :meth:`History.chmod`."""
        self.history.chmod(self._tick(), path, mode)

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        self.stats += 1
        return self._view.stat(path, cancel)

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        self.reads.append(path)
        return self._view.read(path, limit, cancel)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`."""
        return self._view.listdir(path)

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        return self._view.readlink(path)

    def mark(self) -> object:
        """See :meth:`ChangeTeller.mark`."""
        return self._view.mark()

    def changed_since(self, mark: object) -> frozenset[str] | None:
        """See :meth:`ChangeTeller.changed_since`."""
        return self._view.changed_since(mark)

    def generation(self) -> int:
        """How many changes there were."""
        return self._view.generation()

    def _tick(self) -> int:
        self._now += 1
        self._view = self.history.at(self._now)
        return self._now
