"""A workspace presented under the paths of the machine on which a session was recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from .fs import Cancel, Cancelled, Entry, FileSystem, FsError, LinkReader, Scanner, Stat
from .paths import normalise

Mapping = Sequence[tuple[str, str]]
"""Pairs of a recorded prefix and the real prefix that stands for it."""

_T = TypeVar("_T")


def map_path(path: str, mapping: Mapping) -> str | None:
    """``path`` with the longest matching first prefix of a pair replaced by the second; ``None`` when none matches.

    Prefixes match whole components, after either kind of slash.
    """
    best: tuple[str, str] | None = None
    for source, target in mapping:
        if _matches(path, source) and (best is None or len(source) > len(best[0])):
            best = (source, target)
    if best is None:
        return None
    rest = path[len(best[0].rstrip("/\\")) :].lstrip("/\\")
    return f"{best[1].rstrip('/')}/{rest}" if rest else best[1]


def unmap_path(path: str, mapping: Mapping) -> str | None:
    """The way back: from a real path to the recorded one."""
    return map_path(path, [(real, recorded) for recorded, real in mapping])


def _matches(path: str, prefix: str) -> bool:
    bare = prefix.rstrip("/\\")
    return path.startswith(bare) and (len(path) == len(bare) or path[len(bare)] in "/\\")


class MappedFs:
    """A :class:`~scopetrace.workspace.fs.FileSystem` that answers for recorded paths from real ones.

    ``mapping`` pairs recorded with real prefixes; the longest recorded prefix wins. Link targets inside a real prefix
    come back as recorded paths, others as they are. Errors name the recorded path. Paths below no recorded prefix are
    asked as they are (``outside="pass"``) or are absent (``"absent"``). Directories above a recorded prefix exist.
    """

    def __init__(self, fs: FileSystem, mapping: Mapping, outside: Literal["pass", "absent"] = "pass") -> None:
        self.fs = fs
        self.mapping = tuple((normalise(recorded), normalise(real)) for recorded, real in mapping)
        self._outside = outside
        self._scanner = fs if isinstance(fs, Scanner) else None
        self._links = fs if isinstance(fs, LinkReader) else None

    def real(self, path: str) -> str | None:
        """Where a recorded path is asked; ``None`` for nowhere."""
        plain = normalise(path)
        return map_path(plain, self.mapping) or (plain if self._outside == "pass" else None)

    def recorded(self, path: str) -> str:
        """The recorded path of a real one; itself when it lies below no real prefix."""
        return unmap_path(path, self.mapping) or path

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        real = self.real(path)
        found = None if real is None else self._ask(path, lambda: self.fs.stat(real, cancel))
        if found is None:
            return Stat("directory") if self._names_towards_prefixes(path) else None
        if found.link_target is None:
            return found
        return Stat(found.kind, found.version, found.size, self.recorded(found.link_target))

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        real = self.real(path)
        if real is None:
            raise FsError(path, "no such file")
        return self._ask(path, lambda: self.fs.read(real, limit, cancel))

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`."""
        real = self.real(path)
        return self._with_prefixes(path, () if real is None else self.fs.listdir(real))

    def scan(self, path: str) -> tuple[Entry, ...] | None:
        """See :meth:`Scanner.scan`."""
        real = self.real(path)
        found: tuple[Entry, ...] | None = ()
        if real is not None:
            found = self._scanner.scan(real) if self._scanner is not None else None
        return None if found is None else self._with_prefixes(path, found)

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`; an absolute target comes back as a recorded path."""
        real = self.real(path)
        links = self._links
        if real is None or links is None:
            return None
        target = self._ask(path, lambda: links.readlink(real))
        return self.recorded(target) if target is not None and target.startswith("/") else target

    def generation(self) -> int | None:
        """What the provider underneath says."""
        return self.fs.generation()

    def _ask(self, path: str, question: Callable[[], _T]) -> _T:
        try:
            return question()
        except FsError as error:
            raise type(error)(path, error.reason) from None

    def _names_towards_prefixes(self, path: str) -> set[str]:
        """Names below a directory that lead to a recorded prefix."""
        above = normalise(path).rstrip("/") + "/"
        return {
            recorded[len(above) :].partition("/")[0]
            for recorded, _ in self.mapping
            if recorded.startswith(above) and recorded != above
        }

    def _with_prefixes(self, path: str, found: tuple[Entry, ...]) -> tuple[Entry, ...]:
        names = self._names_towards_prefixes(path)
        if not names:
            return found
        kept = [entry for entry in found if entry.name not in names]
        return tuple(sorted([*kept, *(Entry(name, "directory") for name in names)], key=lambda entry: entry.name))
