"""Two texts side by line: what was added, what was taken away, a little around it."""

from __future__ import annotations

import difflib

from scopetrace.report.display import safe_line

from .spans import Line, Span

CONTEXT = 3
LIMIT = 20_000
"""Lines on either side beyond which only the first difference is shown: comparing costs more than linear."""


def diff_lines(old: str, new: str, old_name: str, new_name: str, *, context: int = CONTEXT) -> list[Line]:
    """A unified diff as lines; empty when the texts are equal. Line ends other than LF show as pictures."""
    if old == new:
        return []
    before, after = old.split("\n"), new.split("\n")
    head: list[Line] = [
        (Span("- ", "deleted"), Span(safe_line(old_name), "dim")),
        (Span("+ ", "added"), Span(safe_line(new_name), "dim")),
    ]
    if max(len(before), len(after)) > LIMIT:
        place = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
        head.append((Span(f"too long to compare line by line; first difference in line {place + 1}", "warn"),))
        head.extend(_line("-", text) for text in before[place : place + context])
        head.extend(_line("+", text) for text in after[place : place + context])
        return head
    body = list(difflib.unified_diff(before, after, lineterm="", n=context))[2:]
    return head + [_line(row[:1], row[1:]) for row in body]


def _line(mark: str, text: str) -> Line:
    shown = safe_line(text, tab="    ")
    if mark == "+":
        return (Span("+ " + shown, "added"),)
    if mark == "-":
        return (Span("- " + shown, "deleted"),)
    if mark == "@":
        return (Span("@" + shown, "info"),)
    return (Span("  " + shown, "dim"),)
