"""A timeline of a few steps, all worked out beforehand: the common base of plain workspaces and played scenarios.

Whoever makes one performs an operation after the other and takes down each as a :class:`Step`. Rows are numbered from
0; a row's seq is its index.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scopetrace.engine.config import Config
from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.profile import Profile
from scopetrace.engine.state import LoaderState
from scopetrace.model import (
    BudgetReport,
    Comparison,
    Decision,
    Frame,
    Message,
    Outcome,
    Recorder,
    Row,
    RunInfo,
    ScopeNode,
    Verdict,
)
from scopetrace.workspace.fs import FileSystem

_QUEUED = (Outcome.CONTEXT_QUEUED, Outcome.CONTEXT_REPLACED)
DISAGREE = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)


@dataclass(frozen=True, slots=True)
class StepState:
    """See :class:`~scopetrace.replay.replayed.StateView`."""

    loader: LoaderState
    cwd: str
    run: int
    told: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class StepRules:
    """See :class:`~scopetrace.replay.replayed.RulesView`. ``configs`` holds one configuration a run."""

    profile: Profile
    configs: tuple[Config, ...]
    home: str
    environ: Mapping[str, str]
    origin_cwd: str
    flavour: PathFlavour = POSIX

    def config(self, run: int) -> Config:
        """Configuration of a run; the last known one for runs beyond."""
        return self.configs[min(run, len(self.configs) - 1)]


@dataclass(frozen=True, slots=True)
class Step:
    """One operation and what it led to. ``surface`` are the messages visible after it; ``raw`` is the operation."""

    row: Row
    raw: Mapping[str, Any]
    operations: tuple[str, ...]
    decisions: tuple[Decision, ...]
    budgets: tuple[BudgetReport, ...]
    messages: tuple[Message, ...]
    comparisons: tuple[Comparison, ...]
    surface: tuple[Message, ...]
    loader: LoaderState
    cwd: str
    run: int
    files: FileSystem | None

    @classmethod
    def take(
        cls,
        row: Row,
        raw: Mapping[str, Any],
        operations: tuple[str, ...],
        recorder: Recorder,
        entered: Sequence[Message],
        comparisons: tuple[Comparison, ...],
        surface: Sequence[Message],
        loader: LoaderState,
        cwd: str,
        run: int,
        files: FileSystem | None,
    ) -> Step:
        """A step from what a recorder heard and the messages that entered; other messages than ours are left out."""
        mine = tuple(message for message in entered if message.source.is_instructions)
        decisions, budgets = tuple(recorder.decisions), tuple(recorder.budgets)
        return cls(row, raw, operations, decisions, budgets, mine, comparisons, tuple(surface), loader, cwd, run, files)


class StepTimeline:
    """See :class:`~scopetrace.replay.replayed.Replayed`; complete from the start."""

    def __init__(self, info: RunInfo, rules: StepRules, steps: Sequence[Step]) -> None:
        self.info = info
        self.complete = True
        self.setting = rules
        self._steps = steps
        self.comparisons: Sequence[Comparison] = tuple(c for step in steps for c in step.comparisons)
        self.changes: Sequence[int] = tuple(i for i, step in enumerate(steps) if step.messages or step.comparisons)
        self.passes: Sequence[int] = tuple(
            i for i, step in enumerate(steps) if "pre-step" in step.operations or "projection" in step.operations
        )
        self._first_disagreement = next(
            (i for i, step in enumerate(steps) if any(c.verdict in DISAGREE for c in step.comparisons)), len(steps)
        )
        self._entered: dict[int, int] = {}
        self._left: dict[int, int] = {}
        self._states: list[StepState] = []
        told: Mapping[str, int] = {}
        before: tuple[Message, ...] = ()
        for index, step in enumerate(steps):
            for message in step.surface:
                if self._entered.setdefault(id(message), index) == index and message.source.changes:
                    told = {**told, **{change.scope: index for change in message.source.changes}}
            gone = {id(m) for m in before} - {id(m) for m in step.surface}
            for message in before:
                if id(message) in gone and message.source.is_instructions:
                    self._left.setdefault(self._entered[id(message)], index)
            before = step.surface
            self._states.append(StepState(step.loader, step.cwd, step.run, told))

    def __len__(self) -> int:
        return len(self._steps)

    def advance(self, rows: int | None = None) -> bool:
        """Nothing is left to replay."""
        return True

    @property
    def share(self) -> int:
        """All of it is replayed: 100 per cent."""
        return 100

    def row(self, index: int) -> Row:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._steps[index].row

    def raw(self, index: int) -> str:
        """The operation as JSON."""
        import json

        return json.dumps(self._steps[index].raw, ensure_ascii=False, indent=2, default=str)

    def state(self, index: int) -> StepState:
        """See :class:`~scopetrace.replay.replayed.Replayed`."""
        return self._states[index]

    def files_at(self, index: int) -> FileSystem | None:
        """See :class:`~scopetrace.replay.replayed.Replayed`."""
        return self._steps[index].files

    def index_of(self, seq: int) -> int | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        return seq if 0 <= seq < len(self._steps) else None

    def shadowed_by(self, index: int, at: int) -> int | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        by = self._left.get(index)
        return by if by is not None and by <= at else None

    def frame(self, index: int) -> Frame:
        """See :class:`~scopetrace.model.TimelineView`. Raises :class:`IndexError`."""
        if not 0 <= index < len(self._steps):
            raise IndexError(index)
        step = self._steps[index]
        decisions, budgets = self._composition(index, step)
        return Frame(
            index=index,
            seq=index,
            operations=step.operations,
            decisions=decisions,
            messages=step.messages,
            budgets=budgets,
            comparisons=step.comparisons,
            visible=tuple(sorted({self._entered[id(message)] for message in step.surface})),
            inbox=step.loader.inbox,
            cwd=step.cwd,
            project_root=step.loader.root,
            agrees_so_far=index < self._first_disagreement,
        )

    def _composition(self, index: int, step: Step) -> tuple[tuple[Decision, ...], tuple[BudgetReport, ...]]:
        """A message that waited in the inbox was composed earlier: those decisions, and the step's own."""
        folded = {d.facts.get("message") for d in step.decisions if d.outcome is Outcome.CONTEXT_FOLDED}
        reused = {d.facts.get("message") for d in step.decisions if d.outcome is Outcome.CONTEXT_REUSED}
        waited = {message.id for message in step.messages if message.id not in folded or message.id in reused}
        decisions, budgets = step.decisions, step.budgets
        place = bisect_right(self.passes, index - 1) - 1
        for back in range(place, -1, -1):
            if not waited:
                break
            found = self._steps[self.passes[back]]
            for decision in found.decisions:
                if decision.outcome in _QUEUED and decision.facts.get("message") in waited:
                    waited.discard(str(decision.facts["message"]))
                    mine = tuple(d for d in found.decisions if d.pass_index == decision.pass_index)
                    decisions, budgets = (*mine, *decisions), (*found.budgets, *budgets)
        return decisions, budgets

    def tree(self, index: int) -> tuple[ScopeNode, ...]:
        """See :class:`~scopetrace.model.TimelineView`."""
        from .tree import build_tree

        return build_tree(self, index)

    def message_at(self, seq: int) -> Message | None:
        """The instruction message that entered or waits at a row, if there is one."""
        found = self._steps[seq] if 0 <= seq < len(self._steps) else None
        return found.messages[0] if found is not None and found.messages else None

    def file_text(self, absolute_path: str, index: int) -> str | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        from .reading import text_of

        step = self._steps[index]
        return text_of(step.files, absolute_path, self.setting.config(step.run).max_source_bytes)
