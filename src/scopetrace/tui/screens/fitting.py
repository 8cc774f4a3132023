"""Where record and claim differ, the other generations of rules are tried in the background."""

from __future__ import annotations

from textual import work
from textual.worker import get_current_worker

from scopetrace.model import TimelineView

from .stepping import Stepping


class Fitting(Stepping):
    """A screen over a timeline that comes to know which rules fit its record."""

    fits: tuple[str, ...] = ()
    _fit_asked = False

    def look_for_fit(self) -> None:
        """Start looking, once, when the log is read to its end and something differs."""
        if self._fit_asked or not self.timeline.complete or not self.marks.differing:
            return
        self._fit_asked = True
        self._try_other_rules(self.timeline)

    @work(thread=True, group="fit", exit_on_error=False)
    def _try_other_rules(self, timeline: TimelineView) -> None:
        from scopetrace.replay import Timeline
        from scopetrace.replay.fit import fitting_profiles

        if not isinstance(timeline, Timeline):
            return
        found = fitting_profiles(timeline)
        if found and not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._fitted, found)

    def _fitted(self, found: tuple[str, ...]) -> None:
        self.fits = found
        self.draw_bars()
