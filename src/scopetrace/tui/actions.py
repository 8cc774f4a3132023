"""The table of actions: what can be done where, with which keys. Key map, footer, palette, help and docs come from it.

Plain data, no Textual. An action appears here only when it works. ``target`` says where its keys are bound: ``main``
is the main screen whatever has the focus, ``lines`` every list, the names of panes those panes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rich.cells import cell_len

from .actionspec import ActionSpec, KeyPair
from .keynames import key_text
from .main_actions import MAIN_ACTIONS
from .screen_actions import SCREEN_ACTIONS, SCREEN_PAIRS

STEPPING, PANES, LISTS, MESSAGE, SCREEN = "Stepping", "Panes", "Lists", "Message", "Program"

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("main", "step_next", ("right", "l"), "→ l", "step", "Go to the next event", STEPPING),
    ActionSpec("main", "step_previous", ("left", "h"), "← h", "step", "Go to the previous event", STEPPING),
    ActionSpec(
        "main", "change_next", ("right_square_bracket",), "]", "change", "Go to the next instruction change", STEPPING
    ),
    ActionSpec(
        "main",
        "change_previous",
        ("left_square_bracket",),
        "[",
        "change",
        "Go to the previous instruction change",
        STEPPING,
    ),
    ActionSpec("main", "step_first", ("home",), "Home", "first", "Go to the first event", STEPPING),
    ActionSpec("main", "step_last", ("end",), "End", "last", "Go to the last event", STEPPING),
    ActionSpec("main", "go_to", ("g",), "g", "go to", "Go to an event: 30, +5, 50%", STEPPING, 30),
    ActionSpec("main", "play", ("space",), "space", "play", "Play or pause", STEPPING, 40),
    ActionSpec("main", "focus_pane('scopes')", ("1",), "1", "scopes", "Focus the Scopes pane", PANES),
    ActionSpec("main", "focus_pane('decisions')", ("2",), "2", "decisions", "Focus the Decisions pane", PANES),
    ActionSpec("main", "focus_pane('budget')", ("3",), "3", "budget", "Focus the Budget pane", PANES),
    ActionSpec("main", "focus_pane('message')", ("4",), "4", "message", "Focus the Message pane", PANES),
    ActionSpec("main", "focus_pane('timeline')", ("5",), "5", "timeline", "Focus the Timeline pane", PANES),
    ActionSpec("main", "pane_next", ("tab",), "tab", "pane", "Focus the next pane", PANES, 70),
    ActionSpec("main", "pane_previous", ("shift+tab",), "shift+tab", "pane", "Focus the previous pane", PANES),
    ActionSpec("main", "zoom", ("plus", "underscore"), "+ _", "zoom", "Zoom the pane to the screen, or back", PANES),
    ActionSpec("main", "copy", ("y",), "y", "copy", "Copy the exact text, event or path", MESSAGE, 60),
    ActionSpec("main", "message_view", ("m",), "m", "message", "Show the message, then its next view", MESSAGE, 50),
    ActionSpec("main", "wrap", ("W",), "W", "wrap", "Wrap long lines, or scroll sideways", MESSAGE),
    ActionSpec("lines", "cursor_down", ("down", "j"), "↓ j", "down", "Move down", LISTS, palette=False),
    ActionSpec("lines", "cursor_up", ("up", "k"), "↑ k", "up", "Move up", LISTS, palette=False),
    ActionSpec("lines", "page_down", ("pagedown", "ctrl+f"), "PgDn", "page", "Move a page down", LISTS, palette=False),
    ActionSpec("lines", "page_up", ("pageup", "ctrl+b"), "PgUp", "page", "Move a page up", LISTS, palette=False),
    ActionSpec("lines", "top", ("ctrl+home",), "ctrl+Home", "top", "Move to the first row", LISTS, palette=False),
    ActionSpec("lines", "bottom", ("ctrl+end", "G"), "G", "bottom", "Move to the last row", LISTS, palette=False),
    ActionSpec(
        "lines",
        "scroll_sideways(8)",
        ("shift+right", "greater_than_sign"),
        ">",
        "right",
        "Scroll text right",
        LISTS,
        palette=False,
    ),
    ActionSpec(
        "lines",
        "scroll_sideways(-8)",
        ("shift+left", "less_than_sign"),
        "<",
        "left",
        "Scroll text left",
        LISTS,
        palette=False,
    ),
    ActionSpec("scopes", "choose", ("enter",), "enter", "fold", "Open or close a directory", PANES, 20, palette=False),
    ActionSpec(
        "timeline",
        "choose",
        ("enter",),
        "enter",
        "decisions",
        "Look at its decisions",
        PANES,
        20,
        palette=False,
    ),
    ActionSpec("main", "theme_next", ("T",), "T", "theme", "Change to the next theme", SCREEN),
    ActionSpec("main", "session", ("i",), "i", "session", "What is replayed, and notes on it", SCREEN),
    ActionSpec("main", "help", ("question_mark", "f1"), "?", "help", "Keys, marks and outcomes", SCREEN, 80),
    ActionSpec("main", "palette", ("ctrl+p",), "^p", "palette", "Search all actions", SCREEN, 90, palette=False),
    ActionSpec("main", "quit", ("q",), "q", "quit", "Leave the inspector", SCREEN, 100),
    *MAIN_ACTIONS,
    *SCREEN_ACTIONS,
)

FOOTER_DROPS = (
    "main.pane_next",
    "lesson.pane_next",
    "main.export",
    "main.copy",
    "main.palette",
    "main.play",
    "main.breakpoints",
    "timeline.choose",
    "main.message_view",
    "main.go_to",
    "open.theme_next",
    "open.again",
    "open.complete",
    "plain.reload",
    "whatif.scroll_result.1",
    "whatif.reset",
    "main.diff",
    "scopes.choose",
    "main.what_if",
    "lesson.what_if",
    "main.change_next",
    "plain.untouch",
    "main.filter",
    "main.find",
)
"""Actions that leave a footer that is too narrow, in this order."""

FOOTER_PAIRS = (
    KeyPair("main", "step_previous", "step_next", "←→", "step", 5),
    KeyPair("main", "change_previous", "change_next", "[ ]", "change", 10),
    *SCREEN_PAIRS,
)
"""Keys that the footer shows as pairs."""


PLACES = {
    "main": "main screen",
    "lines": "every list",
    "open": "open screen",
    "plain": "workspace",
    "whatif": "what if",
    "lesson": "lesson",
    "why": "answer",
}
"""Targets that are no pane, as the key map names them."""


@dataclass(frozen=True, slots=True)
class KeysInForce:
    """The keys that work: the table's, save where the user has own ones. ``own`` maps ids of actions to keys."""

    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def spec(self, spec: ActionSpec) -> ActionSpec:
        """An action with the keys that work."""
        keys = self.own.get(spec.id)
        return spec if keys is None else replace(spec, keys=keys, show=" ".join(key_text(key) for key in keys))

    def of(self, name: str) -> tuple[str, ...]:
        """The keys of an action, by its id."""
        return self.own.get(name) or _BY_ID[name].keys

    def first(self, name: str) -> str:
        """The first key of an action, as a sentence names it: ``esc``."""
        return key_text(self.of(name)[0])


DEFAULT_KEYS = KeysInForce()
_BY_ID = {spec.id: spec for spec in ACTIONS}


def actions_for(*targets: str, keys: KeysInForce = DEFAULT_KEYS) -> list[ActionSpec]:
    """The actions of the targets, in the order of the table."""
    return [keys.spec(spec) for spec in ACTIONS if spec.target in targets]


class FooterItem(NamedTuple):
    """A word of the footer, the keys before it, and what a click on it does."""

    order: int
    keys: str
    word: str
    action: str
    id: str


def footer_items(focused: str, screen: Iterable[str] = ("main",), keys: KeysInForce = DEFAULT_KEYS) -> list[FooterItem]:
    """What the footer of a screen offers while a pane has the focus; most useful first."""
    targets = (*screen, focused)
    items = [
        FooterItem(pair.order, _pair_text(pair, keys), pair.word, pair.ahead, pair.ids[1])
        for pair in FOOTER_PAIRS
        if pair.target in targets
    ]
    items += [
        FooterItem(spec.footer, spec.show, spec.label, spec.action, spec.id)
        for spec in actions_for(*targets, keys=keys)
        if spec.footer
    ]
    return sorted(items)


def fitting_items(items: Iterable[FooterItem], width: int) -> tuple[list[FooterItem], int]:
    """The items that a footer of ``width`` cells has room for, and the cells between them: closer before fewer."""
    left = list(items)
    for name in ("", *FOOTER_DROPS):
        left = [item for item in left if item.id != name]
        words = sum(cell_len(f" {item.keys} {item.word}") for item in left)
        for gap in (2, 1):
            if words + gap * (len(left) - 1) <= width:
                return left, gap
    return left, 1


def _pair_text(pair: KeyPair, keys: KeysInForce) -> str:
    if not keys.own.keys() & set(pair.ids):
        return pair.show
    return " ".join(keys.first(name) for name in pair.ids)


def grouped(specs: Iterable[ActionSpec]) -> dict[str, list[ActionSpec]]:
    """Actions by group, groups in the order of their first action."""
    out: dict[str, list[ActionSpec]] = {}
    for spec in specs:
        out.setdefault(spec.group, []).append(spec)
    return out


def keymap_markdown() -> str:
    """The key map as a Markdown page (``docs/keys.md``)."""
    lines = [
        "# Keys of the inspector",
        "",
        "Made by `scripts/make_keymap.py` from the table of actions; do not edit. `?` shows the same inside the",
        "inspector, and `ctrl+p` finds every action by name.",
    ]
    for group, specs in grouped(ACTIONS).items():
        lines += ["", f"## {group}", "", "| keys | what they do | where | id |", "|---|---|---|---|"]
        for spec in specs:
            where = PLACES.get(spec.target, f"{spec.target.capitalize()} pane")
            keys = " ".join(f"`{key}`" for key in spec.show.split(" "))
            lines.append(f"| {keys} | {spec.description} | {where} | `{spec.id}` |")
    return "\n".join(lines) + "\n"
