"""One listing a directory a pass: probing what is not there then costs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

from .fs import Cancel, Cancelled, Entry, FileSystem, LinkReader, Scanner, Stat
from .paths import normalise, parent

_LONG_PATH = 1000
_SHORT_NAME = 63
"""Characters: longer ones may fail for their length (PATH_MAX, NAME_MAX over 4 bytes each), so the disk is asked."""


@dataclass(slots=True)
class Counts:
    """Questions that reached the provider underneath, since the cache was made."""

    stat: int = 0
    list: int = 0
    read: int = 0


class _Listing:
    """Names of a directory, and how a file system blind to letter case would compare them."""

    __slots__ = ("_folded", "names")

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self._folded: frozenset[str] | None = None

    def may_hold(self, name: str) -> bool:
        """Whether a probe of the name could find anything."""
        if name in self.names:
            return True
        if self._folded is None:
            self._folded = frozenset(map(_fold, self.names))
        return _fold(name) in self._folded


class PassCache:
    """A :class:`~scopetrace.workspace.fs.FileSystem` over a disk that lists each directory once a pass.

    A name that a listing does not hold is absent without another question. The disk is asked after all when the
    listing failed, when a name agrees but for its letter case or Unicode form, and when a path is long enough to fail
    for that. Over a provider that is no :class:`~scopetrace.workspace.fs.Scanner` everything is passed on. Call
    :meth:`fresh` where a pass begins.
    """

    def __init__(self, fs: FileSystem) -> None:
        self.fs = fs
        self.counts = Counts()
        self._scanner = fs if isinstance(fs, Scanner) else None
        self._links = fs if isinstance(fs, LinkReader) else None
        self._listings: dict[str, _Listing | None] = {}

    def fresh(self) -> None:
        """Forget every listing."""
        self._listings.clear()

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        if self._scanner is not None and self._proven_absent(self._scanner, path):
            return None
        self.counts.stat += 1
        return self.fs.stat(path, cancel)

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        self.counts.read += 1
        return self.fs.read(path, limit, cancel)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`."""
        self.counts.list += 1
        return self.fs.listdir(path)

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        return self._links.readlink(path) if self._links is not None else None

    def generation(self) -> int | None:
        """What the provider underneath says."""
        return self.fs.generation()

    def _proven_absent(self, scanner: Scanner, path: str) -> bool:
        plain = normalise(path)
        if plain == "/" or "\0" in plain or len(plain) > _LONG_PATH:
            return False
        directory, name = parent(plain), plain.rpartition("/")[2]
        if len(name) > _SHORT_NAME:
            return False
        if directory not in self._listings:
            self.counts.list += 1
            found = scanner.scan(directory)
            self._listings[directory] = None if found is None else _Listing(frozenset(e.name for e in found))
        listing = self._listings[directory]
        return listing is not None and not listing.may_hold(name)


def _fold(name: str) -> str:
    if name.isascii():
        return name.lower()
    return normalize("NFKC", normalize("NFKC", name).casefold())
