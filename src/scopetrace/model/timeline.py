"""What every reader of a timeline may ask: the inspector, the command line and the reports see only this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .frame import Comparison, Frame, Row, ScopeNode


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is replayed, and under which rules. Strings are raw, not yet made safe for display.

    ``budget`` is ``maxBytes``. ``config_source`` says where the configuration came from, in words (``from the log``,
    ``defaults``, ``--config``). ``workspace_source`` says the same of the files. ``notes`` are sentences that the
    user should know (paths mapped, files of today used, gaps in the log).
    """

    title: str
    session_id: str
    format: str
    cwd: str
    home: str
    profile: str
    budget: float
    config_source: str
    workspace_source: str
    log_path: str = ""
    created_ms: int | None = None
    notes: tuple[str, ...] = ()


class TimelineView(Protocol):
    """A replayed session, read by index. Indices are 0-based positions of rows; every row has one frame."""

    @property
    def info(self) -> RunInfo:
        """What is replayed."""
        ...

    @property
    def complete(self) -> bool:
        """False while the log is still being read; rows may be added at the end."""
        ...

    def __len__(self) -> int: ...

    def row(self, index: int) -> Row:
        """One line of the timeline."""
        ...

    def raw(self, index: int) -> str:
        """The event as the log has it, one JSON text."""
        ...

    def frame(self, index: int) -> Frame:
        """The loader at this event; computed on demand."""
        ...

    def tree(self, index: int) -> tuple[ScopeNode, ...]:
        """Scopes after this event: user-global roots first, then the project root with everything below it."""
        ...

    @property
    def changes(self) -> Sequence[int]:
        """Indices, ascending, of the rows at which instructions moved (recorded or computed)."""
        ...

    @property
    def comparisons(self) -> Sequence[Comparison]:
        """Record against claim, for every instruction message of the whole timeline, in order."""
        ...

    def index_of(self, seq: int) -> int | None:
        """Index of the row with this seq, if there is one."""
        ...

    def shadowed_by(self, index: int, at: int) -> int | None:
        """Seq of the event that took this row off the surface by step ``at``, if one did."""
        ...

    def file_text(self, absolute_path: str, index: int) -> str | None:
        """Text of a file as the loader would read it at this event; ``None`` when it cannot be read."""
        ...
