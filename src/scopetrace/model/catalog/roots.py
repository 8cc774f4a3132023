"""Outcomes of the search for the project root."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

ENTRIES = (
    OutcomeInfo(
        Outcome.MARKER_FOUND,
        Stage.ROOT,
        "▸",
        Tone.INFO,
        "root found",
        "project root is {root}: it holds {marker}[; the working directory is {cwd}]",
        "Walking up from the working directory, the loader met a directory that holds one of the configured root "
        "markers (.git by default; a file of that name, as worktrees have, counts as well). That directory is the "
        "project root: instruction files are taken from every directory between it and the working directory, and "
        "project scopes are named relative to it. If this is the wrong root, look for a marker nearer to the working "
        "directory than you expect, or set projectRootMarkers. Rule: loader README, Configuration.",
    ),
    OutcomeInfo(
        Outcome.NO_MARKER,
        Stage.ROOT,
        "▲",
        Tone.WARN,
        "no root",
        "no root marker[ ({markers:list})] above the working directory: {root} alone counts as the project",
        "No directory from the working directory up to the top of the file system holds a root marker, so the "
        "working directory itself is the project root. Nothing above it is searched: an AGENTS.md in a parent "
        "directory does not load. Create the marker (git init) where the project begins, or name another one in "
        "projectRootMarkers. Rule: loader README, Configuration.",
    ),
    OutcomeInfo(
        Outcome.MARKER_UNAVAILABLE,
        Stage.ROOT,
        "✖",
        Tone.BAD,
        "root unclear",
        "could not tell whether the root marker {marker} exists[ in {root}][: {reason}]",
        "Asking for a root marker failed with an error that does not prove absence (permission denied, a loop of "
        "links, an I/O error). The loader does not guess: composing stops with that error, and a projection after a "
        "tool call logs a warning and changes nothing. Repair access to the named directory. The earliest 0.1 "
        "releases (0.1.1, 0.1.2) took such an error for absence and walked on upward; see docs/profiles.md, earlier "
        "0.1 releases.",
    ),
)
