"""A replayed session: rows, frames on demand, record against claim.

One forward pass compares every message and keeps a checkpoint now and then; a frame is computed again from the
checkpoint before it, this time with a reporter. States are immutable and share what did not change.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import overload

from scopetrace.model import (
    BudgetReport,
    Comparison,
    Decision,
    Frame,
    Message,
    Outcome,
    Recorder,
    Row,
    RowKind,
    RunInfo,
    ScopeNode,
    Stage,
    Verdict,
)
from scopetrace.sessions import Event, Gap, Surface
from scopetrace.workspace.fs import FileSystem

from .driver import Driver
from .host import HostState, Setting
from .reading import text_of
from .rows import make_row
from .tree import build_tree

CHECKPOINT_EVERY = 32
"""Rows between two kept states. Memory of checkpoints: rows / 32 states that share their unchanged parts."""
KEPT_FRAMES = 256
LOOK_BACK = 32
"""Passes looked back at, at most, for the projection that composed a waiting message."""
_QUEUED = (Outcome.CONTEXT_QUEUED, Outcome.CONTEXT_REPLACED)
_DISAGREE = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)


class SurfaceAt(Sequence[int]):
    """The visible seqs after an event, worked out when somebody looks: most steps of a long session are only passed."""

    __slots__ = ("_seq", "_surface")

    def __init__(self, surface: Surface, seq: int) -> None:
        self._surface = surface
        self._seq = seq

    def __len__(self) -> int:
        return len(self._surface.at(self._seq))

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        return self._surface.at(self._seq)[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._surface.at(self._seq))

    def __contains__(self, seq: object) -> bool:
        return isinstance(seq, int) and self._surface.is_visible(seq, self._seq)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class Timeline:
    """See :class:`~scopetrace.model.TimelineView`. ``advance`` replays a stretch of it."""

    def __init__(
        self,
        info: RunInfo,
        items: Sequence[Event | Gap],
        surface: Surface,
        setting: Setting,
        raw: Callable[[Event | Gap], bytes],
    ) -> None:
        self._info = info
        self._items = items
        self._surface = surface
        self._setting = setting
        self._raw = raw
        self._driver = Driver(items, surface, setting)
        self._state = self._driver.initial()
        self._done = 0
        self._checkpoints: list[HostState] = [self._state]
        self._comparisons: list[Comparison] = []
        self._by_seq: dict[int, list[Comparison]] = {}
        self._changes: list[int] = []
        self._passes: list[int] = []
        self._touches: dict[int, str] = {}
        self._first_disagreement: int | None = None
        self._frames: OrderedDict[int, tuple[Frame, HostState]] = OrderedDict()
        self._seqs = [-1 if isinstance(item, Gap) else item.seq for item in items]
        self._index: dict[int, int] = {seq: at for at, seq in enumerate(self._seqs) if seq >= 0}

    # -- replay

    def advance(self, rows: int | None = None) -> bool:
        """Replay up to ``rows`` more rows (all, if not given); true when nothing is left."""
        end = len(self._items) if rows is None else min(len(self._items), self._done + rows)
        while self._done < end:
            index = self._done
            self._state, effect = self._driver.apply(self._state, index)
            self._done += 1
            if effect.messages and self._setting.supposed:
                self._changes.append(index)
            if "pre-step" in effect.operations or "projection" in effect.operations:
                self._passes.append(index)
            for comparison in effect.comparisons:
                self._take(comparison, index)
            if self._done % CHECKPOINT_EVERY == 0:
                self._checkpoints.append(self._state)
        return self._done == len(self._items)

    def _take(self, comparison: Comparison, index: int) -> None:
        self._comparisons.append(comparison)
        self._by_seq.setdefault(comparison.seq, []).append(comparison)
        where = self._index.get(comparison.seq, index)
        if not self._changes or self._changes[-1] < where:
            self._changes.append(where)
        if comparison.verdict in _DISAGREE and self._first_disagreement is None:
            self._first_disagreement = where

    def _state_before(self, index: int) -> HostState:
        """The state before the row at ``index``, replayed from the checkpoint or cached frame before it."""
        cached = self._frames.get(index - 1)
        if cached is not None:
            return cached[1]
        number = min(index // CHECKPOINT_EVERY, len(self._checkpoints) - 1)
        state = self._checkpoints[number]
        for at in range(number * CHECKPOINT_EVERY, index):
            state, _ = self._driver.apply(state, at)
        return state

    # -- TimelineView

    @property
    def info(self) -> RunInfo:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._info

    @property
    def complete(self) -> bool:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._done == len(self._items)

    def __len__(self) -> int:
        return self._done

    def row(self, index: int) -> Row:
        """See :class:`~scopetrace.model.TimelineView`."""
        return make_row(self._items[index], index)

    def raw(self, index: int) -> str:
        """See :class:`~scopetrace.model.TimelineView`."""
        item = self._items[index]
        return self._raw(item).decode("utf-8", "surrogateescape")

    @property
    def changes(self) -> Sequence[int]:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._changes

    @property
    def comparisons(self) -> Sequence[Comparison]:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._comparisons

    def visible_messages(self, index: int) -> tuple[Message, ...]:
        """Instruction messages on the claimed surface after the row at ``index``, in surface order."""
        return self.state(index).loader.visible

    def supposing(self, setting: Setting) -> Timeline:
        """The same log under another setting, nothing replayed yet."""
        return Timeline(self._info, self._items, self._surface, setting, self._raw)

    @property
    def passes(self) -> Sequence[int]:
        """Indices, ascending, of the rows at which the loader looked at files."""
        return self._passes

    def index_of(self, seq: int) -> int | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        found = self._index.get(seq)
        return found if found is not None and found < self._done else None

    def shadowed_by(self, index: int, at: int) -> int | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._surface.shadowed_by(self._seqs[index], self._seqs[at])

    def frame(self, index: int) -> Frame:
        """See :class:`~scopetrace.model.TimelineView`. Raises :class:`IndexError`."""
        return self._computed(index)[0]

    def state(self, index: int) -> HostState:
        """The session around the loader after the row at ``index``."""
        return self._computed(index)[1]

    def _computed(self, index: int) -> tuple[Frame, HostState]:
        if not 0 <= index < self._done:
            raise IndexError(index)
        cached = self._frames.get(index)
        if cached is not None:
            self._frames.move_to_end(index)
            return cached
        recorder = Recorder()
        before = self._state_before(index)
        state, effect = self._driver.apply(before, index, recorder)
        seq = self._seqs[index]
        decisions, budgets, messages = tuple(recorder.decisions), tuple(recorder.budgets), tuple(effect.messages)
        operations = tuple(effect.operations)
        if not operations and self._is_seat(index):
            # The message was composed when its step began; its row shows that composition.
            at = self._step_of(index)
            if at is not None:
                source = self.frame(at)
                decisions, budgets, messages = source.decisions, source.budgets, source.messages
                earlier = self._composition(at, source)
                if earlier is not None:
                    own = tuple(d for d in decisions if d.stage is Stage.LIFECYCLE)
                    decisions, budgets = (*earlier[0], *own), earlier[1]
                operations = ("message",)
        frame = Frame(
            index=index,
            seq=seq,
            operations=operations,
            decisions=decisions,
            messages=messages,
            budgets=budgets,
            comparisons=tuple(self._by_seq.get(seq, ())) if seq >= 0 else (),
            visible=SurfaceAt(self._surface, seq if seq >= 0 else self._last_seq(index)),
            inbox=state.loader.inbox,
            cwd=state.cwd,
            project_root=state.loader.root,
            agrees_so_far=self._first_disagreement is None or index < self._first_disagreement,
        )
        self._frames[index] = (frame, state)
        while len(self._frames) > KEPT_FRAMES:
            self._frames.popitem(last=False)
        return frame, state

    def _last_seq(self, index: int) -> int:
        return next((seq for seq in reversed(self._seqs[: index + 1]) if seq >= 0), -1)

    def _is_seat(self, index: int) -> bool:
        return bool(self._by_seq.get(self._seqs[index]))

    def _step_of(self, index: int) -> int | None:
        place = bisect_right(self._passes, index) - 1
        while place >= 0:
            item = self._items[self._passes[place]]
            if not isinstance(item, Gap) and item.type == "step/start":
                return self._passes[place]
            place -= 1
        return None

    def _composition(self, step: int, frame: Frame) -> tuple[tuple[Decision, ...], tuple[BudgetReport, ...]] | None:
        """How a waiting message that a step took as it is was composed: the decisions of the pass that queued it."""
        reused = next((d for d in frame.decisions if d.outcome is Outcome.CONTEXT_REUSED), None)
        if reused is None:
            return None
        place = bisect_right(self._passes, step - 1) - 1
        for back in range(place, max(-1, place - LOOK_BACK), -1):
            found = self.frame(self._passes[back])
            for decision in reversed(found.decisions):
                if decision.outcome in _QUEUED and decision.facts.get("message") == reused.facts.get("message"):
                    mine = tuple(d for d in found.decisions if d.pass_index == decision.pass_index)
                    # A pass renders its baseline and its update last: its reports are the last ones.
                    return mine, _last_blocks(found.budgets)
        return None

    def tree(self, index: int) -> tuple[ScopeNode, ...]:
        """See :class:`~scopetrace.model.TimelineView`."""
        return build_tree(self, index)

    def message_at(self, seq: int) -> Message | None:
        """What stands at ``seq`` on the claimed surface at the end, else the recorded instruction message."""
        for comparison in self._by_seq.get(seq, ()):
            return comparison.computed or comparison.recorded
        return None

    def files_at(self, index: int) -> FileSystem | None:
        """Files as they are after the row at ``index``."""
        item = self._items[index]
        if isinstance(item, Gap):
            return self._setting.files.after(self._last_seq(index), 0)
        return self._setting.files.after(item.seq, item.time)

    def file_text(self, absolute_path: str, index: int) -> str | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        limit = self._setting.config(self.state(index).run).max_source_bytes
        return text_of(self.files_at(index), absolute_path, limit)

    @property
    def setting(self) -> Setting:
        """Rules, configurations and files of this replay."""
        return self._setting

    def kind(self, index: int) -> RowKind:
        """Kind of a row."""
        return self.row(index).kind


def _last_blocks(budgets: tuple[BudgetReport, ...]) -> tuple[BudgetReport, ...]:
    """The newest report of each block and chain, in order."""
    newest = {(report.block, report.chain): report for report in budgets}
    return tuple(newest.values())
