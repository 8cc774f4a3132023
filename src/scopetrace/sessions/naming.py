"""Names of log files and their directories. Source: ``formats/session-log.md`` section 1."""

from __future__ import annotations

import re

_FILE = re.compile(r"session(?:\.v([1-9][0-9]*))?\.jsonl(\.zstd)?")
_ESCAPE = re.compile(r"~([0-9A-F]{4})")
_KEY_LIMIT = 251


def generation(file_name: str) -> int | None:
    """Format number in a log file name (``session.v4.jsonl`` 4, ``session.jsonl`` 0); ``None`` for other names."""
    match = _FILE.fullmatch(file_name)
    return int(match[1] or 0) if match else None


def _escape(text: str, keep_separators: bool) -> str:
    """Unsafe UTF-16 units as ``~XXXX``."""
    out: list[str] = []
    for char in text:
        if char.isascii() and (char.isalnum() or char in "._-"):
            out.append(char)
        elif keep_separators and char in "/\\:":
            out.append("-")
        else:
            units = char.encode("utf-16-be", "surrogatepass")
            out.extend(f"~{units[i] << 8 | units[i + 1]:04X}" for i in range(0, len(units), 2))
    return "".join(out)


def project_key(cwd: str | None) -> str:
    """Directory name under ``sessions/`` for a working directory. Lossy: two directories can share one."""
    if cwd is None:
        return "_no-cwd"
    key = _escape(re.sub(r"[/\\:]+", "/", cwd), True).removeprefix("-")[:_KEY_LIMIT]
    return f"--{key}--" if key else "--root--"


def session_directory(session_id: str) -> str:
    """Directory name of a session; :func:`session_id` turns it back."""
    if session_id in (".", ".."):
        return session_id.replace(".", "~002E")
    return _escape(session_id, False)


def session_id(directory: str) -> str:
    """Session id of a directory name."""
    units = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), directory)
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
