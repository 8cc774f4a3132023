"""Failures as documents: a stable code, file and place, what is wrong, what to do. Exit code 2."""

from __future__ import annotations

import errno
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scopetrace.report.documents import ErrorDoc


class CliError(Exception):
    """A command cannot do what it was asked to."""

    def __init__(self, doc: ErrorDoc) -> None:
        super().__init__(doc.message)
        self.doc = doc


def _doc(*, code: str, path: str, place: str, message: str, remedy: str) -> ErrorDoc:
    from scopetrace.report.documents import ErrorDoc

    return ErrorDoc(code=code, path=path, place=place, message=message, remedy=remedy)


def fail(code: str, message: str, remedy: str, *, path: str = "", place: str = "") -> CliError:
    """A :class:`CliError` to raise."""
    return CliError(_doc(code=code, path=path, place=place, message=message, remedy=remedy))


def error_doc(error: Exception) -> ErrorDoc | None:
    """What to say about an exception; ``None`` for one that is a defect of this program.

    Classes of lower storeys are looked up only when they have been imported: an error of theirs cannot exist otherwise.
    """
    if isinstance(error, CliError):
        return error.doc
    logs = sys.modules.get("scopetrace.sessions.errors")
    if logs is not None and isinstance(error, logs.LogError):
        return _doc(
            code=str(error.code), path=error.path, place=error.place, message=error.message, remedy=error.remedy
        )
    scenarios = sys.modules.get("scopetrace.replay.played")
    if scenarios is not None and isinstance(error, scenarios.ScenarioError):
        return _doc(
            code="bad-scenario",
            path=error.path,
            place=error.place,
            message=error.message,
            remedy="correct the file (tests/conformance/FORMAT.md describes scenarios)",
        )
    config = sys.modules.get("scopetrace.engine.config")
    if config is not None and isinstance(error, config.ConfigError):
        return _doc(
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
        return _doc(code="os-error", path=path, place="", message=error.strerror or str(error), remedy=remedy)
    return None
