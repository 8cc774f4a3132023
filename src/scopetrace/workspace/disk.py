"""The real disk, read-only, and at ease with hostile trees.

Nothing but regular files is ever opened, nothing is read beyond the limit asked for, and every refusal says why.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from itertools import islice
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import Literal, TypeVar

from .fs import BYTE_ORDER_MARK, Cancel, Cancelled, Entry, FsError, Stat, head
from .paths import is_below, normalise

CHUNK = 1 << 16
"""Bytes of one read; the cancel function is asked before each."""

MAX_LISTING = 4096
"""A larger directory is not scanned for proof of absence: single probes are cheaper, and memory stays bounded."""

_ABSENT = (errno.ENOENT, errno.ENOTDIR)
_REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "operation not permitted",
    errno.ELOOP: "too many symbolic links",
    errno.ENAMETOOLONG: "name too long",
    errno.EIO: "input/output error",
    errno.ESTALE: "stale network file handle",
    errno.EISDIR: "not a regular file (directory)",
}


def _flags(*names: str) -> int:
    """The flags among these that the system knows."""
    return sum(getattr(os, name, 0) for name in names)


_SAFE = _flags("O_RDONLY", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY")
_SEARCH = _flags("O_PATH", "O_DIRECTORY", "O_CLOEXEC", "O_NOFOLLOW")
_NOFOLLOW = _flags("O_NOFOLLOW")
_NOATIME = _flags("O_NOATIME")

_T = TypeVar("_T")


class DiskFs:
    """A :class:`~scopetrace.workspace.fs.FileSystem` over the machine's own files.

    Missing paths, dangling links and paths through a regular file are absent; so is a name that no file can have
    (text that the file-system encoding cannot express). Everything else that goes wrong is an :class:`FsError`. A FIFO,
    socket or device is of kind ``other``. A version is ``(device, inode, size, mtime_ns, ctime_ns)``.

    ``boundary`` with ``follow_outside=False``: a path inside the boundary that links lead out of it is refused. Paths
    that lie outside to begin with (the home roots) are answered. ``root_note`` says in words whose files these are.
    """

    def __init__(self, root_note: str | None = None, follow_outside: bool = True, boundary: str | None = None) -> None:
        if not follow_outside and boundary is None:
            raise ValueError("follow_outside=False needs a boundary")
        self.root_note = root_note
        self.boundary = normalise(boundary) if boundary is not None else None
        self._guarded = not follow_outside
        self._real_boundary = os.path.realpath(self.boundary or "/")

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        plain = normalise(path)
        self._guard(path, plain)
        found = _ask(path, lambda: os.lstat(plain))
        if found is None:
            return None
        target: str | None = None
        if S_ISLNK(found.st_mode):
            found = _ask(path, lambda: os.stat(plain))
            if found is None:
                return None
            target = _ask(path, lambda: os.path.realpath(plain, strict=True))
        if S_ISREG(found.st_mode):
            version = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            return Stat("file", version, found.st_size, target)
        return Stat("directory" if S_ISDIR(found.st_mode) else "other", link_target=target)

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        if cancel is not None and cancel():
            raise Cancelled
        plain = normalise(path)
        real = self._guard(path, plain)
        # Looked at before it is opened: opening alone can wake a FIFO's writer or move a device.
        before = _ask(path, lambda: os.stat(plain))
        if before is None:
            raise FsError(path, "no such file")
        _require_regular(path, before)
        descriptor = _ask(path, lambda: _open(plain, _SAFE) if real is None else _open_without_links(path, real))
        if descriptor is None:
            raise FsError(path, "no such file")
        try:
            _require_regular(path, os.fstat(descriptor))
            return _read_bounded(path, descriptor, limit, cancel)
        finally:
            os.close(descriptor)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`; ``()`` too where permission is denied. Links among the names stay links."""
        found = self._list(path, None)
        return tuple(sorted(found, key=lambda entry: entry.name)) if found else ()

    def scan(self, path: str) -> tuple[Entry, ...] | None:
        """See :meth:`Scanner.scan`; at most :data:`MAX_LISTING` names."""
        return self._list(path, MAX_LISTING)

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        plain = normalise(path)
        # A layer above follows the target by itself and would ask for the place outside, which is answered.
        self._guard(path, plain)
        return _ask(path, lambda: os.readlink(plain), also_absent=errno.EINVAL)

    def generation(self) -> int | None:
        """A disk cannot say."""
        return None

    # -- inside

    def _list(self, path: str, most: int | None) -> tuple[Entry, ...] | None:
        plain = normalise(path)
        try:
            self._guard(path, plain)
            # Names that may be listed but not looked up (no search permission) prove nothing.
            if most is not None and not os.access(plain, os.X_OK) and os.path.isdir(plain):
                return None
            with os.scandir(plain) as names:
                found = tuple(Entry(name.name, _kind(name)) for name in islice(names, most and most + 1))
        except OSError as error:
            return () if error.errno in _ABSENT else None
        except (FsError, ValueError):
            return None
        return None if most is not None and len(found) > most else found

    def _guard(self, path: str, plain: str) -> str | None:
        """The real path where the boundary is to be kept, else ``None``; :class:`FsError` where links leave it.

        Asked before anything else, so that not even existence outside is told.
        """
        if not self._guarded or self.boundary is None or not is_below(plain, self.boundary):
            return None
        real = _ask(path, lambda: os.path.realpath(plain))
        if real is not None and not is_below(real, self._real_boundary):
            raise FsError(path, f"link leaves {self.boundary}, refused")
        return real


def _ask(path: str, question: Callable[[], _T], also_absent: int = errno.ENOENT) -> _T | None:
    """The answer; ``None`` for absent; :class:`FsError` for every other failure."""
    try:
        return question()
    except OSError as error:
        if error.errno in _ABSENT or error.errno == also_absent:
            return None
        raise _failed(path, error) from None
    except UnicodeError:
        return None  # no file can have such a name
    except ValueError:
        raise FsError(path, "the path holds a NUL character") from None


def _failed(path: str, error: OSError) -> FsError:
    number = error.errno or 0
    reason = _REASONS.get(number) or (os.strerror(number).lower() if number else str(error))
    code = errno.errorcode.get(number)
    return FsError(path, f"{reason} ({code})" if code else reason)


def _require_regular(path: str, found: os.stat_result) -> None:
    if not S_ISREG(found.st_mode):
        what = "directory" if S_ISDIR(found.st_mode) else "FIFO, socket or device"
        raise FsError(path, f"not a regular file ({what})")


def _open(path: str, flags: int, directory: int | None = None) -> int:
    if _NOATIME:
        try:
            return os.open(path, flags | _NOATIME, dir_fd=directory)
        except PermissionError as error:
            if error.errno != errno.EPERM:  # EPERM: only a file's owner may leave its access time alone
                raise
    return os.open(path, flags, dir_fd=directory)


def _open_without_links(path: str, real: str) -> int:
    """Open a real path component by component, so that no directory can be swapped for a link in between."""
    *above, name = real.split("/")[1:]
    here = os.open("/", _SEARCH)
    try:
        for part in above:
            step = os.open(part, _SEARCH, dir_fd=here)
            os.close(here)
            here = step
        return _open(name, _SAFE | _NOFOLLOW, here)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise FsError(path, "changed while it was being opened, refused") from None
        raise
    finally:
        os.close(here)


def _read_bounded(path: str, descriptor: int, limit: int, cancel: Cancel | None) -> bytes:
    data = bytearray()
    while limit > 0:
        if data.startswith(BYTE_ORDER_MARK):
            wanted = limit + len(BYTE_ORDER_MARK)
        elif BYTE_ORDER_MARK.startswith(data):
            wanted = max(limit, len(BYTE_ORDER_MARK))  # three bytes tell whether there is a mark
        else:
            wanted = limit
        if len(data) >= wanted:
            break
        if cancel is not None and cancel():
            raise Cancelled
        try:
            chunk = os.read(descriptor, min(CHUNK, wanted - len(data)))
        except OSError as error:
            raise _failed(path, error) from None
        if not chunk:
            break
        data += chunk
    return head(bytes(data), limit)


def _kind(entry: os.DirEntry[str]) -> Literal["file", "directory", "link", "other"]:
    try:
        if entry.is_symlink():
            return "link"
        if entry.is_dir(follow_symlinks=False):
            return "directory"
        return "file" if entry.is_file(follow_symlinks=False) else "other"
    except OSError:
        return "other"
