"""The open screen's list: sections, entries in columns, what is said about the selected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scopetrace.model.sizes import exact_bytes, short_bytes
from scopetrace.report.display import safe_line
from scopetrace.tui.finding import Entry, EntryKind

from .header import homely
from .spans import EMPTY, Cell, Line, Span, columns, joined, wrap

_TITLES = {
    EntryKind.PATH: "Path",
    EntryKind.HERE: "This directory",
    EntryKind.SAMPLE: "Sample sessions",
    EntryKind.LESSON: "Lessons",
    EntryKind.SESSION: "Sessions on this machine",
}
_AGES = ((60, "s"), (3600, "min"), (86400, "h"), (86400 * 60, "d"), (86400 * 730, "mo"))


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A line of the list: a section's title, or an entry."""

    title: str = ""
    entry: Entry | None = None


def entry_rows(entries: Sequence[Entry], words: str) -> tuple[EntryRow, ...]:
    """The entries that hold every word, below the titles of their sections."""
    wanted = words.casefold().split()
    out: list[EntryRow] = []
    for kind in EntryKind:
        shown = [entry for entry in entries if entry.kind is kind and entry.matches(wanted)]
        if shown:
            if out:
                out.append(EntryRow())
            out.append(EntryRow(_TITLES[kind]))
            out.extend(EntryRow(entry=entry) for entry in shown)
    return tuple(out)


def age(modified_ms: int | None, now_ms: int) -> str:
    """``3 min``, ``2 h``, ``5 d``: how long ago; empty when it is not known."""
    if modified_ms is None:
        return ""
    seconds = max(0, (now_ms - modified_ms) // 1000)
    divisor = 1
    for limit, unit in _AGES:
        if seconds < limit:
            return f"{seconds // divisor} {unit}"
        divisor = {"s": 60, "min": 3600, "h": 86400, "d": 86400 * 30}.get(unit, 1)
    return f"{seconds // (86400 * 365)} y"


class EntryLines:
    """The list as lines."""

    natural_width = 0

    def __init__(self, rows: Sequence[EntryRow], now_ms: int, home: str) -> None:
        self.rows = rows
        self._now = now_ms
        self._home = home

    def __len__(self) -> int:
        return len(self.rows)

    def selectable(self, index: int) -> bool:
        return self.rows[index].entry is not None

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def line(self, index: int, width: int) -> Line:
        row = self.rows[index]
        entry = row.entry
        if entry is None:
            return (Span(row.title, "info"),) if row.title else EMPTY
        if entry.kind is EntryKind.SESSION:
            return self._session(entry, width)
        about = homely(entry.cwd, self._home) if entry.kind is EntryKind.HERE else entry.about
        name_width = max(18, min(34, width // 3)) if entry.kind is not EntryKind.PATH else max(18, width * 3 // 5)
        name = homely(entry.name, self._home) if entry.kind is EntryKind.PATH else entry.name
        return columns(
            width,
            [
                Cell("▲" if entry.error else "", "bad", 1),
                Cell(safe_line(name), "plain", name_width, cut="middle"),
                Cell(safe_line(entry.error or about), "dim", None),
            ],
        )

    def _session(self, entry: Entry, width: int) -> Line:
        name_width = max(18, min(48, width * 2 // 5))
        return columns(
            width,
            [
                Cell("▲" if entry.error else "", "bad", 1),
                Cell(safe_line(entry.name), "plain", name_width),
                Cell(safe_line(entry.error), "dim")
                if entry.error
                else Cell(safe_line(homely(entry.cwd, self._home)), "dim", cut="middle"),
                Cell(age(entry.modified_ms, self._now), "plain", 6, "right"),
                Cell(short_bytes(entry.size) if entry.size is not None else "", "dim", 9, "right", optional=1),
                Cell(entry.format, "dim", 3, "right", optional=2),
            ],
        )


def entry_details(entry: Entry | None, now_ms: int, home: str, width: int) -> list[Line]:
    """What is known of the selected entry, for the box below the list."""
    if entry is None:
        return []
    width = max(20, width)
    lines: list[Line] = []
    if entry.error:
        lines.extend((Span(part, "bad"),) for part in wrap(safe_line(entry.error), width))
    elif entry.about:
        lines.extend((Span(part, "plain"),) for part in wrap(safe_line(entry.about), width))
    facts = joined(
        [
            safe_line(homely(entry.cwd, home)) if entry.kind is EntryKind.SESSION else "",
            f"written {age(entry.modified_ms, now_ms)} ago" if entry.modified_ms is not None else "",
            exact_bytes(entry.size) if entry.size is not None else "",
            f"log format {entry.format.removeprefix('v')}" if entry.format else "",
        ]
    )
    if facts:
        lines.extend((Span(part, "dim"),) for part in wrap(facts, width))
    if entry.kind is not EntryKind.LESSON:
        lines.extend((Span(part, "dim"),) for part in wrap(safe_line(entry.path), width))
    return lines


def error_lines(what: str, message: str, where: str, remedy: str, width: int) -> list[Line]:
    """Something that could not be opened: what is wrong, where, and what to do."""
    width = max(20, width)
    lines: list[Line] = [(Span("✖ ", "bad"), Span(safe_line(what), "strong"))]
    for text, role in ((message, "plain"), (where, "dim"), (remedy, "info")):
        if text:
            lines.extend((Span(part, role),) for part in wrap(safe_line(text), width))
    return lines


def error_parts(error: BaseException) -> tuple[str, str, str]:
    """Message, place and remedy of an error, as far as it tells them apart. Raw, not yet made safe."""
    message = getattr(error, "message", "")
    path, place = str(getattr(error, "path", "") or ""), str(getattr(error, "place", getattr(error, "field", "")) or "")
    remedy = str(getattr(error, "remedy", ""))
    if isinstance(error, OSError):
        message = error.strerror or str(error)
        path = os_path(error)
        remedy = "check the path and its access rights"
    where = f"{path}, {place}" if place and path else path or place
    return (str(message) or str(error) or type(error).__name__, where, remedy)


def os_path(error: OSError) -> str:
    """The file an :class:`OSError` is about."""
    name = error.filename
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name or "")


def count_words(shown: int, total: int, searching: bool) -> str:
    """For the lower border: how many entries are shown, and whether more are looked for."""
    text = f"{shown} of {total}" if shown != total else f"{total}"
    return f"{text} · looking for sessions …" if searching else text
