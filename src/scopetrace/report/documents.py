"""What a report says, as plain values: one model from which both the text and the JSON are made.

Every document has a ``schema``, ``scopetrace/NAME/VERSION``; the version grows when a field is renamed, removed or
changes its meaning, not when one is added. Sizes are bytes, digests SHA-1 hex, strings raw (nothing is made safe for
display here). They are plain data classes, so that the text route starts without pydantic; ``report.schema`` wraps the
same classes in pydantic for validation and for JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scopetrace.explain.answer import Answer

from .lesson_docs import LessonDoc, LessonsDoc

FactValue = str | int | float | bool | None | list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoDoc:
    """What was replayed and under which rules. ``budget`` is ``maxBytes``, absent when it is not finite."""

    title: str
    session_id: str
    format: str
    log_path: str
    cwd: str
    home: str
    profile: str
    budget: float | None
    config_source: str
    workspace_source: str
    created_ms: int | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDoc:
    """A transition of one scope, as a message records it."""

    action: str
    directory: str
    name: str
    path: str
    digest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDoc:
    """A message: its blocks exactly as the model gets them. ``size`` is the sum over the blocks."""

    id: str
    kind: str
    baseline: bool
    baseline_identity: str | None
    changes: tuple[ChangeDoc, ...]
    blocks: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionDoc:
    """One decision. ``sentence`` is prose for people; scripts go by ``outcome`` and ``facts``."""

    stage: str
    outcome: str
    word: str
    sentence: str
    pass_index: int
    directory: str
    name: str
    path: str
    absolute_path: str
    facts: Mapping[str, FactValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDoc:
    """A part of a rendered block, in text order."""

    kind: str
    path: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutDoc:
    """A file that was cut (``included`` of ``size`` bytes) or left out (``included`` is 0)."""

    path: str
    size: int
    included: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetDoc:
    """How one budget was spent. ``limit`` is absent when it is not finite."""

    block: str
    chain: str
    limit: float | None
    used: int
    segments: tuple[SegmentDoc, ...]
    omitted: tuple[CutDoc, ...]
    truncated: tuple[CutDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDoc:
    """Record against claim for one message. ``recorded`` and ``computed`` are given where they were asked for."""

    seq: int
    verdict: str
    differs: tuple[str, ...]
    reason: str
    recorded: MessageDoc | None = None
    computed: MessageDoc | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsDoc:
    """Counts over a whole log: events, and instruction messages by verdict."""

    events: int
    recorded: int
    computed: int
    equal: int
    different: int
    recorded_only: int
    computed_only: int
    not_comparable: int

    @property
    def agrees(self) -> bool:
        """Whether nothing that could be compared differs."""
        return not (self.different or self.recorded_only or self.computed_only)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDoc:
    """One event (or gap) of the log. ``changes`` and ``verdict`` only where instructions moved.

    ``decisions``, ``recorded`` and ``computed`` are given where they were asked for, ``computed`` only where it is not
    equal to what was recorded. Decisions that are those of an earlier row (a message is composed before its step
    begins) stand there, at the seq ``decided_at``, and ``decisions`` is empty.
    """

    index: int
    seq: int
    kind: str
    label: str
    text: str
    turn: int
    step: int
    depth: int
    error: bool
    touch: str
    on_surface: bool
    baseline: bool = False
    changes: tuple[ChangeDoc, ...] = ()
    size: int | None = None
    verdict: str | None = None
    differs: tuple[str, ...] = ()
    reason: str = ""
    decisions: tuple[DecisionDoc, ...] | None = None
    decided_at: int | None = None
    recorded: MessageDoc | None = None
    computed: MessageDoc | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineDoc:
    """A session from its first to its last event."""

    schema: Literal["scopetrace/timeline/1"] = "scopetrace/timeline/1"
    info: InfoDoc
    rows: tuple[RowDoc, ...]
    totals: TotalsDoc


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameDoc:
    """The loader at one event. ``visible`` are the seqs of the surface after it."""

    schema: Literal["scopetrace/frame/1"] = "scopetrace/frame/1"
    row: RowDoc
    operations: tuple[str, ...]
    cwd: str
    project_root: str
    decisions: tuple[DecisionDoc, ...]
    messages: tuple[MessageDoc, ...]
    budgets: tuple[BudgetDoc, ...]
    comparisons: tuple[ComparisonDoc, ...]
    visible: tuple[int, ...]
    inbox: tuple[MessageDoc, ...]
    agrees_so_far: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateDoc:
    """A candidate under its scope, and its state."""

    name: str
    path: str
    absolute_path: str
    outcome: str
    word: str
    sentence: str
    size: int | None
    changed: bool
    facts: Mapping[str, FactValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeDoc:
    """A scope directory. ``depth`` nests it: 0 for the user-global roots and the project root."""

    directory: str
    label: str
    note: str
    reached: bool
    depth: int
    candidates: tuple[CandidateDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeDoc:
    """The scopes after an event, in reading order."""

    schema: Literal["scopetrace/tree/1"] = "scopetrace/tree/1"
    seq: int
    scopes: tuple[ScopeDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowDoc:
    """What loads at one place: the tree, what was decided, the budgets and the text."""

    schema: Literal["scopetrace/show/1"] = "scopetrace/show/1"
    info: InfoDoc
    project_root: str
    scopes: tuple[ScopeDoc, ...]
    decisions: tuple[DecisionDoc, ...]
    budgets: tuple[BudgetDoc, ...]
    messages: tuple[MessageDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDoc:
    """Why something could not be read: a stable code, where, what is wrong, what to do."""

    schema: Literal["scopetrace/error/1"] = "scopetrace/error/1"
    code: str
    path: str
    place: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLogDoc:
    """Record against claim for one log. ``fits`` names profiles under which everything comparable is equal."""

    path: str
    title: str
    format: str
    profile: str
    totals: TotalsDoc | None
    comparisons: tuple[ComparisonDoc, ...]
    fits: tuple[str, ...]
    error: ErrorDoc | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditDoc:
    """Several logs. ``verdict`` is ``equal``, ``different`` or ``unreadable`` (the worst of all)."""

    schema: Literal["scopetrace/audit/1"] = "scopetrace/audit/1"
    verdict: str
    logs: tuple[AuditLogDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAtDoc:
    """One recorded or computed message of a session."""

    schema: Literal["scopetrace/message/1"] = "scopetrace/message/1"
    session_id: str
    seq: int
    origin: Literal["recorded", "computed"]
    message: MessageDoc


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDoc:
    """A log that was found. ``format`` is its number; ``error`` says why its header could not be read."""

    path: str
    session_id: str
    cwd: str
    format: int
    size: int
    modified_ms: int
    parent: str
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsDoc:
    """The logs below a harness home, newest first."""

    schema: Literal["scopetrace/sessions/1"] = "scopetrace/sessions/1"
    home: str
    sessions: tuple[SessionDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeDoc:
    """What an outcome means."""

    code: str
    stage: str
    glyph: str
    tone: str
    word: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesDoc:
    """Outcomes, in the order of the loader's stages."""

    schema: Literal["scopetrace/outcomes/1"] = "scopetrace/outcomes/1"
    outcomes: tuple[OutcomeDoc, ...]


Document = (
    TimelineDoc
    | FrameDoc
    | TreeDoc
    | ShowDoc
    | AuditDoc
    | MessageAtDoc
    | SessionsDoc
    | OutcomesDoc
    | ErrorDoc
    | Answer
    | LessonDoc
    | LessonsDoc
)
"""Everything that a command prints with ``--json``."""
