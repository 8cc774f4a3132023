"""Help of the screens around the main one: their keys, from the table of actions, and a few words before them."""

from __future__ import annotations

from collections.abc import Sequence

from scopetrace.tui.actions import DEFAULT_KEYS, KeysInForce, actions_for, grouped
from scopetrace.tui.actionspec import ActionSpec

from .spans import EMPTY, Line, Span, clip, wrap

KEY_WIDTH = 9
"""Cells for the keys of an action; a user's own may take more."""


def keys_page(
    targets: Sequence[str], width: int, *, about: Sequence[str] = (), keys: KeysInForce = DEFAULT_KEYS
) -> list[Line]:
    """Sentences, then the keys of the targets by group."""
    lines: list[Line] = []
    for sentence in about:
        lines.extend((Span(part, "plain"),) for part in wrap(sentence, max(20, width)))
        lines.append(EMPTY)
    for group, specs in grouped(actions_for(*targets, keys=keys)).items():
        lines.append((Span(group, "strong"),))
        lines.extend(line for spec in specs for line in key_lines(spec, width))
        lines.append(EMPTY)
    return [clip(line, width) for line in lines[:-1]]


def key_lines(spec: ActionSpec, width: int) -> list[Line]:
    """The keys of an action in a column, and what it does beside them, wrapped."""
    first = f"  {spec.show:<{KEY_WIDTH}} "
    parts = wrap(spec.description, max(16, width - len(first)))
    keys = [first, *[" " * len(first)] * (len(parts) - 1)]
    return [(Span(key, "key"), Span(part, "plain")) for key, part in zip(keys, parts, strict=True)]
