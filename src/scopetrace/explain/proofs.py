"""Evidence about a candidate: the sibling, what the model was told, the budget, the file, the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scopetrace.model import Decision, Fact, Outcome, Stage

from . import history
from .answer import Evidence, Reason
from .codes import Code, Kind
from .inquiry import Inquiry
from .spot import display_of

if TYPE_CHECKING:
    from .candidate import Candidate


def sibling(candidate: Candidate, last: Decision, index: int) -> list[Evidence]:
    twin = last.facts.get("of") or last.facts.get("because") or last.facts.get("other")
    if not isinstance(twin, str):
        return []
    facts: dict[str, Fact] = {"path": twin, "trimmed_digest": last.facts.get("trimmed_digest")}
    absolute = ""
    for decision in candidate.inquiry.timeline.frame(index).decisions:
        if decision.path == twin or decision.absolute_path == twin:
            absolute = decision.absolute_path
            state = candidate.inquiry.state(decision.scope)
            facts |= {"size": state.size, "state": state.outcome.value, "path": decision.path}
            break
    return [candidate.inquiry.evidence(Kind.SIBLING, facts, absolute=absolute, index=index)]


def told(candidate: Candidate, row: int | None, size: Fact) -> list[Evidence]:
    digest = candidate.state.facts.get("digest")
    facts: dict[str, Fact] = {"digest": digest, "size": size, "included": candidate.state.facts.get("included")}
    return [candidate.inquiry.evidence(Kind.TOLD, facts, index=row)] if digest else []


def budget(candidate: Candidate, row: int | None) -> list[Evidence]:
    """How the budget was spent where a file did not go in whole."""
    if row is None:
        return []
    frame = candidate.inquiry.timeline.frame(row)
    mine = next((d for d in frame.decisions if d.scope == candidate.scope and d.stage is Stage.BUDGET), None)
    if mine is None or mine.outcome is Outcome.WHOLE:
        return []
    for report in frame.budgets:
        chain = mine.facts.get("chain")
        if chain in (None, report.chain):
            facts: dict[str, Fact] = {"block": report.block, "limit": report.limit, "used": report.used}
            facts |= {"chain": report.chain if report.chain != "all" else None}
            facts |= {key: mine.facts.get(key) for key in ("left", "needs")}
            return [candidate.inquiry.evidence(Kind.BUDGET, facts, index=row)]
    return []


def file(candidate: Candidate) -> list[Evidence]:
    """The file as it is at this step, and where a link leads."""
    found: list[Evidence] = []
    if candidate.stat is not None:
        facts: dict[str, Fact] = {"path": candidate.state.path, "size": candidate.stat.size}
        if candidate.stat.kind == "file":
            facts["digest"] = candidate.inquiry.digest(candidate.place.absolute)
        else:
            facts["kind"] = candidate.stat.kind
        found.append(candidate.inquiry.evidence(Kind.FILE, facts, absolute=candidate.place.absolute))
    if candidate.link is not None and candidate.stat is not None and candidate.stat.kind == "file":
        crosses = bool(candidate.state.facts.get("crosses"))
        facts = {
            "path": candidate.state.path,
            "target": candidate.stat.link_target or candidate.link,
            "crosses": crosses,
        }
        found.append(candidate.inquiry.evidence(Kind.LINK, facts, absolute=candidate.stat.link_target or ""))
    return found


def link_notes(candidate: Candidate) -> list[Reason]:
    """Remarks on a candidate that is a link to a file."""
    if candidate.link is None or candidate.stat is None or candidate.stat.kind != "file":
        return []
    code = Code.LINK_LEAVES_ROOT if candidate.state.facts.get("crosses") else Code.LINK_FOLLOWED
    facts: dict[str, Fact] = {
        "target": candidate.stat.link_target or candidate.link,
        "root": candidate.inquiry.run.root,
    }
    return [candidate.inquiry.reason(code, facts, path=candidate.state.path, absolute=candidate.place.absolute)]


def settings(candidate: Candidate, index: int) -> list[Evidence]:
    """The settings in which the baseline's identity differs from the one before."""
    for decision in candidate.inquiry.timeline.frame(index).decisions:
        if decision.outcome is Outcome.BASELINE_SUPERSEDED:
            import json

            before, after = _identity(decision.facts.get("before")), _identity(decision.facts.get("identity"))
            return [
                candidate.inquiry.evidence(
                    Kind.SETTING,
                    {"key": key, "before": json.dumps(before.get(key)), "after": json.dumps(after.get(key))},
                    index=index,
                )
                for key in dict.fromkeys((*before, *after))
                if before.get(key) != after.get(key)
            ]
    return []


def _identity(text: Fact) -> dict[str, object]:
    import json

    try:
        found = json.loads(text) if isinstance(text, str) else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def refusal(inquiry: Inquiry, touch: history.Touch) -> Reason:
    """A call that led nowhere, as a cause."""
    facts: dict[str, Fact] = {"tool": touch.tool, "touched": shown(inquiry, touch), "cwd": inquiry.run.cwd}
    return inquiry.reason(touch.outcome.value, facts, index=touch.row)


def touch_evidence(inquiry: Inquiry, touch: history.Touch) -> Evidence:
    """A call as evidence."""
    facts: dict[str, Fact] = {"tool": touch.tool, "touched": shown(inquiry, touch), "outcome": touch.outcome.value}
    return inquiry.evidence(Kind.TOUCH, facts, index=touch.row)


def shown(inquiry: Inquiry, touch: history.Touch) -> str:
    """The touched path as the model would see it; a command as it is."""
    if touch.outcome is Outcome.TOUCH_OTHER_TOOL:
        return touch.touched.partition("\n")[0]
    return display_of(inquiry.run, inquiry.run.env.flavour.resolve(inquiry.run.cwd, touch.touched))
