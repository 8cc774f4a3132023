"""Exact text as lines: broken at line feeds only, soft-wrapped to the pane or scrolled sideways."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from scopetrace.report.display import safe_text

from .spans import EMPTY, Line, Span


class TextLines:
    """A text, made safe for display and cut into rows for the width asked for last.

    ``heading`` lines stand above the text and never scroll sideways out of reach. Rows are cut when they are first
    asked for at a width; ASCII lines that fit cost nothing.
    """

    def __init__(self, text: str, *, wrap: bool = True, heading: Sequence[Line] = (), role: str = "plain") -> None:
        self._lines = safe_text(text).split("\n")
        if len(self._lines) > 1 and not self._lines[-1]:
            self._lines.pop()
        self._heading = tuple(heading)
        self._role = role
        self._wrap = wrap
        self._width = 0
        self._rows: list[tuple[int, int, int]] = []
        self.natural_width = 0 if wrap else max(map(cell_len, self._lines), default=0)

    def layout(self, width: int) -> None:
        """Cut the text for a width; nothing happens when it is cut for it already."""
        if not self._wrap or width == self._width or width < 2:
            return
        self._width = width
        self._rows = [
            (number, start, end) for number, line in enumerate(self._lines) for start, end in _cuts(line, width)
        ]

    def __len__(self) -> int:
        return len(self._heading) + (len(self._rows) if self._wrap else len(self._lines))

    def line(self, index: int, width: int) -> Line:
        if index < len(self._heading):
            return self._heading[index]
        index -= len(self._heading)
        if not self._wrap:
            return (Span(self._lines[index], self._role),)
        if index >= len(self._rows):
            return EMPTY
        number, start, end = self._rows[index]
        return (Span(self._lines[number][start:end], self._role),)

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def selectable(self, index: int) -> bool:
        return True


def _cuts(line: str, width: int) -> list[tuple[int, int]]:
    """Where a line is broken: after the last blank that fits, else inside a word. No character is dropped."""
    if len(line) <= width and (line.isascii() or cell_len(line) <= width):
        return [(0, len(line))]
    out: list[tuple[int, int]] = []
    start = 0
    plain = line.isascii()
    while start < len(line):
        end = min(len(line), start + width) if plain else _fitting(line, start, width)
        if end < len(line) and line[end] != " ":
            blank = line.rfind(" ", start, end)
            if blank > start:
                end = blank + 1
        elif end < len(line):
            end += 1
        out.append((start, end))
        start = end
    return out


def _fitting(line: str, start: int, width: int) -> int:
    used = 0
    for end in range(start, min(len(line), start + width * 4)):
        used += cell_len(line[end])
        if used > width:
            return max(end, start + 1)
    return min(len(line), start + width * 4)
