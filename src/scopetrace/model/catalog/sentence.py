"""The sentence templates: ``str.format`` fields, plus brackets for parts that need their facts.

``{name}`` is a fact, ``?`` when it is missing. The spec after a colon says how it is written: ``size`` (exact bytes),
``digest`` (first 12 digits), ``list`` (joined by commas), ``file``, ``change`` and ``touch`` (a count: ``1 file``,
``3 files``; no touch at all counts as missing), ``flag`` (nothing; only decides about its bracket). ``[ … ]`` is left
out unless every fact in it is there and true. Brackets do not nest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from scopetrace.model.decision import Fact
from scopetrace.model.sizes import exact_bytes

MISSING = "?"
_PART = re.compile(r"\[([^\]]*)\]")
_COUNTED = {"file": "files", "change": "changes", "touch": "touches"}
_FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")


def render_sentence(template: str, facts: Mapping[str, Fact]) -> str:
    """Fill a template. Facts are put in as they are; brackets and braces inside a fact mean nothing."""
    parts: list[str] = []
    for optional, text in _parts(template):
        if optional and not all(_present(facts.get(match[1]), match[2]) for match in _FIELD.finditer(text)):
            continue
        parts.append(_FIELD.sub(lambda match: _write(facts.get(match[1]), match[2] or ""), text))
    return "".join(parts)


@lru_cache(maxsize=256)
def _parts(template: str) -> tuple[tuple[bool, str], ...]:
    """The template cut at its brackets; ``True`` marks a part that stood in brackets."""
    pieces = _PART.split(template)
    return tuple((index % 2 == 1, text) for index, text in enumerate(pieces) if text)


def _present(fact: Fact, spec: str | None) -> bool:
    if spec == "touch" and fact == 0:
        return False
    return fact is not None and fact is not False and fact != "" and fact != ()


def _write(fact: Fact, spec: str) -> str:
    if spec == "flag":
        return ""
    if fact is None or fact == "":
        return MISSING
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if spec == "size" and isinstance(fact, int | float):
        return exact_bytes(fact)
    if spec == "digest" and isinstance(fact, str):
        return fact[:12]
    if spec in _COUNTED and isinstance(fact, int):
        return f"{fact} {spec if fact == 1 else _COUNTED[spec]}"
    if isinstance(fact, tuple):
        return ", ".join(fact) or MISSING
    return str(fact)
