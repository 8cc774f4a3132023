"""What a file is when it is no session log, by its first bytes, so that the error can name it."""

from __future__ import annotations

import codecs

from .errors import ErrorCode, LogError

_MAGICS = (
    (b"\x1f\x8b", "a gzip file", "unpack it and name the log in it"),
    (b"PK\x03\x04", "a zip file", "unpack it and name the log in it"),
    (b"BZh", "a bzip2 file", "unpack it and name the log in it"),
    (b"\xfd7zXZ\0", "an xz file", "unpack it and name the log in it"),
    (b"SQLite format 3\0", "an SQLite database", "name a session.*.jsonl[.zstd] file"),
    (b"\x7fELF", "a program", "name a session.*.jsonl[.zstd] file"),
    (codecs.BOM_UTF8, "text with a UTF-8 byte order mark", "the runtime writes none; remove the first three bytes"),
    (codecs.BOM_UTF32_LE, "UTF-32 text", "convert it to UTF-8 without a byte order mark"),
    (codecs.BOM_UTF16_LE, "UTF-16 text", "convert it to UTF-8 without a byte order mark"),
    (codecs.BOM_UTF16_BE, "UTF-16 text", "convert it to UTF-8 without a byte order mark"),
    (b"{\0", "UTF-16 text", "convert it to UTF-8 without a byte order mark"),
    (b"\0{", "UTF-16 text", "convert it to UTF-8 without a byte order mark"),
)


def need_log_bytes(head: bytes, path: str) -> None:
    """Raise :class:`LogError` ``empty-log`` or ``not-a-log`` unless these first bytes can start a session header."""
    if not head:
        remedy = "the session was never written; pick another log"
        raise LogError(ErrorCode.EMPTY_LOG, path, "", "the log is empty", remedy)
    for magic, name, remedy in _MAGICS:
        if head.startswith(magic):
            raise LogError(ErrorCode.NOT_A_LOG, path, "byte 0", f"not a session log but {name}", remedy)
    if not head.lstrip(b" \t\r\n").startswith(b"{"):
        kind = "only zero bytes" if not head.strip(b"\0") else "something other than a JSON object"
        remedy = "name a session.*.jsonl[.zstd] file"
        raise LogError(ErrorCode.NOT_A_LOG, path, "byte 0", f"not a session log: it starts with {kind}", remedy)
