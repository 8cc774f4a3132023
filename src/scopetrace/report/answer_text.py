"""An answer as lines for people. Imports little: ``scopetrace why`` shall start fast."""

from __future__ import annotations

from collections.abc import Iterator

from scopetrace.explain.answer import Answer, Applying, Moment
from scopetrace.explain.codes import Code, Standing, When
from scopetrace.explain.pages import CODES
from scopetrace.explain.sentences import WIDTH
from scopetrace.model import Outcome
from scopetrace.model.catalog import CATALOG
from scopetrace.model.sizes import short_bytes

from .display import safe_line
from .lines import BLANK, Line, cut, line

_OURS = frozenset(code.value for code in Code)
_GOOD = (Standing.LOADED, Standing.APPLIES)
_AHEAD = (When.NEXT_STEP, When.NEXT_TOUCH, When.NEVER)


def mark_of(code: str) -> tuple[str, str]:
    """Glyph and colour role of a cause."""
    if code in _OURS:
        page = CODES[Code(code)]
        return page.glyph, page.tone
    info = CATALOG[Outcome(code)]
    return info.glyph, info.tone.value


def answer_lines(answer: Answer) -> Iterator[Line]:
    """Verdict and first cause, where and when; then causes, what applies, moments and evidence."""
    glyph, tone = mark_of(answer.code)
    if answer.standing in _GOOD and tone in ("quiet", "info"):
        tone = "good"
    # Made safe first: what it takes to show a control character counts as well.
    yield Line(((cut(f"{glyph} {safe_line(answer.headline)}", WIDTH + 2), tone),))
    event = f" · after event {answer.seq}" if answer.seq >= 0 else ""
    yield line((f"  {answer.absolute_path}{event} · rules {answer.profile}", "dim"))
    yield BLANK
    yield line(("Why", "strong"))
    for cause in answer.causes:
        glyph, tone = mark_of(cause.code)
        yield line(
            (f"  {glyph} {cause.code:<18} ", tone),
            cause.sentence,
            (_event(cause.seq), "dim") if cause.seq is not None else "",
        )
    yield from _applying("Applies here, from broad to specific", answer.applies)
    yield from _applying("Would load with a touch", answer.would_load)
    if answer.when:
        yield BLANK
        yield line(("When", "strong"))
        for moment in answer.when:
            yield _moment(moment)
    if answer.evidence:
        yield BLANK
        yield line(("Evidence", "strong"))
        for one in answer.evidence:
            yield line((f"  {one.kind:<8} ", "dim"), one.sentence, (_event(one.seq), "dim"))


def _event(seq: int | None) -> str:
    return "" if seq is None else f"  event {seq}"


def _applying(title: str, files: tuple[Applying, ...]) -> Iterator[Line]:
    if not files:
        return
    yield BLANK
    yield line((title, "strong"))
    for one in files:
        glyph, tone = mark_of(one.code)
        size = "" if one.size is None else f"  {short_bytes(one.size)}"
        yield line((f"  {glyph} ", tone), one.path, (f"{size}{_event(one.seq)}", "dim"))


def _moment(moment: Moment) -> Line:
    if moment.seq is None:
        place = "ahead" if moment.kind in _AHEAD else ""
    else:
        place = f"event {moment.seq}"
    later = ("  later than this step", "dim") if moment.later else ""
    return line((f"  {place:<11} ", "dim"), moment.sentence, later)
