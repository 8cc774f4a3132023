"""What one action is: the row of the table of actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. ``footer`` orders it in the footer (0: not there); ``show`` is how its keys are written."""

    target: str
    action: str
    keys: tuple[str, ...]
    show: str
    label: str
    description: str
    group: str
    footer: int = 0
    palette: bool = True

    @property
    def id(self) -> str:
        """Stable name, for user key maps: ``main.step_next``, ``main.focus_pane.scopes``."""
        return f"{self.target}.{re.sub(r'[^a-z0-9_-]+', '.', self.action.removeprefix('app.')).strip('.')}"


class KeyPair(NamedTuple):
    """Two actions that the footer shows as one: there and back. A click does the one that goes ahead."""

    target: str
    back: str
    ahead: str
    show: str
    word: str
    order: int

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of both actions."""
        return tuple(ActionSpec(self.target, action, (), "", "", "", "").id for action in (self.back, self.ahead))  # type: ignore[return-value]
