"""What a message moves, in a few words, for the row of a timeline."""

from __future__ import annotations

from collections.abc import Iterable

from scopetrace.model import Change

_WORDS = {"set": "set", "replace": "replaced", "remove": "removed"}


def moves(baseline: bool, changes: Iterable[Change]) -> str:
    """``baseline · 2 set · AGENTS.md, app/AGENTS.md``. Raw text, not yet safe for display."""
    changes = tuple(changes)
    counts: dict[str, int] = {}
    for change in changes:
        counts[change.action.value] = counts.get(change.action.value, 0) + 1
    said = " · ".join(f"{count} {_WORDS[action]}" for action, count in counts.items())
    paths = ", ".join(change.path for change in changes)
    parts = ["baseline" if baseline else "update", said or "no file", paths]
    return " · ".join(part for part in parts if part)
