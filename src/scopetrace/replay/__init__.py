"""Storey 4: a session log, a workspace and a configuration become a timeline of frames."""

from .opening import open_session, prepare_session
from .timeline import Timeline

__all__ = ["Timeline", "open_session", "prepare_session"]
