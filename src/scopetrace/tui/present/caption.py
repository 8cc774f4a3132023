"""A page of a lesson: caption, what happened since the page before, question and answer, claims that were checked."""

from __future__ import annotations

from collections.abc import Iterable

from scopetrace.replay.lessons import Page
from scopetrace.report.display import safe_line

from .spans import EMPTY, Line, Span, cut_end, wrap


def caption_lines(page: Page, width: int, *, answered: bool, most: int = 0, key: str = "space") -> list[Line]:
    """The page for a width. The answer is hidden until it is asked for; then, where ``most`` rows are too few for
    all, question and answer stand alone. ``key`` shows the answer."""
    lines = _page(page, max(20, width), answered, key, brief=False)
    if answered and page.question and 0 < most < len(lines):
        lines = _page(page, max(20, width), answered, key, brief=True)
    return lines


def _page(page: Page, width: int, answered: bool, key: str, *, brief: bool) -> list[Line]:
    lines: list[Line] = []
    if not brief:
        if page.happened:
            happened = safe_line(" · ".join(page.happened))
            lines.append((Span(cut_end(f"⟲ {happened}", width), "dim"),))
        lines.extend(_wrapped(page.caption, "strong", width))
    if page.question:
        if not brief:
            lines.append(EMPTY)
        lines.extend(_marked("? ", page.question, "accent", width))
        if answered:
            lines.extend(_marked("→ ", page.answer, "good", width))
        else:
            lines.append((Span(f"  {key}", "key"), Span(" shows the answer", "dim")))
    for finding in page.findings:
        if not finding.holds:
            lines.extend(_marked("✖ ", f"the claim does not hold: {finding.said}", "bad", width))
    return lines


def caption_height(pages: Iterable[Page], width: int, most: int) -> int:
    """Rows that the tallest page takes, answer included; at most ``most``."""
    return min(most, max((len(caption_lines(page, width, answered=True)) for page in pages), default=1))


def checked(page: Page) -> tuple[str, str]:
    """For the lower border: whether the claims of the page hold, and in which role to say so."""
    wrong = sum(not finding.holds for finding in page.findings)
    if wrong:
        return f"✖ {wrong} of {len(page.findings)} claims do not hold", "bad"
    return "✔ checked against the engine", "good"


def _wrapped(text: str, role: str, width: int) -> Iterable[Line]:
    return ((Span(part, role),) for part in wrap(safe_line(text), width))


def _marked(mark: str, text: str, role: str, width: int) -> Iterable[Line]:
    for number, part in enumerate(wrap(safe_line(text), width - 2)):
        yield (Span(mark if number == 0 else "  ", role), Span(part, "plain"))
