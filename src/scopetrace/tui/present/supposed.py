"""What would come out otherwise: candidates before and after, budgets, the text that the model holds."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from scopetrace.model import BudgetReport, CandidateState
from scopetrace.model.sizes import grouped, short_bytes
from scopetrace.replay.whatif import Delta
from scopetrace.report.display import safe_line
from scopetrace.tui.supposing import Coming, Supposed

from .budget import bar, budget_name
from .diff import diff_lines
from .outcomes import glyph, tone, word
from .spans import EMPTY, Cell, Line, Span, clip, columns, joined, wrap

AS_IT_IS, WHAT_IF = "as it is", "what if"
_WORD = 12
_MARKS = 7
"""Cells of the mark, the arrow and the gaps of a row."""


def result_lines(supposed: Supposed, width: int, *, context: int = 2) -> list[Line]:
    """All of it, for a width."""
    if supposed.empty and supposed.budgets_before == supposed.budgets_after:
        return _prose("Nothing would come out otherwise: same files, same text, same bytes.", width)
    lines: list[Line] = []
    if supposed.deltas:
        lines.append(_title(f"{_count(len(supposed.deltas), 'candidate')} would come out otherwise"))
        longest = max(cell_len(safe_line(delta.path)) for delta in supposed.deltas)
        sizes = max(len(_sizes(delta.before, delta.after)) for delta in supposed.deltas)
        path_width = min(longest, max(16, width - 2 * _WORD - _MARKS - min(sizes, 24)))
        lines.extend(_delta(delta, width, path_width) for delta in supposed.deltas)
    else:
        lines.append(_title("No candidate would come out otherwise"))
    if supposed.coming:
        lines += [EMPTY, _title("Told with the next step")]
        lines.extend(_coming(coming, width) for coming in supposed.coming)
    if supposed.budgets_before or supposed.budgets_after:
        lines += [EMPTY, _title("Budget")]
        lines.extend(_budgets(supposed.budgets_before, supposed.budgets_after, width))
    lines.append(EMPTY)
    diff = diff_lines(supposed.text_before, supposed.text_after, AS_IT_IS, WHAT_IF, context=context)
    before, after = _size(supposed.text_before), _size(supposed.text_after)
    lines.append(_title(f"What the model holds · {grouped(before)} → {grouped(after)} B"))
    lines.extend(diff or _prose("The text is the same, byte for byte.", width))
    return [clip(line, width) for line in lines]


def summary(supposed: Supposed) -> str:
    """``2 otherwise · −120 B``, for the border."""
    bytes_more = _size(supposed.text_after) - _size(supposed.text_before)
    sign = "+" if bytes_more > 0 else "−"
    return joined(
        [
            f"{len(supposed.deltas)} otherwise" if supposed.deltas else "no outcome otherwise",
            f"{sign}{grouped(abs(bytes_more))} B" if bytes_more else "",
        ]
    )


def _title(text: str) -> Line:
    return (Span(text, "info"),)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _delta(delta: Delta, width: int, path_width: int) -> Line:
    """Path, word before, word after, and the sizes where they tell the difference."""
    sizes = _sizes(delta.before, delta.after)
    state = delta.after or delta.before
    return columns(
        width,
        [
            Cell(glyph(state.outcome) if state is not None else " ", tone(state.outcome) if state else "dim", 1),
            Cell(safe_line(delta.path), "plain", path_width, cut="middle"),
            Cell(*_word(delta.before), _WORD, "right"),
            Cell("→", "dim", 1),
            Cell(*_word(delta.after), _WORD),
            Cell(sizes, "dim"),
        ],
    )


def _word(state: CandidateState | None) -> tuple[str, str]:
    if state is None:
        return "no candidate", "dim"
    return word(state.outcome), tone(state.outcome)


def _sizes(before: CandidateState | None, after: CandidateState | None) -> str:
    old, new = _shown_size(before), _shown_size(after)
    if old is None and new is None:
        return ""
    if old == new or old is None or new is None:
        size = new if new is not None else old
        digests = [state.facts.get("digest") for state in (before, after) if state is not None]
        other = len(set(digests)) == 2 and None not in digests
        return f"{grouped(size or 0)} B{', other text' if other else ''}"
    return f"{grouped(old)} → {grouped(new)} B"


def _shown_size(state: CandidateState | None) -> int | None:
    """Bytes that the model got of the file, else the file's size."""
    if state is None:
        return None
    included = state.facts.get("included")
    return included if isinstance(included, int) else state.size


def _coming(coming: Coming, width: int) -> Line:
    if coming.after is None:
        text, role, mark = "would not be told of any more", "warn", "−"
    elif coming.before is None:
        text, role, mark = f"would be told: {coming.after.action.value}", "good", "⊕"
    else:
        text, role, mark = "would be told with another text", "change", "⊕"
    return columns(
        width, [Cell(mark, role, 1), Cell(safe_line(coming.path), cut="middle"), Cell(text, role, len(text))]
    )


def _budgets(before: Sequence[BudgetReport], after: Sequence[BudgetReport], width: int) -> list[Line]:
    """Two bars a budget, each to its own scale; a budget that one side lacks has one."""
    names = list(dict.fromkeys(budget_name(report) for report in (*before, *after)))
    lines: list[Line] = []
    for name in names:
        for side, reports in ((AS_IT_IS, before), (WHAT_IF, after)):
            report = next((one for one in reports if budget_name(one) == name), None)
            shown = name if side is AS_IT_IS else ""
            lines.append(_bar(shown, side, report, max(cell_len(one) for one in names), width))
    return lines


def _bar(name: str, side: str, report: BudgetReport | None, name_width: int, width: int) -> Line:
    name_width = min(name_width, max(8, width // 4))
    head = (*columns(name_width, [Cell(name, "dim", cut="middle")]), Span(f" {side} ", "plain"))
    if report is None:
        return (*head, Span("none rendered", "dim"))
    numbers = f"{short_bytes(report.used)} of {short_bytes(report.limit)}"
    lost = joined(
        [
            f"{len(report.omitted)} omitted" if report.omitted else "",
            f"{len(report.truncated)} cut" if report.truncated else "",
        ]
    )
    room = width - name_width - len(side) - 2 - 20 - (20 if lost else 0)
    role = "bad" if report.used > report.limit else "plain"
    tail = (Span(f" {numbers:>19}", role), Span(f"  {lost}" if lost else "", "warn"))
    return (*head, *bar(report, max(4, room)), *tail)


def _prose(text: str, width: int, *, role: str = "dim") -> list[Line]:
    return [(Span(part, role),) for part in wrap(text, max(10, width))]
