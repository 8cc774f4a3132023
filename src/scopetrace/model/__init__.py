"""Storey 0: frozen values that travel between storeys."""

from .decision import Decision, Fact, Recorder, Reporter
from .frame import CandidateState, Comparison, Frame, Row, RowKind, ScopeNode, Verdict
from .message import (
    SCOPE_SEPARATOR,
    Action,
    BudgetReport,
    Change,
    InstructionFile,
    Message,
    Segment,
    SegmentKind,
    Source,
    Truncation,
)
from .outcomes import Outcome, OutcomeInfo, Stage, Tone
from .timeline import RunInfo, TimelineView

__all__ = [
    "SCOPE_SEPARATOR",
    "Action",
    "BudgetReport",
    "CandidateState",
    "Change",
    "Comparison",
    "Decision",
    "Fact",
    "Frame",
    "InstructionFile",
    "Message",
    "Outcome",
    "OutcomeInfo",
    "Recorder",
    "Reporter",
    "Row",
    "RowKind",
    "RunInfo",
    "ScopeNode",
    "Segment",
    "SegmentKind",
    "Source",
    "Stage",
    "TimelineView",
    "Tone",
    "Truncation",
    "Verdict",
]
