"""Where sessions lie on disk: the logs under an agent home, newest first.

Source: ``formats/session-log.md`` section 1.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from .errors import ErrorCode, LogError, from_os_error
from .naming import generation, session_id
from .reader import open_log
from .schema import Header


@dataclass(frozen=True, slots=True)
class FoundLog:
    """A session on disk. ``path`` is its current log, ``older`` the logs of earlier formats beside it.

    ``size`` is bytes, ``modified_ms`` when the log was last written. ``header`` is ``None`` when it cannot be read;
    ``error`` then says why.
    """

    path: str
    session_id: str
    project: str
    generation: int
    size: int
    modified_ms: int
    header: Header | None
    error: LogError | None = None
    older: tuple[str, ...] = ()


def default_dsh_home(env: Mapping[str, str], os_home: str) -> str:
    """``$DSH_HOME`` of this environment, or ``~/.dsh`` when it is unset or blank."""
    value = env.get("DSH_HOME", "")
    return value if value.strip() else os.path.join(os_home, ".dsh")


def logs_in(directory: str | os.PathLike[str]) -> tuple[str, ...]:
    """Logs in a session directory, the current one (highest format) first; compressed before plain among equals."""
    with os.scandir(directory) as entries:
        found = [(generation(entry.name), entry.name) for entry in entries]
    named = [(number, name) for number, name in found if number is not None]
    named.sort(key=lambda pair: (-pair[0], not pair[1].endswith(".zstd")))
    return tuple(os.path.join(directory, name) for _, name in named)


def current_log(directory: str | os.PathLike[str]) -> str:
    """The log to open for a session directory. Raises :class:`LogError` ``no-such-log`` when there is none."""
    try:
        logs = logs_in(directory)
    except (OSError, ValueError) as error:
        raise from_os_error(error, directory, "session directory") from None
    if not logs:
        remedy = "name a session log, a session directory or a recording bundle"
        raise LogError(ErrorCode.NO_SUCH_LOG, directory, "", "no session log in this directory", remedy)
    return logs[0]


def find_session_logs(dsh_home: str | os.PathLike[str], limit: int | None = None) -> list[FoundLog]:
    """Sessions under an agent home, last written first; only headers are read, at most ``limit`` of them.

    Directories that cannot be listed are passed over. Raises :class:`LogError` when the home has no session directory
    or it cannot be listed.
    """
    root = os.path.join(dsh_home, "sessions")
    try:
        projects = _directories(root)
    except (OSError, ValueError) as error:
        raise from_os_error(error, root, "session directory") from None
    found = sorted(_candidates(root, projects), key=lambda item: (-item[0], item[1]))
    return [_peek(*item) for item in islice(found, limit)]


def _directories(path: str) -> list[str]:
    with os.scandir(path) as entries:
        return [entry.name for entry in entries if entry.is_dir()]


def _candidates(root: str, projects: list[str]) -> Iterator[tuple[float, str, int, tuple[str, ...]]]:
    """Time of the last write, path, size and older logs of every session."""
    for project in projects:
        try:
            sessions = _directories(os.path.join(root, project))
        except OSError:
            continue
        for session in sessions:
            try:
                logs = logs_in(os.path.join(root, project, session))
                status = os.stat(logs[0]) if logs else None
            except OSError:
                continue
            if status is not None and stat.S_ISREG(status.st_mode):
                yield status.st_mtime, logs[0], status.st_size, logs[1:]


def _peek(modified: float, path: str, size: int, older: tuple[str, ...]) -> FoundLog:
    header, error = None, None
    try:
        header = open_log(path).header
    except LogError as problem:
        error = problem
    directory = os.path.dirname(path)
    return FoundLog(
        path,
        header.id if header else session_id(os.path.basename(directory)),
        os.path.basename(os.path.dirname(directory)),
        generation(os.path.basename(path)) or 0,
        size,
        int(modified * 1000),
        header,
        error,
        older,
    )
