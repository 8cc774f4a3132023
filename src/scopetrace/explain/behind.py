"""Decisions that lie behind another: why a scope stays out, why a baseline was superseded, which sibling failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scopetrace.model import Decision, Outcome, Stage
from scopetrace.replay.scopes import LastWord

from .answer import Reason

if TYPE_CHECKING:
    from .candidate import Candidate

_POSITIVE = (Outcome.PRESENT, Outcome.READ, Outcome.UNCHANGED_VERSION, Outcome.KEPT, Outcome.WHOLE)


def left_out(candidate: Candidate, known: LastWord) -> list[Reason]:
    """The budget decision that left a scope out for good, in this pass or in the baseline's."""
    for back in reversed([row for row in candidate.inquiry.timeline.passes if row <= known.index][-60:]):
        for decision in candidate.inquiry.timeline.frame(back).decisions:
            if decision.scope == candidate.scope and decision.stage in (Stage.BUDGET, Stage.DEDUP):
                if decision.outcome in (Outcome.WHOLE, Outcome.KEPT):
                    continue
                return [candidate.inquiry.decided(decision, back)]
    return []


def not_retained(candidate: Candidate, known: LastWord) -> list[Reason]:
    """Why the new baseline does not hold the file."""
    negative = [d for d in known.chain if d.stage is not Stage.RECONCILE and d.outcome not in _POSITIVE]
    return [candidate.inquiry.decided(d, known.index) for d in negative[-1:]]


def superseded(candidate: Candidate, index: int) -> list[Reason]:
    return [
        candidate.inquiry.decided(d, index)
        for d in candidate.inquiry.timeline.frame(index).decisions
        if d.outcome is Outcome.BASELINE_SUPERSEDED
    ][:1]


def because(candidate: Candidate, last: Decision, index: int) -> list[Reason]:
    """The sibling's own failure."""
    return [
        candidate.inquiry.decided(d, index)
        for d in candidate.inquiry.timeline.frame(index).decisions
        if d.path == last.facts.get("because") and d.outcome.value == last.facts.get("cause")
    ][:1]
