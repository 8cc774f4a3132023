"""Lines of a text report: spans with a colour role, turned into plain text or into ANSI at the very end.

Spans hold text that is safe for display already; :func:`line` makes it so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scopetrace.model import Tone

from .display import safe_line

_ANSI = {
    Tone.GOOD.value: "32",
    Tone.CHANGE.value: "36",
    Tone.QUIET.value: "2",
    Tone.WARN.value: "33",
    Tone.BAD.value: "31",
    Tone.INFO.value: "34",
    "strong": "1",
    "dim": "2",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: pairs of safe text and colour role (a :class:`Tone`'s value, ``strong``, ``dim`` or ``""``)."""

    spans: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """Without colour."""
        return "".join(text for text, _ in self.spans).rstrip()

    @property
    def ansi(self) -> str:
        """With colour."""
        return "".join(
            f"\x1b[{_ANSI[role]}m{text}\x1b[0m" if role and text else text for text, role in self.spans
        ).rstrip()


def line(*parts: str | tuple[str, str]) -> Line:
    """A line from parts, untrusted or not: a text, or a text and its role. Empty parts go."""
    spans = [(part, "") if isinstance(part, str) else part for part in parts]
    return Line(tuple((safe_line(text), role) for text, role in spans if text))


BLANK = Line()


def cut(text: str, width: int) -> str:
    """At most ``width`` characters of a safe text; an ellipsis says that there is more."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def plain_text(lines: Iterable[Line]) -> str:
    """All lines without colour, each with its line feed."""
    return "".join(f"{item.text}\n" for item in lines)
