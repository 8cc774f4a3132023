"""The title bar: what is replayed, under which rules, where we are, and whether the record agrees so far."""

from __future__ import annotations

from rich.cells import cell_len

from scopetrace.model import Frame, RunInfo
from scopetrace.model.sizes import short_bytes
from scopetrace.report.display import safe_line

from .moment import Moment
from .spans import ELLIPSIS, EMPTY, Line, Span, cut_end, cut_middle, joined, spread, width_of

AGREES = "recorded = computed ✔"
DIFFERS = "recorded ≠ computed"


def title_line(
    info: RunInfo,
    moment: Moment | None,
    frame: Frame | None,
    width: int,
    *,
    complete: bool = True,
    fits: tuple[str, ...] = (),
    key: str = "i",
) -> Line:
    """One line. The profile, the event number and the agreement are always there; the rest gives way.

    ``fits`` are the rules that would fit a record that differs, ``key`` shows the notes.
    """
    rules = f"rules {safe_line(info.profile)}"
    budget = short_bytes(info.budget)
    title = short_title(safe_line(info.title), max(12, width // 4))
    left: list[Span] = [Span(" scopetrace", "accent"), Span("  "), Span(title, "strong"), Span("  ")]
    right = _position(
        moment, frame, complete, wide=width >= 100, notes=len(info.notes), log=bool(info.format), fits=fits, key=key
    )
    room = width - width_of(right) - width_of(tuple(left)) - 3
    source = f"{budget}, {safe_line(info.config_source)}" if info.config_source else budget
    place = safe_line(homely(info.cwd, info.home))
    for text in (
        joined([cut_middle(place, 40), rules, source]),
        joined([cut_middle(place, 24), rules, budget]),
        joined([rules, source]),
        joined([rules, budget]),
        rules,
    ):
        if cell_len(text) <= room:
            left.append(Span(text, "dim"))
            break
    else:
        name = short_title(safe_line(info.title), max(4, width - width_of(right) - len(rules) - 5))
        left = [Span(" ", "accent"), Span(name, "strong"), Span("  "), Span(rules, "dim")]
    return spread(width, tuple(left), right)


STUB = 10
"""Cells of a part of a title below which it is left out rather than cut."""


def short_title(title: str, width: int) -> str:
    """The title in ``width`` cells: whole parts (between dots or dashes) rather than a stub of the next one."""
    if cell_len(title) <= width:
        return title
    cut = cut_end(title, width)
    words = cut.removesuffix(ELLIPSIS).rpartition(" ")[0].rstrip(" ·—–:")
    shown = words + ELLIPSIS if cell_len(words) >= width // 2 else cut
    for mark in (" · ", " — ", " – "):
        if title.startswith(words + mark):
            return words
        head, found, rest = shown.removesuffix(ELLIPSIS).rpartition(mark)
        if found and head.strip() and cell_len(rest) <= STUB:
            return head.rstrip()
    return shown


def _position(
    moment: Moment | None,
    frame: Frame | None,
    complete: bool,
    *,
    wide: bool,
    notes: int,
    log: bool,
    fits: tuple[str, ...] = (),
    key: str = "i",
) -> Line:
    if moment is None:
        return (Span("no events ", "dim"),)
    out: list[Span] = []
    where = joined([f"turn {moment.turn}" if moment.turn else "", f"step {moment.step}" if moment.step else ""])
    if wide and where:
        out.append(Span(f"{where} · ", "dim"))
    out.append(Span("event ", "dim"))
    out.append(Span(moment.number, "strong"))
    out.append(Span(f"/{moment.last_seq}{'' if complete else '+'}", "dim"))
    out.append(Span("  "))
    out.extend(agreement(frame, wide=wide, fits=fits) if log else (Span("no session", "dim"),))
    if notes:
        out.append(Span(f"  ▲ {notes} {'note' if notes == 1 else 'notes'} ({key})" if wide else f" ▲{notes}", "warn"))
    out.append(Span(" "))
    return tuple(out)


def agreement(frame: Frame | None, *, wide: bool, fits: tuple[str, ...] = ()) -> Line:
    """Whether record and claim agree up to this event."""
    if frame is None:
        return EMPTY
    if frame.agrees_so_far:
        return (Span(AGREES if wide else "✔ agrees", "good"),)
    said = f" · rules {' or '.join(fits)} {'fits' if len(fits) == 1 else 'fit'}" if fits and wide else ""
    return (Span(f"{DIFFERS}{said}" if wide else "≠ differs", "bad"),)


def homely(path: str, home: str) -> str:
    """A path with the home directory as ``~``."""
    if home and home != "/" and (path == home or path.startswith(home.rstrip("/") + "/")):
        return "~" + path[len(home.rstrip("/")) :]
    return path
