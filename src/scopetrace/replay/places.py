"""Where the files of a bare log are on this machine, and by which path rules the session spoke of them.

Source: ``design/REPLAY.md`` point 11.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scopetrace.engine.discovery import find_project_root
from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.paths import AGENTS_HOME_ENV, DSH_HOME_ENV, resolve_homes
from scopetrace.engine.windows import WINDOWS
from scopetrace.sessions import ErrorCode, LogError
from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import FileSystem, FsError
from scopetrace.workspace.mapped import MappedFs
from scopetrace.workspace.passcache import PassCache
from scopetrace.workspace.snapshot import Snapshot
from scopetrace.workspace.windows import WindowsFs, home_of, is_windows_path, to_posix

from .files import Files


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace on this disk. ``home`` and ``environ`` are as the session would say them; ``real`` is a path here."""

    fs: FileSystem
    flavour: PathFlavour
    home: str
    environ: dict[str, str]
    real: str
    notes: tuple[str, ...]


def flavour_of(cwd: str) -> PathFlavour:
    """The path rules of the machine on which a session ran, by its working directory."""
    return WINDOWS if is_windows_path(cwd) else POSIX


def place_of(
    log_path: Path,
    cwd: str,
    workspace: str | None,
    home: str | None,
    environ: Mapping[str, str],
    *,
    markers: Iterable[str] = (),
    follow_outside: bool = True,
) -> Place:
    """The files of a session that ran in ``cwd``: below ``workspace``, else where it ran.

    Without ``follow_outside``, links that leave the project root (found by ``markers``) are refused. Raises
    :class:`LogError` ``workspace-missing``.
    """
    flavour = flavour_of(cwd)
    real = os.path.abspath(workspace) if workspace else cwd
    foreign = flavour is WINDOWS
    if (not workspace and (foreign or not cwd.startswith("/"))) or not os.path.isdir(real):
        raise _missing(log_path, cwd, workspace, real, foreign=foreign)
    notes: list[str] = []
    disk: FileSystem = DiskFs()
    if not follow_outside:
        boundary = boundary_of(real, markers)
        disk = DiskFs(follow_outside=False, boundary=boundary)
        notes.append(f"links that leave {boundary} are refused (--no-follow-outside)")
    local_home = os.path.abspath(os.path.expanduser(home or "~"))
    variables = dict(environ)
    if not foreign:
        if real != cwd and cwd:
            disk = MappedFs(disk, [(cwd, real)])
            notes.append(f"paths below {cwd} are looked up below {real}")
        return Place(Snapshot(PassCache(disk)), flavour, local_home, variables, real, tuple(notes))
    # The directories of this machine stand for the homes of that one; its variables say nothing there.
    homes = resolve_homes(local_home, variables)
    for name in (DSH_HOME_ENV, AGENTS_HOME_ENV):
        variables.pop(name, None)
    recorded_home = home_of(cwd)
    mapping = [
        (to_posix(cwd), real),
        (to_posix(f"{recorded_home}\\.dsh"), homes.dsh),
        (to_posix(f"{recorded_home}\\.agents"), homes.agents),
    ]
    notes.append("recorded on Windows: paths follow the rules of Windows (drives, backslashes, letter case ignored)")
    notes.append(f"paths below {cwd} are looked up below {real}")
    notes.append(
        f"the home directory of the session is taken to be {recorded_home}; "
        f"its .dsh and .agents are looked up at {homes.dsh} and {homes.agents}"
    )
    fs = WindowsFs(Snapshot(PassCache(MappedFs(disk, mapping, outside="absent"))))
    return Place(fs, flavour, recorded_home, variables, real, tuple(notes))


def boundary_of(real: str, markers: Iterable[str]) -> str:
    """The project root above a directory of this disk; the directory itself where no marker says otherwise."""
    try:
        return find_project_root(DiskFs(), real, markers)[0]
    except FsError:
        return real


def _missing(log_path: Path, cwd: str, workspace: str | None, real: str, *, foreign: bool) -> LogError:
    if workspace:
        message = f"the workspace directory {real} does not exist"
    elif foreign:
        message = f"the session was recorded on Windows, and its directory {cwd} does not exist here"
    elif cwd and not cwd.startswith("/"):
        message = f"the session's directory {cwd} is not an absolute path"
    else:
        message = f"the session's directory {cwd or '(none)'} does not exist here"
    where = "--workspace" if workspace else "header, field cwd"
    remedy = "name a copy of it with --workspace DIR"
    return LogError(ErrorCode.WORKSPACE_MISSING, log_path, where, message, remedy)


class WindowsFiles:
    """Files in time, asked for by Windows paths. A :class:`~scopetrace.replay.files.Files`."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def before(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`~scopetrace.replay.files.Files`."""
        found = self._files.before(seq, time)
        return None if found is None else WindowsFs(found)

    def after(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`~scopetrace.replay.files.Files`."""
        found = self._files.after(seq, time)
        return None if found is None else WindowsFs(found)
