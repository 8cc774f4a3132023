"""One course of a replay over the rows of a log, under one setting: states kept now and then, messages compared.

States are immutable and share what did not change, so that a state between two kept ones is worked out again quickly.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict

from scopetrace.model import Comparison, Frame, Verdict

from .driver import Driver
from .host import HostState, Setting
from .logrows import LogRows

CHECKPOINT_EVERY = 32
"""Rows between two kept states. Memory of checkpoints: rows / 32 states that share their unchanged parts."""
_DISAGREE = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)


class Course:
    """What was replayed so far: ``done`` rows of ``rows``.

    ``changes`` are the rows at which instructions moved, ``passes`` those at which the loader looked at files, both
    ascending; ``frames`` is for the frames that somebody asked for.
    """

    def __init__(self, rows: LogRows, setting: Setting) -> None:
        self.rows = rows
        self.setting = setting
        self.driver = Driver(rows, setting)
        self.state = self.driver.initial()
        self.done = 0
        self.checkpoints: list[HostState] = [self.state]
        self.comparisons: list[Comparison] = []
        self.by_seq: dict[int, list[Comparison]] = {}
        self.changes: list[int] = []
        self.passes: list[int] = []
        self.first_disagreement: int | None = None
        self.frames: OrderedDict[int, tuple[Frame, HostState]] = OrderedDict()
        self._made: list[int] = []

    def advance(self, end: int) -> None:
        """Replay the rows before ``end``."""
        driver, supposed = self.driver, self.setting.supposed
        while self.done < end:
            index = self.done
            if not driver.idle(index):
                self.state, effect = driver.apply(self.state, index)
                if effect.messages and supposed:
                    self.changes.append(index)
                if "pre-step" in effect.operations or "projection" in effect.operations:
                    self.passes.append(index)
                for comparison in effect.comparisons:
                    self._take(comparison, index)
            self.done += 1
            if self.done % CHECKPOINT_EVERY == 0:
                self.checkpoints.append(self.state)

    def _take(self, comparison: Comparison, index: int) -> None:
        self._made.append(index)
        self.comparisons.append(comparison)
        self.by_seq.setdefault(comparison.seq, []).append(comparison)
        row = self.rows.row_of(comparison.seq)
        where = index if row is None else row
        if not self.changes or self.changes[-1] < where:
            self.changes.append(where)
        if comparison.verdict in _DISAGREE and self.first_disagreement is None:
            self.first_disagreement = where

    def state_before(self, index: int) -> HostState:
        """The state before a row, replayed from the checkpoint or the kept frame before it."""
        kept = self.frames.get(index - 1)
        if kept is not None:
            return kept[1]
        number = min(index // CHECKPOINT_EVERY, len(self.checkpoints) - 1)
        state = self.checkpoints[number]
        for at in range(number * CHECKPOINT_EVERY, index):
            if not self.driver.idle(at):
                state, _ = self.driver.apply(state, at)
        return state

    def go_on_under(self, setting: Setting) -> None:
        """Another setting from here on; it must be the same for all rows so far."""
        self.setting = setting
        self.driver = Driver(self.rows, setting)

    def resettled(self, first: int, setting: Setting) -> Course:
        """A course under another setting that is the same up to row ``first``: goes on from the checkpoint before."""
        other = Course(self.rows, setting)
        kept = min(first // CHECKPOINT_EVERY, len(self.checkpoints) - 1)
        other.checkpoints = self.checkpoints[: kept + 1]
        other.state, other.done = other.checkpoints[-1], kept * CHECKPOINT_EVERY
        other.passes = self.passes[: bisect_left(self.passes, other.done)]
        for comparison, made in zip(self.comparisons, self._made, strict=True):
            if made < other.done:
                other._take(comparison, made)
        return other
