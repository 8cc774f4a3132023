"""The text-safety boundary: untrusted text from files and logs becomes text that a terminal may be given.

A file name, an instruction file or a tool result may hold escape sequences, direction overrides, zero-width or tag
characters. Every screen and every report passes such text through here; what cannot be shown as itself is shown as
a visible stand-in, one cell wide for the C0 controls (``␛``), ``<U+XXXX>`` for everything else. The result is for
eyes only: copies and exports take their text from the model.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_MARKS = 4
"""Combining marks in a row that are shown as they are; further ones become ``<U+XXXX>``."""

STAND_IN = "▯"

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}

_C0 = re.compile(r"[\x00-\x1f\x7f]")
_C0_IN_TEXT = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_NON_ASCII = re.compile(r"[^\x00-\x7f]+")

# Printable by category and still invisible: CGJ, Hangul fillers, Khmer inherent vowels, Mongolian and other variation
# selectors, the blank Braille cell. Planes apart, because one class over both is ten times slower.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")
_INVISIBLE_HIGH = re.compile("[\U000e0000-\U000e0fff]")
_HIGH = re.compile("[\U00010000-\U0010ffff]")
_KEPT = frozenset((0x3000,))  # the ideographic space is ordinary text, and two cells wide


class _Table(dict[int, str]):
    """A translation table that decides about a character when it is first met."""

    def __missing__(self, code: int) -> str:
        shown = chr(code)
        if code not in _KEPT and (not shown.isprintable() or _has_invisible(shown)):
            shown = f"<U+{code:04X}>"
        if len(self) < 20_000:
            self[code] = shown
        return shown


_TABLE = _Table(_PICTURES)


def safe_line(text: str, *, tab: str = "␉") -> str:
    """Show untrusted text on one line: a newline becomes ``␊``, a tab ``␉`` (or ``tab``)."""
    if text.isascii() and text.isprintable():
        return text
    shown = _show(_C0.sub(_picture, text))
    return shown if tab == "␉" else shown.replace("␉", tab)


def safe_text(text: str, *, tab_size: int = 4) -> str:
    """Show untrusted text on many lines: line feeds stay, tabs expand to ``tab_size`` columns, ``\\r`` becomes ``␍``.

    Lines break at line feeds and nowhere else, so line numbers are those of the file.
    """
    if "\t" in text and tab_size:
        text = "\n".join(line.expandtabs(tab_size) if "\t" in line else line for line in text.split("\n"))
    return _show(_C0_IN_TEXT.sub(_picture, text))


def safe(text: str) -> str:
    """:func:`safe_line` under its short name: the right choice wherever one value is shown in one place."""
    return safe_line(text)


def same_length(text: str) -> str:
    """Show untrusted text character by character, for a field with a cursor: what cannot be shown becomes ``▯``."""
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(char if safe_line(char) == char else _PICTURES.get(ord(char), STAND_IN) for char in text)
    for flood in _marks():
        shown = flood.sub(lambda match: match[0][:MAX_MARKS] + STAND_IN * (len(match[0]) - MAX_MARKS), shown)
    return shown


def _picture(match: re.Match[str]) -> str:
    return _PICTURES[ord(match[0])]


def _has_invisible(text: str) -> bool:
    return _INVISIBLE.search(text) is not None or _INVISIBLE_HIGH.search(text) is not None


def _show(text: str) -> str:
    """Show text whose C0 controls, line feeds apart, are pictures already."""
    if text.isascii():
        return text
    if not text.replace("\n", "").isprintable() or _has_invisible(text):
        text = _NON_ASCII.sub(lambda match: match[0].translate(_TABLE), text)
    if not _MAYBE_FLOOD.search(text):
        return text
    low, high = _marks()
    text = low.sub(_cut_flood, text)
    return high.sub(_cut_flood, text) if _HIGH.search(text) else text


_MAYBE_FLOOD = re.compile(f"[^\x00-\u02ff]{{{MAX_MARKS + 1},}}")
"""Below this many characters from U+0300 on in a row there is no flood, and the tables are not needed."""


def _cut_flood(match: re.Match[str]) -> str:
    marks = match[0]
    return marks[:MAX_MARKS] + "".join(f"<U+{ord(mark):04X}>" for mark in marks[MAX_MARKS:])


@lru_cache(maxsize=1)
def _marks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """More than :data:`MAX_MARKS` combining marks in a row: within the basic plane, and anywhere.

    Built once, when text outside ASCII is first met.
    """
    ranges: list[list[int]] = []
    for code in range(0x300, 0x20000):
        if unicodedata.category(chr(code)) in ("Mn", "Me"):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    low, high = ("".join(f"{chr(a)}-{chr(b)}" for a, b in ranges if a < limit) for limit in (0x10000, 0x20000))
    return re.compile(f"[{low}]{{{MAX_MARKS + 1},}}"), re.compile(f"[{high}]{{{MAX_MARKS + 1},}}")
