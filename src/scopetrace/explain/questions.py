"""From a question in words to a path and a step: the mapping of ``docs/why.md``.

A question is searched for something that looks like a path; what is found is understood as in
:func:`scopetrace.explain.why`. Without one it is about the working directory. The step is the last one unless the
words say the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scopetrace.model import Outcome
from scopetrace.replay.replayed import Replayed, pass_at

from .names import near_miss, other_agent
from .spot import look

_TOKEN = re.compile(r"[~$\w./\\@+-]*[\w/\\]")
_UP = re.compile(r"\b(?:(?:one|a) level up|level above|parent (?:folder|directory|dir)|folder above|directory above)\b")
_SEVERAL = re.compile(r"\b(?:both|which one|which of|the two|wins?|precedence|in which order)\b")
_START = re.compile(
    r"\bat (?:the )?(?:very )?(?:start|beginning|first)\b|\b(?:first|initial) (?:step|message|prompt)\b"
)


class Ask(NamedTuple):
    """A question as a call of ``why``: ``at`` is a row."""

    path: str
    at: int


def understand(timeline: Replayed, question: str) -> Ask:
    """The call that a question stands for. Raises :class:`IndexError` for a timeline without rows."""
    last = len(timeline) - 1
    if last < 0:
        raise IndexError(last)
    at = last
    words = question.lower()
    if _START.search(words):
        at = next((row for row in timeline.passes), last)
    return Ask(_path(timeline, question, at), at)


def _path(timeline: Replayed, question: str, at: int) -> str:
    found = list(_paths(timeline, question, at))
    if not found:
        return "."
    # A candidate is what people ask about; a file or directory that is there comes next, then any other path.
    best = max(found, key=lambda item: item[0])[1]
    if "/" in best:
        return best
    if _UP.search(question.lower()):
        return f"../{best}"
    run = pass_at(timeline, at)
    if best in run.names and _SEVERAL.search(question.lower()):
        return "."
    if best in run.names and not any(look(run.fs, run.env.flavour.join(d, best))[0] for d in (run.cwd, run.root)):
        return _elsewhere(timeline, best, at) or best
    return best


def _elsewhere(timeline: Replayed, name: str, at: int) -> str | None:
    """The one place in the scope tree that has a file of this name; without any or with several, the directory."""
    waiting = list(timeline.tree(at))
    found: list[str] = []
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        found += [c.absolute_path for c in node.candidates if c.name == name and c.outcome is not Outcome.ABSENT]
    return found[0] if len(found) == 1 else "." if found else None


def _paths(timeline: Replayed, question: str, at: int) -> Iterator[tuple[int, str]]:
    run = pass_at(timeline, at)
    flavour = run.env.flavour
    for token in _TOKEN.findall(question):
        token = token.strip(".,;:!?()'\"") if token not in (".", "..") else ""
        dotted = re.search(rf"(?<![\w/])\.{re.escape(token)}", question) if token else None
        token = f".{token}" if dotted and not token.startswith(".") else token
        name = flavour.basename(token) if token else ""
        if name in run.names:
            yield 4 if "/" in token or "~" in token else 3, token
        elif name and ((near_miss(name, run.names) and "." in name) or (other_agent(token) and "." in token)):
            yield 3, token
        elif "/" in token.strip("/") or re.fullmatch(r"[\w.-]+\.\w{1,8}", token):
            there = any(look(run.fs, flavour.resolve(base, token))[0] for base in (run.cwd, run.root))
            yield (2 if there else 1), token
