"""The Budget pane: a bar to scale for each budget, then the files that did not fit, then the parts of the bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from scopetrace.model import BudgetReport, Outcome, SegmentKind
from scopetrace.model.sizes import exact_bytes, grouped, short_bytes
from scopetrace.report.display import safe_line

from .outcomes import glyph, tone
from .shown import Shown
from .spans import Cell, Line, Span, clip, columns, joined

LOOK_BACK = 12
"""Earlier changes that are looked at for a budget still in force."""

FILE_CHAR = "━"
FILE_END = "╸"
OVERHEAD_CHAR = "╍"
TRACK_CHAR = "─"
_FILE_ROLES = ("good", "info")
_OVERHEAD_ROLE = "frame"


@dataclass(frozen=True, slots=True)
class BudgetPart:
    """A budget and where it comes from: ``event`` is 0 for this event, else the seq of the earlier one."""

    report: BudgetReport
    event: int = 0


def budget_name(report: BudgetReport) -> str:
    """``baseline``, or ``update · project`` where each chain has a budget of its own."""
    return safe_line(report.block if report.chain in ("", "all") else f"{report.block} · {report.chain}")


def bar(report: BudgetReport, width: int) -> Line:
    """The bar in exactly ``width`` cells: files in turning colours with a gap after each, overhead dotted, room thin.

    Cells are given by cumulative share, so that the bar's end is exact whatever the number of segments; a segment
    smaller than half a cell may get none.
    """
    scale = max(report.limit, float(report.used), 1.0)
    out: list[Span] = []
    done = 0.0
    at = 0
    files = 0
    for segment in report.segments:
        done += segment.size
        end = min(width, round(done / scale * width))
        if segment.kind is SegmentKind.FILE:
            role, char = _FILE_ROLES[files % 2], FILE_CHAR
            files += 1
        else:
            role, char = _OVERHEAD_ROLE, OVERHEAD_CHAR
        if end > at:
            filled = char * (end - at)
            out.append(Span(filled[:-1] + FILE_END if segment.kind is SegmentKind.FILE else filled, role))
            at = end
    if at == 0 and report.used > 0 and width > 0:
        out.append(Span(FILE_END, "good"))
        at = 1
    limit = min(width, round(report.limit / scale * width))
    if limit > at:
        out.append(Span(TRACK_CHAR * (limit - at), "track"))
        at = limit
    out.append(Span(" " * (width - at)))
    return tuple(out)


def budget_lines(parts: Sequence[BudgetPart], width: int) -> tuple[Line, ...]:
    """All lines of the pane for a width."""
    lines = _bar_lines(parts, width)
    for part in parts:
        lines.extend(_losses(part.report, width))
    if parts and not any(part.report.omitted or part.report.truncated for part in parts):
        lines.append(_nothing_lost(parts, width))
    for part in parts:
        if len(parts) > 1:
            lines.append(clip((Span(f"{budget_name(part.report)} in parts", "info"),), width))
        lines.extend(_segments(part.report, width))
    return tuple(lines)


def _numbers(part: BudgetPart) -> str:
    return f"{short_bytes(part.report.used)} of {short_bytes(part.report.limit)}"


def _bar_lines(parts: Sequence[BudgetPart], width: int) -> list[Line]:
    """One bar a budget; label and number columns are as wide as their widest text, the bars take the rest."""
    labels = [budget_name(part.report) for part in parts]
    numbers = [_numbers(part) for part in parts]
    notes = [f"event {part.event}" if part.event else "" for part in parts]
    label_width = min(max(map(cell_len, labels), default=0), max(8, width // 3))
    number_width = max(map(len, numbers), default=0)
    note_width = max(map(len, notes), default=0) if width >= 56 else 0
    room = max(0, width - label_width - number_width - 2 - (note_width + 3 if note_width else 0))
    lines = []
    for part, label, number, note in zip(parts, labels, numbers, notes, strict=True):
        over = part.report.used > part.report.limit
        role = "bad" if over else ("dim" if part.event else "plain")
        right = [Cell(number, role, number_width, "right")]
        if note_width:
            right.insert(0, Cell(note, "dim", note_width, "right"))
        lines.append(
            clip(
                (
                    *columns(label_width, [Cell(label, "dim", cut="middle")]),
                    Span(" "),
                    *bar(part.report, room),
                    Span("  " if note_width else " "),
                    *columns(number_width + (note_width + 2 if note_width else 0), right, gap=2),
                ),
                width,
            )
        )
    return lines


def _losses(report: BudgetReport, width: int) -> list[Line]:
    lines = []
    for path, size in report.omitted:
        outcome = Outcome.OMITTED
        lines.append(
            columns(
                width,
                [
                    Cell(glyph(outcome), tone(outcome), 1),
                    Cell("omitted", tone(outcome), 9),
                    Cell(safe_line(path), cut="middle"),
                    Cell(exact_bytes(size), "plain", 12, "right"),
                ],
            )
        )
    for cut in report.truncated:
        outcome = Outcome.TRUNCATED
        numbers = f"{grouped(cut.original_bytes)} → {exact_bytes(cut.included_bytes)}"
        lines.append(
            columns(
                width,
                [
                    Cell(glyph(outcome), tone(outcome), 1),
                    Cell("truncated", tone(outcome), 9),
                    Cell(safe_line(cut.display_path), cut="middle"),
                    Cell(numbers, "plain", len(numbers), "right"),
                ],
            )
        )
    return lines


def _nothing_lost(parts: Sequence[BudgetPart], width: int) -> Line:
    overhead = sum(
        segment.size for part in parts for segment in part.report.segments if segment.kind is not SegmentKind.FILE
    )
    text = joined(["nothing omitted or truncated", f"{exact_bytes(overhead)} of frame, intro, notices"])
    return clip((Span(text, "dim"),), width)


def _segments(report: BudgetReport, width: int) -> list[Line]:
    """The files of a bar by name, in the order of rendering, then frame, intro and notices in one row."""
    lines = []
    files = 0
    overhead: dict[str, int] = {}
    for segment in report.segments:
        if segment.kind is SegmentKind.FILE:
            lines.append(_part(FILE_CHAR, _FILE_ROLES[files % 2], safe_line(segment.path), segment.size, report, width))
            files += 1
        else:
            overhead[segment.kind.value] = overhead.get(segment.kind.value, 0) + segment.size
    if overhead:
        names = ", ".join(overhead)
        lines.append(_part(OVERHEAD_CHAR, _OVERHEAD_ROLE, names, sum(overhead.values()), report, width))
    return lines


def _part(char: str, role: str, name: str, size: int, report: BudgetReport, width: int) -> Line:
    share = size / report.limit * 100 if report.limit > 0 else 0.0
    return columns(
        width,
        [
            Cell(char * 2, role, 2),
            Cell(name, "dim", cut="middle"),
            Cell(f"{share:.1f} %" if share >= 0.1 else "<0.1 %", "dim", 7, "right", optional=1),
            Cell(exact_bytes(size), "dim", 12, "right"),
        ],
    )


def summary(parts: Sequence[BudgetPart]) -> str:
    """``1 omitted · 1 truncated``, empty when nothing was lost."""
    omitted = sum(len(part.report.omitted) for part in parts)
    cut = sum(len(part.report.truncated) for part in parts)
    return joined([f"{omitted} omitted" if omitted else "", f"{cut} truncated" if cut else ""])


def budgets_in_force(shown: Shown) -> list[BudgetPart]:
    """The budgets spent at this event, then the latest earlier one of every other block and chain."""
    parts = [BudgetPart(report) for report in shown.frame.budgets]
    seen = {(part.report.block, part.report.chain) for part in parts}
    at = shown.marks.previous_change(shown.index)
    for _ in range(LOOK_BACK):
        if at is None:
            break
        frame = shown.marks.frame(at)
        for report in frame.budgets:
            if (report.block, report.chain) not in seen:
                seen.add((report.block, report.chain))
                parts.append(BudgetPart(report, frame.seq))
        if any(block == "baseline" for block, _ in seen):
            break
        at = shown.marks.previous_change(at)
    return parts
