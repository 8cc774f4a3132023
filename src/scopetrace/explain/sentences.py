"""The one place where codes and facts become prose: headlines, causes, evidence and moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scopetrace.model import Fact, Outcome
from scopetrace.model.catalog import CATALOG, render_sentence

from .answer import Reason
from .codes import Code, Kind, Standing, When
from .pages import CODES, STANDINGS

WIDTH = 98
"""Characters of a headline, at most: with its glyph, the first line of an answer has no more than 100."""
_OURS = frozenset(code.value for code in Code)
_ROOM = (72, 48, 36, 28, 22, 16, 12)
"""Characters that a single fact may have in a headline, tried one after the other."""

_PHRASES: Mapping[Outcome, str] = {
    Outcome.LOADED: "{path} is in force[ since event {since}]",
    Outcome.LOADED_CUT: "{included:size} of the {size:size} of {path} fit[ into {limit:size}]",
    Outcome.TRUNCATED: "{included:size} of the {size:size} of {path} fit[ into {limit:size}]",
    Outcome.SET: "{path} was announced",
    Outcome.REPLACE: "{path} changed and was sent again[ at event {since}]",
    Outcome.UNCHANGED: "{path} is as the model knows it",
    Outcome.NOT_REACHED: "{path} waits for a read, write or edit in {needs}",
    Outcome.SHADOWED: "the message with {path} was hidden[ at event {by}]",
    Outcome.REMOVED: "{path} does not apply any more",
    Outcome.REMOVED_ABSENT: "{path} is gone from disk",
    Outcome.REMOVED_DUPLICATE: "{path} now says the same as {of}",
    Outcome.REMOVED_BUDGET: "{path} no longer fits the budget",
    Outcome.REMOVED_SUPERSEDED: "the new baseline does not hold {path}",
    Outcome.DUPLICATE: "{path} says the same as {of}",
    Outcome.SAME_FILE: "{path} is the same file as {other}",
    Outcome.OMITTED: "{path} needs {needs:size}, {left:size} of the budget left",
    Outcome.HEADING_ONLY: "not one byte of {path} ({size:size}) fit[ into {limit:size}]",
    Outcome.NOTICE_ONLY: "{path} ({size:size}) did not fit[ into {limit:size}]; the notice only names it",
    Outcome.EXCLUDED: "{path} is left out while the present baseline stays",
    Outcome.NOT_REPRESENTED: "not one byte of {path} fit the budget",
    Outcome.ABSENT: "{path} does not exist",
    Outcome.NOT_A_FILE: "{path} is a {kind} and no regular file",
    Outcome.UNAVAILABLE: "could not tell whether {path} exists[: {reason}]",
    Outcome.OVERSIZE: "{path} exceeds {limit:size} for one file[; it has {size:size}]",
    Outcome.OVER_AGGREGATE: "{path}: of {limit:size} for all reads {left:size} were left",
    Outcome.INVALID_UTF8: "{path} is not UTF-8[: bad byte at offset {at}]",
    Outcome.BINARY: "{path} is not text[: NUL byte at offset {at}]",
    Outcome.READ_FAILED: "reading {path} failed[: {reason}]",
    Outcome.HELD_BACK: "{path} is held back: {because} could not be read[ ({cause})]",
    Outcome.UNREACHED_IN_GROUP: "{path} was not looked at: {because} could not be read[ ({cause})]",
    Outcome.CONTEXT_QUEUED: "{path} is in a message that waits for the next step",
    Outcome.CONTEXT_LOST: "the message with {path} was taken for a step that never began",
    Outcome.TOUCH_OTHER_TOOL: "{tool} is no read, write or edit, so it leads nowhere",
    Outcome.TOUCH_ERROR: "{tool} of {touched} failed, so it is no touch",
    Outcome.TOUCH_ABORTED: "{tool} of {touched} was aborted, so it is no touch",
    Outcome.TOUCH_OUTSIDE: "{touched} is not below the working directory",
    Outcome.BUDGET_DISABLED: "instructions are switched off: maxBytes is no positive number",
}
"""What a headline says of an outcome; any other outcome says its sentence."""

_MOMENTS: Mapping[When, str] = {
    When.ANNOUNCED: "announced[ with {size:size}][, SHA-1 {digest:digest}][, in the baseline{baseline:flag}]"
    "[, after {tool} of {touched}]",
    When.REPLACED: "sent again with its new text[, SHA-1 {digest:digest}]",
    When.WITHDRAWN: "withdrawn",
    When.HIDDEN: "hidden from the model by what happened there",
    When.CHANGED: "the file changed on disk[; the model learned of it at event {until}]",
    When.NEXT_STEP: "the next step would announce it",
    When.NEXT_TOUCH: "a successful read, write or edit in {directory} would announce it",
    When.NEVER: "no touch would bring it in here",
}

_EVIDENCE: Mapping[Kind, str] = {
    Kind.EVENT: "{label}[ {text}]",
    Kind.FILE: "{path}[, {size:size}][, SHA-1 {digest:digest}][, a {kind}]",
    Kind.TOLD: "the model was given SHA-1 {digest:digest}[, {size:size}][ of which {included:size} are in the text]",
    Kind.SIBLING: "{path}[, {size:size}][, {state}][, SHA-1 of its trimmed text {trimmed_digest:digest}]",
    Kind.CUT: "kept {included:size} of {size:size}, lost {lost:size}[; the cut falls in line {line}, after: {text}]",
    Kind.BUDGET: "budget of the {block}[ ({chain})]: {used:size} of {limit:size} used[, {left:size} left]"
    "[; this file needs {needs:size}]",
    Kind.ROOT: "project root {root}[: it holds {marker}][, a {kind}]"
    "[; no {markers:list} there or above{unmarked:flag}]",
    Kind.LINK: "{path} → {target}[, outside the project{crosses:flag}]",
    Kind.TOUCH: "{tool}[ of {touched}][: {outcome}]",
    Kind.NEAR: "{path} is there[, {size:size}][ ({what})]",
    Kind.LINE: "{path}:{line}  {text}",
    Kind.SETTING: "{key} was {before} and is {after} now",
}


def headline(standing: Standing, causes: Sequence[Reason], second: Reason | None = None) -> str:
    """Verdict first, cause second, at most :data:`WIDTH` characters: long facts are shortened in their middle.

    ``second`` is said, too, where there is room for it.
    """
    opening, first, joint = STANDINGS[standing][0], causes[0], ": "
    if standing is Standing.APPLIES:
        count = next(c.facts["count"] for c in causes if c.code == Code.FILES_APPLY)
        opening = f"{count} file{'' if count == 1 else 's'} appl{'ies' if count == 1 else 'y'}"
        first = second if first.code == Code.FILES_APPLY and second is not None else first
        joint, second = ": " if first.code == Code.FILES_APPLY else "; ", None
    for room in (10_000, *_ROOM):
        text = f"{opening}{joint}{_filled(first, room)}"
        if len(text) <= WIDTH:
            break
    else:
        text = text[: WIDTH - 1] + "…"
    for room in (10_000, 48, 28) if second is not None else ():
        assert second is not None
        both = f"{text}; {_filled(second, room)}"
        if len(both) <= WIDTH:
            return both
    return text


def _filled(reason: Reason, room: int) -> str:
    return render_sentence(_phrase(reason.code), _shortened(reason.facts, room))


def _phrase(code: str) -> str:
    if code in _OURS:
        return CODES[Code(code)].phrase
    outcome = Outcome(code)
    return _PHRASES.get(outcome) or CATALOG[outcome].sentence


def _shortened(facts: Mapping[str, Fact], room: int) -> dict[str, Fact]:
    return {key: _short(value, room) if isinstance(value, str) else value for key, value in facts.items()}


def _short(text: str, room: int) -> str:
    text = text.replace("\n", "␊")
    if len(text) <= room:
        return text
    tail = max(room * 2 // 3, 1)
    return f"{text[: room - tail - 1]}…{text[-tail:]}"


def cause(code: str, facts: Mapping[str, Fact]) -> str:
    """The full sentence of a cause, without a full stop."""
    template = CODES[Code(code)].sentence if code in _OURS else CATALOG[Outcome(code)].sentence
    return render_sentence(template, facts)


def moment(kind: When, facts: Mapping[str, Fact]) -> str:
    """The sentence of a moment."""
    return render_sentence(_MOMENTS[kind], facts)


def evidence(kind: Kind, facts: Mapping[str, Fact]) -> str:
    """The sentence of a piece of evidence."""
    return render_sentence(_EVIDENCE[kind], facts)
