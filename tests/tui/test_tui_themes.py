"""Text can be read in every theme of ours: WCAG contrast of every text role on every ground."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from scopetrace.tui.present.spans import ROLES
from scopetrace.tui.themes import FALLBACK, THEMES

LINES_ONLY = ("guide", "track")


def luminance(colour: str) -> float:
    parts = []
    for value in Color.parse(colour).rgb:
        share = value / 255
        parts.append(share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_contrast(theme: Theme) -> None:
    grounds = [str(theme.background), *(theme.variables[f"st-{name}"] for name in ("bar", "cursor", "cursor-blur"))]
    wanted = 5.5 if theme.name.endswith("contrast") else 4.4
    for role in ROLES:
        if role not in LINES_ONLY:
            for ground in grounds:
                assert contrast(theme.variables[f"st-{role}"], ground) >= wanted, (role, ground)


def test_every_theme_knows_every_role() -> None:
    for theme in THEMES:
        assert set(theme.variables) == set(FALLBACK)
    assert {f"st-{role}" for role in ROLES} <= set(FALLBACK)
