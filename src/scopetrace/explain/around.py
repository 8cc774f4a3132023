"""What applies to a directory or to work on a file: what is in force, what a touch would add, what is not and why."""

from __future__ import annotations

from collections.abc import Iterator

from scopetrace.engine.paths import (
    USER_GLOBAL_FILE,
    ancestor_chain,
    candidate_scope_key,
    user_global_directories,
)
from scopetrace.model import Fact, Outcome
from scopetrace.replay.foresee import foresee

from . import history, names, proofs
from .answer import Applying, Evidence, Moment, Reason
from .candidate import Candidate, Finding
from .codes import Code, Kind, Standing
from .inquiry import Inquiry
from .spot import Relation, Spot, look

BELOW = 40
"""Candidates below a directory that an answer goes into, at most."""
_LOADED = (Standing.LOADED, Standing.LOADED_CUT)
_TOUCH_CODES = frozenset(outcome.value for outcome in Outcome if outcome.value.startswith("touch-"))


class Around:
    """The instruction files around one place. ``target`` is the file that would be worked on, if it is about one."""

    def __init__(self, inquiry: Inquiry, spot: Spot, target: str | None) -> None:
        self.inquiry = inquiry
        self.spot = spot
        self.target = target
        self.causes: list[Reason] = []
        self.problems: list[Reason] = []
        self.promises: list[Reason] = []
        self.notes: list[Reason] = []
        self.evidence: list[Evidence] = []
        self.moments: list[Moment] = []
        self.applies: list[Applying] = []
        self.would: list[Applying] = []

    def explain(self) -> Standing:
        """Fill in everything; the verdict."""
        scopes = list(dict.fromkeys(self._scopes()))
        for scope in scopes:
            self._take(scope, applies=True)
        if self.target is None:
            for scope in self._below(set(scopes)):
                self._take(scope, applies=False)
            self._names()
        self._above()
        if self.spot.relation in (Relation.ASIDE, Relation.OUTSIDE):
            self._beyond()
        self._touches()
        self._would(scopes)
        return self._conclude()

    def _scopes(self) -> Iterator[str]:
        """Candidates that could apply: user-global ones, then those on the way down to the place."""
        run, flavour = self.inquiry.run, self.inquiry.run.env.flavour
        for directory in user_global_directories(shared_root=run.profile.shared_root):
            yield candidate_scope_key(directory, USER_GLOBAL_FILE)
        if self.spot.relation is Relation.OUTSIDE:
            return
        for absolute in ancestor_chain(run.root, flavour.resolve(self.spot.directory), flavour=flavour):
            yield from run.scopes_in(run.scope_directory(absolute))

    def _below(self, known: set[str]) -> Iterator[str]:
        """Candidates below a directory that the loader has dealt with, and those that wait for a touch."""
        if self.spot.relation is Relation.OUTSIDE:
            return
        run, states = self.inquiry.run, self.inquiry.states
        top = run.scope_directory(self.spot.directory)
        found = [s for s in (*states.in_force, *states.told, *states.known) if s.partition("\0")[2]]
        homes = set(user_global_directories(shared_root=run.profile.shared_root))
        below = [s for s in dict.fromkeys(found) if s.partition("\0")[0] not in homes]
        below = [s for s in below if top == "." or s.startswith(f"{top}{run.env.flavour.sep}")]
        if self.spot.relation is not Relation.ASIDE:
            from scopetrace.replay.tree import Walk

            start = self.spot.directory if self.spot.relation is Relation.BELOW else run.cwd
            for directory, present in Walk(run, self.inquiry.fs).unreached(start):
                below += [candidate_scope_key(directory, name) for name in present]
                if len(below) > BELOW * 4:
                    break
        yield from [scope for scope in dict.fromkeys(below) if scope not in known][:BELOW]

    def _take(self, scope: str, *, applies: bool) -> None:
        candidate = Candidate(self.inquiry, scope)
        finding = candidate.find()
        loaded = finding.standing in _LOADED
        if loaded and applies:
            self.applies.append(applying(self.inquiry, candidate, finding))
        missing = candidate.stat is None and candidate.link is None and not candidate.failure
        if not loaded and missing and scope not in self.inquiry.states.told:
            return
        self.moments += [self._named(moment, candidate) for moment in candidate.moments()]
        if loaded:
            self.notes += [c for c in finding.causes if c.code in _REMARKS] + proofs.link_notes(candidate)
            if finding.standing is Standing.LOADED_CUT:
                self.notes.append(next(c for c in finding.causes if c.code == Outcome.TRUNCATED))
        else:
            self.problems += [c for c in finding.causes if c.code not in _ORIGINS]
        self.evidence += [e for e in finding.evidence if not (loaded and e.kind in (Kind.FILE, Kind.TOLD))]

    def _named(self, moment: Moment, candidate: Candidate) -> Moment:
        """A moment of one of several files says which."""
        facts: dict[str, Fact] = {"file": candidate.state.path, **moment.facts}
        return Moment(
            kind=moment.kind,
            sentence=f"{candidate.state.path}: {moment.sentence}",
            facts=facts,
            seq=moment.seq,
            later=moment.later,
        )

    def _names(self) -> None:
        """Files that look like candidates on the way to the place, and are none."""
        run, flavour = self.inquiry.run, self.inquiry.run.env.flavour
        if self.spot.relation is Relation.OUTSIDE:
            return
        for directory in ancestor_chain(run.root, flavour.resolve(self.spot.directory), flavour=flavour):
            for absolute, reason in names.names_near(self.inquiry, directory):
                self.problems.append(reason)
                self.evidence.append(names.near_evidence(self.inquiry, absolute, reason))

    def _above(self) -> None:
        """Candidates above the project root: never looked for."""
        run, flavour = self.inquiry.run, self.inquiry.run.env.flavour
        if self.spot.relation is Relation.OUTSIDE:
            return
        directory = run.root
        while flavour.dirname(directory) != directory:
            directory = flavour.dirname(directory)
            for name in run.names:
                absolute = flavour.join(directory, name)
                stat, _, _ = look(self.inquiry.fs, absolute)
                if stat is not None and stat.kind == "file":
                    self.problems.append(self.inquiry.root_reason(absolute, absolute))
        if any(p.code == Code.OUTSIDE_ROOT for p in self.problems) or self.target is None:
            self.evidence += self.inquiry.root_evidence()
            found = self.inquiry.root_decision()
            self.notes += [self.inquiry.decided(*found)] if found is not None else []

    def _beyond(self) -> None:
        """The place itself lies where the loader does not go."""
        spot = self.spot
        if spot.relation is Relation.OUTSIDE:
            self.causes.append(self.inquiry.root_reason(spot.display, spot.absolute))
            self.evidence += self.inquiry.root_evidence()
            return
        run = self.inquiry.run
        directory = run.scope_directory(spot.directory)
        facts: dict[str, Fact] = {"cwd": run.cwd, "root": run.root, "directory": directory}
        self.causes.append(self.inquiry.reason(Code.OUTSIDE_CWD, facts, path=spot.display, absolute=spot.absolute))

    def _touches(self) -> None:
        """Calls about a file that were no touches come first: they are why nothing more is loaded."""
        if self.target is None:
            return
        found = list(history.touches(self.inquiry, self.target, self.inquiry.index))
        refused = [t for t in found if t.outcome is not Outcome.TOUCH_ACCEPTED]
        if refused and refused[-1] is found[-1]:
            self.causes.insert(0, proofs.refusal(self.inquiry, refused[-1]))
        self.evidence += [proofs.touch_evidence(self.inquiry, touch) for touch in found[-3:]]

    def _would(self, scopes: list[str]) -> None:
        """What a touch of the file, or of one in the directory, would load beyond what is in force."""
        if self.spot.relation is not Relation.BELOW:
            return
        flavour = self.inquiry.run.env.flavour
        touched = self.target or flavour.join(self.spot.directory, "any-file")
        sets = foresee(self.inquiry.timeline, self.inquiry.index, touched).sets()
        for scope in scopes:
            if scope in sets:
                candidate = Candidate(self.inquiry, scope)
                self.would.append(applying(self.inquiry, candidate, candidate.find()))
        if self.would:
            shown = self.spot.display if self.target else f"a file in {self.spot.display}"
            facts: dict[str, Fact] = {
                "count": len(self.would),
                "touched": shown,
                "paths": tuple(one.path for one in self.would),
            }
            reason = self.inquiry.reason(Code.WOULD_LOAD, facts, path=self.spot.display, absolute=self.spot.absolute)
            self.promises.append(reason)

    def _conclude(self) -> Standing:
        blocked = self.inquiry.blocked
        if self.applies:
            facts: dict[str, Fact] = {
                "count": len(self.applies),
                "paths": tuple(one.path for one in self.applies),
            }
            reason = self.inquiry.reason(Code.FILES_APPLY, facts, path=self.spot.display, absolute=self.spot.absolute)
            place = 1 if self.causes and self.causes[0].code in _TOUCH_CODES else 0
            self.causes.insert(place, reason)
            self.causes += [*self.promises, *self.problems, *self.notes]
            return Standing.APPLIES
        self.causes += [*self.problems, *self.promises, *self.notes]
        if not self.causes or all(cause.code in _ROOTS for cause in self.causes):
            facts = {"root": self.inquiry.run.root}
            code: str = Code.NO_CANDIDATE
            found = self.inquiry.reason(code, facts, path=self.spot.display, absolute=self.spot.absolute)
            if blocked is not None:
                found = self.inquiry.decided(*blocked)
            elif self.inquiry.last_pass is None:
                found = self.inquiry.reason(Code.NOT_LOOKED_YET, facts, path=self.spot.display)
            self.causes.insert(0, found)
        return Standing.NOTHING_APPLIES


_REMARKS = frozenset(
    {
        Code.LINK_AS_TEXT.value,
        Code.IMPORT_LINE.value,
        Code.TAG_ESCAPED.value,
        Code.CAME_BACK.value,
        Code.SAME_TEXT.value,
        Code.CHANGED_SINCE.value,
        Code.GONE_SINCE.value,
        Outcome.REPLACE.value,
    }
)
_ROOTS = frozenset({Outcome.MARKER_FOUND.value, Outcome.NO_MARKER.value})
_ORIGINS = frozenset({Code.FROM_CHAIN.value, Code.FROM_HOME.value, *_ROOTS})


def applying(inquiry: Inquiry, candidate: Candidate, finding: Finding) -> Applying:
    """A candidate as one that applies, or would."""
    state = candidate.state
    since = state.facts.get("since")
    outcome = state.outcome.value if finding.standing in _LOADED else finding.causes[0].code
    return Applying(
        directory=candidate.scope.partition("\0")[0],
        name=state.name,
        path=state.path,
        absolute_path=state.absolute_path,
        code=outcome,
        size=state.size,
        seq=since if isinstance(since, int) else None,
    )
