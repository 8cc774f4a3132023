"""An answer of ``why`` as rows: verdict, causes, what applies, moments, evidence; and what each row leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len

from scopetrace.explain.answer import Answer, Applying
from scopetrace.explain.codes import Standing
from scopetrace.model.sizes import exact_bytes
from scopetrace.report.answer_text import mark_of
from scopetrace.report.display import safe_line

from .spans import EMPTY, Line, Span, clip, cut_end, cut_middle, joined, width_of, wrap

_GOOD = (Standing.LOADED, Standing.APPLIES)
_MOST_WORD = 18
"""Cells of the longest codes of causes."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where enter goes: an event, a file as it was at the step that was asked about, or the answer about a path."""

    seq: int | None = None
    path: str = ""
    asks: bool = False

    @property
    def words(self) -> str:
        """``event 30 ›``, ``file ›`` or ``why ›``; empty when the row leads nowhere."""
        if self.seq is not None:
            return f"event {self.seq} ›"
        return "" if not self.path else "why ›" if self.asks else "file ›"


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A line of the panel; the cursor rests on the first line of what leads somewhere."""

    line: Line
    target: Target | None = None


def answer_rows(answer: Answer, width: int, has_text: Callable[[str], bool] = lambda path: True) -> list[AnswerRow]:
    """The panel for a width: the rows of ``scopetrace why``, wrapped, each with what it leads to.

    ``has_text`` says of an absolute path whether it can be read at that step.
    """

    def file(path: str) -> Target:
        if not path or has_text(path):
            return Target(path=path)
        return Target() if path == answer.absolute_path else Target(path=path, asks=True)

    mark, role = mark_of(answer.code)
    if answer.standing in _GOOD and role in ("quiet", "info"):
        role = "good"
    rows: list[AnswerRow] = []
    for number, part in enumerate(wrap(safe_line(answer.headline), max(10, width - 2))):
        rows.append(AnswerRow((Span(f"{mark} " if number == 0 else "  ", role), Span(part, "strong"))))
    event = f"after event {answer.seq}" if answer.seq >= 0 else ""
    path = cut_middle(safe_line(answer.absolute_path), max(20, width - 34))
    facts = joined([path, event, f"rules {safe_line(answer.profile)}"])
    rows.append(AnswerRow(clip((Span("  "), Span(facts, "dim")), width)))
    sections = {
        "Why": _causes(answer, file),
        "Applies here, from broad to specific": _applying(answer.applies, file),
        "Would load with a touch": _applying(answer.would_load, file),
        "When": _moments(answer),
        "Evidence": _evidence(answer, file),
    }
    items = [item for found in sections.values() for item in found]
    words = min(_MOST_WORD, max((cell_len(item.word) for item in items), default=0))
    led = max((cell_len(item.target.words) for item in items), default=0)
    for title, found in sections.items():
        if found:
            rows += [AnswerRow(EMPTY), AnswerRow(clip((Span(title, "info"),), width))]
            rows += [row for item in found for row in _laid_out(item, words, led, width)]
    return rows


class _Item(NamedTuple):
    """Glyph, word, their colour, a raw sentence, and what enter leads to."""

    glyph: str
    word: str
    role: str
    sentence: str
    target: Target


_ToFile = Callable[[str], Target]


def _causes(answer: Answer, file: _ToFile) -> list[_Item]:
    return [
        _Item(
            *_marked(cause.code),
            cause.sentence,
            file(cause.absolute_path) if cause.seq is None else Target(cause.seq),
        )
        for cause in answer.causes
    ]


def _evidence(answer: Answer, file: _ToFile) -> list[_Item]:
    # A file is shown as it was at the step; what is about no file leads to its event.
    return [
        _Item(
            " ",
            safe_line(one.kind),
            "dim",
            one.sentence,
            file(one.absolute_path) if one.absolute_path else Target(one.seq),
        )
        for one in answer.evidence
    ]


def _moments(answer: Answer) -> list[_Item]:
    items: list[_Item] = []
    for moment in answer.when:
        if moment.seq is None:
            word = "ahead"
        elif moment.seq == answer.seq:
            word = "here"
        else:
            word = "later" if moment.later else "before"
        items.append(_Item(" ", word, "dim", moment.sentence, Target(moment.seq)))
    return items


def _applying(files: Sequence[Applying], file: _ToFile) -> list[_Item]:
    items: list[_Item] = []
    for one in files:
        size = "" if one.size is None else exact_bytes(one.size)
        event = "" if one.seq is None else f"event {one.seq}"
        text = joined([one.path, size, event])
        items.append(_Item(*_marked(one.code), text, file(one.absolute_path)))
    return items


def _marked(code: str) -> tuple[str, str, str]:
    glyph, role = mark_of(code)
    return glyph, safe_line(code), role


def _laid_out(item: _Item, words: int, led: int, width: int) -> Iterator[AnswerRow]:
    """The sentence wrapped between word and target; narrow panes go without the word."""
    worded = width >= 4 + words + 1 + led + 30
    left = 4 + words + 1 if worded else 4
    there = item.target.words
    for number, part in enumerate(wrap(safe_line(item.sentence), max(10, width - left - led - 1))):
        if number:
            yield AnswerRow((Span(" " * left), Span(part, "plain")))
            continue
        start: Line = (Span("  "), Span(f"{item.glyph} ", item.role))
        if worded:
            start = (*start, Span(f"{cut_end(item.word, words):<{words}} ", item.role))
        line = (*start, Span(part, "plain"))
        if there:
            line = (*line, Span(" " * max(1, width - width_of(line) - len(there))), Span(there, "accent"))
        yield AnswerRow(line, item.target if there else None)


class AnswerLines:
    """The rows for a line list; only what leads somewhere takes the cursor."""

    natural_width = 0

    def __init__(self, rows: Sequence[AnswerRow]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def line(self, index: int, width: int) -> Line:
        return clip(self.rows[index].line, width)

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def selectable(self, index: int) -> bool:
        return self.rows[index].target is not None

    @property
    def leading(self) -> list[int]:
        """The rows that lead somewhere."""
        return [index for index, row in enumerate(self.rows) if row.target is not None]
