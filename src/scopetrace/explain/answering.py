"""``why``: one question about a path at a step, and its answer."""

from __future__ import annotations

from scopetrace.model import Fact, Outcome, Verdict
from scopetrace.replay.replayed import Replayed

from . import proofs, sentences, texts
from .answer import Answer, Applying, Evidence, Moment, Reason
from .candidate import Candidate
from .codes import Code, Standing, Subject
from .inquiry import Inquiry
from .spot import Relation, Spot, find, home_of

_DISAGREE = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)


def why(timeline: Replayed, path: str, *, at: int | None = None) -> Answer:
    """Why ``path`` is loaded or not after the row ``at`` (default: the last), or what applies there.

    ``path`` is absolute, begins with ``~/``, is relative to the working directory of that step, or is written as a
    report shows it. Any path is answered: a candidate, a name that is none, a directory, a source file, a path that
    does not exist or lies outside of the project. Raises :class:`IndexError` for a row that does not exist.
    """
    index = len(timeline) - 1 if at is None else at
    if not 0 <= index < len(timeline):
        raise IndexError(index)
    inquiry = Inquiry(timeline, index)
    spot = find(inquiry.states, path)
    if spot.scope:
        return _candidate(inquiry, spot)
    if spot.is_directory:
        return _around(inquiry, spot, Subject.DIRECTORY)
    from . import names  # regular expressions and more: most questions do without

    reason = names.name_reason(inquiry, spot.display, spot.absolute)
    outside = spot.relation is Relation.OUTSIDE and spot.name in inquiry.run.names
    mentioned = None if spot.stat is None or reason is not None else texts.mentioned_by(inquiry, spot.absolute)
    if reason is not None or outside or mentioned is not None:
        return _other_name(inquiry, spot, reason or mentioned)
    missing = spot.stat is None and not spot.failure
    return _around(inquiry, spot, Subject.MISSING if missing else Subject.FILE)


def _candidate(inquiry: Inquiry, spot: Spot) -> Answer:
    candidate = Candidate(inquiry, spot.scope)
    finding = candidate.find()
    causes, evidence = [*finding.causes, *proofs.link_notes(candidate)], list(finding.evidence)
    if causes[0].code in (Outcome.ABSENT, Code.NO_SUCH_PATH):
        from . import names

        for absolute, reason in names.names_near(inquiry, candidate.directory):
            # The one that was meant for this name first.
            causes.insert(1 if reason.facts.get("wanted") == spot.name else len(causes), reason)
            evidence.append(names.near_evidence(inquiry, absolute, reason))
    if finding.standing in (Standing.LOADED, Standing.LOADED_CUT):
        causes += _record(inquiry, spot.scope)
    shown = spot._replace(display=candidate.state.path)
    return _answer(inquiry, shown, Subject.CANDIDATE, finding.standing, causes, evidence, candidate.moments())


def _record(inquiry: Inquiry, scope: str) -> list[Reason]:
    """Whether the session recorded another message than the one that this answer rests on."""
    since = inquiry.states.told.get(scope)
    for comparison in inquiry.timeline.comparisons:
        if comparison.seq == since and comparison.verdict in _DISAGREE:
            index = inquiry.timeline.index_of(comparison.seq)
            return [inquiry.reason(Code.RECORD_DIFFERS, {"since": since}, index=index)]
    return []


def _other_name(inquiry: Inquiry, spot: Spot, reason: Reason | None) -> Answer:
    causes = [reason] if reason is not None else []
    evidence: list[Evidence] = []
    if spot.relation is Relation.OUTSIDE and not home_of(inquiry.run, spot.directory):
        causes.append(inquiry.root_reason(spot.display, spot.absolute))
        evidence += inquiry.root_evidence()
        found = inquiry.root_decision()
        if spot.name in inquiry.run.names:
            # The name is right, only the place is not: that comes first.
            causes.sort(key=lambda cause: cause.code != Code.OUTSIDE_ROOT)
        causes += [inquiry.decided(*found)] if found is not None else []
    if spot.stat is None and not spot.failure:
        code = Code.LINK_DANGLING if spot.link is not None else Code.NO_SUCH_PATH
        causes.append(inquiry.reason(code, {"target": spot.link}, path=spot.display, absolute=spot.absolute))
    else:
        from .names import near_evidence

        evidence.append(near_evidence(inquiry, spot.absolute, causes[0]))
    return _answer(inquiry, spot, Subject.OTHER_NAME, Standing.NOT_LOADED, causes, evidence, [])


def _around(inquiry: Inquiry, spot: Spot, subject: Subject) -> Answer:
    from .around import Around

    around = Around(inquiry, spot, None if subject is Subject.DIRECTORY else spot.absolute)
    standing = around.explain()
    causes = around.causes
    if subject is Subject.MISSING:
        facts: dict[str, Fact] = {"target": spot.link}
        code = Code.LINK_DANGLING if spot.link is not None else Code.NO_SUCH_PATH
        causes.append(inquiry.reason(code, facts, path=spot.display, absolute=spot.absolute))
    return _answer(
        inquiry, spot, subject, standing, causes, around.evidence, around.moments, around.applies, around.would
    )


def _answer(
    inquiry: Inquiry,
    spot: Spot,
    subject: Subject,
    standing: Standing,
    causes: list[Reason],
    evidence: list[Evidence],
    moments: list[Moment],
    applies: list[Applying] | None = None,
    would: list[Applying] | None = None,
) -> Answer:
    first, *others = causes = _once(causes)
    row = inquiry.timeline.row(inquiry.index)
    return Answer(
        question=spot.asked,
        path=spot.display,
        absolute_path=spot.absolute,
        subject=subject.value,
        at=inquiry.index,
        seq=row.seq,
        cwd=inquiry.run.cwd,
        project_root=inquiry.run.root,
        profile=inquiry.run.profile.name,
        standing=standing.value,
        code=first.code,
        headline=sentences.headline(standing, causes, next((c for c in others if _tells(standing, c)), None)),
        causes=tuple(causes),
        evidence=_distinct(evidence),
        when=tuple(sorted(moments, key=lambda m: (m.seq is None, m.seq or 0))),
        applies=tuple(applies or ()),
        would_load=tuple(would or ()),
    )


_BACKGROUND = frozenset(
    {
        Code.FROM_CHAIN.value,
        Code.FROM_HOME.value,
        Outcome.MARKER_FOUND.value,
        Outcome.NO_MARKER.value,
        Outcome.REPLACE.value,
    }
)


_ORIGINS = frozenset({Code.FROM_CHAIN.value, Code.FROM_HOME.value, Code.FROM_TOUCH.value})


def _tells(standing: Standing, cause: Reason) -> bool:
    """Whether a later cause is worth a place in the headline."""
    if standing is Standing.APPLIES:
        return cause.code not in _BACKGROUND
    if standing is Standing.LOADED and cause.code in _ORIGINS:
        return True
    return cause.code.startswith("touch-") or cause.code in (Code.OTHER_CASE, Code.LINK_FOLLOWED, Code.CAME_BACK)


def _once(causes: list[Reason]) -> list[Reason]:
    """Each cause once, the first of equals."""
    found: dict[tuple[str, str], Reason] = {}
    for cause in causes:
        found.setdefault((cause.code, cause.sentence), cause)
    return list(found.values())


def _distinct(evidence: list[Evidence]) -> tuple[Evidence, ...]:
    found: dict[tuple[str, str, int | None], Evidence] = {}
    for one in evidence:
        found.setdefault((one.kind, one.sentence, one.seq), one)
    return tuple(found.values())
