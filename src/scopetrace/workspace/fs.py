"""The seam between the loader and files: a small, read-only protocol.

Storey 1 knows nothing about instructions. Paths are absolute strings; bytes are raw. Source: ``conformance/FORMAT.md``
section 1.2, README seed "Budgeting and Bounded Reads".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol, runtime_checkable

Cancel = Callable[[], bool]
"""Asked at every probe and between chunks of a read; true means stop (:class:`Cancelled` is raised)."""


BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def head(data: bytes, limit: int) -> bytes:
    """The first ``limit`` bytes of ``data``, a leading byte order mark not counted."""
    if limit <= 0:
        return b""
    return data[: limit + 3] if data.startswith(BYTE_ORDER_MARK) else data[:limit]


class FsError(Exception):
    """A probe or read failed: temporarily unavailable, no proof of absence. ``path`` is what was asked for."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class FsNotFound(FsError):
    """The provider's not-found *error* (not the plain answer "absent")."""


class Cancelled(Exception):
    """The caller's cancel function asked to stop."""


@dataclass(frozen=True, slots=True)
class Stat:
    """A metadata probe's answer, links followed.

    ``version`` is opaque and compared for equality only (files; ``None`` otherwise). ``size`` is raw bytes, ``None``
    when the provider does not say. ``link_target`` is the final resolved path when a link was followed *in the last
    component*, else ``None``.
    """

    kind: Literal["file", "directory", "other"]
    version: Hashable = None
    size: int | None = None
    link_target: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a directory listing, links not followed."""

    name: str
    kind: Literal["file", "directory", "link", "other"]


@runtime_checkable
class ChangeTeller(Protocol):
    """A provider that can say what changed between two looks."""

    def mark(self) -> object:
        """This moment, to be asked about later; opaque."""
        ...

    def changed_since(self, mark: object) -> frozenset[str] | None:
        """Normalised absolute paths that changed since a mark; ``None`` when it cannot say."""
        ...


def change_teller(fs: FileSystem) -> ChangeTeller | None:
    """``fs`` itself, if it can say what changed."""
    return fs if _tells(type(fs)) else None  # type: ignore[return-value]


@lru_cache(maxsize=64)
def _tells(kind: type) -> bool:
    """Looking a protocol up on every pass would cost more than the pass."""
    return hasattr(kind, "mark") and hasattr(kind, "changed_since")


@runtime_checkable
class FileSystem(Protocol):
    """What the loader may ask of a workspace."""

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """Probe ``path`` following links in every component (at most 40).

        ``None`` means absent: missing, dangling, or running through a regular file. Raises :class:`FsError` when it
        cannot be told, :class:`FsNotFound` when the provider raises its not-found code, :class:`Cancelled`.
        """
        ...

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """Read at most ``limit`` raw bytes from the start of ``path``; callers ask for one byte more than their cap.

        A leading UTF-8 byte order mark comes along but does not count: it is no content (cur-260).

        Raises :class:`FsError` (also when ``path`` is absent or not a regular file), :class:`Cancelled`.
        """
        ...

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """Names in a directory, sorted by name; empty when absent. For looking around, never used by the loader."""
        ...

    def generation(self) -> int | None:
        """A number that changes whenever any answer of this provider may change; ``None`` if it cannot say."""
        ...


@runtime_checkable
class LinkReader(Protocol):
    """A provider that also shows links themselves; layers over it then follow links through both."""

    def readlink(self, path: str) -> str | None:
        """Target of the link at ``path`` as it was stored, links above it followed; ``None`` when it is no link.

        Raises :class:`FsError` when it cannot be told.
        """
        ...


@runtime_checkable
class Scanner(Protocol):
    """A provider whose listings prove absence: what is not listed is not there (letter case aside)."""

    def scan(self, path: str) -> tuple[Entry, ...] | None:
        """Everything in a directory, unsorted; empty when there is none; ``None`` when a listing proves nothing."""
        ...
