"""Path arithmetic as Node's ``path.posix`` and ``path.win32`` do it, on strings alone; no file system is asked.

Python's ``posixpath`` and ``ntpath`` differ where the loader's decisions show it (``dirname`` and ``basename`` with
trailing separators, ``//``, the way between drives), hence our own. Callers hold a :class:`PathFlavour` and never a
separator.
"""

from __future__ import annotations

from typing import Protocol


class PathFlavour(Protocol):
    """The path functions the loader needs, for one family of operating systems."""

    def __hash__(self) -> int: ...

    @property
    def sep(self) -> str:
        """What joins two components."""
        ...

    def is_absolute(self, path: str) -> bool:
        """Whether ``path`` starts at a root."""
        ...

    def join(self, *parts: str) -> str:
        """Join non-empty parts and normalise; ``.`` when nothing is left. A trailing separator is kept."""
        ...

    def resolve(self, base: str, *parts: str) -> str:
        """Follow ``parts`` from the absolute directory ``base``; normalised, without trailing separator."""
        ...

    def dirname(self, path: str) -> str:
        """Everything before the last component, trailing separators ignored; ``.`` when there is none."""
        ...

    def basename(self, path: str) -> str:
        """The last component, trailing separators ignored."""
        ...

    def relative(self, start: str, to: str) -> str:
        """The way from absolute ``start`` to absolute ``to``; empty when they are the same place."""
        ...

    def components(self, path: str) -> list[str]:
        """The non-empty components of a relative path."""
        ...


def fold(components: list[str], *, rooted: bool) -> list[str]:
    """Drop empty and ``.`` components and apply ``..``, which is dropped at a root and kept in a relative path."""
    kept: list[str] = []
    for part in components:
        if part in ("", "."):
            continue
        if part != "..":
            kept.append(part)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not rooted:
            kept.append(part)
    return kept


def _is_plain(path: str) -> bool:
    """Whether nothing needs folding, cheaply; a no may be wrong (dot files), a yes is not."""
    return "/." not in path and "//" not in path and path[:1] != "."


class PosixFlavour:
    """``/`` separates; there is one root."""

    sep = "/"

    def is_absolute(self, path: str) -> bool:
        return path.startswith("/")

    def join(self, *parts: str) -> str:
        joined = "/".join(part for part in parts if part)
        if joined and _is_plain(joined):
            return joined
        rooted = joined.startswith("/")
        body = "/".join(fold(joined.split("/"), rooted=rooted))
        if joined.endswith("/") and (body or not rooted):
            body = f"{body or '.'}/" if joined else "."
        return f"/{body}" if rooted else body or "."

    def resolve(self, base: str, *parts: str) -> str:
        path = base
        for part in parts:
            path = part if part.startswith("/") else f"{path}/{part}"
        if path[-1:] != "/" and _is_plain(path):
            return path
        return "/" + "/".join(fold(path.split("/"), rooted=True))

    def dirname(self, path: str) -> str:
        if not path:
            return "."
        # The first character never counts as a trailing separator: "/" is its own parent, "//" has the parent "/".
        head, found, _ = (path[0] + path[1:].rstrip("/")).rpartition("/")
        if not found:
            return "."
        return "//" if head == "/" else head or "/"

    def basename(self, path: str) -> str:
        return path.rstrip("/").rpartition("/")[2]

    def relative(self, start: str, to: str) -> str:
        if to.startswith(start) and to[len(start) : len(start) + 1] == "/" and to[-1:] != "/" and _is_plain(to):
            return to[len(start) + 1 :]
        source = fold(start.split("/"), rooted=True)
        target = fold(to.split("/"), rooted=True)
        shared = 0
        for one, other in zip(source, target, strict=False):
            if one != other:
                break
            shared += 1
        return "/".join([".."] * (len(source) - shared) + target[shared:])

    def components(self, path: str) -> list[str]:
        return [part for part in path.split("/") if part]


POSIX: PathFlavour = PosixFlavour()
