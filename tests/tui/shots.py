"""The sizes at which whole screens are pinned: narrow, small, usual and very wide, dark and light in turn.

A theme only maps roles to colours, so that every size in both of them would show nothing more.
"""

from __future__ import annotations

import pytest

DARK, LIGHT = "scopetrace-dark", "scopetrace-light"
SHOTS = ((DARK, (60, 20)), (LIGHT, (80, 24)), (DARK, (120, 40)), (LIGHT, (200, 50)))

every_size = pytest.mark.parametrize(
    ("theme", "size"), SHOTS, ids=[f"{theme}-{size[0]}x{size[1]}" for theme, size in SHOTS]
)
narrow_and_wide = pytest.mark.parametrize(
    ("theme", "size"), SHOTS[:3:2], ids=[f"{theme}-{size[0]}x{size[1]}" for theme, size in SHOTS[:3:2]]
)
