"""From the table of actions to Textual's bindings."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from .actions import actions_for


def bindings_for(*targets: str) -> list[BindingType]:
    """Bindings of the targets, hidden from Textual's own footer: ours is drawn from the table."""
    return [
        Binding(key, spec.action, spec.description, show=False, id=f"{spec.id}.{number}")
        for spec in actions_for(*targets)
        for number, key in enumerate(spec.keys)
    ]
