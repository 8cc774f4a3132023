"""Errors of session logs and bundles: what is wrong, where, and what to do about it.

Every error has a stable code that tests and scripts may rely on. Printed, an error is one line ``what: where: remedy``.
"""

from __future__ import annotations

import errno
import os
from enum import StrEnum


class ErrorCode(StrEnum):
    """Stable codes; the words of the messages may change, these do not."""

    NO_SUCH_LOG = "no-such-log"
    IS_A_DIRECTORY = "is-a-directory"
    NOT_REGULAR_FILE = "not-regular-file"
    UNREADABLE = "unreadable"
    EMPTY_LOG = "empty-log"
    NOT_A_LOG = "not-a-log"
    NEWER_FORMAT = "newer-format"
    HEADER_ONLY = "header-only"
    CORRUPT = "corrupt"
    UNKNOWN_EVENT = "unknown-event"
    TOO_LARGE = "too-large"
    NOT_A_BUNDLE = "not-a-bundle"
    BAD_MANIFEST = "bad-manifest"
    WORKSPACE_MISSING = "workspace-missing"


class LogError(Exception):
    """A log or bundle that cannot be used at all.

    ``path`` is the file or directory, ``place`` a spot in it (``byte 120``, ``line 3``, ``field logs[0].file``) or
    ``""``, ``message`` says what is wrong and ``remedy`` what to do. Strings are raw, not yet made safe for display.
    """

    def __init__(
        self, code: ErrorCode | str, path: str | os.PathLike[str], place: str, message: str, remedy: str
    ) -> None:
        self.code = ErrorCode(code)
        self.path = os.fspath(path)
        self.place = place
        self.message = message
        self.remedy = remedy
        super().__init__(code, self.path, place, message, remedy)

    @property
    def where(self) -> str:
        """Path and place in one string."""
        return f"{self.path}, {self.place}" if self.place else self.path

    def __str__(self) -> str:
        return f"{self.message}: {self.where}: {self.remedy}"


class BundleError(LogError):
    """A recording bundle that cannot be used: its manifest, a file it names, or an archive in it."""


def from_os_error(error: OSError | ValueError, path: str | os.PathLike[str], what: str = "session log") -> LogError:
    """The :class:`LogError` for a failed look at ``path``; ``ValueError`` is what a NUL in a path raises."""
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    if number in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        return LogError(ErrorCode.NO_SUCH_LOG, path, "", f"no such {what}", "check the path")
    if number in (errno.EACCES, errno.EPERM):
        remedy = "make it readable for you, or copy it to where it is"
        return LogError(ErrorCode.UNREADABLE, path, "", f"no permission to read this {what}", remedy)
    if number == errno.EISDIR:
        return LogError(ErrorCode.IS_A_DIRECTORY, path, "", "this is a directory", "name the log file in it")
    reason = os.strerror(number) if number is not None else str(error)
    return LogError(
        ErrorCode.UNREADABLE, path, "", f"cannot read this {what} ({reason})", "check the disk, then try again"
    )


def header_only(path: str) -> LogError:
    """A log that was opened and never written to: readable, with nothing in it to replay."""
    message = "the log holds a header and no events"
    remedy = "the session was opened and left before anything happened; pick another log"
    return LogError(ErrorCode.HEADER_ONLY, path, "after line 1", message, remedy)
