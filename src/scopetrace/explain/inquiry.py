"""One question in the making: the timeline, the step, and what every part of an answer is made with."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from scopetrace.engine.text import sha1_hex
from scopetrace.model import CandidateState, Decision, Fact, Outcome
from scopetrace.replay.replayed import Replayed
from scopetrace.replay.scopes import ScopeStates

from . import sentences
from .answer import Evidence, Moment, Reason
from .codes import Code, Kind, When

NOT_TEXT = 1 << 20
"""Bytes of a file that are looked at for import lines and the like, at most."""
_BLOCKING = (
    Outcome.BUDGET_DISABLED,
    Outcome.NO_PROVIDER,
    Outcome.PASS_FAILED,
    Outcome.PASS_ABORTED,
    Outcome.MARKER_UNAVAILABLE,
)


class Inquiry:
    """Reads states, decisions and files of one step; decides nothing itself."""

    def __init__(self, timeline: Replayed, index: int) -> None:
        self.timeline = timeline
        self.index = index
        self.states = ScopeStates(timeline, index)
        self.run = self.states.run
        self.fs = self.run.fs
        self._texts: dict[str, str | None] = {}

    def seq(self, index: int) -> int | None:
        """The event of a row, ``None`` for a gap."""
        seq = self.timeline.row(index).seq
        return seq if seq >= 0 else None

    @cached_property
    def last_pass(self) -> int | None:
        """The row of the latest look at files."""
        passes = self.timeline.passes
        place = bisect_right(passes, self.index) - 1
        return passes[place] if place >= 0 else None

    @cached_property
    def blocked(self) -> tuple[Decision, int] | None:
        """The decision that kept the latest pass from looking at files at all, and its row."""
        if self.last_pass is None:
            return None
        decisions = self.timeline.frame(self.last_pass).decisions
        found = next((d for wanted in _BLOCKING for d in reversed(decisions) if d.outcome is wanted), None)
        return None if found is None else (found, self.last_pass)

    def state(self, scope: str) -> CandidateState:
        """What a candidate is."""
        return self.states.candidate(scope)

    def root_decision(self) -> tuple[Decision, int] | None:
        """The newest decision about the project root, and its row."""
        passes = self.timeline.passes
        place = bisect_right(passes, self.index) - 1
        for back in range(place, max(-1, place - 20), -1):
            for decision in reversed(self.timeline.frame(passes[back]).decisions):
                if decision.outcome in (Outcome.MARKER_FOUND, Outcome.NO_MARKER):
                    return decision, passes[back]
        return None

    def text(self, absolute: str) -> str | None:
        """Text of a file at this step, as the loader would decode it."""
        if absolute not in self._texts:
            self._texts[absolute] = self.timeline.file_text(absolute, self.index)
        return self._texts[absolute]

    def digest(self, absolute: str) -> str | None:
        """SHA-1 of a file's text at this step."""
        text = self.text(absolute)
        return None if text is None else sha1_hex(text)

    # -- parts of an answer

    def reason(
        self,
        code: str,
        facts: Mapping[str, Fact],
        *,
        path: str = "",
        absolute: str = "",
        index: int | None = None,
    ) -> Reason:
        """A cause. ``index`` is the row where it was decided."""
        seq = None if index is None else self.seq(index)
        facts = {**facts, "path": path or facts.get("path")}
        told = {key: value for key, value in facts.items() if value is not None}
        return Reason(
            code=str(code),
            sentence=sentences.cause(code, told),
            facts=told,
            path=path,
            absolute_path=absolute,
            seq=seq,
        )

    def decided(self, decision: Decision, index: int, code: str = "", **more: Fact) -> Reason:
        """A decision of the loader as a cause."""
        facts = {**decision.facts, "name": decision.name or None, "directory": decision.directory or None, **more}
        return self.reason(
            code or decision.outcome.value,
            facts,
            path=decision.path,
            absolute=decision.absolute_path,
            index=index,
        )

    def evidence(
        self, kind: Kind, facts: Mapping[str, Fact], *, absolute: str = "", index: int | None = None
    ) -> Evidence:
        """Something to look at."""
        told = {key: value for key, value in facts.items() if value is not None}
        return Evidence(
            kind=kind.value,
            sentence=sentences.evidence(kind, told),
            facts=told,
            absolute_path=absolute,
            seq=None if index is None else self.seq(index),
        )

    def event(self, index: int) -> Evidence:
        """An event as evidence."""
        row = self.timeline.row(index)
        return self.evidence(Kind.EVENT, {"label": row.label, "text": row.text.partition("\n")[0][:120]}, index=index)

    def moment(self, kind: When, facts: Mapping[str, Fact], *, index: int | None = None) -> Moment:
        """When something happened, or would."""
        told = {key: value for key, value in facts.items() if value is not None}
        return Moment(
            kind=kind.value,
            sentence=sentences.moment(kind, told),
            facts=told,
            seq=None if index is None else self.seq(index),
            later=index is not None and index > self.index,
        )

    def root_reason(self, path: str, absolute: str) -> Reason:
        """Why a path lies outside of the project: where its root is, and by which marker."""
        found = self.root_decision()
        facts: dict[str, Fact] = {"root": self.run.root, "cwd": self.run.cwd}
        index = None
        if found is not None:
            decision, index = found
            facts |= {key: decision.facts.get(key) for key in ("marker", "markers")}
            facts["unmarked"] = decision.outcome is Outcome.NO_MARKER
        return self.reason(Code.OUTSIDE_ROOT, facts, path=path, absolute=absolute, index=index)

    def root_evidence(self) -> list[Evidence]:
        """The project root with the marker that makes it one, and what kind of thing that is."""
        found = self.root_decision()
        if found is None:
            return []
        decision, index = found
        facts: dict[str, Fact] = {"root": self.run.root, "markers": decision.facts.get("markers")}
        place = self.run.root
        marker = decision.facts.get("marker")
        if isinstance(marker, str):
            from .spot import look

            place = self.run.env.flavour.join(self.run.root, marker)
            stat = look(self.fs, place)[0]
            facts |= {"marker": marker, "kind": stat.kind if stat is not None else None}
        facts["unmarked"] = decision.outcome is Outcome.NO_MARKER
        return [self.evidence(Kind.ROOT, facts, absolute=place, index=index)]
