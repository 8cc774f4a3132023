"""Every page that ``scopetrace explain`` has: outcomes, answers, words, errors."""

from __future__ import annotations

from scopetrace.explain.codes import Code, Kind, Standing, When
from scopetrace.explain.pages import CODES, KINDS, STAGE, STANDINGS, WHENS
from scopetrace.explain.words import STAGE as WORD
from scopetrace.explain.words import WORDS
from scopetrace.model.catalog import CATALOG, normal_code

from .documents import OutcomeDoc
from .error_pages import error_pages
from .parts import outcomes_doc


def all_pages() -> tuple[OutcomeDoc, ...]:
    """Outcomes in the order of the loader's stages, then what answers say besides, the field's words, and errors."""
    return (*outcomes_doc(tuple(CATALOG.values())).outcomes, *_answers(), *_words(), *error_pages())


def _answers() -> tuple[OutcomeDoc, ...]:
    outcomes = {outcome.value for outcome in CATALOG}
    verdicts = tuple(
        OutcomeDoc(code=s.value, stage=STAGE, glyph="▸", tone="info", word="verdict", page=STANDINGS[s][1])
        for s in Standing
        if s.value not in outcomes and STANDINGS[s][1]
    )
    causes = tuple(
        OutcomeDoc(code=c.value, stage=STAGE, glyph=p.glyph, tone=p.tone, word=p.word, page=p.page)
        for c in Code
        for p in (CODES[c],)
    )
    told = (*((w.value, "moment", WHENS[w]) for w in When), *((k.value, "evidence", KINDS[k]) for k in Kind))
    rest = tuple(
        OutcomeDoc(code=c, stage=STAGE, glyph="·", tone="quiet", word=w, page=p) for c, w, p in told if c not in WORDS
    )
    return (*verdicts, *causes, *rest)


def _words() -> tuple[OutcomeDoc, ...]:
    return tuple(
        OutcomeDoc(code=word, stage=WORD, glyph="·", tone="quiet", word="word", page=page)
        for word, page in WORDS.items()
        if word not in _TAKEN
    )


_TAKEN = frozenset(code.value for kind in (Code, Standing) for code in kind)
"""Words that are causes or verdicts as well have one page, there."""


def page_of(code: str) -> OutcomeDoc | None:
    """The page of a code as people type it, ``None`` when there is none."""
    wanted = normal_code(code)
    return next((page for page in all_pages() if page.code == wanted), None)
