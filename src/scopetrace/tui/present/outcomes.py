"""Small helpers over the catalogue: how an outcome, a path or a group of absent names is written on screen."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from scopetrace.model import Decision, Outcome, Stage, Tone
from scopetrace.model.catalog import CATALOG, describe
from scopetrace.report.display import safe_line

WORD_WIDTH = 12
"""Cells of the longest outcome word in the catalogue."""

MOVES = frozenset(
    outcome
    for outcome, info in CATALOG.items()
    if info.stage is Stage.RECONCILE and info.tone in (Tone.GOOD, Tone.CHANGE)
)
"""Outcomes that change what the model holds: set, replace and the removals."""

WITHDRAWN = frozenset(outcome for outcome in Outcome if outcome.value.startswith("removed"))
"""Outcomes after which there is no file to give a size of."""

IN_FORCE = frozenset((Outcome.LOADED, Outcome.LOADED_CUT))


def glyph(outcome: Outcome) -> str:
    """The outcome's glyph, one cell wide."""
    return CATALOG[outcome].glyph


def word(outcome: Outcome) -> str:
    """The outcome's word."""
    return CATALOG[outcome].word


def tone(outcome: Outcome) -> str:
    """The outcome's colour role."""
    return CATALOG[outcome].tone.value


def sentence(decision: Decision) -> str:
    """One safe sentence for a decision, without a full stop."""
    return safe_line(describe(decision))


def fold_names(paths: Sequence[str]) -> str:
    """Several files of one directory in one word: ``services/{CLAUDE,AGENTS.local}.md``."""
    if len(paths) == 1:
        return safe_line(paths[0])
    directory = paths[0][: paths[0].rfind("/") + 1]
    if not all(path.rpartition("/")[0] == directory[:-1] for path in paths):
        directory = ""
    names = [path[len(directory) :] for path in paths]
    extensions = {os.path.splitext(name)[1] for name in names}
    extension = extensions.pop() if len(extensions) == 1 else ""
    stems = [name[: len(name) - len(extension)] for name in names]
    return safe_line(f"{directory}{{{','.join(stems)}}}{extension}")


def count_words(outcomes: Sequence[Outcome], *, limit: int = 4) -> str:
    """``3 new · 5 unchanged · 1 duplicate``: what happened to how many, loudest first."""
    rank = {Tone.GOOD: 0, Tone.CHANGE: 0, Tone.BAD: 1, Tone.WARN: 1, Tone.INFO: 2, Tone.QUIET: 3}
    counts: dict[str, tuple[int, int]] = {}
    for outcome in outcomes:
        info = CATALOG[outcome]
        number, _ = counts.get(info.word, (0, 0))
        counts[info.word] = (number + 1, 4 if outcome is Outcome.ABSENT else rank[info.tone])
    ordered = sorted(counts.items(), key=lambda item: item[1][1])
    return " · ".join(f"{number} {name}" for name, (number, _) in ordered[:limit])
