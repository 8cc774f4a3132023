"""A scenario played like a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scopetrace.model import TimelineView

from .main import MainScreen


class ScenarioScreen(MainScreen):
    """The main screen over a scenario, which it keeps for what-if."""

    def __init__(self, timeline: TimelineView, scenario: Mapping[str, Any], *, start: int = 0) -> None:
        super().__init__(timeline, start=start)
        self.scenario = scenario
