"""Tables as lines: an audit of several logs, sessions that were found, outcomes, errors."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from textwrap import wrap

from scopetrace.model import Verdict
from scopetrace.model.sizes import short_bytes

from .documents import AuditDoc, AuditLogDoc, ErrorDoc, OutcomesDoc, SessionsDoc
from .lines import BLANK, Line, line
from .text import comparison_lines


def audit_lines(audit: AuditDoc) -> Iterator[Line]:
    """A table of logs; what differs stands below its log."""
    yield line(f"{'recorded':>8} {'computed':>8} {'equal':>6}   log")
    for log in audit.logs:
        yield from _audit_log_lines(log)


def _audit_log_lines(log: AuditLogDoc) -> Iterator[Line]:
    if log.error is not None or log.totals is None:
        yield line(f"{'-':>8} {'-':>8} {'-':>6} ", ("✖ ", "bad"), log.path)
        if log.error is not None:
            yield from error_lines(log.error, indent=27)
        return
    totals = log.totals
    mark = ("✔ ", "good") if totals.agrees else ("✖ ", "bad")
    counts = f"{totals.recorded:>8} {totals.computed:>8} {totals.equal:>6} "
    yield line(counts, mark, log.title or log.path, (f"  format {log.format} · rules {log.profile}", "dim"))
    for comparison in log.comparisons:
        if comparison.verdict != Verdict.EQUAL.value:
            yield Line(((" " * 16, ""), *next(iter(comparison_lines(comparison))).spans))
    if log.fits:
        yield line(" " * 27, ("▲ ", "warn"), f"the record fits the rules {' and '.join(log.fits)}")


def sessions_lines(found: SessionsDoc) -> Iterator[Line]:
    """Logs, newest first."""
    if not found.sessions:
        yield line(f"no session logs below {found.home}")
    for item in found.sessions:
        told = (f"✖ {item.error}", "bad") if item.error else (item.cwd or "no working directory", "strong")
        child = ("  child session", "dim") if item.parent else ""
        yield line(
            (f"{_when(item.modified_ms)}  {short_bytes(item.size):>9}  format {item.format}  ", "dim"), told, child
        )
        yield line((f"  {item.path}", "dim"))


def _when(milliseconds: int) -> str:
    """Local time to the minute."""
    return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y-%m-%d %H:%M")


def error_lines(error: ErrorDoc, *, indent: int = 0) -> Iterator[Line]:
    """What is wrong, where, under which code, what to do."""
    where = f"{error.path}, {error.place}" if error.place else error.path
    yield line(" " * indent, f"{where}: " if where else "", (error.message, "bad"), (f" [{error.code}]", "dim"))
    if error.remedy:
        yield line(" " * indent, f"  {error.remedy}")


def outcome_list_lines(outcomes: OutcomesDoc) -> Iterator[Line]:
    """All outcomes in a table, by stage."""
    stage = ""
    for item in outcomes.outcomes:
        if item.stage != stage:
            stage = item.stage
            yield line((stage, "strong"))
        yield line((f"  {item.glyph} ", item.tone), f"{item.code:<22}{item.word}")


def outcome_page_lines(outcomes: OutcomesDoc, *, width: int = 80) -> Iterator[Line]:
    """The page of each outcome."""
    for item in outcomes.outcomes:
        yield line((f"{item.glyph} {item.code}", item.tone), f" · {item.word} · stage {item.stage}")
        yield BLANK
        for text in wrap(item.page, min(width, 100), break_long_words=False, break_on_hyphens=False):
            yield line(text)
