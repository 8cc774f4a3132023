"""A timeline as one HTML file that needs nothing else: no script, no link, no picture, light and dark.

Text is made safe for display and then escaped; exact bytes are in the JSON export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from .display import safe_line, safe_text
from .documents import FrameDoc, InfoDoc, TotalsDoc
from .lines import Line
from .text import WIDE, budget_lines, comparison_lines, decision_line, row_lines, title_lines, totals_line

_STYLE = """
:root{color-scheme:light dark;--good:#1a7f37;--change:#0969da;--warn:#9a6700;--bad:#cf222e;--quiet:#6e7781;--bg:#fff;
--fg:#1f2328;--line:#d0d7de}
@media(prefers-color-scheme:dark){:root{--good:#3fb950;--change:#58a6ff;--warn:#d29922;--bad:#f85149;--quiet:#8b949e;
--bg:#0d1117;--fg:#e6edf3;--line:#30363d}}
body{background:var(--bg);color:var(--fg);font:14px/1.5 ui-monospace,Menlo,Consolas,monospace;margin:2em auto;
max-width:110ch;padding:0 1em}
h1{font-size:1.2em}p,pre{margin:.2em 0;white-space:pre-wrap;overflow-wrap:anywhere}
details{border-top:1px solid var(--line);padding:.3em 0}summary{cursor:pointer;white-space:pre-wrap}
details>*:not(summary){margin-left:3ch}pre{border-left:2px solid var(--line);padding-left:1ch}
.good{color:var(--good)}.change,.info{color:var(--change)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.quiet,.dim{color:var(--quiet)}.strong{font-weight:bold}
"""


def timeline_html(info: InfoDoc, frames: Iterable[FrameDoc], totals: TotalsDoc) -> Iterator[str]:
    """A session: one fold a relevant event, with decisions, budget and text inside."""
    yield _head(info.title or info.session_id or info.cwd)
    for item in title_lines(info):
        yield _paragraph(item)
    yield _paragraph(totals_line(totals))
    for frame in frames:
        yield from _fold(frame)
    yield "</body>\n</html>\n"


def page(title: str, lines: Iterable[Line]) -> Iterator[str]:
    """A page of lines."""
    yield _head(title)
    for item in lines:
        yield _paragraph(item) if item.spans else "<p>&nbsp;</p>\n"
    yield "</body>\n</html>\n"


def _head(title: str) -> str:
    shown = escape(safe_line(title))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{shown} · scopetrace</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{shown}</h1>\n"
    )


def _fold(frame: FrameDoc) -> Iterator[str]:
    first, *rest = row_lines(frame.row, width=WIDE)
    opened = " open" if frame.row.verdict not in (None, "equal") else ""
    yield f"<details{opened}>\n<summary>{_spans(first)}</summary>\n"
    for item in rest:
        yield _paragraph(item)
    for comparison in frame.comparisons:
        for item in comparison_lines(comparison):
            yield _paragraph(item)
    for decision in frame.decisions:
        yield _paragraph(decision_line(decision))
    for budget in frame.budgets:
        for item in budget_lines(budget):
            yield _paragraph(item)
    for message in frame.messages:
        for block in message.blocks:
            yield f"<pre>{escape(safe_text(block))}</pre>\n"
    yield "</details>\n"


def _paragraph(item: Line) -> str:
    return f"<p>{_spans(item)}</p>\n"


def _spans(item: Line) -> str:
    return "".join(f'<span class="{role}">{escape(text)}</span>' if role else escape(text) for text, role in item.spans)
