"""The user's settings file: theme, keys, default budget. What cannot be used is said and left out, never fatal.

TOML, read once at the start and never written. Where it lies: :func:`settings_path`; docs/config.md describes it.
"""

from __future__ import annotations

import os
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from textual.keys import Keys

from .actions import ACTIONS
from .keynames import SHORT
from .themes import THEME_NAMES

VARIABLE = "SCOPETRACE_SETTINGS"
LIMIT = 1 << 20
"""Bytes of the file that are read, at most."""

_NO_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_NAMED = frozenset(key.value for key in Keys)
_MODIFIERS = ("ctrl+", "shift+", "alt+", "meta+", "super+", "hyper+")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user prefers. ``keys`` maps ids of actions to keys; ``budget`` is bytes, for what names none itself.

    ``problems`` are sentences about settings that could not be used, raw, not yet made safe for display.
    """

    theme: str = ""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_KEYS)
    budget: float | None = None
    path: str = ""
    problems: tuple[str, ...] = ()

    def keymap(self) -> dict[str, str]:
        """The keys as Textual wants them: one entry a binding, see :func:`~scopetrace.tui.keymap.bindings_for`."""
        found: dict[str, str] = {}
        for spec in ACTIONS:
            wanted = self.keys.get(spec.id)
            if wanted is None:
                continue
            last = len(spec.keys) - 1
            for number in range(len(spec.keys)):
                own = wanted[number:] if number == last else wanted[number : number + 1]
                # A binding without a key left gets one that nobody can press.
                found[f"{spec.id}.{number}"] = ",".join(own) or f"unbound_{number}"
        return found


def settings_path(environ: Mapping[str, str]) -> Path:
    """``$SCOPETRACE_SETTINGS``, else ``settings.toml`` in the place that the system has for such files."""
    named = environ.get(VARIABLE, "")
    if named.strip():
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("scopetrace", appauthor=False) / "settings.toml"


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The user's settings; the defaults where there is no file."""
    path = settings_path(os.environ if environ is None else environ)
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Settings(path=str(path), problems=(f"cannot be read ({reason}); the defaults are used",))
    if len(data) > LIMIT:
        return Settings(path=str(path), problems=(f"larger than {LIMIT} bytes; the defaults are used",))
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Settings(path=str(path), problems=(f"byte {error.start}: not UTF-8; the defaults are used",))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Settings(path=str(path), problems=(f"not TOML: {error}; the defaults are used",))
    return parse_settings(raw, str(path))


def parse_settings(raw: Mapping[str, Any], path: str = "") -> Settings:
    """Settings from a decoded file; every one that cannot be used is left out and named in ``problems``."""
    problems: list[str] = []
    known = ("theme", "budget", "keys")
    problems.extend(f"{name}: no such setting; {_near(name, known)}" for name in raw if name not in known)
    theme = raw.get("theme", "")
    if theme != "" and theme not in THEME_NAMES:
        problems.append(f"theme: no theme {theme!r}; {_near(str(theme), THEME_NAMES)}")
        theme = ""
    budget = raw.get("budget")
    if budget is not None and (isinstance(budget, bool) or not isinstance(budget, int | float) or not budget > 0):
        problems.append(f"budget: {budget!r} is no number of bytes above 0; write e.g. budget = 65536")
        budget = None
    return Settings(str(theme), _keys(raw.get("keys", {}), problems), budget, path, tuple(problems))


def _keys(raw: Any, problems: list[str]) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(raw, Mapping):
        problems.append('keys: not a table; write [keys] and below it e.g. "main.play" = "P"')
        return _NO_KEYS
    specs = {spec.id: spec for spec in ACTIONS}
    wanted: dict[str, tuple[str, ...]] = {}
    for name, value in raw.items():
        if name not in specs:
            remedy = 'quote the id: "main.play" = "P"' if isinstance(value, Mapping) else _near(name, tuple(specs))
            problems.append(f"keys.{name}: no such action; {remedy}")
            continue
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            problems.append(f'keys."{name}": {value!r} is no key; write "P" or ["right", "l"]')
            continue
        unknown = [text for text in texts if key_name(text) is None]
        if unknown:
            problems.append(f'keys."{name}": no key {unknown[0]!r}; write e.g. "P", "ctrl+n", "f5", "pageup"')
            continue
        wanted[name] = tuple(key_name(text) or text for text in texts)
    return _without_clashes(wanted, problems)


def _without_clashes(wanted: dict[str, tuple[str, ...]], problems: list[str]) -> Mapping[str, tuple[str, ...]]:
    """The keys without those that another action of the same place has."""
    while True:
        holders: dict[tuple[str, str], str] = {}
        clash = None
        # Actions with keys of their own first, so that a clash falls on the one that the user moved.
        for spec in sorted(ACTIONS, key=lambda spec: spec.id in wanted):
            for key in dict.fromkeys(wanted.get(spec.id, spec.keys)):
                holder = holders.setdefault((spec.target, key), spec.id)
                if holder != spec.id and spec.id in wanted:
                    clash = (spec.id, key, holder)
        if clash is None:
            return MappingProxyType(wanted)
        name, key, holder = clash
        del wanted[name]
        problems.append(f'keys."{name}": {key} is the key of {holder}; give that one another key, or take another here')


def key_name(text: str) -> str | None:
    """The name of a key as bindings have it (``]`` is ``right_square_bracket``); ``None`` when there is no such key."""
    modifiers, rest = "", text
    while rest.startswith(_MODIFIERS) and len(rest) > rest.index("+") + 1:
        head, _, rest = rest.partition("+")
        modifiers += f"{head}+"
    if len(rest) == 1 and rest.isprintable():
        if rest == " ":
            return f"{modifiers}space"
        name = rest if rest.isalnum() else unicodedata.name(rest, "").lower().replace("-", "_").replace(" ", "_")
        return modifiers + SHORT.get(name, name) if name else None
    named = rest in _NAMED or rest in _PUNCTUATION
    return modifiers + rest if named else None


_PUNCTUATION = frozenset(key for spec in ACTIONS for key in spec.keys) | frozenset(SHORT.values())


def _near(name: str, known: tuple[str, ...]) -> str:
    found = get_close_matches(name, known, n=1)
    if found:
        return f"did you mean {found[0]}?"
    return f"known are {', '.join(known)}" if len(known) < 12 else "docs/keys.md lists the ids of all actions"
