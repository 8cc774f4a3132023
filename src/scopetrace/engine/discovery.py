"""Where a baseline looks: the project root, then every candidate from broad to specific.

Source: README seed "Lifecycle", ``paths`` vectors ``findProjectRoot``, scenarios cur-001 to cur-039.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from scopetrace.model import Outcome, Stage
from scopetrace.workspace.fs import Cancel, FileSystem, FsError, FsNotFound

from .flavour import POSIX, PathFlavour
from .passes import Pass, Place
from .paths import (
    USER_GLOBAL_DIRECTORY,
    USER_GLOBAL_FILE,
    Homes,
    ancestor_chain,
    candidate_scope_key,
    instruction_scope_key,
    relative_display,
    user_global_directories,
)
from .profile import Profile


def find_project_root(
    fs: FileSystem,
    cwd: str,
    markers: Iterable[str],
    *,
    flavour: PathFlavour = POSIX,
    cancel: Cancel | None = None,
) -> tuple[str, str | None]:
    """Walk up from ``cwd`` to the first directory that holds a marker; ``(cwd, None)`` if there is none.

    A marker may be anything that exists, also below a sub-path; the provider's not-found error counts as absent, any
    other :class:`FsError` is raised.
    """
    markers = tuple(markers)
    start = flavour.resolve(cwd)
    directory = start
    while True:
        for marker in markers:
            try:
                if fs.stat(flavour.join(directory, marker), cancel) is not None:
                    return directory, marker
            except FsNotFound:
                continue
        parent = flavour.dirname(directory)
        if parent == directory:
            return start, None
        directory = parent


def settle_root(run: Pass) -> None:
    """Find the project root of a pass and say where it came from. Raises :class:`FsError` with a failing marker."""
    markers = run.config.project_root_markers
    try:
        root, marker = find_project_root(run.fs, run.cwd, markers, flavour=run.env.flavour, cancel=run.env.cancel)
    except FsError as error:
        run.note(
            Stage.ROOT, Outcome.MARKER_UNAVAILABLE, facts={"marker": error.path, "root": "", "reason": error.reason}
        )
        raise
    run.root = root
    if marker is None:
        run.note(Stage.ROOT, Outcome.NO_MARKER, facts={"root": root, "markers": markers, "cwd": run.cwd})
    else:
        run.note(Stage.ROOT, Outcome.MARKER_FOUND, facts={"root": root, "marker": marker, "cwd": run.cwd})


def baseline_candidates(run: Pass) -> tuple[tuple[str, Place], ...]:
    """Scope key and place of every baseline candidate: user-global roots, then root to working directory."""
    return _candidates(run.root, run.cwd, run.names, run.homes, run.profile, run.env.flavour)


@lru_cache(maxsize=256)
def _candidates(
    root: str, cwd: str, names: tuple[str, ...], homes: Homes, profile: Profile, flavour: PathFlavour
) -> tuple[tuple[str, Place], ...]:
    """Path arithmetic alone, the same in every pass of a session, hence kept."""
    found: list[tuple[str, Place]] = []
    for directory in user_global_directories(shared_root=profile.shared_root):
        own = directory == USER_GLOBAL_DIRECTORY
        home, label = (homes.dsh, homes.dsh_label) if own else (homes.agents, homes.agents_label)
        place = Place(flavour.join(home, USER_GLOBAL_FILE), f"{label}/{USER_GLOBAL_FILE}")
        found.append((candidate_scope_key(directory, USER_GLOBAL_FILE), place))
    for directory in ancestor_chain(root, cwd, flavour=flavour):
        for name in names:
            absolute = flavour.join(directory, name)
            display = relative_display(root, absolute, reserved_escape=profile.reserved_escape, flavour=flavour)
            key = instruction_scope_key(display, shared_root=profile.shared_root, flavour=flavour)
            found.append((key, Place(absolute, display)))
    return tuple(found)
