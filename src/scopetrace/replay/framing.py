"""The frame of a row: replayed again from the state before it, this time with a reporter that hears every decision."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import overload

from scopetrace.model import BudgetReport, Decision, Frame, Outcome, Recorder, Stage
from scopetrace.sessions import Surface

from .course import Course
from .host import HostState

KEPT_FRAMES = 256
LOOK_BACK = 32
"""Passes looked back at, at most, for the projection that composed a waiting message."""
_QUEUED = (Outcome.CONTEXT_QUEUED, Outcome.CONTEXT_REPLACED)


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


def computed(course: Course, index: int) -> tuple[Frame, HostState]:
    """The frame of a replayed row and the state after it. Raises :class:`IndexError`."""
    if not 0 <= index < course.done:
        raise IndexError(index)
    cached = course.frames.get(index)
    if cached is not None:
        course.frames.move_to_end(index)
        return cached
    recorder = Recorder()
    before = course.state_before(index)
    state, effect = course.driver.apply(before, index, recorder)
    seq = course.rows.seq(index)
    decisions, budgets, messages = tuple(recorder.decisions), tuple(recorder.budgets), tuple(effect.messages)
    operations = tuple(effect.operations)
    if not operations and course.by_seq.get(seq):
        # The message was composed when its step began; its row shows that composition.
        at = _step_of(course, index)
        if at is not None:
            source = computed(course, at)[0]
            decisions, budgets, messages = source.decisions, source.budgets, source.messages
            earlier = _composition(course, at, source)
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
        comparisons=tuple(course.by_seq.get(seq, ())) if seq >= 0 else (),
        visible=SurfaceAt(course.rows.surface, course.rows.seq_before(index)),
        inbox=state.loader.inbox,
        cwd=state.cwd,
        project_root=state.loader.root,
        agrees_so_far=course.first_disagreement is None or index < course.first_disagreement,
    )
    course.frames[index] = (frame, state)
    while len(course.frames) > KEPT_FRAMES:
        course.frames.popitem(last=False)
    return frame, state


def _step_of(course: Course, index: int) -> int | None:
    place = bisect_right(course.passes, index) - 1
    while place >= 0:
        if course.rows.kind(course.passes[place]) == "step/start":
            return course.passes[place]
        place -= 1
    return None


def _composition(
    course: Course, step: int, frame: Frame
) -> tuple[tuple[Decision, ...], tuple[BudgetReport, ...]] | None:
    """How a waiting message that a step took as it is was composed: the decisions of the pass that queued it."""
    reused = next((d for d in frame.decisions if d.outcome is Outcome.CONTEXT_REUSED), None)
    if reused is None:
        return None
    place = bisect_right(course.passes, step - 1) - 1
    for back in range(place, max(-1, place - LOOK_BACK), -1):
        found = computed(course, course.passes[back])[0]
        for decision in reversed(found.decisions):
            if decision.outcome in _QUEUED and decision.facts.get("message") == reused.facts.get("message"):
                mine = tuple(d for d in found.decisions if d.pass_index == decision.pass_index)
                # A pass renders its baseline and its update last: its reports are the last ones.
                return mine, _last_blocks(found.budgets)
    return None


def _last_blocks(budgets: tuple[BudgetReport, ...]) -> tuple[BudgetReport, ...]:
    """The newest report of each block and chain, in order."""
    newest = {(report.block, report.chain): report for report in budgets}
    return tuple(newest.values())
