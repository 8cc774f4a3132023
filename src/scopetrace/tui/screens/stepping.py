"""The present step, and every way to move it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from textual.screen import Screen
from textual.timer import Timer

from scopetrace.model import TimelineView
from scopetrace.tui.keymap import keys_in_force
from scopetrace.tui.present.steps import parse_step
from scopetrace.tui.present.timeline import TimelineMarks

from .goto import GoToScreen

PLAY_SECONDS = 0.6
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""How many times as fast as one event in :data:`PLAY_SECONDS`."""


class Stepping(Screen[None]):
    """A screen over one step of a timeline; the step is drawn once however often it was moved in between."""

    def __init__(self, timeline: TimelineView, start: int) -> None:
        super().__init__()
        self.timeline = timeline
        self.marks = TimelineMarks(timeline)
        self.index = max(0, min(len(timeline) - 1, start))
        self._due = False
        self._player: Timer | None = None
        self.speed = 1.0
        self.shown_rows: Sequence[int] | None = None

    def draw(self) -> None:
        """Draw the present step."""
        raise NotImplementedError

    def draw_bars(self) -> None:
        """Draw what depends on more than the step."""
        raise NotImplementedError

    @property
    def playing(self) -> bool:
        """Whether steps follow each other by themselves."""
        return self._player is not None

    def go(self, index: int) -> None:
        """Make an event the present step."""
        index = max(0, min(len(self.timeline) - 1, index))
        if index != self.index:
            self.index = index
            self.request_draw()

    def request_draw(self) -> None:
        """Draw once, after everything that waits in the queue now."""
        if not self._due:
            self._due = True
            self.call_later(self._draw_due)

    def _draw_due(self) -> None:
        self._due = False
        if self.children:  # a closed screen is empty
            self.draw()

    def pauses_at(self, index: int) -> bool:
        """Whether playing stops at a row."""
        return False

    def row_after(self, index: int) -> int | None:
        """The next row that the filter shows."""
        if self.shown_rows is None:
            return index + 1 if index + 1 < len(self.timeline) else None
        place = bisect_right(self.shown_rows, index)
        return self.shown_rows[place] if place < len(self.shown_rows) else None

    def row_before(self, index: int) -> int | None:
        """The row before that the filter shows."""
        if self.shown_rows is None:
            return index - 1 if index > 0 else None
        place = bisect_left(self.shown_rows, index)
        return self.shown_rows[place - 1] if place else None

    def action_step_next(self) -> None:
        """One event on, among those that are shown."""
        index = self.row_after(self.index)
        self.go(self.index if index is None else index)

    def action_step_previous(self) -> None:
        """One event back, among those that are shown."""
        index = self.row_before(self.index)
        self.go(self.index if index is None else index)

    def action_step_first(self) -> None:
        """To the first event."""
        self.go(self.shown_rows[0] if self.shown_rows else 0)

    def action_step_last(self) -> None:
        """To the last event."""
        self.go(self.shown_rows[-1] if self.shown_rows else len(self.timeline) - 1)

    def action_change_next(self) -> None:
        """To the next change."""
        self._go_or_say(self.marks.next_change(self.index), "No instruction change after this event.")

    def action_change_previous(self) -> None:
        """To the previous change."""
        self._go_or_say(self.marks.previous_change(self.index), "No instruction change before this event.")

    def _go_or_say(self, index: int | None, otherwise: str) -> None:
        if index is None:
            self.notify(otherwise, timeout=2, markup=False)
        else:
            self.go(index)

    def action_go_to(self) -> None:
        """Ask for an event."""
        self.app.push_screen(
            GoToScreen(lambda text: parse_step(text, self.timeline, self.index)),
            lambda index: self.go(index) if index is not None else None,
        )

    def action_play(self) -> None:
        """Play or pause."""
        if self._player is not None:
            self._player.stop()
            self._player = None
        elif self.row_after(self.index) is not None:
            self._player = self.set_interval(PLAY_SECONDS / self.speed, self._play_on)
        self.draw_bars()

    def _play_on(self) -> None:
        self.action_step_next()
        if self.playing and (self.row_after(self.index) is None or self.pauses_at(self.index)):
            self.action_play()

    def action_faster(self) -> None:
        """Play twice as fast."""
        self._pace(1)

    def action_slower(self) -> None:
        """Play half as fast."""
        self._pace(-1)

    def _pace(self, by: int) -> None:
        place = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, place))]
        if self._player is not None:
            self._player.stop()
            self._player = self.set_interval(PLAY_SECONDS / self.speed, self._play_on)
            self.draw_bars()
        else:
            self.notify(
                f"speed ×{self.speed:g}; {keys_in_force(self.app).first('main.play')} plays", timeout=2, markup=False
            )
