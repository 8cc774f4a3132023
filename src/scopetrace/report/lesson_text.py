"""A lesson as lines of text, page by page; and the list of lessons."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from .lesson_docs import ClaimDoc, LessonDoc, LessonsDoc, PageDoc
from .lines import BLANK, Line, line

COLUMNS = 100
"""Width of running text, at most."""


def lessons_lines(found: LessonsDoc, *, width: int = 80) -> Iterator[Line]:
    """The lessons with what each teaches."""
    for number, item in enumerate(found.lessons, start=1):
        counts = f"{item.pages} pages · rules {item.profile}"
        yield line((f"{number:>2} ", "dim"), (f"{item.name:<12}", "strong"), f"{item.title}  ", (counts, "dim"))
        yield from _paragraph(item.teaches, width, "   ", "dim")
    yield BLANK
    yield line("scopetrace learn NAME shows a lesson; a file of your own works as well (docs/lessons.md)")


def lesson_lines(lesson: LessonDoc, *, width: int = 80) -> Iterator[Line]:
    """A whole lesson. Claims that do not hold say so, and where in the file they stand."""
    yield line((lesson.title, "strong"), (f"  {len(lesson.pages)} pages · rules {lesson.profile}", "dim"))
    yield from _paragraph(lesson.teaches, width, "", "")
    for page in lesson.pages:
        yield BLANK
        yield from _page(page, len(lesson.pages), width)
    for place in lesson.unexpected:
        yield line(("✖ ", "bad"), f"{place}: the engine observes something else")


def _page(page: PageDoc, total: int, width: int) -> Iterator[Line]:
    mark = f"{page.number}/{total}"
    happened = "; then ".join(page.happened) or "the same moment, looked at again"
    first, *rest = wrap(happened, _columns(width) - len(mark) - 2, break_long_words=False) or [""]
    yield line((mark, "strong"), (f"  {first}", "dim"))
    for text in rest:
        yield line((" " * (len(mark) + 2) + text, "dim"))
    yield from _paragraph(page.caption, width, "  ", "")
    for number, claim in enumerate(page.claims):
        yield from _claim(claim, f"captions[{page.number - 1}].claims[{number}]", width)
    if page.question:
        yield from _marked("?", "info", page.question, width)
        yield from _marked("→", "info", page.answer, width)


def _claim(claim: ClaimDoc, place: str, width: int) -> Iterator[Line]:
    if claim.holds:
        yield from _marked(claim.glyph, "quiet", claim.said, width, "dim")
    else:
        yield from _marked("✖", "bad", f"{place} does not hold: {claim.said}", width)


def _marked(glyph: str, tone: str, text: str, width: int, role: str = "") -> Iterator[Line]:
    lines = wrap(text, _columns(width) - 4, break_long_words=False, break_on_hyphens=False) or [""]
    for number, part in enumerate(lines):
        yield line("  ", (f"{glyph} ", tone) if number == 0 else "  ", (part, role))


def _paragraph(text: str, width: int, indent: str, role: str) -> Iterator[Line]:
    for part in wrap(text, _columns(width) - len(indent), break_long_words=False, break_on_hyphens=False):
        yield line(indent, (part, role))


def _columns(width: int) -> int:
    return max(24, min(width, COLUMNS))
