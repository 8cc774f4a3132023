"""What a timeline hands out: rows, frames, the scope tree and the comparison of record and claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from .decision import Decision, Fact
from .message import BudgetReport, Message
from .outcomes import Outcome


class Verdict(StrEnum):
    """How a recorded instruction message compares with the computed one."""

    EQUAL = "equal"
    DIFFERENT = "different"
    RECORDED_ONLY = "recorded-only"
    COMPUTED_ONLY = "computed-only"
    NOT_COMPARABLE = "not-comparable"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Record against claim, for one message.

    ``differs`` names the parts that differ: ``blocks``, ``changes``, ``identity``, ``place``. ``reason`` says why a
    message is not comparable, or what is missing.
    """

    verdict: Verdict
    seq: int
    recorded: Message | None = None
    computed: Message | None = None
    differs: tuple[str, ...] = ()
    reason: str = ""


class RowKind(StrEnum):
    """What a timeline row is, for its colour and for filters."""

    INSTRUCTIONS = "instructions"
    PROMPT = "prompt"
    ASSISTANT = "assistant"
    TOOL = "tool"
    RESULT = "result"
    STEP = "step"
    TURN = "turn"
    INBOX = "inbox"
    COMPACTION = "compaction"
    RESUME = "resume"
    DIRECTORY = "directory"
    SYSTEM = "system"
    GAP = "gap"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the timeline: an event (or a gap) of the log, small enough to keep by the hundred thousand.

    ``label`` and ``text`` are raw, not yet made safe for display. ``touch`` is the tool path of a touch that the
    loader accepted. ``depth`` nests sub-calls.
    """

    index: int
    seq: int
    kind: RowKind
    label: str
    text: str
    turn: int = 0
    step: int = 0
    depth: int = 0
    error: bool = False
    touch: str = ""
    on_surface: bool = False
    offset: int = -1


@dataclass(frozen=True, slots=True)
class CandidateState:
    """A candidate under its scope at a step. ``size`` in bytes where known; ``changed`` when this step moved it."""

    scope: str
    name: str
    path: str
    absolute_path: str
    outcome: Outcome
    size: int | None = None
    changed: bool = False
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class ScopeNode:
    """A scope directory with its candidates and the scope directories below it."""

    directory: str
    label: str
    note: str
    reached: bool
    candidates: tuple[CandidateState, ...] = ()
    children: tuple[ScopeNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """The loader at one event: what was decided there, what came out, and how it compares with the record.

    ``visible`` lists the seqs of the surface after the event; ``inbox`` the waiting messages. ``operations`` are
    what the event stood for (``step-end``, ``pre-step`` …).
    """

    index: int
    seq: int
    operations: tuple[str, ...]
    decisions: tuple[Decision, ...]
    messages: tuple[Message, ...]
    budgets: tuple[BudgetReport, ...]
    comparisons: tuple[Comparison, ...]
    visible: Sequence[int]
    inbox: tuple[Message, ...]
    cwd: str
    project_root: str
    agrees_so_far: bool
