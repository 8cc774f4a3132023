"""scopetrace: why did an instruction file load, or not load, at this point of a session?

The names in ``__all__`` are the library; everything else is private. They are imported when they are first used, so
``import scopetrace`` costs next to nothing. The README shows how they go together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scopetrace.engine.config import Config, ConfigError
    from scopetrace.explain.answer import Answer
    from scopetrace.explain.answering import why
    from scopetrace.model import (
        CandidateState,
        Change,
        Comparison,
        Decision,
        Frame,
        Message,
        Outcome,
        Row,
        RunInfo,
        ScopeNode,
        Verdict,
    )
    from scopetrace.model.catalog import describe, explain_page
    from scopetrace.replay.anything import open_any
    from scopetrace.replay.messages import message_text
    from scopetrace.replay.opening import open_session
    from scopetrace.replay.plain import open_workspace
    from scopetrace.replay.played import ScenarioError, open_scenario
    from scopetrace.replay.replayed import Replayed as Timeline
    from scopetrace.sessions.errors import LogError

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "CandidateState",
    "Change",
    "Comparison",
    "Config",
    "ConfigError",
    "Decision",
    "Frame",
    "LogError",
    "Message",
    "Outcome",
    "Row",
    "RunInfo",
    "ScenarioError",
    "ScopeNode",
    "Timeline",
    "Verdict",
    "__version__",
    "describe",
    "explain_page",
    "message_text",
    "open_any",
    "open_scenario",
    "open_session",
    "open_workspace",
    "why",
]

_HOMES = {
    "Answer": "explain.answer",
    "Config": "engine.config",
    "ConfigError": "engine.config",
    "LogError": "sessions.errors",
    "ScenarioError": "replay.played",
    "Timeline": "replay.replayed:Replayed",
    "describe": "model.catalog",
    "explain_page": "model.catalog",
    "message_text": "replay.messages",
    "open_any": "replay.anything",
    "open_scenario": "replay.played",
    "open_session": "replay.opening",
    "open_workspace": "replay.plain",
    "why": "explain.answering",
}
"""Where a name lives, and under which name if under another; the rest is in ``model``."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, _, other = _HOMES.get(name, "model").partition(":")
    return getattr(import_module(f"{__name__}.{home}"), other or name)


def __dir__() -> list[str]:
    return sorted(__all__)
