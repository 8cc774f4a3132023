"""Which screen shows what was opened, and which one supposes something over it."""

from __future__ import annotations

from typing import Any, cast

from textual.screen import Screen

from scopetrace.replay.steps import StepTimeline
from scopetrace.replay.timeline import Timeline

from .opening import Opened
from .screens.lesson import LessonScreen
from .screens.main import MainScreen
from .screens.plain import PlainScreen
from .screens.scenario import ScenarioScreen
from .screens.whatif import WhatIfScreen
from .supposing import Ground, ScenarioGround, SessionGround, WorkspaceGround


def screen_for(opened: Opened, start: int) -> MainScreen:
    """The screen that shows what was opened."""
    if opened.workspace is not None:
        return PlainScreen(cast(StepTimeline, opened.timeline), opened.workspace, start=start)
    if opened.lesson is not None:
        return LessonScreen(opened.lesson, opened.following)
    if opened.scenario is not None:
        return ScenarioScreen(opened.timeline, opened.scenario, start=start)
    screen = MainScreen(opened.timeline, start=start)
    screen.named = opened.named
    screen.follows = screen.live
    return screen


def ground_of(screen: MainScreen) -> Ground | None:
    """What can be replayed otherwise from a screen."""
    timeline = screen.timeline
    if not len(timeline):
        return None
    if isinstance(screen, PlainScreen):
        return WorkspaceGround(cast(StepTimeline, timeline), screen.workspace)
    if isinstance(screen, ScenarioScreen):
        return ScenarioGround(cast(StepTimeline, timeline), screen.scenario)
    return SessionGround(timeline) if isinstance(timeline, Timeline) else None


def what_if(screen: Screen[Any]) -> WhatIfScreen | None:
    """The what-if screen for the present event of a screen; ``None`` where nothing can be supposed."""
    ground = ground_of(screen) if isinstance(screen, MainScreen) else None
    return WhatIfScreen(ground, cast(MainScreen, screen).index) if ground is not None else None
