"""From the table of actions to Textual's bindings, and back to the keys that work."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.binding import Binding, BindingType

from .actions import DEFAULT_KEYS, KeysInForce, actions_for


def bindings_for(*targets: str) -> list[BindingType]:
    """Bindings of the targets, hidden from Textual's own footer: ours is drawn from the table."""
    return [
        Binding(key, spec.action, spec.description, show=False, id=f"{spec.id}.{number}")
        for spec in actions_for(*targets)
        for number, key in enumerate(spec.keys)
    ]


def keys_in_force(app: App[Any]) -> KeysInForce:
    """The keys that work in an app: the table's where it has no keys of the user's."""
    keys = getattr(app, "keys", None)
    return keys if isinstance(keys, KeysInForce) else DEFAULT_KEYS
