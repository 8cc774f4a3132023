"""Claims of a lesson's caption: statements about one operation that a machine can check.

A claim is a JSON object with exactly one of the kinds below, and ``under`` if it is about other rules than the
lesson's. ``docs/lessons.md`` is their description for people who write lessons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scopetrace.engine.profile import PROFILES
from scopetrace.model import Action, Decision, Message, Outcome
from scopetrace.model.catalog import CATALOG, describe
from scopetrace.model.sizes import grouped

from .lesson_moments import Moment
from .op_words import short_path

Claim = Mapping[str, Any]
_WORDS = {Action.SET: "set", Action.REPLACE: "replace", Action.REMOVE: "remove"}
_BUDGET_KEYS = ("block", "chain", "limit", "used")


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim held against what happened. ``said`` is what happened, in raw words; ``glyph`` is one cell to show."""

    claim: Claim
    holds: bool
    said: str
    glyph: str = "▸"


@dataclass(frozen=True, slots=True)
class _Kind:
    shape: str
    fits: Callable[[Any], bool]
    check: Callable[[Claim, Moment], Finding]
    also: tuple[str, ...] = ()


def claim_problem(claim: Any) -> tuple[str, str, str] | None:
    """What is wrong with the shape of a claim: field (or ``""``), message, remedy; ``None`` if nothing is."""
    if not isinstance(claim, Mapping):
        return "", "a claim is a JSON object", 'write e.g. {"outcome": "duplicate", "path": "CLAUDE.md"}'
    kinds = [name for name in claim if name in _KINDS]
    if len(kinds) != 1:
        said = "it has " + " and ".join(kinds) if kinds else "it has none of them"
        return "", f"a claim has exactly one kind, {said}", f"kinds are {', '.join(_KINDS)}"
    kind = _KINDS[kinds[0]]
    for name in claim:
        if name not in (kinds[0], "under", *kind.also):
            known = ", ".join((*kind.also, "under"))
            return name, f"a claim of kind {kinds[0]!r} has no such field", f"beside {kinds[0]!r} it may have {known}"
    if not kind.fits(claim[kinds[0]]):
        return kinds[0], f"not {kind.shape}: {claim[kinds[0]]!r}", _remedy(kinds[0], claim[kinds[0]], kind.shape)
    if "under" in claim and claim["under"] not in PROFILES:
        return "under", f"no such profile: {claim['under']!r}", f"profiles are {', '.join(PROFILES)}"
    if not isinstance(claim.get("path", ""), str):
        return "path", f"not a display path: {claim['path']!r}", "write it as the model sees it, e.g. docs/AGENTS.md"
    if not isinstance(claim.get("facts", {}), Mapping):
        return "facts", f"not an object: {claim['facts']!r}", 'write e.g. {"of": "AGENTS.md"}'
    return None


def _remedy(kind: str, value: Any, shape: str) -> str:
    if kind in ("outcome", "no_outcome"):
        from difflib import get_close_matches

        near = get_close_matches(str(value), [outcome.value for outcome in Outcome], n=3)
        return f"did you mean {' or '.join(near)}?" if near else "`scopetrace explain` lists the codes"
    return f"write {shape}"


def check_claim(claim: Claim, moment: Moment) -> Finding:
    """Hold a claim of correct shape (:func:`claim_problem`) against the moment it is about."""
    finding = _KINDS[next(name for name in claim if name in _KINDS)].check(claim, moment)
    return replace(finding, said=f"under rules {claim['under']}: {finding.said}") if "under" in claim else finding


# -- decisions


def _matches(claim: Claim, decision: Decision, code: str) -> bool:
    facts = claim.get("facts", {})
    return (
        decision.outcome == code
        and claim.get("path", decision.path) == decision.path
        and all(_plain(decision.facts.get(name)) == value for name, value in facts.items())
    )


def _plain(fact: Any) -> Any:
    return list(fact) if isinstance(fact, tuple) else fact


def _outcome(claim: Claim, moment: Moment) -> Finding:
    for decision in moment.decisions:
        if _matches(claim, decision, claim["outcome"]):
            return Finding(claim, True, describe(decision), CATALOG[decision.outcome].glyph)
    about = [d for d in moment.decisions if claim.get("path", "") in (d.path, "")] if claim.get("path") else []
    said = "; ".join(f"{d.outcome.value}: {describe(d)}" for d in about) or _codes(moment)
    return Finding(claim, False, said)


def _codes(moment: Moment) -> str:
    codes = dict.fromkeys(f"{d.outcome.value} {d.path}".rstrip() for d in moment.decisions)
    return "decided here: " + (", ".join(codes) or "nothing")


def _no_outcome(claim: Claim, moment: Moment) -> Finding:
    found = [d for d in moment.decisions if _matches(claim, d, claim["no_outcome"])]
    if found:
        return Finding(claim, False, describe(found[0]))
    word = CATALOG[Outcome(claim["no_outcome"])].word
    about = f" for {claim['path']}" if claim.get("path") else ""
    return Finding(claim, True, f"“{word}” is not decided here{about}", "·")


# -- messages


def _moves(message: Message) -> list[list[str]]:
    return [[_WORDS[change.action], change.path] for change in message.source.changes or ()]


def _listed(rows: list[list[str]]) -> str:
    return ", ".join(f"{action} {path}" for action, path in rows) or "no change"


def _message(claim: Claim, moment: Moment) -> Finding:
    wanted = claim["message"]
    said = [_said(message) for message in moment.entered]
    text = "; ".join(said) or "the model gets no instruction message"
    return Finding(claim, any(_told(wanted, message) for message in moment.entered), text, "●")


def _told(wanted: Mapping[str, Any], message: Message) -> bool:
    text = "\n\n".join(message.blocks)
    size = sum(len(block.encode()) for block in message.blocks)
    return (
        wanted.get("changes", _moves(message)) == _moves(message)
        and wanted.get("baseline", message.source.baseline) == message.source.baseline
        and wanted.get("bytes", size) == size
        and wanted.get("blocks", len(message.blocks)) == len(message.blocks)
        and all(part in text for part in wanted.get("says", ()))
        and not any(part in text for part in wanted.get("silent", ()))
    )


def _said(message: Message) -> str:
    size = sum(len(block.encode()) for block in message.blocks)
    kind = "a complete baseline" if message.source.baseline else "an update"
    return f"the model gets {kind}, {grouped(size)} B: {_listed(_moves(message))}"


def _waiting(claim: Claim, moment: Moment) -> Finding:
    found = [row for message in moment.waiting for row in _moves(message)]
    said = f"waits for the next step: {_listed(found)}" if found else "no instruction message waits"
    return Finding(claim, found == claim["waiting"], said, "+" if found else "·")


def _in_force(claim: Claim, moment: Moment) -> Finding:
    said = f"in force: {', '.join(moment.in_force) or 'nothing'}"
    return Finding(claim, sorted(moment.in_force) == sorted(claim["in_force"]), said, "●" if moment.in_force else "○")


def _nothing(claim: Claim, moment: Moment) -> Finding:
    quiet = not moment.entered and moment.waiting == moment.waited
    if quiet:
        return Finding(claim, claim["nothing"], "the model is told nothing new", "·")
    told = [_said(message) for message in moment.entered]
    if moment.waiting != moment.waited:
        told.append(f"waiting: {_listed([row for message in moment.waiting for row in _moves(message)])}")
    return Finding(claim, not claim["nothing"], "; ".join(told))


# -- files and budgets


def _reads(claim: Claim, moment: Moment) -> Finding:
    reads = list(moment.observed["reads"])
    said = ", ".join(short_path(path, moment.home) for path in reads) or "none"
    return Finding(claim, reads == claim["reads"], f"files read: {said}", "·")


def _omitted(claim: Claim, moment: Moment) -> Finding:
    found = list(dict.fromkeys(path for report in moment.budgets for path, _ in report.omitted))
    said = f"left out for the budget: {', '.join(found) or 'nothing'}"
    return Finding(claim, sorted(found) == sorted(claim["omitted"]), said, "▲" if found else "●")


def _truncated(claim: Claim, moment: Moment) -> Finding:
    found: list[list[Any]] = [
        [t.display_path, t.original_bytes, t.included_bytes] for r in moment.budgets for t in r.truncated
    ]
    cuts = ", ".join(f"{path} {grouped(size)} → {grouped(kept)} B" for path, size, kept in found)
    return Finding(claim, found == claim["truncated"], f"cut: {cuts or 'nothing'}", "✂" if found else "●")


def _budget(claim: Claim, moment: Moment) -> Finding:
    wanted = claim["budget"]
    said: list[str] = []
    for report in moment.budgets:
        values: dict[str, Any] = {
            "block": report.block,
            "chain": report.chain,
            "limit": report.limit,
            "used": report.used,
        }
        chain = "" if report.chain == "all" else f", {report.chain} files"
        text = f"{report.block}{chain}: {grouped(report.used)} of {grouped(report.limit)} B used"
        if all(values[name] == value for name, value in wanted.items()):
            return Finding(claim, True, text, "▸")
        said.append(text)
    return Finding(claim, False, "; ".join(said) or "nothing was rendered")


# -- shapes


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _rows(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and len(row) == 2 and row[0] in ("set", "replace", "remove") and isinstance(row[1], str)
        for row in value
    )


def _cuts(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and len(row) == 3 and isinstance(row[0], str) and all(isinstance(n, int) for n in row[1:])
        for row in value
    )


def _message_shape(value: Any) -> bool:
    shapes: dict[str, Callable[[Any], bool]] = {
        "changes": _rows,
        "baseline": lambda part: isinstance(part, bool),
        "bytes": lambda part: isinstance(part, int),
        "blocks": lambda part: isinstance(part, int),
        "says": _texts,
        "silent": _texts,
    }
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(name in shapes and shapes[name](part) for name, part in value.items())
    )


def _budget_shape(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(name in _BUDGET_KEYS for name in value)


def _code(value: Any) -> bool:
    return isinstance(value, str) and value in {outcome.value for outcome in Outcome}


_PATHS = 'a list of display paths, e.g. ["AGENTS.md"]'
_MOVED = 'a list of changes, e.g. [["set", "docs/AGENTS.md"]]'
_KINDS: dict[str, _Kind] = {
    "outcome": _Kind("an outcome code", _code, _outcome, ("path", "facts")),
    "no_outcome": _Kind("an outcome code", _code, _no_outcome, ("path", "facts")),
    "in_force": _Kind(_PATHS, _texts, _in_force),
    "message": _Kind(
        'an object with some of changes, baseline, bytes, blocks, says, silent, e.g. {"says": ["AGENTS.md"]}',
        _message_shape,
        _message,
    ),
    "waiting": _Kind(_MOVED, _rows, _waiting),
    "nothing": _Kind("true or false", lambda value: isinstance(value, bool), _nothing),
    "reads": _Kind("a list of absolute paths", _texts, _reads),
    "omitted": _Kind(_PATHS, _texts, _omitted),
    "truncated": _Kind('a list of cuts, e.g. [["AGENTS.md", 9216, 4021]] (bytes)', _cuts, _truncated),
    "budget": _Kind("an object with some of block, chain, limit, used", _budget_shape, _budget),
}
KINDS = tuple(_KINDS)
"""Names of all kinds of claims."""
