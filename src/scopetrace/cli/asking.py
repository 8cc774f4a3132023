"""Asking ``why`` of a plain workspace."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scopetrace.engine.config import Config
    from scopetrace.explain.answer import Answer


def plain_answer(
    path: str,
    cwd: str | None,
    touches: Sequence[str],
    home: str | None,
    profile: str | None,
    config: Config | None = None,
    *,
    follow_outside: bool = True,
) -> Answer:
    """Why ``path`` would load in a session that starts in ``cwd`` (default: here) and touches these files.

    A relative path counts from ``cwd``, else from here. Raises :class:`OSError` and :class:`KeyError` like
    :func:`scopetrace.replay.plain.open_workspace`.
    """
    from scopetrace.explain.answering import why
    from scopetrace.replay.plain import open_workspace

    here = os.path.abspath(os.path.expanduser(cwd or "."))
    if cwd is not None and not os.path.lexists(os.path.join(here, path)) and os.path.lexists(path):
        path = os.path.abspath(path)
    timeline = open_workspace(
        here, home=home, profile=profile, config=config, touches=touches, follow_outside=follow_outside
    )
    return why(timeline, path)
