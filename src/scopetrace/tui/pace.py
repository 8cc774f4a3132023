"""Work in slices short enough that keys are not kept waiting."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

SLICE_SECONDS = 0.025
SMALLEST, LARGEST = 16, 65_536


class Pace:
    """Finds how many rows fit into a slice: twice as many after a short one, half after a long one."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.rows = 128
        self._clock = clock

    def run(self, advance: Callable[[int], bool]) -> bool:
        """Do one slice; returns what ``advance`` says."""
        start = self._clock()
        done = advance(self.rows)
        took = self._clock() - start
        if took > SLICE_SECONDS:
            self.rows = max(SMALLEST, self.rows // 2)
        elif took < SLICE_SECONDS / 2:
            self.rows = min(LARGEST, self.rows * 2)
        return done
