"""Tar archives read in memory: never unpacked to disk, bounded, and only with names that stay inside.

Used for the ``*.tar.gz`` files of a recording bundle.
"""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal, cast

from .errors import BundleError, ErrorCode, from_os_error
from .frames import CHUNK, open_regular

MAX_UNPACKED = 256 << 20
"""Bytes that an archive may unpack to, headers included."""
MAX_MEMBERS = 50_000

_BROKEN = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive. ``name`` is relative, without ``.`` or ``..``; ``""`` is the root directory itself.

    ``data`` is a file's content, ``target`` a link's, as stored; ``mode`` the permission bits.
    """

    name: str
    kind: Literal["file", "directory", "link"]
    mode: int
    data: bytes = b""
    target: str = ""


class _TooMuch(Exception):
    pass


class _Bounded:
    """A stream that refuses to give more than a number of bytes."""

    def __init__(self, stream: gzip.GzipFile | BinaryIO, limit: int) -> None:
        self._stream, self._left = stream, limit

    def read(self, size: int) -> bytes:
        if size > self._left:
            # A reader may ask for more than there is; only what really comes counts.
            data = self._stream.read(self._left + 1)
            if len(data) > self._left:
                raise _TooMuch
        else:
            data = self._stream.read(size)
        self._left -= len(data)
        return data


def members(path: str, limit: int = MAX_UNPACKED, count: int = MAX_MEMBERS) -> Iterator[Member]:
    """Entries in archive order; a hard link is handed out as a file with the content it shares.

    Raises :class:`BundleError`: ``no-such-log``/``unreadable`` for the file, ``corrupt`` for a broken archive or an
    entry that is refused, ``too-large`` beyond the bounds.
    """
    with open_regular(path) as file:
        try:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            stream = _Bounded(gzip.GzipFile(fileobj=file) if packed else file, limit)
            contents: dict[str, bytes] = {}
            with tarfile.open(fileobj=cast(BinaryIO, stream), mode="r|") as archive:
                for number, info in enumerate(archive):
                    if number >= count:
                        raise _TooMuch
                    yield _member(archive, info, contents, path)
            # The tar ends before the gzip checksum does; read on, so that it is looked at.
            while stream.read(CHUNK):
                pass
        except _TooMuch:
            message = f"the archive unpacks to more than {limit} bytes or holds more than {count} entries"
            raise BundleError(ErrorCode.TOO_LARGE, path, "", message, "record a smaller workspace") from None
        except _BROKEN as error:
            message = f"not a readable tar archive ({error})"
            raise BundleError(ErrorCode.CORRUPT, path, "", message, "restore the bundle from a copy") from None
        except OSError as error:
            raise from_os_error(error, path, "archive") from None


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo, contents: dict[str, bytes], path: str) -> Member:
    name = _safe_name(info.name, path)
    if info.isdir():
        return Member(name, "directory", info.mode)
    if not name:
        raise _refused(path, info.name, "is no directory")
    if info.issym():
        return Member(name, "link", info.mode, target=info.linkname)
    if info.islnk():
        shared = contents.get(_safe_name(info.linkname, path))
        if shared is None:
            raise _refused(path, info.name, "is a hard link to something not in the archive before it")
        contents[name] = shared
        return Member(name, "file", info.mode, shared)
    stream = archive.extractfile(info) if info.isreg() else None
    if stream is None:
        raise _refused(path, info.name, "is neither file, directory nor link")
    if info.size > MAX_UNPACKED:
        raise _TooMuch
    contents[name] = stream.read()
    return Member(name, "file", info.mode, contents[name])


def _safe_name(name: str, path: str) -> str:
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or "\0" in name:
        raise _refused(path, name, "leaves the directory it belongs to")
    return "/".join(parts)


def _refused(path: str | os.PathLike[str], name: str, why: str) -> BundleError:
    return BundleError(
        ErrorCode.CORRUPT, path, f"entry {name!r}", f"an entry {why}", "make the archive anew without it"
    )
