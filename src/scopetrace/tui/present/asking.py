"""Which paths a question may be about: what is selected, or what the event speaks of."""

from __future__ import annotations

from collections.abc import Iterable

from scopetrace.model import CandidateState, RowKind

from .decisions import DecisionRow
from .filetree import FileRow
from .message import messages_at
from .scopes import ScopeRow
from .shown import Shown
from .versions import absolute_paths

MOST = 9
"""Paths offered, at most: one digit each."""


def paths_of_scope(row: ScopeRow) -> list[str]:
    """A candidate, each of those that share the row, or the scope directory."""
    if isinstance(row, FileRow) and row.path:
        return [row.path]
    if row.folded and not row.is_directory:
        return _distinct(_path(state) for state in row.folded)
    if row.candidate is not None:
        return [_path(row.candidate)]
    for state in row.node.candidates:
        if state.absolute_path.endswith(state.name):
            return [state.absolute_path[: -len(state.name)].rstrip("/\\") or "/"]
    return [row.node.directory]


def paths_of_decision(row: DecisionRow) -> list[str]:
    """The candidates of a decision, or the path that a touch was about."""
    paths = _distinct(item.absolute_path or item.path for item in row.chain)
    return paths or _distinct(str(item.facts.get("touched") or "") for item in row.chain)


def paths_of_event(shown: Shown) -> list[str]:
    """The files that an event announces, replaces or removes, or the path that a tool was called with."""
    absolute = absolute_paths(shown.tree)
    changes = [change for message, _ in messages_at(shown.frame) for change in message.source.changes or ()]
    if changes:
        return _distinct(absolute.get(change.scope) or change.path for change in changes)
    row = shown.timeline.row(shown.index)
    if row.kind is RowKind.TOOL and row.label in ("read", "write", "edit") and row.text:
        return [row.text]
    return _distinct(str(item.facts.get("touched") or "") for item in shown.frame.decisions)


def _path(state: CandidateState) -> str:
    return state.absolute_path or state.path


def _distinct(paths: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(path for path in paths if path))[:MOST]
