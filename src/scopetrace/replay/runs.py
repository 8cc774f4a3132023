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


class Runs:
    """Finds the runs while a log is read: tell it every ``session/end-seed`` row, in order."""

    def __init__(self, items: Sequence[Event | Gap]) -> None:
        self._items = items
        self._starts: list[int] = []
        self._copied = -1

    def seed(self, index: int) -> None:
        """Take note of the next ``session/end-seed``."""
        item = self._items[index]
        if isinstance(item, Gap):
            return
        if item.data.get("inherited") is True:
            self._copied = index
        else:
            self._starts.append(_first_closer(self._items, index))

    @property
    def plan(self) -> RunPlan:
        """The runs as far as they are known."""
        return RunPlan(tuple(start for start in self._starts if start > self._copied), self._copied)


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
