"""Storey 4: a session log, a workspace and a configuration become a timeline of frames.

Names are imported when asked for: a plain workspace needs no session log, and reading logs costs start-up time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .anything import open_any
    from .opening import open_session, prepare_session
    from .plain import open_workspace
    from .played import open_scenario
    from .timeline import Timeline

__all__ = ["Timeline", "open_any", "open_scenario", "open_session", "open_workspace", "prepare_session"]

_HOMES = {
    "Timeline": "timeline",
    "open_any": "anything",
    "open_scenario": "played",
    "open_session": "opening",
    "open_workspace": "plain",
    "prepare_session": "opening",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
