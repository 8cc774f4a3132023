"""The runs of a session: where a fresh loader instance starts, and what is copied history.

Source: ``design/REPLAY.md`` points 4 and 6, ``formats/session-log.md`` section 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scopetrace.sessions import Event, Gap
from scopetrace.sessions.messages import tool_result


@dataclass(frozen=True, slots=True)
class RunPlan:
    """``starts`` are the row indices at which a new run begins (closers of an interrupted turn included), ascending,
    0 left out. Rows up to ``copied_through`` are a fork's copied history (-1: none)."""

    starts: tuple[int, ...] = ()
    copied_through: int = -1

    def run_of(self, index: int) -> int:
        """Number of the run that a row belongs to, from 0."""
        return sum(1 for start in self.starts if start <= index)


def plan_runs(items: Sequence[Event | Gap], seeds: Sequence[int]) -> RunPlan:
    """Find the runs, given the indices of all ``session/end-seed`` rows."""
    starts: list[int] = []
    copied = -1
    for index in seeds:
        item = items[index]
        if isinstance(item, Gap):
            continue
        if item.data.get("inherited") is True:
            copied = index
            continue
        starts.append(_first_closer(items, index))
    return RunPlan(tuple(start for start in starts if start > copied), copied)


def _first_closer(items: Sequence[Event | Gap], seed: int) -> int:
    at = seed
    turn_closed = False
    while at > 0:
        item = items[at - 1]
        if isinstance(item, Gap):
            break
        if item.type == "turn/end" and not turn_closed and _interrupted(item):
            turn_closed = True
        elif not (item.type == "step/end" and turn_closed) and not _interrupted_result(item):
            break
        at -= 1
    return at


def _interrupted(event: Event) -> bool:
    reason = event.data.get("reason")
    return isinstance(reason, dict) and reason.get("kind") == "interrupted"


def _interrupted_result(event: Event) -> bool:
    if event.type != "tool/result":
        return False
    result = tool_result(event)
    return result is not None and result.interrupted
