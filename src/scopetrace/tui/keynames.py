"""How keys are written for people: ``right`` as →, ``ctrl+p`` as ^p, ``right_square_bracket`` as ]. No Textual."""

from __future__ import annotations

import unicodedata

SHORT = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Characters whose Unicode name bindings shorten."""

_LONG = {short: name for name, short in SHORT.items()}
_WRITTEN = {
    "right": "→",
    "left": "←",
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "insert": "Ins",
    "delete": "Del",
}


def key_text(key: str) -> str:
    """A key of a binding as the footer and the help write it."""
    modifiers, plus, name = key.rpartition("+")
    if name in _WRITTEN:
        text = _WRITTEN[name]
    elif name[:1] == "f" and name[1:].isdigit():
        text = name.upper()
    else:
        text = _character(name)
    if modifiers == "ctrl":
        return f"^{text}" if len(text) == 1 else f"ctrl+{text}"
    return f"{modifiers}{plus}{text}"


def _character(name: str) -> str:
    try:
        found = unicodedata.lookup(_LONG.get(name, name).replace("_", " "))
    except KeyError:
        # Names that have a hyphen where bindings have an underscore; all others are words to be read, as enter.
        return {"less_than_sign": "<", "greater_than_sign": ">", "hyphen_minus": "-"}.get(_LONG.get(name, name), name)
    return found if found.isprintable() and found != " " else name
