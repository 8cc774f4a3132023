"""Why a candidate is loaded, or not: its state, the decisions behind it, and the files as they are."""

from __future__ import annotations

from typing import NamedTuple

from scopetrace.model import CandidateState, Fact, Outcome
from scopetrace.replay.scopes import LastWord

from . import behind, history, proofs, texts
from .answer import Evidence, Moment, Reason
from .codes import Code, Kind, Standing, When
from .inquiry import Inquiry
from .spot import Relation, look, relation_of

_REFUSED = (
    Outcome.TOUCH_ERROR,
    Outcome.TOUCH_ABORTED,
    Outcome.TOUCH_OTHER_TOOL,
    Outcome.TOUCH_OUTSIDE,
    Outcome.TOUCH_BAD_ARGUMENTS,
)
_SIBLING = (Outcome.HELD_BACK, Outcome.UNREACHED_IN_GROUP)


class Finding(NamedTuple):
    """What was found out about one candidate."""

    standing: Standing
    state: CandidateState
    causes: list[Reason]
    evidence: list[Evidence]


class Candidate:
    """One candidate under inquiry."""

    def __init__(self, inquiry: Inquiry, scope: str) -> None:
        self.inquiry = inquiry
        self.scope = scope
        self.place = inquiry.run.locate(scope)
        flavour = inquiry.run.env.flavour
        self.directory = flavour.dirname(self.place.absolute)
        home = scope.partition("\0")[0] in ("user-global", "agents-global")
        self.relation = Relation.HOME if home else relation_of(inquiry.run, self.directory)
        self.state = inquiry.state(scope)
        self.known: LastWord | None = inquiry.states.known.get(scope)
        self.stat, self.link, self.failure = look(inquiry.fs, self.place.absolute)

    def find(self) -> Finding:
        """Verdict, causes and evidence."""
        standing, causes, evidence = self._found()
        return Finding(standing, self.state, causes, [*evidence, *proofs.file(self)])

    def moments(self) -> list[Moment]:
        """What happened to it and what would happen next; the latter only where it is not loaded as it is."""
        found = history.moments(self.inquiry, self.scope)
        loaded = self.state.outcome in (Outcome.LOADED, Outcome.LOADED_CUT)
        if loaded and not self._fresh():
            row = history.changed(self.inquiry, self.scope, self.inquiry.index)
            seq = None if row is None else self.inquiry.seq(row)
            known = any(m.kind == When.CHANGED and m.seq == seq for m in found)
            found += [] if row is None or known else [self.inquiry.moment(When.CHANGED, {}, index=row)]
        if self.stat is not None and not (loaded and self._fresh()):
            found += history.coming(self.inquiry, self.scope, self.relation)
        return found

    # -- verdicts

    def _found(self) -> tuple[Standing, list[Reason], list[Evidence]]:
        outcome = self.state.outcome
        if outcome in (Outcome.LOADED, Outcome.LOADED_CUT):
            return self._loaded()
        blocked = self.inquiry.blocked
        if blocked is not None and (self.known is None or self.known.index < blocked[1]):
            return Standing.NOT_LOADED, [self.inquiry.decided(*blocked)], []
        if outcome is Outcome.SHADOWED:
            return self._shadowed()
        if self.known is None and self.scope not in self.inquiry.states.told:
            return Standing.NOT_LOADED, *self._unreached()
        if outcome is Outcome.CONTEXT_QUEUED:
            reason = self._reason(Outcome.CONTEXT_QUEUED, {}, self.known.index if self.known else None)
            return Standing.WAITING, [reason, *self._origin(self.known)], []
        if self.known is None:
            return Standing.WITHDRAWN, [self._reason(outcome, {**self.state.facts}, None)], []
        return self._refused(self.known)

    def _reason(self, code: str, facts: dict[str, Fact], index: int | None) -> Reason:
        shown = self.state.path
        name = self.scope.partition("\0")[2]
        return self.inquiry.reason(
            code, {"name": name, "directory": self._shown_directory(), **facts}, path=shown,
            absolute=self.place.absolute, index=index,
        )  # fmt: skip

    def _shown_directory(self) -> str:
        directory = self.scope.partition("\0")[0]
        return directory if directory != "." else "the project root"

    def _fresh(self) -> bool:
        digest = self.state.facts.get("digest")
        return digest is None or self.inquiry.digest(self.place.absolute) == digest

    def _loaded(self) -> tuple[Standing, list[Reason], list[Evidence]]:
        inquiry, state = self.inquiry, self.state
        told = inquiry.states.announcement(self.scope)
        since = state.facts.get("since")
        row, decisions = told if told is not None else (None, ())
        size = next((d.facts.get("size") for d in decisions if d.outcome is Outcome.READ), state.size)
        replaced = next((d for d in decisions if d.outcome is Outcome.REPLACE), None)
        evidence: list[Evidence] = []
        causes: list[Reason] = []
        if state.outcome is Outcome.LOADED_CUT:
            facts = {**state.facts, "limit": state.facts.get("limit", inquiry.run.config.max_bytes)}
            causes.append(self._reason(Outcome.TRUNCATED, facts, row))
            included = state.facts.get("included")
            if isinstance(included, int) and self._fresh():
                found = texts.cut(inquiry, state.path, self.place.absolute, included)
                evidence += [found] if found is not None else []
        elif replaced is not None:
            causes.append(self._reason(Outcome.REPLACE, {**replaced.facts, "size": size, "since": since}, row))
        else:
            causes.append(self._reason(Outcome.LOADED, {**state.facts, "size": size}, row))
        stale = self._stale(since, row)
        notes, lines = texts.notes(inquiry, state.path, self.place.absolute) if self._fresh() else ([], [])
        first = [note for note in notes if self._matters_most(note)]
        causes = [*stale, *first, *causes, *(note for note in notes if note not in first)]
        causes += self._came_back()
        causes += self._origin(LastWord(row, list(decisions)) if row is not None else None)
        causes += self._same_text()
        evidence += [*lines, *proofs.told(self, row, size), *proofs.budget(self, row)]
        return (Standing.LOADED_CUT if state.outcome is Outcome.LOADED_CUT else Standing.LOADED), causes, evidence

    def _matters_most(self, note: Reason) -> bool:
        """A link checked out as text, or nothing but import lines: that is what the question is about."""
        if note.code == Code.LINK_AS_TEXT:
            return True
        return note.code == Code.IMPORT_LINE and texts.only_imports(self.inquiry.text(self.place.absolute) or "")

    def _stale(self, since: Fact, row: int | None) -> list[Reason]:
        if self.stat is None and not self.failure:
            return [self._reason(Code.GONE_SINCE, {"since": since}, row)]
        now = self.inquiry.digest(self.place.absolute)
        if now is None or self._fresh():
            return []
        facts: dict[str, Fact] = {"digest": now, "before": self.state.facts.get("digest"), "since": since}
        return [self._reason(Code.CHANGED_SINCE, facts, row)]

    def _came_back(self) -> list[Reason]:
        """Whether it was hidden before it was announced last."""
        past = [m for m in history.moments(self.inquiry, self.scope) if not m.later]
        hidden = [place for place, m in enumerate(past) if m.kind == When.HIDDEN]
        if not hidden or hidden[-1] + 1 >= len(past):
            return []
        back = past[hidden[-1] + 1]
        nested = self.relation is Relation.BELOW
        facts: dict[str, Fact] = {"by": past[hidden[-1]].seq, "since": back.seq, "touched": nested, "alone": not nested}
        row = None if back.seq is None else self.inquiry.timeline.index_of(back.seq)
        return [self._reason(Code.CAME_BACK, facts, row)]

    def _row(self, reason: Reason, otherwise: int) -> int:
        found = None if reason.seq is None else self.inquiry.timeline.index_of(reason.seq)
        return otherwise if found is None else found

    def _same_text(self) -> list[Reason]:
        digest = self.state.facts.get("digest")
        group = self.inquiry.run.group(self.scope.partition("\0")[0])
        for scope, change in self.inquiry.states.in_force.items():
            other = self.inquiry.run.group(scope.partition("\0")[0])
            if digest and change.digest == digest and scope != self.scope and other != group:
                return [self._reason(Code.SAME_TEXT, {"other": change.path, "digest": digest}, None)]
        return []

    def _shadowed(self) -> tuple[Standing, list[Reason], list[Evidence]]:
        inquiry = self.inquiry
        row = inquiry.timeline.index_of(inquiry.states.told[self.scope])
        by = None if row is None else inquiry.timeline.shadowed_by(row, inquiry.index)
        at = None if by is None else inquiry.timeline.index_of(by)
        facts: dict[str, Fact] = {"by": by, "since": inquiry.states.told[self.scope]}
        evidence = [] if at is None else [inquiry.event(at)]
        return Standing.SHADOWED, [self._reason(Outcome.SHADOWED, facts, at)], evidence

    # -- what was never announced

    def _unreached(self) -> tuple[list[Reason], list[Evidence]]:
        inquiry = self.inquiry
        missing = self.stat is None and not self.failure
        if self.relation is Relation.OUTSIDE:
            return [inquiry.root_reason(self.state.path, self.place.absolute)], inquiry.root_evidence()
        if self.relation is Relation.ASIDE:
            facts: dict[str, Fact] = {"cwd": inquiry.run.cwd, "root": inquiry.run.root}
            return [self._reason(Code.OUTSIDE_CWD, facts, None), *self._touched()], self._touch_evidence()
        if inquiry.last_pass is None:
            return [self._reason(Code.NOT_LOOKED_YET, {}, None)], []
        if missing:
            code = Code.LINK_DANGLING if self.link is not None else Code.NO_SUCH_PATH
            return [self._reason(code, {"target": self.link}, None)], []
        if self.relation is not Relation.BELOW:
            return [self._reason(Code.NOT_LOOKED_YET, {}, None)], []
        facts = {"needs": self.scope.partition("\0")[0]}
        waits = self._reason(Outcome.NOT_REACHED, facts, None)
        earlier = self._earlier()
        if earlier is not None:
            # A touch led here once, but nothing came of it, and the loader does not remember such directories.
            _, causes, evidence = self._refused(earlier)
            return [*causes, waits], [*evidence, *self._touch_evidence()]
        return [waits, *self._touched()], self._touch_evidence()

    def _earlier(self) -> LastWord | None:
        """What the loader decided when a touch last led it here, if it took anything for a file."""
        accepted = [touch.row for touch in self._touches() if touch.outcome is Outcome.TOUCH_ACCEPTED]
        if not accepted:
            return None
        for row in [row for row in self.inquiry.timeline.passes if accepted[-1] <= row <= self.inquiry.index][:3]:
            chain = [d for d in self.inquiry.timeline.frame(row).decisions if d.scope == self.scope]
            if chain:
                word = LastWord(row, chain)
                return None if word.last.outcome in (Outcome.SET, Outcome.REPLACE) else word
        return None

    def _touches(self) -> list[history.Touch]:
        return list(history.touches(self.inquiry, self.directory, self.inquiry.index))

    def _touched(self) -> list[Reason]:
        """Calls about the directory that were no touches: the newest of each sort."""
        newest = {touch.outcome: touch for touch in self._touches() if touch.outcome in _REFUSED}
        return [proofs.refusal(self.inquiry, touch) for touch in newest.values()]

    def _touch_evidence(self) -> list[Evidence]:
        return [proofs.touch_evidence(self.inquiry, touch) for touch in self._touches()[-3:]]

    # -- what was looked at and not loaded

    def _refused(self, known: LastWord) -> tuple[Standing, list[Reason], list[Evidence]]:
        last, index = known.last, known.index
        standing = Standing.WITHDRAWN if self._withdrawn() else Standing.NOT_LOADED
        evidence: list[Evidence] = []
        facts: dict[str, Fact] = {"size": known.size, "limit": self.inquiry.run.config.max_bytes, **last.facts}
        if last.outcome is Outcome.ABSENT:
            return standing, *self._absent(index)
        if last.outcome is Outcome.NOT_A_FILE and self.link is not None:
            code: str = Code.LINK_TO_OTHER
            facts |= {"target": self.link}
            evidence.append(self.inquiry.evidence(Kind.LINK, {"path": self.state.path, "target": self.link}))
        else:
            code = last.outcome
        causes = [self._reason(code, facts, index)]
        if last.outcome is Outcome.REMOVED_DUPLICATE:
            causes += [self.inquiry.decided(d, index) for d in known.chain if d.outcome is Outcome.DUPLICATE]
        if last.outcome in (Outcome.EXCLUDED, Outcome.REMOVED_BUDGET, Outcome.NOT_REPRESENTED):
            # The budget comes first: that the scope stays out follows from it.
            causes = [*behind.left_out(self, known), *causes]
        if last.outcome in _SIBLING:
            causes += behind.because(self, last, index)
        if last.outcome is Outcome.REMOVED_SUPERSEDED:
            causes = [*behind.not_retained(self, known), *causes, *behind.superseded(self, index)]
            evidence += proofs.settings(self, index)
        causes += self._origin(known)
        evidence += [*proofs.sibling(self, last, index), *proofs.budget(self, self._row(causes[0], index))]
        return standing, causes, evidence

    def _withdrawn(self) -> bool:
        change = self.inquiry.states.in_force.get(self.scope)
        return change is not None and change.action.value == "remove"

    def _absent(self, index: int) -> tuple[list[Reason], list[Evidence]]:
        if self.link is not None and self.stat is None:
            facts: dict[str, Fact] = {"path": self.state.path, "target": self.link}
            found = self.inquiry.evidence(Kind.LINK, facts, absolute=self.place.absolute)
            return [self._reason(Code.LINK_DANGLING, {"target": self.link}, index)], [found]
        if self.stat is not None and self.stat.kind == "file":
            return [self._reason(Code.APPEARED_SINCE, {"since": self.inquiry.seq(index)}, index)], []
        if self._withdrawn():
            return [self._reason(Outcome.REMOVED_ABSENT, {}, index)], []
        return [self._reason(Outcome.ABSENT, {}, index)], []

    # -- evidence and origin

    def _origin(self, known: LastWord | None) -> list[Reason]:
        """Why the loader looked here at all."""
        run = self.inquiry.run
        if self.relation is Relation.HOME:
            own = self.scope.startswith("user-global\0")
            return [
                self._reason(Code.FROM_HOME, {"label": run.homes.dsh_label if own else run.homes.agents_label}, None)
            ]
        if self.relation is Relation.CHAIN:
            found = self.inquiry.root_decision()
            top = self.directory == run.root
            facts: dict[str, Fact] = {"root": run.root, "cwd": run.cwd, "top": top, "below": not top}
            causes = [self._reason(Code.FROM_CHAIN, facts, None)]
            if found is not None:
                causes.append(self.inquiry.decided(*found))
            return causes
        touch = None if known is None else history.led_by(self.inquiry, self.scope, known.index)
        if touch is None:
            return []
        return [
            self._reason(Code.FROM_TOUCH, {"tool": touch.tool, "touched": proofs.shown(self.inquiry, touch)}, touch.row)
        ]
