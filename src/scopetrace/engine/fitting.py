"""Fitting sections into one byte budget: which are dropped, where the last one is cut, what is left of the text.

This is *single* of ``design/PROFILES.md``, section "next" 1, whose levels :class:`Level` names. Sizes are computed, not
rebuilt: sections are measured from the most specific one backwards and no further than the budget reaches.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from scopetrace.model import Truncation

from .sections import COMPACT_INTRO, JOINT, Section, framed, notice, notice_opening, omitted_names
from .text import FRAME_CLOSE, FRAME_OPEN, cut_point, truncate_utf8, utf8_bytes, utf8_len

OPEN_BYTES = len(FRAME_OPEN) + 1
CLOSE_BYTES = len(FRAME_CLOSE) + 1
FRAME_BYTES = OPEN_BYTES + CLOSE_BYTES
JOINT_BYTES = len(JOINT)


class Level(IntEnum):
    """How far a text had to be reduced."""

    DISABLED = 0
    ALL = 1
    SUFFIX = 2
    CUT = 3
    CUT_COMPACT = 4
    HEADING = 5
    NOTICE = 6
    NOTICE_CUT = 7


@dataclass(frozen=True, slots=True)
class Fit:
    """What fits one budget.

    ``sections[start:]`` are in the text, none if ``shows`` is false; the last one with ``cut`` in place of its content
    unless that is ``None``. ``intro`` is ``None`` when the text has no frame; an empty intro is a frame without one.
    ``notice`` is escaped and, at the last level, already cut. ``used`` is the text's size in bytes.
    """

    level: Level
    sections: Sequence[Section]
    start: int
    intro: str | None
    notice: str
    used: int
    shows: bool = True
    cut: str | None = None
    truncated: tuple[Truncation, ...] = ()

    @property
    def shown(self) -> range:
        """Indices of the sections in the text."""
        return range(self.start if self.shows else len(self.sections), len(self.sections))

    @property
    def represented(self) -> range:
        """Indices of the files of which the text holds content; a heading is all there is of an empty file."""
        for cut in self.truncated:
            if cut.original_bytes and not cut.included_bytes:
                return range(0)
        return self.shown

    def text(self) -> str:
        """The rendered text."""
        if self.intro is None and not self.notice:
            return ""
        parts = [self.notice, self.intro or ""]
        parts.extend(
            self.sections[index].text(self.cut if index == len(self.sections) - 1 else None) for index in self.shown
        )
        return framed(parts) if self.intro is not None else JOINT.join(part for part in parts if part)


def is_disabled(max_bytes: float) -> bool:
    """Whether a render budget is non-positive or not finite, which turns loading off."""
    return max_bytes <= 0 or not math.isfinite(max_bytes)


def fit(sections: Sequence[Section], max_bytes: float, intro: str) -> Fit:
    """Fit ``sections`` (broadest first) into ``max_bytes``, dropping the broadest first and cutting only the last.

    ``intro`` may be empty; the text then has a frame without one.
    """
    count = len(sections)
    if is_disabled(max_bytes):
        return Fit(Level.DISABLED, sections, count, None, "", 0, shows=False)
    found = _longest_suffix(sections, max_bytes, intro)
    if found is not None:
        start, used = found
        if start == 0:
            return Fit(Level.ALL, sections, 0, intro, "", used)
        dropped = omitted_names([section.file for section in sections[:start]])
        return Fit(Level.SUFFIX, sections, start, intro, notice(max_bytes, dropped, ()), used)
    if count == 0:
        return Fit(Level.ALL, sections, 0, None, "", 0, shows=False)
    return _cut_last(sections, max_bytes, intro)


def _intro_cost(intro: str) -> int:
    return len(intro) + JOINT_BYTES if intro else 0


def _longest_suffix(sections: Sequence[Section], limit: float, intro: str) -> tuple[int, int] | None:
    """The smallest start whose suffix fits with its notice (none at 0), and the bytes it takes.

    The walk ends where the sections alone exceed the budget; what lies before is never measured. A change's recorded
    path may be shorter than its file's display path, so a longer suffix can fit where a shorter one does not.
    """
    used = FRAME_BYTES - JOINT_BYTES + _intro_cost(intro)
    if not sections:
        used = FRAME_BYTES + len(intro)
        return (0, used) if used <= limit else None
    last = len(sections) - 1
    opening = len(notice_opening(limit)) + len("omitted ") + JOINT_BYTES
    names = utf8_len(omitted_names([section.file for section in sections[:last]]) or "")
    best: tuple[int, int] | None = None
    for start in range(last, -1, -1):
        section = sections[start]
        if used + section.least > limit:
            return best
        used += section.size + JOINT_BYTES
        if used > limit:
            return best
        if start == 0:
            return 0, used
        if used + opening + names <= limit:
            best = start, used + opening + names
        names -= name_size(sections[start - 1]) + len(", ")
    return best


def name_size(section: Section) -> int:
    """Bytes of a section's display path in a notice."""
    path = section.file.display_path
    return utf8_len(path) + path.count(FRAME_CLOSE)


def _cut_last(sections: Sequence[Section], max_bytes: float, intro: str) -> Fit:
    """Levels 3 to 7: everything but the last section is dropped."""
    start = len(sections) - 1
    section = sections[start]
    original = section.content_size
    omitted = omitted_names([section.file for section in sections[:start]])

    def cut_notice(included: int) -> tuple[tuple[Truncation, ...], str]:
        truncated = (Truncation(section.file.display_path, original, included),)
        return truncated, notice(max_bytes, omitted, truncated)

    hollow, hollow_notice = cut_notice(0)
    # Without the digit of its 0: the digits depend on the cut.
    bare = utf8_len(hollow_notice) - 1 + JOINT_BYTES + utf8_len(section.heading)
    for level, style in ((Level.CUT, intro), (Level.CUT_COMPACT, COMPACT_INTRO)):
        fixed = FRAME_BYTES + _intro_cost(style) + bare
        cut = _longest_cut(section, original, max_bytes - fixed)
        if cut is not None:
            included, kept, cost = cut
            truncated, text = cut_notice(included)
            return Fit(level, sections, start, style, text, fixed + cost, cut=kept, truncated=truncated)
    if bare + 1 <= max_bytes:
        return Fit(Level.HEADING, sections, start, None, hollow_notice, bare + 1, cut="", truncated=hollow)
    used = utf8_len(hollow_notice)
    level = Level.NOTICE
    if used > max_bytes:
        level = Level.NOTICE_CUT
        hollow_notice = truncate_utf8(hollow_notice, max_bytes)
        used = utf8_len(hollow_notice)
    return Fit(level, sections, start, None, hollow_notice, used, shows=False, truncated=hollow)


def _longest_cut(section: Section, original: int, room: float) -> tuple[int, str, int] | None:
    """The longest prefix of the content that fits: its bytes, the prefix, and what it costs.

    The cost counts the prefix, a backslash for each closing tag that lies wholly inside, and the digits of the prefix's
    size in the notice. It never falls as the prefix grows, so one bisection finds the prefix. ``None`` if even the
    digit of an empty prefix has no room.
    """
    if room < 1:
        return None
    content = section.file.content
    if not section.shows_content:
        longest = min(original, 10 ** min(math.floor(room), len(str(original))) - 1)
        kept = truncate_utf8(content, longest)
        included = utf8_len(kept)
        return included, kept, len(str(included))
    data = utf8_bytes(content if room >= original else content[: math.floor(room) + 1])
    ends: list[int] = []
    at = data.find(_CLOSE)
    while at >= 0:
        ends.append(at + len(_CLOSE))
        at = data.find(_CLOSE, ends[-1])

    def boundary(limit: int) -> int:
        return limit if limit >= len(data) else cut_point(data, limit)

    def cost(limit: int) -> int:
        included = boundary(limit)
        return included + bisect_right(ends, included) + len(str(included))

    included = boundary(bisect_right(range(len(data) + 1), room, key=cost) - 1)
    return included, data[:included].decode(), cost(included)


_CLOSE = FRAME_CLOSE.encode()
