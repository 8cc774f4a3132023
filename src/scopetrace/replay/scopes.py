"""What every candidate is at a step, read off the loader's own decisions.

A candidate's state is what is in force, else the last thing that the loader decided about it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scopetrace.engine.links import real_place
from scopetrace.model import Action, CandidateState, Change, Decision, Fact, Outcome, Stage
from scopetrace.workspace.fs import FsError

from .replayed import Replayed, pass_at

LOOK_BACK = 40
"""Passes looked back at, at most, for the last word on a candidate."""
_STATES = {
    Outcome.DUPLICATE: Outcome.DUPLICATE,
    Outcome.REMOVED_DUPLICATE: Outcome.DUPLICATE,
    Outcome.OMITTED: Outcome.OMITTED,
    Outcome.HEADING_ONLY: Outcome.OMITTED,
    Outcome.NOTICE_ONLY: Outcome.OMITTED,
    Outcome.EXCLUDED: Outcome.OMITTED,
    Outcome.REMOVED_BUDGET: Outcome.OMITTED,
    Outcome.NOT_REPRESENTED: Outcome.OMITTED,
    Outcome.REMOVED_ABSENT: Outcome.REMOVED,
    Outcome.REMOVED_SUPERSEDED: Outcome.REMOVED,
}
_MOVES = frozenset(
    {
        Outcome.SET,
        Outcome.REPLACE,
        Outcome.REMOVED_ABSENT,
        Outcome.REMOVED_DUPLICATE,
        Outcome.REMOVED_BUDGET,
        Outcome.REMOVED_SUPERSEDED,
    }
)
_STAGES = {stage: number for number, stage in enumerate(Stage)}


@dataclass(slots=True)
class LastWord:
    """The last word on one candidate: its decisions in one pass, and the row of that pass."""

    index: int
    chain: list[Decision] = field(default_factory=list)

    @property
    def last(self) -> Decision:
        """The decision of the latest stage."""
        return max(enumerate(self.chain), key=lambda item: (_STAGES[item[1].stage], item[0]))[1]

    @property
    def size(self) -> int | None:
        """Bytes of the file, where a decision tells."""
        for decision in reversed(self.chain):
            size = decision.facts.get("size")
            if isinstance(size, int):
                return size
        return None

    @property
    def link(self) -> Mapping[str, Fact]:
        """Where a link leads, and whether it leaves the project root."""
        for decision in self.chain:
            if decision.facts.get("link"):
                return {"link": decision.facts["link"], "crosses": decision.facts.get("crosses", False)}
        return {}


def last_words(timeline: Replayed, index: int) -> dict[str, LastWord]:
    """The newest decisions about every candidate, up to ``index``; back to a pass that looked at everything."""
    known: dict[str, LastWord] = {}
    passes = timeline.passes
    place = bisect_right(passes, index) - 1
    for back in range(place, max(-1, place - LOOK_BACK), -1):
        row = passes[back]
        frame = timeline.frame(row)
        seen: dict[tuple[str, int], LastWord] = {}
        for decision in frame.decisions:
            if not decision.scope or decision.stage is Stage.LIFECYCLE:
                continue
            seen.setdefault((decision.scope, decision.pass_index), LastWord(row)).chain.append(decision)
        for (scope, _), words in sorted(seen.items(), key=lambda item: -item[0][1]):
            known.setdefault(scope, words)
        if "pre-step" in frame.operations and any(d.stage is Stage.RECONCILE for d in frame.decisions):
            break
    return known


class ScopeStates:
    """The state of any candidate after the row at ``index``.

    ``run`` does the arithmetic of paths; ``known`` is the last word on each candidate that the loader looked at;
    ``in_force`` the newest visible change of each scope; ``told`` the seq of the last message about it.
    """

    def __init__(self, timeline: Replayed, index: int) -> None:
        self.timeline = timeline
        self.index = index
        state = timeline.state(index)
        self.run = pass_at(timeline, index)
        self.known = last_words(timeline, index)
        self.in_force: Mapping[str, Change] = state.loader.fold.changes
        self.told = state.told
        self._here = {d.scope for d in timeline.frame(index).decisions if d.outcome in _MOVES}

    def candidate(self, scope: str) -> CandidateState:
        """What a candidate is now."""
        place = self.run.locate(scope)
        known = self.known.get(scope)
        change = self.in_force.get(scope)
        outcome, facts = self._outcome(scope, change, known)
        size = known.size if known is not None else None
        if size is None:
            size = self._size(place.absolute)
        facts |= known.link if known is not None else self._link(place.absolute)
        return CandidateState(
            scope,
            scope.partition("\0")[2],
            place.display if change is None else change.path,
            place.absolute,
            outcome,
            size if outcome is not Outcome.ABSENT else None,
            scope in self._here,
            MappingProxyType(facts),
        )

    def announcement(self, scope: str) -> tuple[int, tuple[Decision, ...]] | None:
        """The row of the last message about a scope, and what was decided about the scope when it was composed."""
        seq = self.told.get(scope)
        row = None if seq is None else self.timeline.index_of(seq)
        if row is None:
            return None
        return row, tuple(d for d in self.timeline.frame(row).decisions if d.scope == scope)

    def _outcome(self, scope: str, change: Change | None, known: LastWord | None) -> tuple[Outcome, dict[str, Fact]]:
        if change is not None and change.action is not Action.REMOVE:
            facts: dict[str, Fact] = {"digest": change.digest, "since": self.told.get(scope)}
            cut = self._cut(scope, known)
            if cut is not None:
                return Outcome.LOADED_CUT, {**facts, **cut.facts}
            return Outcome.LOADED, facts
        if known is None:
            if change is not None:
                return Outcome.REMOVED, {}
            if scope in self.told:
                return Outcome.SHADOWED, {"since": self.told[scope]}
            return (Outcome.NOT_REACHED, {"needs": scope.partition("\0")[0]})
        last = known.last
        if last.outcome in (Outcome.SET, Outcome.REPLACE, Outcome.UNCHANGED):
            # Decided, but not (or no longer) on the surface: waiting in the inbox, or shadowed since.
            return (Outcome.SHADOWED if scope in self.told else Outcome.CONTEXT_QUEUED), dict(last.facts)
        if last.outcome is Outcome.ABSENT and change is not None:
            return Outcome.REMOVED, dict(last.facts)
        return _STATES.get(last.outcome, last.outcome), dict(last.facts)

    def _cut(self, scope: str, known: LastWord | None) -> Decision | None:
        """The decision that cut the text in force: of the last pass, else of the message that announced it."""
        told = self.announcement(scope)
        chain = (*(known.chain if known is not None else ()), *(told[1] if told is not None else ()))
        if any(d.outcome is Outcome.WHOLE for d in chain):
            return None
        return next((d for d in chain if d.outcome is Outcome.TRUNCATED), None)

    def _link(self, absolute: str) -> dict[str, Fact]:
        """Where a file that nobody looked at yet really is, when links lead there."""
        try:
            stat = self.run.fs.stat(absolute)
        except FsError:
            return {}
        if stat is None:
            return {}
        link, outside = real_place(self.run.fs, absolute, stat.link_target, self.run.root, self.run.env.flavour)
        return {"link": link, "crosses": outside} if link else {}

    def _size(self, absolute: str) -> int | None:
        try:
            stat = self.run.fs.stat(absolute)
        except FsError:
            return None
        return stat.size if stat is not None else None
