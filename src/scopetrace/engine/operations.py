"""The operations that drive the loader, one value each. Source: ``conformance/FORMAT.md`` section 1.4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from scopetrace.model import Message


@dataclass(frozen=True, slots=True)
class PreStep:
    """The pre-step of ``step``. ``proposed`` are the claimed messages and what the host adds to them.

    ``claim`` takes the whole inbox away first. ``batch`` is what the rest of the host decides to enter, ``None`` when
    it rejects the step. ``aborted``: the signal is already aborted.
    """

    step: int
    proposed: tuple[Message, ...]
    batch: tuple[Message, ...] | None
    claim: bool = True
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The final result of one tool execution. ``token`` names it, ``parent`` the enclosing execution."""

    name: str
    arguments: Any
    is_error: bool = False
    aborted: bool = False
    agentless: bool = False
    token: str = ""
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Boundary:
    """A turn or step boundary in the log."""

    kind: Literal["turn-start", "turn-end", "step-start", "step-end"]


@dataclass(frozen=True, slots=True)
class Appended:
    """A message joined the surface at its end without the loader's doing."""

    message: Message


@dataclass(frozen=True, slots=True)
class Reshaped:
    """The surface was cut (compaction): ``visible`` are the instruction messages left, in surface order."""

    visible: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class InboxSet:
    """The inbox is now this, by somebody else's doing."""

    inbox: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Resume:
    """A fresh loader instance on the same session: everything volatile is gone."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Run the queued projections, in order."""


Operation = PreStep | ToolResult | Boundary | Appended | Reshaped | InboxSet | Resume | Settle
