"""A file's text as the loader would read it, for showing beside a timeline."""

from __future__ import annotations

from scopetrace.workspace.fs import FileSystem, FsError


def text_of(fs: FileSystem | None, absolute_path: str, limit: int) -> str | None:
    """Text without its byte order mark; ``None`` when it cannot be read, is no UTF-8 or exceeds ``limit`` bytes."""
    if fs is None:
        return None
    try:
        stat = fs.stat(absolute_path)
        if stat is None or stat.kind != "file":
            return None
        data = fs.read(absolute_path, limit + 1)
        return None if len(data) > limit + 3 else data.decode("utf-8").removeprefix("\ufeff")
    except (FsError, UnicodeDecodeError):
        return None
