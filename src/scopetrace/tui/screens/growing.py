"""Reading on between keys, and following a log that is being written."""

from __future__ import annotations

import gc
from time import monotonic

from textual import work
from textual.timer import Timer
from textual.worker import get_current_worker

from scopetrace.model import TimelineView
from scopetrace.report.display import safe_line
from scopetrace.sessions import LogError, Rotation
from scopetrace.sessions.follow import RotationKind
from scopetrace.tui.opening import Named, open_named
from scopetrace.tui.pace import Pace
from scopetrace.tui.present.growth import Readable
from scopetrace.tui.present.timeline import TimelineMarks

from .looking import Looking

TICK_SECONDS = 0.03
POLL_SECONDS = 0.25
"""Between two looks at a living log; a look is one question to the disk."""
DRAW_SECONDS = 0.25
"""Rows that come in are drawn this often: drawing takes longer than replaying many."""
REST_SECONDS = 0.15
"""Reading waits so long after a step, so that keys held down are answered at once."""
LARGE = 20_000
"""Rows from which on the garbage collector is spared the timeline: a look through all of it takes longer than a key."""


class Growing(Looking):
    """A screen whose timeline may grow: read on piece by piece, and followed where its log is alive."""

    follows = False
    read_error = ""

    def __init__(self, timeline: TimelineView, start: int) -> None:
        super().__init__(timeline, start)
        self.named: Named | None = None
        self._grower: Timer | None = None
        self._slices = Pace()
        self._reported = (-1, False)
        self._shown_at = self._polled_at = self._moved_at = 0.0
        self._rotation: Rotation | None = None

    @property
    def readable(self) -> Readable | None:
        """The timeline, if it is read on from here."""
        return self.timeline if isinstance(self.timeline, Readable) else None

    @property
    def live(self) -> bool:
        """Whether the log may still be written to."""
        return self.readable is not None and self.readable.live

    def timeline_grew(self) -> None:
        """Rows were added at the end, or reading ended."""
        raise NotImplementedError

    def timeline_replaced(self) -> None:
        """Another timeline is shown from here on."""
        raise NotImplementedError

    def begin_to_grow(self) -> None:
        """Start reading on, if there is something to read."""
        self.read_error, self._reported = "", (len(self.timeline), self.timeline.complete)
        if self._grower is None and (self.live or not self.timeline.complete):
            self._grower = self.set_interval(TICK_SECONDS, self.grow)

    def grow(self) -> None:
        """Read a slice, if it is time for one, and show what came."""
        now = monotonic()
        try:
            self._read(now)
        except LogError as error:
            self.read_error = str(error)
            self.notify(safe_line(self.read_error), title="Reading stopped", severity="error", timeout=20, markup=False)
        size = (len(self.timeline), self.timeline.complete)
        if size != self._reported and (size[1] or now - self._shown_at >= DRAW_SECONDS):
            self._reported, self._shown_at = size, now
            if self.follows:
                self.index = max(0, size[0] - 1)
            self.timeline_grew()
        if self.read_error or (size[1] and not self.live):
            self._end()

    def _end(self) -> None:
        if self._grower is not None:
            self._grower.stop()
            self._grower = None
        if len(self.timeline) > LARGE:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        self.request_draw()

    def _read(self, now: float) -> None:
        readable = self.readable
        if readable is None:
            return
        if not self.timeline.complete:
            if now - self._moved_at > REST_SECONDS:
                self._slices.run(readable.advance)
        elif now - self._polled_at >= POLL_SECONDS:
            self._polled_at = now
            readable.advance(self._slices.rows)
            self._turn(readable.rotation)

    # -- following

    def go(self, index: int) -> None:
        """Make an event the present step; away from the last one a living log is not followed any more."""
        super().go(index)
        self._moved_at = monotonic()
        if self.live:
            self.follows = self.index == len(self.timeline) - 1

    def action_follow_log(self) -> None:
        """Follow the log while it is written, or stay."""
        if self.live:
            self.follows = not self.follows
            if self.follows:
                self.go(len(self.timeline) - 1)
            self.request_draw()
        elif self.named is None:
            self.notify("Only the log of a session can be followed.", timeout=3, markup=False)
        else:
            self._open_again(self.named.path, len(self.timeline), "")

    def _turn(self, rotation: Rotation | None) -> None:
        """The log goes on elsewhere, or is gone."""
        known, self._rotation = self._rotation, rotation
        if rotation is None or self.named is None:
            return
        said = known is not None and (known.kind, known.path) == (rotation.kind, rotation.path)
        if rotation.error is not None:
            self.notify(
                safe_line(f"{rotation.reason}, but it cannot be read: {rotation.error}"),
                severity="warning",
                timeout=20,
                markup=False,
            )
        elif rotation.kind is not RotationKind.GONE:
            self._open_again(rotation.path, 0, rotation.reason)
        elif not said:
            self.notify("The log is gone. What was read stays.", severity="warning", timeout=10, markup=False)

    @work(thread=True, group="again", exclusive=True, exit_on_error=False)
    def _open_again(self, path: str, rows: int, reason: str) -> None:
        """Open a log alive, with at least so many rows; what cannot be opened yet is tried at the next look."""
        assert self.named is not None
        try:
            named, timeline = open_named(self.named.alive(path), rows)
        except LogError as error:
            if not reason:
                self.app.call_from_thread(self.notify, safe_line(str(error)), severity="error", markup=False)
            return
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._take_over, named, timeline, reason)

    def _take_over(self, named: Named, timeline: TimelineView, reason: str) -> None:
        """Go on with another timeline: the same log alive, or the one that has taken its place."""
        self.forget_looks()
        self.named, self.timeline, self.marks = named, timeline, TimelineMarks(timeline)
        self.index = max(0, len(timeline) - 1)
        self.follows, self._rotation = True, None
        self.timeline_replaced()
        self.begin_to_grow()
        self.timeline_grew()
        said = f"{reason}: {safe_line(named.path)}" if reason else "The log is followed; leave its end to stay."
        self.notify(said[:1].upper() + said[1:], timeout=4, markup=False)
