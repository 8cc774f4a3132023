"""Checks ``paths`` vectors (FORMAT.md 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance_vectors import Mismatch, compare

from scopetrace.engine import paths, text
from scopetrace.engine.config import Config
from scopetrace.engine.profile import PROFILES, Profile
from scopetrace.workspace.fs import FsError
from scopetrace.workspace.memory import MemoryFs


def check_paths(row: dict[str, Any], profile_name: str) -> None:
    check = FUNCTIONS.get(row["fn"])
    if check is None:
        raise Mismatch(f"nothing here is called {row['fn']!r}")
    profile = PROFILES[profile_name]
    compare(
        {row["fn"]: row["expect"]},
        {row["fn"]: check(profile, **row["args"])},
        f"{row['fn']}({row['args']}) under {profile_name}",
    )


def _project_root(
    _: Profile, cwd: str, markers: list[str], files: dict[str, Any], fail: dict[str, Any] | None = None
) -> dict[str, Any]:
    from scopetrace.engine import discovery

    fs = MemoryFs(files)
    for path, how in (fail or {}).items():
        fs.fail(path, how)
    try:
        root, _marker = discovery.find_project_root(fs, cwd, markers)
    except FsError:
        return {"error": True, "stats": fs.stats}
    return {"root": root, "stats": fs.stats}


def _homes(profile: Profile, home: str, env: dict[str, str], configured: str | None = None) -> dict[str, str]:
    homes = paths.resolve_homes(home, env, configured, configured)
    return {"dsh": homes.dsh, "agents": homes.agents} if profile.shared_root else {"dsh": homes.dsh}


def _identity(_: Profile, config: dict[str, Any], cwd: str, projectRoot: str) -> str:
    settings = Config.from_mapping(config)
    return paths.baseline_identity(
        cwd=cwd,
        project_root=projectRoot,
        project_root_markers=settings.project_root_markers,
        max_bytes=settings.max_bytes,
        max_source_bytes=settings.max_source_bytes,
        instruction_file_candidates=settings.instruction_file_candidates,
        local_instruction_file_candidates=settings.local_instruction_file_candidates,
        max_total_source_bytes=settings.max_total_source_bytes if settings.total_in_identity else None,
    )


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "findProjectRoot": _project_root,
    "ancestorChain": lambda _, root, cwd: paths.ancestor_chain(root, cwd),
    "descendantDirsBetween": lambda _, root, touched: paths.descendant_dirs_between(root, touched),
    "escapeProjectDisplayPath": lambda profile, path: paths.escape_project_display_path(
        path, reserved_escape=profile.reserved_escape
    ),
    "scopeForDisplayPath": lambda profile, path: paths.scope_for_display_path(path, shared_root=profile.shared_root),
    "instructionScopeKey": lambda profile, path: paths.instruction_scope_key(path, shared_root=profile.shared_root),
    "candidateGroup": lambda profile, path: paths.candidate_group(path, shared_root=profile.shared_root),
    "relativeDisplay": lambda profile, root, path: paths.relative_display(
        root, path, reserved_escape=profile.reserved_escape
    ),
    "relativeScope": lambda profile, root, dir: paths.relative_scope(
        root, dir, reserved_escape=profile.reserved_escape
    ),
    "decodeScopeKey": lambda _, scope: dict(
        zip(("directory", "candidateName"), paths.decode_scope_key(scope), strict=True)
    ),
    "dshHomeDisplay": lambda _, home, resolved: paths.dsh_home_label(home, resolved),
    "agentsHomeDisplay": lambda _, home, resolved: paths.agents_home_label(home, resolved),
    "resolveHomes": _homes,
    "baselineIdentity": _identity,
    "filterCandidates": lambda _, candidates: list(paths.filter_candidates(candidates)),
    "truncateUtf8": lambda _, value, maxBytes: text.truncate_utf8(value, maxBytes),
    "escapeFrame": lambda _, value: text.escape_frame(value),
    "trimmedDigest": lambda _, content: text.trimmed_digest(content),
    "contentDigest": lambda _, content: text.sha1_hex(content),
    "touchedPath": lambda _, name, args: paths.touched_path(name, args),
}
