"""How far a log is read, and whether it is followed while it is written, in the words of the strip."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from scopetrace.model import TimelineView
from scopetrace.sessions import Gap, Rotation

from .spans import Line, Span


@runtime_checkable
class Readable(Protocol):
    """A timeline that is read on by its owner; see :class:`~scopetrace.replay.Timeline`."""

    @property
    def live(self) -> bool:
        """Whether the log may grow."""
        ...

    @property
    def share(self) -> int:
        """How much of the log is replayed, in per cent."""
        ...

    @property
    def waiting(self) -> Gap | None:
        """The unfinished end of a living log."""
        ...

    @property
    def rotation(self) -> Rotation | None:
        """Where a living log goes on."""
        ...

    def advance(self, rows: int | None = None) -> bool:
        """Read up to ``rows`` more rows; true when nothing is left."""
        ...


def growth_words(timeline: TimelineView, *, following: bool, failed: bool, key: str = "F") -> Line:
    """What is going on with the log; nothing for one that is read and finished. ``key`` follows it."""
    if failed:
        return (Span("   ✖ reading stopped", "bad"),)
    readable = timeline if isinstance(timeline, Readable) else None
    if readable is not None and readable.live:
        half = " · a line is being written" if readable.waiting is not None else ""
        if following:
            return (Span("   ● following", "good"), Span(half, "dim"))
        return (Span("   ● live", "warn"), Span(f" · {key} follows{half}", "dim"))
    if timeline.complete:
        return ()
    if readable is None:
        return (Span(f"   reading … {len(timeline)}", "warn"),)
    return (Span(f"   reading {readable.share} %", "warn"),)
