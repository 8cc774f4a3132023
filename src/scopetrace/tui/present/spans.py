"""Lines of spans, and how they are fitted into a width. Widths are terminal cells, not characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from rich.cells import cell_len, chop_cells, set_cell_size

from scopetrace.model import Tone

Role = str
"""How a span is shown: a :class:`Tone` value, or one of :data:`ROLES`. A theme maps roles to colours."""

ROLES: tuple[Role, ...] = (
    *(tone.value for tone in Tone),
    "plain",
    "strong",
    "dim",
    "guide",
    "accent",
    "key",
    "violet",
    "track",
    "frame",
    "added",
    "deleted",
)
"""Every role. ``dim`` is for what did not happen, ``guide`` for lines that only connect, ``track`` for empty bars."""

ELLIPSIS = "…"
_GLUE = re.compile(r"(?<=\d) (?=\d{3}\b|(?:[KMGT]i)?B\b)")


class Span(NamedTuple):
    """A piece of a line in one role. ``text`` is display text: untrusted parts went through ``report.display``."""

    text: str
    role: Role = "plain"


Line = tuple[Span, ...]
EMPTY: Line = ()


class Lines(Protocol):
    """What a line list shows. Lines are laid out when they come into view, for the width of the pane."""

    def __len__(self) -> int: ...

    def line(self, index: int, width: int) -> Line:
        """One row, at most ``width`` cells unless :attr:`natural_width` says that rows may be wider."""
        ...

    def details(self, index: int, width: int) -> Sequence[Line]:
        """Lines that open below the row while the cursor is on it."""
        ...

    def selectable(self, index: int) -> bool:
        """Whether the cursor may rest on the row."""
        ...

    @property
    def natural_width(self) -> int:
        """Cells of the widest row where rows are not fitted to the pane, else 0."""
        ...


class StaticLines:
    """A few lines made in advance, cut at the pane's edge."""

    natural_width = 0

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._lines = tuple(lines)

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, index: int, width: int) -> Line:
        return clip(self._lines[index], width)

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def selectable(self, index: int) -> bool:
        return False


def text_of(line: Line) -> str:
    """The characters of a line."""
    return "".join(span.text for span in line)


def width_of(line: Line) -> int:
    """Cells that a line takes."""
    return sum(cell_len(span.text) for span in line)


def clip(line: Line, width: int) -> Line:
    """The line cut to ``width`` cells, with an ellipsis where something was cut off."""
    if width_of(line) <= width:
        return line
    out: list[Span] = []
    left = max(width, 0)
    for text, role in line:
        size = cell_len(text)
        if size < left:
            out.append(Span(text, role))
            left -= size
            continue
        if left:
            out.append(Span(cut_end(text + ELLIPSIS, left), role))
        break
    return tuple(out)


def cut_end(text: str, width: int) -> str:
    """The text, its end replaced by ``…`` when it does not fit."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS if width > 0 else ""


def cut_middle(text: str, width: int) -> str:
    """A path shortened in the middle: the file name stays whole as long as it fits.

    ``packages/app/src/AGENTS.md`` in 20 cells is ``packages/…/AGENTS.md``.
    """
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return ELLIPSIS[:width] if width > 0 else ""
    tail = "/" + text.rpartition("/")[2] if "/" in text else ""
    room = width - 1 - cell_len(tail)
    if tail and room >= 0:
        head = set_cell_size(text, room)
        parted = head[: head.rfind("/") + 1]
        return (parted if room - cell_len(parted) <= 6 else head.rstrip()) + ELLIPSIS + tail
    room = width - 1
    front = set_cell_size(text, room // 2)
    return front.rstrip() + ELLIPSIS + _last_cells(text, room - cell_len(front.rstrip()))


def _last_cells(text: str, width: int) -> str:
    taken = 0
    for start in range(len(text) - 1, -1, -1):
        taken += cell_len(text[start])
        if taken > width:
            return text[start + 1 :]
    return text


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of a row. ``width`` in cells, ``None`` takes what the others leave; a cell that is ``optional`` goes
    first when there is no room (the highest number first)."""

    text: str
    role: Role = "plain"
    width: int | None = None
    align: Literal["left", "right"] = "left"
    cut: Literal["end", "middle"] = "end"
    optional: int = 0


MIN_FLEX = 12


def columns(width: int, cells: Sequence[Cell], *, gap: int = 1) -> Line:
    """Lay cells out side by side in exactly ``width`` cells; columns never wrap and numbers can stand right."""
    shown = [cell for cell in cells if cell.width != 0]
    while True:
        fixed = sum(_fixed(cell) for cell in shown) + gap * (len(shown) - 1)
        flexible = [cell for cell in shown if cell.width is None]
        wanted = sum(min(MIN_FLEX, cell_len(cell.text)) for cell in flexible)
        if fixed + wanted <= width or not any(cell.optional for cell in shown):
            break
        shown.remove(max(shown, key=lambda cell: cell.optional))
    left = max(0, width - fixed)
    out: list[Span] = []
    for number, cell in enumerate(shown):
        if number:
            out.append(Span(" " * gap))
        room = left if cell.width is None else cell.width
        cut = cut_middle if cell.cut == "middle" else cut_end
        text = cut(cell.text, room)
        padding = " " * (room - cell_len(text))
        out.append(Span(padding + text if cell.align == "right" else text + padding, cell.role))
    return clip(tuple(out), width)


def _fixed(cell: Cell) -> int:
    return cell.width or 0


def spread(width: int, left: Line, right: Line, *, gap: int = 2) -> Line:
    """``left`` at the left edge, ``right`` at the right edge; the left gives way."""
    right = clip(right, width)
    room = width - width_of(right) - gap
    left = clip(left, room) if room > 0 else EMPTY
    padding = width - width_of(left) - width_of(right)
    return (*left, Span(" " * padding), *right)


def wrap(text: str, width: int) -> list[str]:
    """Prose broken at blanks into lines of at most ``width`` cells; a longer word is broken inside."""
    lines: list[str] = []
    line = ""
    for word in _GLUE.sub("\0", text).split(" "):
        word = word.replace("\0", " ")
        candidate = f"{line} {word}" if line else word
        if cell_len(candidate) <= width:
            line = candidate
            continue
        if line:
            lines.append(line)
        pieces = chop_cells(word, max(width, 2)) if cell_len(word) > width else [word]
        lines.extend(pieces[:-1])
        line = pieces[-1] if pieces else ""
    if line or not lines:
        lines.append(line)
    return lines


def joined(parts: Iterable[str], separator: str = " · ") -> str:
    """The parts that say something, joined."""
    return separator.join(part for part in parts if part)
