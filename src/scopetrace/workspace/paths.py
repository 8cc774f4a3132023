"""Lexical POSIX paths, as the loader's host resolves them (Node's ``path.posix.resolve`` on an absolute path)."""

from __future__ import annotations


def normalise(path: str) -> str:
    """Absolute form without ``.``, ``..``, repeated or trailing slashes; links are not looked at.

    A relative path counts from ``/``: providers know no working directory. Unlike ``posixpath.normpath`` a leading
    double slash collapses too.
    """
    if "/." not in path and "//" not in path and path[:1] == "/" and (path[-1:] != "/" or path == "/"):
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def parent(path: str) -> str:
    """Directory of a normalised path; ``/`` for the root itself."""
    return path[: path.rfind("/")] or "/"


def join(directory: str, name: str) -> str:
    """``name`` below a normalised directory."""
    return f"/{name}" if directory == "/" else f"{directory}/{name}"


def is_below(path: str, directory: str) -> bool:
    """Whether a normalised path is ``directory`` itself or lies below it."""
    return directory == "/" or path == directory or path.startswith(directory + "/")
