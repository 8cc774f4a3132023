"""A timeline as Markdown (CommonMark): headings, lists and fenced texts that no content can break out of.

Text is made safe for display as on a terminal; exact bytes are in the JSON export.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scopetrace.model import Outcome
from scopetrace.model.catalog import CATALOG
from scopetrace.model.sizes import exact_bytes

from .display import safe_line, safe_text
from .documents import DecisionDoc, FrameDoc, InfoDoc, TotalsDoc
from .text import title_lines, totals_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&])")
_BACKTICKS = re.compile("`+")


def escaped(text: str) -> str:
    """Untrusted text as inline Markdown that shows itself and nothing else."""
    return _SPECIAL.sub(r"\\\1", safe_line(text))


def code(text: str) -> str:
    """Untrusted text as a code span, delimited by more backticks than it holds."""
    shown = safe_line(text)
    ticks = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def fenced(text: str) -> str:
    """Untrusted text as a fenced block; the fence is longer than any run of backticks in it."""
    shown = safe_text(text)
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    end = "" if shown.endswith("\n") else "\n"
    return f"{fence}text\n{shown}{end}{fence}\n"


def timeline_markdown(info: InfoDoc, frames: Iterable[FrameDoc], totals: TotalsDoc) -> Iterator[str]:
    """A session: one section for every event at which instructions moved or something was decided."""
    lines = [item.text for item in title_lines(info)]
    yield f"# {escaped(info.title or info.session_id or info.cwd)}\n\n"
    yield "".join(f"- {escaped(text)}\n" for text in lines)
    yield f"- {escaped(totals_line(totals).text)}\n"
    for frame in frames:
        yield from _section(frame)


def _section(frame: FrameDoc) -> Iterator[str]:
    row = frame.row
    place = f"turn {row.turn}, step {row.step} · " if row.turn else ""
    yield f"\n## {row.seq} · {place}{escaped(row.label)}\n\n"
    if row.text:
        yield f"{escaped(row.text)}\n\n"
    for comparison in frame.comparisons:
        differs = f" ({', '.join(comparison.differs)})" if comparison.differs else ""
        reason = f": {escaped(comparison.reason)}" if comparison.reason else ""
        yield f"Record against claim: **{comparison.verdict}**{differs}{reason}\n\n"
    for decision in frame.decisions:
        yield _decision(decision)
    for budget in frame.budgets:
        limit = "no limit" if budget.limit is None else exact_bytes(budget.limit)
        yield f"\nBudget of {budget.block} ({budget.chain}): {exact_bytes(budget.used)} of {limit}\n"
        for lost in budget.truncated:
            yield f"\n- ✂ {code(lost.path)} {exact_bytes(lost.size)} → {exact_bytes(lost.included)}\n"
        for lost in budget.omitted:
            yield f"\n- ▲ {code(lost.path)} {exact_bytes(lost.size)} omitted\n"
    for message in frame.messages:
        for block in message.blocks:
            yield f"\n{fenced(block)}"


def _decision(decision: DecisionDoc) -> str:
    info = CATALOG[Outcome(decision.outcome)]
    return f"- {info.glyph} **{info.word}** {escaped(decision.sentence)} ({code(decision.outcome)})\n"
