"""Instruction files, transitions, messages and budgets: the values that travel between storeys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

SCOPE_SEPARATOR = "\0"


class Action(StrEnum):
    """A transition of one scope."""

    SET = "set"
    REPLACE = "replace"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Change:
    """One transition as a message's source records it. ``digest`` is SHA-1 hex of the whole file, absent on remove."""

    action: Action
    scope: str
    path: str
    digest: str | None = None

    def as_json(self) -> dict[str, str]:
        """The record in the log's shape."""
        row = {"action": self.action.value, "scope": self.scope, "path": self.path}
        if self.digest is not None:
            row["digest"] = self.digest
        return row


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """A loaded instruction file. ``content`` is decoded text without its leading byte order mark."""

    absolute_path: str
    display_path: str
    content: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a message comes from.

    ``changes`` is ``None`` for messages that are not instruction messages. ``extra`` keeps foreign fields of a
    recorded source as they were.
    """

    kind: str
    changes: tuple[Change, ...] | None = None
    baseline: bool = False
    baseline_identity: str | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_instructions(self) -> bool:
        """Whether this is a well-formed instruction source."""
        return self.kind == "agent-instructions" and self.changes is not None

    def as_json(self) -> dict[str, Any]:
        """The source in the log's shape."""
        if self.changes is None:
            return {"kind": self.kind, **self.extra}
        row: dict[str, Any] = {"kind": self.kind, "form": "instructions"}
        if self.baseline:
            row["baseline"] = True
        if self.baseline_identity is not None:
            row["baselineIdentity"] = self.baseline_identity
        row["changes"] = [change.as_json() for change in self.changes]
        return row


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A message on the surface or in the inbox. Compared by identity; ``payload`` compares what it says."""

    id: str
    blocks: tuple[str, ...]
    source: Source

    @property
    def payload(self) -> tuple[tuple[str, ...], Source]:
        """Blocks and source: equal payloads say the same thing."""
        return (self.blocks, self.source)


class SegmentKind(StrEnum):
    """A part of a rendered block, for the budget bar."""

    FRAME = "frame"
    NOTICE = "notice"
    INTRO = "intro"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a rendered block in text order. ``size`` is bytes, joints counted with the part they precede."""

    kind: SegmentKind
    size: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class Truncation:
    """A file cut to fit; bytes."""

    display_path: str
    original_bytes: int
    included_bytes: int


@dataclass(frozen=True, slots=True)
class BudgetReport:
    """How one budget was spent.

    ``block`` is ``baseline`` or ``update``; ``chain`` is ``all``, or ``user-global``/``project`` where each chain
    has a budget of its own. ``limit`` and ``used`` are bytes; ``limit`` may be fractional. ``omitted`` pairs display
    path and size.
    """

    block: str
    chain: str
    limit: float
    used: int
    segments: tuple[Segment, ...]
    omitted: tuple[tuple[str, int], ...] = ()
    truncated: tuple[Truncation, ...] = ()
