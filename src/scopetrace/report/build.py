"""From a timeline to documents. What a report says is decided here, once, for text and JSON alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scopetrace.model import (
    Comparison,
    Decision,
    Row,
    RowKind,
    ScopeNode,
    TimelineView,
    Verdict,
)
from scopetrace.model.frame import Frame

from .documents import (
    DecisionDoc,
    FrameDoc,
    RowDoc,
    ScopeDoc,
    ShowDoc,
    TimelineDoc,
    TotalsDoc,
    TreeDoc,
)
from .parts import budget_doc, candidate_doc, change_doc, comparison_doc, decision_doc, info_doc, message_doc, text_size

_PLAIN_KINDS = frozenset({RowKind.OTHER, RowKind.SYSTEM, RowKind.INBOX, RowKind.STEP, RowKind.ASSISTANT})


def totals_doc(view: TimelineView) -> TotalsDoc:
    """Counts over the whole log."""
    verdicts = [comparison.verdict for comparison in view.comparisons]
    return TotalsDoc(
        events=len(view),
        recorded=sum(comparison.recorded is not None for comparison in view.comparisons),
        computed=sum(comparison.computed is not None for comparison in view.comparisons),
        equal=verdicts.count(Verdict.EQUAL),
        different=verdicts.count(Verdict.DIFFERENT),
        recorded_only=verdicts.count(Verdict.RECORDED_ONLY),
        computed_only=verdicts.count(Verdict.COMPUTED_ONLY),
        not_comparable=verdicts.count(Verdict.NOT_COMPARABLE),
    )


def matters(row: Row, *, moved: bool) -> bool:
    """Whether a row belongs into a timeline for people: what was asked, done, failed, moved, lost or resumed."""
    return moved or row.error or bool(row.touch) or (row.kind not in _PLAIN_KINDS and row.kind is not RowKind.RESULT)


def row_doc(
    row: Row,
    comparison: Comparison | None = None,
    decisions: tuple[DecisionDoc, ...] | None = None,
    *,
    messages: bool = False,
) -> RowDoc:
    """A row; the comparison lends it the transitions, those of the record where there is one, and its texts."""
    base = RowDoc(
        index=row.index,
        seq=row.seq,
        kind=row.kind.value,
        label=row.label,
        text=row.text,
        turn=row.turn,
        step=row.step,
        depth=row.depth,
        error=row.error,
        touch=row.touch,
        on_surface=row.on_surface,
        decisions=decisions,
    )
    if comparison is None:
        return base
    message = comparison.recorded or comparison.computed
    equal = comparison.verdict is Verdict.EQUAL
    return replace(
        base,
        baseline=message is not None and message.source.baseline,
        changes=() if message is None else tuple(change_doc(change) for change in message.source.changes or ()),
        size=None if message is None else sum(text_size(block) for block in message.blocks),
        verdict=comparison.verdict.value,
        differs=comparison.differs,
        reason=comparison.reason,
        recorded=message_doc(comparison.recorded) if messages and comparison.recorded else None,
        computed=message_doc(comparison.computed) if messages and comparison.computed and not equal else None,
    )


def shown_comparisons(view: TimelineView) -> dict[int, Comparison]:
    """The comparison to show for each event: of several at one event, one that is not equal."""
    by_seq: dict[int, Comparison] = {}
    for comparison in view.comparisons:
        if by_seq.get(comparison.seq, comparison).verdict is Verdict.EQUAL or comparison.seq not in by_seq:
            by_seq[comparison.seq] = comparison
    return by_seq


def row_docs(
    view: TimelineView,
    *,
    decisions: bool = False,
    messages: bool = False,
    every: bool = False,
    rows: Iterable[int] | None = None,
) -> Iterator[RowDoc]:
    """The rows of a session, one by one; those at the indices of ``rows`` only, if given.

    ``decisions`` computes the frame of each row, ``messages`` adds the texts, ``every`` leaves no event out.
    """
    by_seq = shown_comparisons(view)
    moved = set(view.changes)
    last: tuple[Decision, ...] = ()
    last_seq = -1
    for index in range(len(view)) if rows is None else rows:
        row = view.row(index)
        found: tuple[DecisionDoc, ...] | None = None
        told: int | None = None
        if decisions:
            made = view.frame(index).decisions
            if made and made == last:
                found, told = (), last_seq
            else:
                found = tuple(decision_doc(decision) for decision in made)
                last, last_seq = (made, row.seq) if made else (last, last_seq)
        here = by_seq.get(row.seq)
        if every or found or matters(row, moved=index in moved or here is not None):
            yield replace(row_doc(row, here, found, messages=messages), decided_at=told)


def timeline_doc(view: TimelineView, *, decisions: bool = False, every: bool = False) -> TimelineDoc:
    """A whole session. Long ones are better written piece by piece: ``row_docs`` and ``json_text.timeline_json``."""
    rows = tuple(row_docs(view, decisions=decisions, every=every))
    return TimelineDoc(info=info_doc(view.info), rows=rows, totals=totals_doc(view))


def frame_doc(view: TimelineView, index: int) -> FrameDoc:
    """The loader at one event."""
    frame: Frame = view.frame(index)
    first = frame.comparisons[0] if frame.comparisons else None
    return FrameDoc(
        row=row_doc(view.row(index), first),
        operations=frame.operations,
        cwd=frame.cwd,
        project_root=frame.project_root,
        decisions=tuple(decision_doc(decision) for decision in frame.decisions),
        messages=tuple(message_doc(message) for message in frame.messages),
        budgets=tuple(budget_doc(budget) for budget in frame.budgets),
        comparisons=tuple(comparison_doc(comparison, messages=True) for comparison in frame.comparisons),
        visible=tuple(frame.visible),
        inbox=tuple(message_doc(message) for message in frame.inbox),
        agrees_so_far=frame.agrees_so_far,
    )


def _walk(nodes: tuple[ScopeNode, ...]) -> Iterator[ScopeDoc]:
    stack = [(node, 0) for node in reversed(nodes)]
    while stack:
        node, depth = stack.pop()
        yield ScopeDoc(
            directory=node.directory,
            label=node.label,
            note=node.note,
            reached=node.reached,
            depth=depth,
            candidates=tuple(candidate_doc(state) for state in node.candidates),
        )
        stack.extend((child, depth + 1) for child in reversed(node.children))


def telling_frames(view: TimelineView) -> Iterator[FrameDoc]:
    """The frames worth reading: those in which something was decided, said or compared."""
    for index in range(len(view)):
        frame = view.frame(index)
        if frame.decisions or frame.messages or frame.comparisons:
            yield frame_doc(view, index)


def tree_doc(view: TimelineView, index: int) -> TreeDoc:
    """The scopes after an event."""
    return TreeDoc(seq=view.row(index).seq, scopes=tuple(_walk(view.tree(index))))


def show_doc(view: TimelineView, index: int) -> ShowDoc:
    """What loads at this event: scopes, decisions, budgets and text."""
    frame = view.frame(index)
    return ShowDoc(
        info=info_doc(view.info),
        project_root=frame.project_root,
        scopes=tuple(_walk(view.tree(index))),
        decisions=tuple(decision_doc(decision) for decision in frame.decisions),
        budgets=tuple(budget_doc(budget) for budget in frame.budgets),
        messages=tuple(message_doc(message) for message in frame.messages),
    )
