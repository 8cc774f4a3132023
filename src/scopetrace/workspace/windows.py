"""Windows paths answered by a provider of POSIX paths, so that a log recorded on Windows is replayed on any system.

Every Windows path has one POSIX spelling here: ``C:\\Users\\dev`` is ``/C:/Users/dev``, ``\\\\server\\share\\x`` is
``/\\\\server\\share/x`` (backslashes in a first component only). Providers, mappings and edits underneath know nothing
but that spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import TypeVar

from .fs import Cancel, Cancelled, ChangeTeller, Entry, FileSystem, FsError, LinkReader, Stat
from .overlay import Edit, Overlay
from .paths import join, normalise

_DEVICE = re.compile(r"(?:[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)|([A-Za-z]:))(?=[\\/]|$)")
_SEPARATOR = re.compile(r"[\\/]")
_ABSOLUTE = re.compile(r"[A-Za-z]:[\\/]|\\\\[^\\/?.]+[\\/]+[^\\/]")

_T = TypeVar("_T")


def is_windows_path(path: str) -> bool:
    r"""Whether an absolute path can only come from Windows: ``C:\…``, ``C:/…`` or ``\\server\share…``."""
    return _ABSOLUTE.match(path) is not None


def to_posix(path: str) -> str:
    """The POSIX spelling of an absolute Windows path, normalised. A path without drive or share gets no device."""
    found = _DEVICE.match(path)
    if found is None:
        return normalise("/" + "/".join(_SEPARATOR.split(path)))
    device = found[3].upper() if found[3] else f"\\\\{found[1]}\\{found[2]}"
    rest = normalise("/" + "/".join(_SEPARATOR.split(path[found.end() :])))
    return f"/{device}" if rest == "/" else f"/{device}{rest}"


def to_windows(path: str) -> str:
    """The way back; a POSIX path without drive or share stays as it is."""
    device, _, rest = path[1:].partition("/")
    if not re.fullmatch(r"[A-Za-z]:|\\\\[^\\]+\\[^\\]+", device):
        return path
    return f"{device}\\" + rest.replace("/", "\\")


class WindowsFs:
    """A :class:`~scopetrace.workspace.fs.FileSystem` that is asked for Windows paths.

    Letter case does not tell names apart: a name that is not there as it is spelt is looked for in its directory. Names
    with a backslash cannot be asked for and are not listed. Errors and link targets name Windows paths.
    """

    def __init__(self, fs: FileSystem) -> None:
        self.fs = fs
        self._links = fs if isinstance(fs, LinkReader) else None
        self._changes = fs if isinstance(fs, ChangeTeller) else None
        self._names: dict[str, dict[str, str]] = {}
        self._age: Hashable = object()

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        found = self._ask(path, lambda: self.fs.stat(self._find(path), cancel))
        if found is None or found.link_target is None:
            return found
        return Stat(found.kind, found.version, found.size, to_windows(found.link_target))

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        return self._ask(path, lambda: self.fs.read(self._find(path), limit, cancel))

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`."""
        try:
            found = self.fs.listdir(self._find(path))
        except FsError:
            return ()
        return tuple(entry for entry in found if "\\" not in entry.name)

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        links = self._links
        target = None if links is None else self._ask(path, lambda: links.readlink(self._find(path)))
        if target is None:
            return None
        return to_windows(target) if target.startswith("/") else target.replace("/", "\\")

    def generation(self) -> int | None:
        """What the provider underneath says."""
        return self.fs.generation()

    def mark(self) -> object:
        """See :class:`~scopetrace.workspace.fs.ChangeTeller`."""
        return self._changes.mark() if self._changes is not None else None

    def changed_since(self, mark: object) -> frozenset[str] | None:
        """Nothing, where the provider underneath says so; which Windows paths a change touches is not worked out."""
        changed = self._changes.changed_since(mark) if self._changes is not None else None
        return changed if changed == frozenset() else None

    # -- inside

    def _find(self, path: str) -> str:
        """The POSIX path as its names are spelt there; as asked for where there is no such file."""
        plain = to_posix(path)
        return plain if self._is_there(plain) else self._spelt(plain)

    def _is_there(self, plain: str) -> bool:
        try:
            return self.fs.stat(plain) is not None
        except FsError:
            return True

    def _spelt(self, plain: str) -> str:
        age = self.fs.generation()
        if age is None or age != self._age:
            self._names.clear()
            self._age = age
        here = "/"
        for name in plain[1:].split("/") if plain != "/" else ():
            if here not in self._names:
                # Sorted, so that the same one of several twins is found every time.
                self._names[here] = {one.name.lower(): one.name for one in reversed(self.fs.listdir(here))}
            here = join(here, self._names[here].get(name.lower(), name))
        return here

    def _ask(self, path: str, question: Callable[[], _T]) -> _T:
        try:
            return question()
        except FsError as error:
            raise type(error)(path, error.reason) from None


def edited(fs: FileSystem, edits: Iterable[Edit]) -> FileSystem:
    """Edits laid over a provider, their paths of the kind that it is asked for."""
    if not isinstance(fs, WindowsFs):
        return Overlay(fs, edits)
    return WindowsFs(Overlay(fs.fs, [replace(one, path=to_posix(one.path)) for one in edits]))


def home_of(cwd: str) -> str:
    r"""The home directory of a session that does not say it: ``C:\Users\NAME`` above ``cwd``, else a made-up one."""
    found = re.match(r"([A-Za-z]:[\\/]Users[\\/][^\\/]+)(?:[\\/]|$)", cwd)
    return to_windows(to_posix(found[1])) if found else "C:\\Users\\user"


__all__ = ["WindowsFs", "edited", "home_of", "is_windows_path", "to_posix", "to_windows"]
