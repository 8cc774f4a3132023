"""What stands in a file that asks for an explanation: import lines, links checked out as text, closing tags, cuts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scopetrace.engine.text import FRAME_CLOSE, utf8_len
from scopetrace.model import Fact

from .answer import Evidence, Reason
from .codes import Code, Kind
from .inquiry import Inquiry
from .spot import look

_IMPORT = re.compile(r"^\s*(?:[-*]\s+)?@(\S+?)[.,;:]?\s*$")
_PATHLIKE = re.compile(r"[^\s:*?\"<>|]{1,255}")
LINK_LIMIT = 256
"""Bytes of a file that may be a link checked out as text."""


def notes(inquiry: Inquiry, path: str, absolute: str) -> tuple[list[Reason], list[Evidence]]:
    """Remarks on the text of a candidate, with the lines that they are about."""
    text = inquiry.text(absolute)
    if text is None or text == "":
        return [], []
    target = link_text(inquiry, absolute, text)
    facts: dict[str, Fact]
    if target is not None:
        facts = {"target": target, "size": utf8_len(text), "name": inquiry.run.env.flavour.basename(absolute)}
        return [inquiry.reason(Code.LINK_AS_TEXT, facts, path=path, absolute=absolute)], []
    reasons: list[Reason] = []
    evidence: list[Evidence] = []
    for line, imported in import_lines(text):
        facts = {"target": imported, "line": line, "name": inquiry.run.env.flavour.basename(absolute)}
        if not reasons:
            reasons.append(inquiry.reason(Code.IMPORT_LINE, facts, path=path, absolute=absolute))
        if len(evidence) < 5:
            evidence.append(
                inquiry.evidence(Kind.LINE, {"path": path, "line": line, "text": f"@{imported}"}, absolute=absolute)
            )
    count = text.count(FRAME_CLOSE)
    if count:
        line = text[: text.index(FRAME_CLOSE)].count("\n") + 1
        shown = text.split("\n")[line - 1].strip()[:80]
        facts = {
            "tag": FRAME_CLOSE,
            "count": count,
            "many": count > 1,
            "name": inquiry.run.env.flavour.basename(absolute),
        }
        reasons.append(inquiry.reason(Code.TAG_ESCAPED, facts, path=path, absolute=absolute))
        evidence.append(inquiry.evidence(Kind.LINE, {"path": path, "line": line, "text": shown}, absolute=absolute))
    return reasons, evidence


def only_imports(text: str) -> bool:
    """Whether a text consists of import lines."""
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(_IMPORT.match(line) for line in lines)


def import_lines(text: str) -> Iterator[tuple[int, str]]:
    """Line numbers from 1 and what they import; fenced code is left out."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        found = None if fenced else _IMPORT.match(line)
        if found is not None and ("/" in found[1] or "." in found[1]):
            yield number, found[1]


def link_text(inquiry: Inquiry, absolute: str, text: str) -> str | None:
    """The target, if the whole text is one path: as git writes a link where links are switched off."""
    line = text.removesuffix("\n").removesuffix("\r")
    if len(line) > LINK_LIMIT or not _PATHLIKE.fullmatch(line) or line.startswith(("#", "@", "-")):
        return None
    flavour = inquiry.run.env.flavour
    if look(inquiry.fs, flavour.resolve(flavour.dirname(absolute), line))[0] is not None:
        return line
    return line if line.endswith(".md") and not text.endswith("\n") else None


def mentioned_by(inquiry: Inquiry, absolute: str) -> Reason | None:
    """The file in force that names a path in an import line, if one does."""
    run, flavour = inquiry.run, inquiry.run.env.flavour
    for scope, change in inquiry.states.in_force.items():
        place = run.locate(scope)
        text = inquiry.text(place.absolute)
        if change.digest is None or text is None:
            continue
        for line, target in import_lines(text):
            base = flavour.dirname(place.absolute)
            expanded = flavour.join(run.env.home, target[2:]) if target.startswith("~/") else target
            if flavour.resolve(base, expanded) == absolute:
                facts: dict[str, Fact] = {"by": place.display, "line": line, "target": target}
                return inquiry.reason(Code.MENTIONED_ONLY, facts, absolute=absolute)
    return None


def cut(inquiry: Inquiry, path: str, absolute: str, included: int) -> Evidence | None:
    """Where a text was cut: bytes kept and lost, and the last line that was kept."""
    text = inquiry.text(absolute)
    if text is None:
        return None
    data = text.encode("utf-8", "surrogatepass")
    kept = data[:included].decode("utf-8", "replace")
    line = kept.count("\n") + (0 if kept.endswith("\n") else 1)
    last = kept.removesuffix("\n").rpartition("\n")[2]
    facts: dict[str, Fact] = {
        "path": path,
        "included": included,
        "size": len(data),
        "lost": len(data) - included,
        "line": line,
        "text": last[-80:],
    }
    return inquiry.evidence(Kind.CUT, facts, absolute=absolute)
