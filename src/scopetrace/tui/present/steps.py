"""What people type to go somewhere: an event number, a relative step, a share of the log."""

from __future__ import annotations

import re

from scopetrace.model import TimelineView

_PATTERN = re.compile(r"(?P<sign>[+-]?)(?P<number>\d{1,12})(?P<percent>%?)")


class StepError(ValueError):
    """The input names no event; the message says what would."""


def parse_step(text: str, timeline: TimelineView, at: int) -> int:
    """Index of the row that ``text`` means: ``30`` is event 30, ``+5`` and ``-5`` are steps from here, ``50%`` a share.

    An event number that no row has means the next row after it. Raises :class:`StepError`.
    """
    typed = text.strip().removeprefix("#")
    last = len(timeline) - 1
    if last < 0:
        raise StepError("there are no events to go to")
    match = _PATTERN.fullmatch(typed)
    if match is None:
        raise StepError("type an event number (30), a step from here (+5, -5) or a share (50%)")
    number = int(match["number"])
    if match["percent"]:
        if match["sign"] or number > 100:
            raise StepError("a share goes from 0% to 100%")
        return number * last // 100
    if match["sign"]:
        target = at + number if match["sign"] == "+" else at - number
        return max(0, min(last, target))
    found = timeline.index_of(number)
    if found is not None:
        return found
    last_seq = timeline.row(last).seq
    if number > last_seq:
        raise StepError(f"the last event is {last_seq}")
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if timeline.row(middle).seq < number:
            low = middle + 1
        else:
            high = middle
    return low
