"""Help of the screens around the main one: their keys, from the table of actions, and a few words before them."""

from __future__ import annotations

from collections.abc import Sequence

from scopetrace.tui.actions import DEFAULT_KEYS, KeysInForce, actions_for, grouped

from .spans import EMPTY, Line, Span, clip, wrap


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
        lines.extend((Span(f"  {spec.show:<14}", "key"), Span(spec.description, "plain")) for spec in specs)
        lines.append(EMPTY)
    return [clip(line, width) for line in lines[:-1]]
