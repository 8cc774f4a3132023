"""A lesson's scenario played under some rules: what happened at each operation, for claims to be checked against.

Source: ``conformance/FORMAT.md`` section 1 for operations and observations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scopetrace.engine.profile import PROFILES
from scopetrace.model import Action, BudgetReport, Decision, Message, Recorder

from .scenario import ScenarioHost


@dataclass(frozen=True, slots=True)
class Moment:
    """One operation: what was observed (FORMAT.md 1.5) and decided, and how things stand after it.

    ``entered`` are the instruction messages that the model got here, ``waiting`` those in the inbox afterwards,
    ``waited`` those before. ``in_force`` are the display paths of the files that the visible messages put in force.
    """

    op: Mapping[str, Any]
    observed: Mapping[str, Any]
    decisions: tuple[Decision, ...]
    budgets: tuple[BudgetReport, ...]
    entered: tuple[Message, ...]
    waiting: tuple[Message, ...]
    waited: tuple[Message, ...]
    in_force: tuple[str, ...]
    home: str


def play(row: Mapping[str, Any], profile: str) -> tuple[Moment, ...]:
    """Play a scenario that was checked before (``lesson_shape``) under a profile; one moment an operation."""
    host = ScenarioHost(row, PROFILES[profile])
    found: list[Moment] = []
    for op in row["ops"]:
        before = {id(message) for message in host.surface}
        waited = host.state.pending
        recorder = Recorder()
        observed = host.perform(op, recorder)
        found.append(
            Moment(
                op,
                observed,
                tuple(recorder.decisions),
                tuple(recorder.budgets),
                tuple(m for m in host.surface if id(m) not in before and m.source.is_instructions),
                host.state.pending,
                waited,
                tuple(c.path for c in host.state.fold.changes.values() if c.action is not Action.REMOVE),
                host.home,
            )
        )
    return tuple(found)
