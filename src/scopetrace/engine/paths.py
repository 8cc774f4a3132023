"""Homes, scopes, groups and display paths: the loader's arithmetic on names. Nothing here probes a file system.

Sources: the ``paths`` vectors, the renderer seed, ``design/PROFILES.md`` D1, D3, D14. What differs by profile is an
explicit keyword; every function takes a path flavour, POSIX unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scopetrace.model import SCOPE_SEPARATOR

from .flavour import POSIX, PathFlavour
from .text import ecma_json, trim

USER_GLOBAL_DIRECTORY = "user-global"
AGENTS_GLOBAL_DIRECTORY = "agents-global"
USER_GLOBAL_FILE = "AGENTS.md"

DSH_HOME_ENV = "DSH_HOME"
AGENTS_HOME_ENV = "DSH_AGENTS_HOME"

_DSH_LABELS = ("~/.dsh", "$DSH_HOME")
_AGENTS_LABELS = ("~/.agents", "$DSH_AGENTS_HOME")
_DSH_FILES = frozenset(f"{label}/{USER_GLOBAL_FILE}" for label in _DSH_LABELS)
_AGENTS_FILES = frozenset(f"{label}/{USER_GLOBAL_FILE}" for label in _AGENTS_LABELS)
_RESERVED = frozenset({USER_GLOBAL_DIRECTORY, AGENTS_GLOBAL_DIRECTORY})
_TOUCHING_TOOLS = frozenset({"read", "write", "edit"})


@dataclass(frozen=True, slots=True)
class Homes:
    """The user-global roots, resolved, with the labels that stand for them in display paths."""

    dsh: str
    agents: str
    dsh_label: str
    agents_label: str


def resolve_homes(
    home: str,
    env: Mapping[str, str],
    configured_dsh_home: str | None = None,
    configured_agents_home: str | None = None,
    *,
    base: str | None = None,
    flavour: PathFlavour = POSIX,
) -> Homes:
    """Find the user-global roots: the setting, else the environment variable unless blank, else the default place.

    ``home`` is the OS home directory (absolute). A relative root is taken from ``base``, the directory the agent was
    started in (``home`` if not given). Profiles without a setting pass ``None`` for it (D14).
    """

    def root(configured: str | None, variable: str, name: str) -> str:
        value = configured
        if value is None:
            value = env.get(variable)
            if value is None or not trim(value):
                value = flavour.join(home, name)
        return flavour.resolve(home if base is None else base, _expand(value, home, flavour))

    dsh = root(configured_dsh_home, DSH_HOME_ENV, ".dsh")
    agents = root(configured_agents_home, AGENTS_HOME_ENV, ".agents")
    return Homes(
        dsh,
        agents,
        dsh_home_label(home, dsh, flavour=flavour),
        agents_home_label(home, agents, flavour=flavour),
    )


def _expand(path: str, home: str, flavour: PathFlavour) -> str:
    if path == "~":
        return home
    if path.startswith(("~/", "~\\")):
        return flavour.join(home, path[2:])
    return path


def dsh_home_label(home: str, resolved: str, *, flavour: PathFlavour = POSIX) -> str:
    """``~/.dsh`` if ``resolved`` is the default place below ``home``, else ``$DSH_HOME``."""
    return _DSH_LABELS[resolved != flavour.join(home, ".dsh")]


def agents_home_label(home: str, resolved: str, *, flavour: PathFlavour = POSIX) -> str:
    """``~/.agents`` if ``resolved`` is the default place below ``home``, else ``$DSH_AGENTS_HOME``."""
    return _AGENTS_LABELS[resolved != flavour.join(home, ".agents")]


def user_global_directories(*, shared_root: bool) -> tuple[str, ...]:
    """Scope directories of the user-global roots, in their order of precedence (D1)."""
    return (USER_GLOBAL_DIRECTORY, AGENTS_GLOBAL_DIRECTORY) if shared_root else (USER_GLOBAL_DIRECTORY,)


def is_user_global_directory(directory: str, *, shared_root: bool) -> bool:
    """Whether a scope directory stands for a user-global root (D1)."""
    return directory == USER_GLOBAL_DIRECTORY or (shared_root and directory == AGENTS_GLOBAL_DIRECTORY)


def is_user_global_path(display_path: str, *, shared_root: bool) -> bool:
    """Whether a display path is a user-global root's own file: what puts a file into the user-global chain."""
    return display_path in _DSH_FILES or (shared_root and display_path in _AGENTS_FILES)


def candidate_group(directory: str, *, shared_root: bool) -> str:
    """The directories reconciled together: both user-global roots are one group, any other stands alone (D1)."""
    return USER_GLOBAL_DIRECTORY if shared_root and directory == AGENTS_GLOBAL_DIRECTORY else directory


def scope_for_display_path(display_path: str, *, shared_root: bool, flavour: PathFlavour = POSIX) -> str:
    """The scope directory of a display path: a user-global one for the labels' files, else its dirname (D1)."""
    if display_path in _DSH_FILES:
        return USER_GLOBAL_DIRECTORY
    if shared_root and display_path in _AGENTS_FILES:
        return AGENTS_GLOBAL_DIRECTORY
    return flavour.dirname(display_path)


def candidate_scope_key(directory: str, name: str) -> str:
    """The scope of one candidate: directory and file name, NUL between them."""
    return f"{directory}{SCOPE_SEPARATOR}{name}"


def decode_scope_key(scope: str) -> tuple[str, str]:
    """Directory and file name of a scope; a scope without NUL is a directory, its name empty."""
    directory, _, name = scope.partition(SCOPE_SEPARATOR)
    return directory, name


def instruction_scope_key(display_path: str, *, shared_root: bool, flavour: PathFlavour = POSIX) -> str:
    """The scope of a loaded file, from its display path."""
    directory = scope_for_display_path(display_path, shared_root=shared_root, flavour=flavour)
    return candidate_scope_key(directory, flavour.basename(display_path))


def escape_project_display_path(relative: str, *, reserved_escape: bool, flavour: PathFlavour = POSIX) -> str:
    """Put ``./`` before a project path whose first component names a user-global scope; ``\\`` separates too (D3)."""
    if not reserved_escape:
        return relative
    first = relative.replace("\\", "/").partition("/")[0]
    return f".{flavour.sep}{relative}" if first in _RESERVED else relative


def relative_display(root: str, path: str, *, reserved_escape: bool, flavour: PathFlavour = POSIX) -> str:
    """Display path of an absolute ``path`` of the project at ``root``."""
    return escape_project_display_path(flavour.relative(root, path), reserved_escape=reserved_escape, flavour=flavour)


def relative_scope(root: str, directory: str, *, reserved_escape: bool, flavour: PathFlavour = POSIX) -> str:
    """Scope directory of an absolute ``directory`` of the project at ``root``; ``.`` for the root itself."""
    return relative_display(root, directory, reserved_escape=reserved_escape, flavour=flavour) or "."


def is_outside(directory: str, path: str, *, flavour: PathFlavour = POSIX) -> bool:
    """Whether ``path`` counts as outside of ``directory``; anything below a first component ``..foo`` does, too."""
    relative = flavour.relative(directory, path)
    return relative.startswith("..") or flavour.is_absolute(relative)


def ancestor_chain(root: str, cwd: str, *, flavour: PathFlavour = POSIX) -> list[str]:
    """Directories from ``root`` down to ``cwd``, both included.

    When ``root`` is no ancestor of ``cwd`` it is followed by the whole way from the file system's root.
    """
    root, current = flavour.resolve(root), flavour.resolve(cwd)
    chain: list[str] = []
    while current != root:
        chain.append(current)
        parent = flavour.dirname(current)
        if parent == current:
            break
        current = parent
    return [root, *reversed(chain)]


def descendant_dirs_between(root: str, touched: str, *, flavour: PathFlavour = POSIX) -> list[str]:
    """Directories below ``root`` down to the parent of ``touched``, ``root`` left out; none if that is outside.

    ``touched`` may be relative to ``root``.
    """
    root = flavour.resolve(root)
    parent = flavour.dirname(flavour.resolve(root, touched))
    if is_outside(root, parent, flavour=flavour):
        return []
    directories: list[str] = []
    current = root
    for component in flavour.components(flavour.relative(root, parent)):
        current = flavour.join(current, component)
        directories.append(current)
    return directories


def filter_candidates(names: Iterable[str]) -> tuple[str, ...]:
    """Candidate names that are plain file names: no empty ones, ``.``, ``..`` or any with ``/`` or ``\\``."""
    return tuple(name for name in names if name not in ("", ".", "..") and "/" not in name and "\\" not in name)


def touched_path(tool: str, args: Any) -> str | None:
    """The trimmed ``file_path`` of a call of ``read``, ``write`` or ``edit``; ``None`` for anything else."""
    if tool not in _TOUCHING_TOOLS or not isinstance(args, Mapping):
        return None
    path = args.get("file_path")
    return trim(path) or None if isinstance(path, str) else None


def baseline_identity(
    *,
    cwd: str,
    project_root: str,
    project_root_markers: Iterable[str],
    max_bytes: float,
    max_source_bytes: int,
    instruction_file_candidates: Iterable[str],
    local_instruction_file_candidates: Iterable[str],
    max_total_source_bytes: int | None = None,
    flavour: PathFlavour = POSIX,
) -> str:
    """The identity that a baseline's source records: compact JSON with the keys of ``design/ENGINE.md`` in that order.

    The root is relative to ``cwd``, candidate names are filtered. ``max_total_source_bytes`` joins only when given;
    pass it only when it was configured explicitly.
    """
    identity: dict[str, Any] = {
        "projectRoot": flavour.relative(flavour.resolve(cwd), flavour.resolve(project_root)),
        "projectRootMarkers": list(project_root_markers),
        "maxBytes": max_bytes,
        "maxSourceBytes": max_source_bytes,
        "instructionFileCandidates": filter_candidates(instruction_file_candidates),
        "localInstructionFileCandidates": filter_candidates(local_instruction_file_candidates),
    }
    if max_total_source_bytes is not None:
        identity["maxTotalSourceBytes"] = max_total_source_bytes
    return ecma_json(identity)
