"""The part of the table of actions that belongs to the screens around the main one."""

from __future__ import annotations

from .actionspec import ActionSpec

OPENING, TRYING, WORKSPACE, LESSON, PROGRAM = "Open", "What if", "Workspace", "Lesson", "Program"

SCREEN_ACTIONS: tuple[ActionSpec, ...] = ()

SCREEN_PAIRS: tuple[tuple[str, str, str, str, int], ...] = ()
"""Keys that the footer shows as pairs: target, keys, word, action, order."""
