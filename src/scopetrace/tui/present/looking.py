"""The words for what is searched for, filtered and waited for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scopetrace.model import Outcome
from scopetrace.model.catalog import CATALOG
from scopetrace.replay.looking import BreakKind, Breakpoint
from scopetrace.report.display import safe_line
from scopetrace.tui.sweep import Sweep

from .decisions import DecisionRow
from .scopes import BREAK, ScopeRow


def scope_name(value: str) -> str:
    """A scope directory or scope key as people write it: ``services/``, ``services/AGENTS.md``. Safe for display."""
    directory, key, name = value.partition("\0")
    if not key:
        return safe_line(value if value in (".", "") or value.endswith("/") else f"{value}/")
    return safe_line(name if directory in (".", "") else f"{directory}/{name}")


def breakpoint_text(breakpoint: Breakpoint) -> str:
    """What a breakpoint waits for."""
    if breakpoint.kind is BreakKind.MISMATCH:
        return "recorded ≠ computed"
    if breakpoint.kind is BreakKind.OUTCOME:
        word = CATALOG[Outcome(breakpoint.value)].word
        return f"outcome {breakpoint.value}" + (f" ({word})" if word != breakpoint.value else "")
    return f"{scope_name(breakpoint.value)} changes"


def offered(scope: ScopeRow | None, decision: DecisionRow | None) -> list[Breakpoint]:
    """The breakpoints that fit to what is selected, most likely first."""
    out: list[Breakpoint] = []
    if scope is not None:
        if scope.candidate is not None:
            out.append(Breakpoint(BreakKind.SCOPE, scope.candidate.scope or scope.candidate.path))
        out.append(Breakpoint(BreakKind.SCOPE, scope.node.directory))
    if decision is not None:
        key = next((item.scope for item in decision.chain if item.scope), "")
        if key:
            out.append(Breakpoint(BreakKind.SCOPE, key))
        out.append(Breakpoint(BreakKind.OUTCOME, decision.outcome.value))
    out.append(Breakpoint(BreakKind.MISMATCH))
    return list(dict.fromkeys(out))


def broken_scopes(breakpoints: Iterable[Breakpoint]) -> frozenset[str]:
    """The scope keys and directories that are waited for."""
    return frozenset(one.value for one in breakpoints if one.kind is BreakKind.SCOPE)


def find_words(text: str, sweep: Sweep, index: int) -> str:
    """``“qty” 3 of 12``; while the search goes on, how far it is."""
    place = sweep.place_of(index)
    count = len(sweep.found)
    where = f"{place} of {count}" if place else f"{count} {'match' if count == 1 else 'matches'}"
    going = "" if sweep.done else f" · looking … {sweep.share} %"
    return f"“{safe_line(text)}” {where}{going}"


def foot(
    complete: bool, filter_name: str, shown: Sequence[int] | None, total: int, waiting: int, back: str = "esc"
) -> str:
    """What stands in the lower border of the timeline; ``back`` is the key that ends a filter."""
    breaks = f" · {BREAK} {waiting} {'breakpoint' if waiting == 1 else 'breakpoints'}" if waiting else ""
    if shown is not None:
        return f"{safe_line(filter_name)} · {len(shown)} of {total} · {back} shows all{breaks}"
    return ("all events" if complete else "still reading the log") + breaks
