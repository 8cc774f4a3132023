"""From values of the model to the parts of documents: messages, changes, decisions, budgets, comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scopetrace.model import (
    BudgetReport,
    CandidateState,
    Change,
    Comparison,
    Decision,
    Fact,
    Message,
    OutcomeInfo,
    RunInfo,
)
from scopetrace.model.catalog import CATALOG, describe

from .documents import (
    BudgetDoc,
    CandidateDoc,
    ChangeDoc,
    ComparisonDoc,
    CutDoc,
    DecisionDoc,
    FactValue,
    InfoDoc,
    MessageDoc,
    OutcomeDoc,
    OutcomesDoc,
    SegmentDoc,
)


def finite(number: float) -> float | None:
    """A number for JSON: whole ones as ``int``, ``None`` for infinities and NaN."""
    if not math.isfinite(number):
        return None
    return int(number) if number == int(number) else number


def info_doc(info: RunInfo) -> InfoDoc:
    """What was replayed."""
    return InfoDoc(
        title=info.title,
        session_id=info.session_id,
        format=info.format,
        log_path=info.log_path,
        cwd=info.cwd,
        home=info.home,
        profile=info.profile,
        budget=finite(info.budget),
        config_source=info.config_source,
        workspace_source=info.workspace_source,
        created_ms=info.created_ms,
        notes=info.notes,
    )


def change_doc(change: Change) -> ChangeDoc:
    """A transition; a scope without separator counts as a directory."""
    directory, _, name = change.scope.partition("\0")
    return ChangeDoc(action=change.action.value, directory=directory, name=name, path=change.path, digest=change.digest)


def text_size(text: str) -> int:
    """Bytes of a text in UTF-8; a lone surrogate of a damaged log counts its three bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def message_doc(message: Message) -> MessageDoc:
    """A message with its exact blocks."""
    source = message.source
    return MessageDoc(
        id=message.id,
        kind=source.kind,
        baseline=source.baseline,
        baseline_identity=source.baseline_identity,
        changes=tuple(change_doc(change) for change in source.changes or ()),
        blocks=message.blocks,
        size=sum(text_size(block) for block in message.blocks),
    )


def facts_doc(facts: Mapping[str, Fact]) -> dict[str, FactValue]:
    """Facts as JSON values."""
    return {
        key: list(value) if isinstance(value, tuple) else finite(value) if isinstance(value, float) else value
        for key, value in facts.items()
    }


def decision_doc(decision: Decision) -> DecisionDoc:
    """A decision and its sentence."""
    return DecisionDoc(
        stage=decision.stage.value,
        outcome=decision.outcome.value,
        word=CATALOG[decision.outcome].word,
        sentence=describe(decision),
        pass_index=decision.pass_index,
        directory=decision.directory,
        name=decision.name,
        path=decision.path,
        absolute_path=decision.absolute_path,
        facts=facts_doc(decision.facts),
    )


def budget_doc(budget: BudgetReport) -> BudgetDoc:
    """How one budget was spent."""
    return BudgetDoc(
        block=budget.block,
        chain=budget.chain,
        limit=finite(budget.limit),
        used=budget.used,
        segments=tuple(SegmentDoc(kind=s.kind.value, path=s.path, size=s.size) for s in budget.segments),
        omitted=tuple(CutDoc(path=path, size=size, included=0) for path, size in budget.omitted),
        truncated=tuple(
            CutDoc(path=cut.display_path, size=cut.original_bytes, included=cut.included_bytes)
            for cut in budget.truncated
        ),
    )


def comparison_doc(comparison: Comparison, *, messages: bool) -> ComparisonDoc:
    """Record against claim; ``messages`` adds both texts."""
    recorded, computed = (comparison.recorded, comparison.computed) if messages else (None, None)
    return ComparisonDoc(
        seq=comparison.seq,
        verdict=comparison.verdict.value,
        differs=comparison.differs,
        reason=comparison.reason,
        recorded=None if recorded is None else message_doc(recorded),
        computed=None if computed is None else message_doc(computed),
    )


def candidate_doc(state: CandidateState) -> CandidateDoc:
    """A candidate's state and its sentence."""
    info = CATALOG[state.outcome]
    decision = Decision(
        stage=info.stage,
        outcome=state.outcome,
        scope=state.scope,
        path=state.path,
        absolute_path=state.absolute_path,
        facts={"size": state.size, **state.facts},
    )
    return CandidateDoc(
        name=state.name,
        path=state.path,
        absolute_path=state.absolute_path,
        outcome=state.outcome.value,
        word=info.word,
        sentence=describe(decision),
        size=state.size,
        changed=state.changed,
        facts=facts_doc(state.facts),
    )


def outcomes_doc(infos: tuple[OutcomeInfo, ...]) -> OutcomesDoc:
    """What outcomes mean."""
    return OutcomesDoc(
        outcomes=tuple(
            OutcomeDoc(
                code=info.outcome.value,
                stage=info.stage.value,
                glyph=info.glyph,
                tone=info.tone.value,
                word=info.word,
                page=info.page,
            )
            for info in infos
        )
    )
