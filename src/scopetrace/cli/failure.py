"""Failures as documents: a stable code, file and place, what is wrong, what to do. Exit code 2."""

from __future__ import annotations

import errno
import sys

from scopetrace.report.documents import ErrorDoc


class CliError(Exception):
    """A command cannot do what it was asked to."""

    def __init__(self, doc: ErrorDoc) -> None:
        super().__init__(doc.message)
        self.doc = doc


def fail(code: str, message: str, remedy: str, *, path: str = "", place: str = "") -> CliError:
    """A :class:`CliError` to raise."""
    return CliError(ErrorDoc(code=code, path=path, place=place, message=message, remedy=remedy))


def error_doc(error: Exception) -> ErrorDoc | None:
    """What to say about an exception; ``None`` for one that is a defect of this program.

    Classes of lower storeys are looked up only when they have been imported: an error of theirs cannot exist otherwise.
    """
    if isinstance(error, CliError):
        return error.doc
    logs = sys.modules.get("scopetrace.sessions.errors")
    if logs is not None and isinstance(error, logs.LogError):
        return ErrorDoc(
            code=str(error.code), path=error.path, place=error.place, message=error.message, remedy=error.remedy
        )
    config = sys.modules.get("scopetrace.engine.config")
    if config is not None and isinstance(error, config.ConfigError):
        return ErrorDoc(
            code="bad-config",
            path="",
            place=error.key,
            message=str(error),
            remedy="correct the setting (docs/config.md)",
        )
    if isinstance(error, OSError):
        remedy = "make room on the disk" if error.errno == errno.ENOSPC else "check the path and its access rights"
        name = error.filename
        path = name.decode(errors="replace") if isinstance(name, bytes) else str(name or "")
        return ErrorDoc(code="os-error", path=path, place="", message=error.strerror or str(error), remedy=remedy)
    return None
