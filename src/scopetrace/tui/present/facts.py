"""The session page: what is replayed, from which files, under which rules, and what the user should know about it."""

from __future__ import annotations

from collections.abc import Iterable

from scopetrace.model import RunInfo, TimelineView, Verdict
from scopetrace.model.sizes import both_bytes
from scopetrace.report.display import safe_line

from .spans import EMPTY, Line, Span, wrap
from .timeline import VERDICT_MARKS

_LABEL = 14


def session_lines(timeline: TimelineView, width: int, fits: tuple[str, ...] = ()) -> list[Line]:
    """The page. ``fits`` are the other rules under which the whole record would be as computed."""
    info = timeline.info
    lines: list[Line] = []
    for label, value in _facts(info):
        lines.extend(_labelled(label, value, width))
    lines += [EMPTY, (Span("Record and computation", "strong"),)]
    verdicts = [item.verdict for item in timeline.comparisons]
    if not verdicts:
        lines.append((Span("  the log records no instruction message", "dim"),))
    for verdict in Verdict:
        count = verdicts.count(verdict)
        if count:
            text, role = VERDICT_MARKS[verdict]
            lines.append((Span(f"  {count:>5}  ", "plain"), Span(text, role)))
    if fits:
        said = f"  all of it is as computed under rules {' or '.join(fits)}: open it with --profile {fits[-1]}"
        lines.append((Span(said, "warn"),))
    if info.notes:
        lines += [EMPTY, (Span("Good to know", "strong"),)]
        for note in info.notes:
            for number, part in enumerate(wrap(safe_line(note), max(20, width - 4))):
                lines.append((Span("  ▲ " if number == 0 else "    ", "warn"), Span(part, "plain")))
    return lines


def _facts(info: RunInfo) -> Iterable[tuple[str, str]]:
    yield "session", info.title
    yield "id", info.session_id
    yield "log", info.log_path
    yield "format", info.format
    yield "rules", info.profile
    yield "budget", both_bytes(info.budget)
    yield "configuration", info.config_source
    yield "files", info.workspace_source
    yield "directory", info.cwd
    yield "home", info.home


def _labelled(label: str, value: str, width: int) -> Iterable[Line]:
    shown = safe_line(value)
    if not shown:
        return
    for number, part in enumerate(wrap(shown, max(20, width - _LABEL - 1))):
        yield (Span(f"{label if number == 0 else '':<{_LABEL}} ", "info"), Span(part, "plain"))
