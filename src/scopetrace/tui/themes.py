"""Colours: roles mapped to theme variables, for dark, light, high contrast and the terminal's sixteen colours."""

from __future__ import annotations

from textual.theme import Theme

from .present.spans import ROLES

_DARK = {
    "good": "#9ece6a",
    "change": "#e0af68",
    "quiet": "#8b94b6",
    "warn": "#e0af68",
    "bad": "#f7768e",
    "info": "#7aa2f7",
    "plain": "#c8d0ea",
    "strong": "#e6eaf7",
    "dim": "#8f98ba",
    "guide": "#4f5778",
    "accent": "#7aa2f7",
    "key": "#7aa2f7",
    "violet": "#bb9af7",
    "track": "#343a54",
    "frame": "#8f98ba",
    "added": "#9ece6a",
    "deleted": "#f7768e",
    "line": "#353b55",
    "line-focus": "#7aa2f7",
    "bar": "#1c2233",
    "cursor": "#252d4a",
    "cursor-blur": "#1f253c",
}
_LIGHT = {
    "good": "#2f6b12",
    "change": "#855500",
    "quiet": "#4f566a",
    "warn": "#855500",
    "bad": "#b3163a",
    "info": "#1f55b5",
    "plain": "#2a3042",
    "strong": "#0f1420",
    "dim": "#525a6e",
    "guide": "#a3a9b8",
    "accent": "#1f55b5",
    "key": "#1f55b5",
    "violet": "#6a3fb5",
    "track": "#d0d4de",
    "frame": "#525a6e",
    "added": "#2f6b12",
    "deleted": "#b3163a",
    "line": "#c3c8d4",
    "line-focus": "#1f55b5",
    "bar": "#e7eaf1",
    "cursor": "#cfdcf5",
    "cursor-blur": "#e4e9f4",
}
_CONTRAST = {
    "good": "#5fff5f",
    "change": "#ffd75f",
    "quiet": "#c0c0c0",
    "warn": "#ffd75f",
    "bad": "#ff8787",
    "info": "#87d7ff",
    "plain": "#ffffff",
    "strong": "#ffffff",
    "dim": "#d0d0d0",
    "guide": "#9e9e9e",
    "accent": "#ffff5f",
    "key": "#ffff5f",
    "violet": "#d7afff",
    "track": "#6c6c6c",
    "frame": "#c0c0c0",
    "added": "#5fff5f",
    "deleted": "#ff8787",
    "line": "#9e9e9e",
    "line-focus": "#ffff5f",
    "bar": "#000000",
    "cursor": "#0000af",
    "cursor-blur": "#303030",
}
_ANSI = {
    "good": "ansi_green",
    "change": "ansi_yellow",
    "quiet": "ansi_bright_black",
    "warn": "ansi_yellow",
    "bad": "ansi_red",
    "info": "ansi_blue",
    "plain": "ansi_default",
    "strong": "ansi_default",
    "dim": "ansi_bright_black",
    "guide": "ansi_bright_black",
    "accent": "ansi_cyan",
    "key": "ansi_cyan",
    "violet": "ansi_magenta",
    "track": "ansi_bright_black",
    "frame": "ansi_bright_black",
    "added": "ansi_green",
    "deleted": "ansi_red",
    "line": "ansi_bright_black",
    "line-focus": "ansi_cyan",
    "bar": "ansi_default",
    "cursor": "ansi_bright_black",
    "cursor-blur": "ansi_default",
}


def _variables(colours: dict[str, str]) -> dict[str, str]:
    return {f"st-{name}": colour for name, colour in colours.items()}


FALLBACK = _variables(_ANSI)
"""Variables for themes that are not ours (Textual's ansi themes among them): the terminal's own sixteen colours."""

THEMES = (
    Theme(
        name="scopetrace-dark",
        primary="#7aa2f7",
        secondary="#bb9af7",
        accent="#7aa2f7",
        warning="#e0af68",
        error="#f7768e",
        success="#9ece6a",
        foreground="#c8d0ea",
        background="#14161e",
        surface="#181b25",
        panel="#1c2233",
        dark=True,
        variables=_variables(_DARK),
    ),
    Theme(
        name="scopetrace-light",
        primary="#1f55b5",
        secondary="#6a3fb5",
        accent="#1f55b5",
        warning="#855500",
        error="#b3163a",
        success="#2f6b12",
        foreground="#2a3042",
        background="#f8f9fb",
        surface="#ffffff",
        panel="#e7eaf1",
        dark=False,
        variables=_variables(_LIGHT),
    ),
    Theme(
        name="scopetrace-contrast",
        primary="#87d7ff",
        secondary="#d7afff",
        accent="#ffff5f",
        warning="#ffd75f",
        error="#ff8787",
        success="#5fff5f",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        dark=True,
        variables=_variables(_CONTRAST),
    ),
)

THEME_NAMES = (*(theme.name for theme in THEMES), "ansi-dark", "ansi-light")
"""The themes that are offered, ours first."""

ROLE_VARIABLES = tuple(f"st-{role}" for role in ROLES)
