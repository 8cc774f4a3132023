"""Which generation of rules a record fits: where record and claim differ, the others are tried on the same session."""

from __future__ import annotations

from dataclasses import replace

from scopetrace.engine.profile import PROFILES
from scopetrace.model import Verdict

from .timeline import Timeline

CHUNK = 1024
"""Rows replayed between two looks at the result: a profile that differs early is given up early."""

_DIFFERENT = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)


def fitting_profiles(timeline: Timeline) -> tuple[str, ...]:
    """Names of the other profiles under which every comparable message of the replayed rows is equal.

    Empty where record and claim agree already, where nothing is comparable, and where no generation fits. Files, runs
    and configurations are those of ``timeline``; nothing is read from the log again.
    """
    if _agrees(timeline) or not timeline.comparisons:
        return ()
    own = timeline.setting.profile
    return tuple(name for name, profile in PROFILES.items() if profile != own and _fits(timeline, name))


def _fits(timeline: Timeline, name: str) -> bool:
    other = timeline.supposing(replace(timeline.setting, profile=PROFILES[name]))
    while len(other) < len(timeline):
        other.advance(min(CHUNK, len(timeline) - len(other)))
        if not _agrees(other):
            return False
    return any(one.verdict is Verdict.EQUAL for one in other.comparisons)


def _agrees(timeline: Timeline) -> bool:
    return not any(one.verdict in _DIFFERENT for one in timeline.comparisons)
