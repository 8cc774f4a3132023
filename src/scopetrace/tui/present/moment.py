"""Where an event stands: its number as people see it, and the turn and step it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from scopetrace.model import Row, TimelineView

LOOK_BACK = 400
"""Rows looked back at for the turn and step of an event that does not name them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, its turn and step (0: before the first), and the number of the last event known so far."""

    row: Row
    turn: int
    step: int
    last_seq: int

    @property
    def number(self) -> str:
        """``30``, or ``gap`` for a place where the log is unreadable."""
        return number_of(self.row)


def number_of(row: Row) -> str:
    """The event number of a row; a gap has none."""
    return str(row.seq) if row.seq >= 0 else "gap"


def last_seq(timeline: TimelineView) -> int:
    """The number of the last event; gaps at the end have none."""
    for index in range(len(timeline) - 1, max(-1, len(timeline) - 1 - LOOK_BACK), -1):
        seq = timeline.row(index).seq
        if seq >= 0:
            return seq
    return 0


def moment_at(timeline: TimelineView, index: int) -> Moment:
    """The moment of the row at an index."""
    row = timeline.row(index)
    turn, step = row.turn, row.step
    for back in range(index - 1, max(-1, index - LOOK_BACK), -1):
        if turn:
            break
        earlier = timeline.row(back)
        turn, step = earlier.turn, earlier.step
    return Moment(row, turn, step, last_seq(timeline))
