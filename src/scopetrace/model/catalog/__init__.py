"""How every outcome is shown: glyph, colour role, word, sentence and page, defined here and nowhere else.

The entries stand in one module a topic, in the order of the loader's stages. :func:`describe` is the only place where a
decision becomes prose; what it returns is raw text and passes ``report.display`` before it reaches a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scopetrace.model.decision import Decision
from scopetrace.model.outcomes import Outcome, OutcomeInfo

from . import contexts, files, reconciling, rendering, roots, states, touches
from .sentence import render_sentence

CATALOG: Mapping[Outcome, OutcomeInfo] = MappingProxyType(
    {
        info.outcome: info
        for module in (roots, files, rendering, reconciling, touches, contexts, states)
        for info in module.ENTRIES
    }
)
"""One entry for every outcome, in the order of the stages."""


def describe(decision: Decision) -> str:
    """One sentence, without a full stop, for what was decided. A missing fact shows as ``?``; nothing is raised."""
    facts = {
        **decision.facts,
        "path": decision.path or decision.name or None,
        "name": decision.name or None,
        "directory": decision.directory or None,
        "absolute_path": decision.absolute_path or None,
    }
    return render_sentence(CATALOG[decision.outcome].sentence, facts)


def find_outcome(code: str) -> OutcomeInfo | None:
    """The entry for a code as people type it: case does not matter, ``_`` and blanks count as ``-``."""
    wanted = normal_code(code)
    return next((info for outcome, info in CATALOG.items() if outcome.value == wanted), None)


def normal_code(code: str) -> str:
    """A code as it is written in the catalogue: ``Held_Back`` is ``held-back``."""
    return "-".join(code.strip().lower().replace("_", " ").split())


def explain_page(code: str) -> str | None:
    """The long form of an outcome (plain text, one paragraph), ``None`` when the code is not known."""
    info = find_outcome(code)
    return None if info is None else info.page


__all__ = ["CATALOG", "describe", "explain_page", "find_outcome", "normal_code", "render_sentence"]
