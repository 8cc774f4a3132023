"""Measuring for ``make bench``: repeated runs, one row a target, everything as ratios within one run."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Result:
    """One row of the table. ``measured`` and ``target`` are in ``unit``; lower is better unless ``at_least``."""

    name: str
    measured: float
    target: float
    unit: str
    detail: str = ""
    at_least: bool = False

    @property
    def ok(self) -> bool:
        """Whether the target is met."""
        return self.measured >= self.target if self.at_least else self.measured <= self.target

    def as_json(self) -> dict[str, object]:
        """The row as JSON."""
        return {**asdict(self), "ok": self.ok}

    def line(self) -> str:
        """The row as text."""
        sign = "≥" if self.at_least else "≤"
        state = "ok" if self.ok else "falls short"
        return (
            f"{self.name:<46} {self.measured:>9.2f} {self.unit:<5} {sign} {self.target:<7g} {state:<12} {self.detail}"
        )


def best(action: Callable[[], object], repeat: int = 5) -> float:
    """Seconds of the fastest of some runs: the least disturbed one."""
    times: list[float] = []
    for _ in range(repeat):
        gc.collect()
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def percentile(values: list[float], part: float) -> float:
    """The value that ``part`` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def median(values: list[float]) -> float:
    """The middle value."""
    return statistics.median(values)
