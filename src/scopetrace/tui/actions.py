"""The table of actions: what can be done where, with which keys. Key map, footer, palette, help and docs come from it.

Plain data, no Textual. An action appears here only when it works. ``target`` says where its keys are bound: ``main``
is the main screen whatever has the focus, ``lines`` every list, the names of panes those panes.
"""

from __future__ import annotations

from collections.abc import Iterable

from .actionspec import ActionSpec
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
    ActionSpec("main", "zoom", ("plus", "underscore"), "+ _", "zoom", "Give the pane the whole screen, or back", PANES),
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
    ActionSpec("main", "session", ("i",), "i", "session", "What is replayed, and what to know about it", SCREEN),
    ActionSpec("main", "help", ("question_mark", "f1"), "?", "help", "Keys, marks and outcomes", SCREEN, 80),
    ActionSpec("main", "palette", ("ctrl+p",), "^p", "palette", "Search all actions", SCREEN, 90, palette=False),
    ActionSpec("main", "quit", ("q",), "q", "quit", "Leave the inspector", SCREEN, 100),
    *MAIN_ACTIONS,
    *SCREEN_ACTIONS,
)

FOOTER_DROPS = (
    "pane_next",
    "export",
    "copy",
    "play",
    "palette",
    "breakpoints",
    "filter",
    "diff",
    "go_to",
    "find",
    "change_next",
    "message_view",
)
"""Actions that leave a footer that is too narrow, in this order."""

FOOTER_PAIRS = (
    ("main", "←→", "step", "step_next", 5),
    ("main", "[ ]", "change", "change_next", 10),
    *SCREEN_PAIRS,
)
"""Keys that the footer shows as pairs: target, keys, word, action, order."""


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


def actions_for(*targets: str) -> list[ActionSpec]:
    """The actions of the targets, in the order of the table."""
    return [spec for spec in ACTIONS if spec.target in targets]


def footer_items(focused: str, screen: Iterable[str] = ("main",)) -> list[tuple[str, str, str]]:
    """``(keys, word, action)`` for the footer of a screen while a pane has the focus; most useful first."""
    targets = (*screen, focused)
    items = [(order, keys, word, action) for target, keys, word, action, order in FOOTER_PAIRS if target in targets]
    items += [
        (spec.footer, spec.show, spec.label, spec.action) for spec in ACTIONS if spec.footer and spec.target in targets
    ]
    return [(keys, word, action) for _, keys, word, action in sorted(items)]


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
