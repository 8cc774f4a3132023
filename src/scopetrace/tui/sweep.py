"""Looking through many rows between keys: a search, a filter, the way to the next breakpoint.

Not in a thread: a replay computes states when it is asked and is asked by one thread only. A slice is short (see
:class:`~.pace.Pace`), so that keys are answered while a long log is looked through, and dropping a sweep cancels it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence

from .pace import Pace

FIRST_SLICE_ROWS = 64


class Sweep:
    """Tries rows in the order given and keeps, ascending, those that pass the test.

    ``first_only`` ends with the first one. ``extend`` adds rows that came in meanwhile.
    """

    def __init__(self, rows: Sequence[int], test: Callable[[int], bool], *, first_only: bool = False) -> None:
        self._rows = rows
        self._test = test
        self._first_only = first_only
        self.found: list[int] = []
        self.looked = 0

    @property
    def done(self) -> bool:
        """Whether nothing is left to try."""
        return self.looked >= len(self._rows) or (self._first_only and bool(self.found))

    @property
    def share(self) -> int:
        """How much was tried, in per cent."""
        return 100 if self.done else self.looked * 100 // len(self._rows)

    def extend(self, rows: Sequence[int]) -> None:
        """More rows to try, after the others."""
        self._rows = [*self._rows, *rows]

    def advance(self, rows: int) -> bool:
        """Try up to ``rows`` more; true when nothing is left."""
        end = min(len(self._rows), self.looked + rows)
        while self.looked < end and not self.done:
            index = self._rows[self.looked]
            self.looked += 1
            if self._test(index):
                insort(self.found, index)
        return self.done

    def after(self, index: int) -> int | None:
        """The next row found beyond ``index``; from the end it goes on at the start."""
        place = bisect_right(self.found, index)
        return self.found[place % len(self.found)] if self.found else None

    def before(self, index: int) -> int | None:
        """The row found before ``index``; from the start it goes on at the end."""
        place = bisect_left(self.found, index)
        return self.found[place - 1] if self.found else None

    def place_of(self, index: int) -> int:
        """Which of the rows found ``index`` is, counted from 1; 0 when it is none."""
        place = bisect_left(self.found, index)
        return place + 1 if place < len(self.found) and self.found[place] == index else 0


class Sweeps:
    """Sweeps by name, each at its own pace, a slice of time shared by all that are not done."""

    def __init__(self) -> None:
        self._going: dict[str, tuple[Sweep, Pace, Callable[[Sweep], None]]] = {}

    def start(self, name: str, sweep: Sweep, done: Callable[[Sweep], None] = lambda sweep: None) -> None:
        """Take the place of the sweep of that name. ``done`` is called at the end, never for one that was dropped."""
        pace = Pace()
        pace.rows = FIRST_SLICE_ROWS
        self._going[name] = (sweep, pace, done)

    def drop(self, name: str) -> bool:
        """Cancel; true when there was something to cancel."""
        return self._going.pop(name, None) is not None

    def going(self, name: str) -> Sweep | None:
        """The sweep of that name while it is not done."""
        found = self._going.get(name)
        return found[0] if found is not None else None

    @property
    def busy(self) -> bool:
        """Whether something is left to do."""
        return bool(self._going)

    def run(self) -> None:
        """One slice of work for each sweep."""
        for name, (sweep, pace, done) in list(self._going.items()):
            if pace.run(sweep.advance):
                self._going.pop(name, None)
                done(sweep)
