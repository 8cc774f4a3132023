"""The loader as a function: state and operation in, state, messages and decisions out.

Source: README seed "Lifecycle", ``design/ENGINE.md`` "Claim, inbox, pre-step", scenarios cur-104 to cur-141 and
cur-198 to cur-217.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scopetrace.model import Decision, Fact, Message, Outcome, Reporter, Stage
from scopetrace.workspace.fs import Cancelled, FsError

from .compose import compose
from .operations import Appended, Boundary, InboxSet, Operation, PreStep, Reshaped, Resume, Settle, ToolResult
from .state import Env, Fold, LoaderState
from .touches import close_step, settle_execution


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one operation led to.

    ``entered`` is the final batch of a pre-step that entered, ``None`` otherwise. ``error`` tells that the pre-step
    raised, ``warnings`` how many projections failed. ``context`` is the message the loader put into the batch.
    """

    state: LoaderState
    entered: tuple[Message, ...] | None = None
    context: Message | None = None
    error: str = ""
    warnings: tuple[str, ...] = ()


def step(state: LoaderState, operation: Operation, env: Env, reporter: Reporter | None = None) -> StepResult:
    """Apply one operation. Never raises for what files or logs hold; a failed pre-step is an ``error``."""
    match operation:
        case PreStep():
            return _pre_step(state, operation, env, reporter)
        case ToolResult():
            return StepResult(settle_execution(state, operation, reporter))
        case Boundary():
            return StepResult(_boundary(state, operation, reporter))
        case Settle():
            return _settle(state, env, reporter)
        case Appended(message):
            return StepResult(_appear(state, (message,)))
        case Reshaped(visible):
            return StepResult(replace(state, visible=visible, fold=Fold.of(visible), rest=None))
        case InboxSet(inbox):
            return StepResult(replace(state, inbox=inbox))
        case Resume():
            _note(reporter, Outcome.RESUMED, lost=len(state.staged) + len(state.queue) + len(state.bubbling))
            return StepResult(
                LoaderState(
                    visible=state.visible,
                    fold=state.fold,
                    inbox=state.inbox,
                    turn_open=state.turn_open,
                    step_started=state.step_started,
                    counter=state.counter,
                )
            )


def _note(reporter: Reporter | None, outcome: Outcome, index: int = 0, **facts: Fact) -> None:
    if reporter is not None:
        reporter.decide(Decision(Stage.LIFECYCLE, outcome, index, facts=facts))


def _appear(state: LoaderState, messages: tuple[Message, ...]) -> LoaderState:
    """Messages joined the surface; only instruction messages are the loader's business."""
    mine = tuple(message for message in messages if message.source.is_instructions)
    if not mine:
        return state
    return replace(state, visible=(*state.visible, *mine), fold=state.fold.then(mine))


def _boundary(state: LoaderState, operation: Boundary, reporter: Reporter | None) -> LoaderState:
    match operation.kind:
        case "turn-start":
            return replace(state, turn_open=True, step_started=False)
        case "turn-end":
            return replace(state, turn_open=False)
        case "step-start":
            return replace(state, step_started=True)
        case "step-end":
            return close_step(state, reporter)


def _settle(state: LoaderState, env: Env, reporter: Reporter | None, first: int = 0) -> StepResult:
    """Run queued projections one after the other; a failing one warns and is gone."""
    warnings: list[str] = []
    for index, touched in enumerate(state.queue, first):
        try:
            state = _project(state, touched, env, reporter, index)
        except (FsError, Cancelled) as error:
            _note(reporter, Outcome.PASS_FAILED, index, reason=str(error))
            warnings.append(str(error))
    return StepResult(replace(state, queue=()), warnings=tuple(warnings))


def _project(state: LoaderState, touched: str, env: Env, reporter: Reporter | None, index: int) -> LoaderState:
    state, desired = compose(state, env, touches=(touched,), reporter=reporter, index=index)
    return _queue(state, desired, state.visible, reporter, index)


def _queue(
    state: LoaderState,
    desired: Message | None,
    supplied: tuple[Message, ...],
    reporter: Reporter | None,
    index: int,
) -> LoaderState:
    """Make the inbox hold ``desired`` as its only instruction message, unless ``supplied`` already says the same."""
    pending = state.pending
    if desired is not None and any(message.payload == desired.payload for message in supplied):
        _note(reporter, Outcome.CONTEXT_SUPPLIED, index, message=desired.id)
        desired = None
    if desired is None:
        if pending:
            _note(reporter, Outcome.CONTEXT_DROPPED, index, message=pending[0].id)
            return replace(state, inbox=_without(state.inbox, pending))
        return state
    changes = len(desired.source.changes or ())
    if not pending:
        _note(reporter, Outcome.CONTEXT_QUEUED, index, message=desired.id, changes=changes)
        return replace(state, inbox=(desired, *state.inbox))
    first = pending[0]
    if first.payload == desired.payload:
        _note(reporter, Outcome.CONTEXT_LEFT, index, message=first.id, changes=changes)
        return replace(state, inbox=_without(state.inbox, pending[1:]))
    _note(reporter, Outcome.CONTEXT_REPLACED, index, message=desired.id, before=first.id, changes=changes)
    inbox = tuple(desired if message is first else message for message in state.inbox)
    return replace(state, inbox=_without(inbox, pending[1:]))


def _without(inbox: tuple[Message, ...], gone: tuple[Message, ...]) -> tuple[Message, ...]:
    lost = {id(message) for message in gone}
    return tuple(message for message in inbox if id(message) not in lost)


def _pre_step(state: LoaderState, operation: PreStep, env: Env, reporter: Reporter | None) -> StepResult:
    if operation.claim:
        state = replace(state, inbox=())
    passes = len(state.queue)
    settled = _settle(state, env, reporter)
    state, warnings = settled.state, settled.warnings
    if operation.aborted:
        _note(reporter, Outcome.PASS_ABORTED, passes)
        return StepResult(state, error="aborted", warnings=warnings)
    claimed = tuple(message for message in operation.proposed if message.source.is_instructions)
    try:
        state, desired = compose(state, env, claimed=claimed, reporter=reporter, index=passes)
    except FsError as error:
        _note(reporter, Outcome.PASS_FAILED, passes, reason=str(error))
        return StepResult(state, error=str(error), warnings=warnings)
    except Cancelled:
        _note(reporter, Outcome.PASS_ABORTED, passes)
        return StepResult(state, error="cancelled", warnings=warnings)
    batch = operation.batch
    if batch is None or (not batch and operation.step <= 1):
        if batch is None and claimed:
            _note(reporter, Outcome.CONTEXT_LOST, passes, message=claimed[0].id)
        state = _queue(state, desired, (*state.visible, *claimed), reporter, passes)
        return StepResult(state, entered=batch, warnings=warnings)
    context = None
    if desired is not None:
        if any(message.payload == desired.payload for message in batch):
            _note(reporter, Outcome.CONTEXT_SUPPLIED, passes, message=desired.id)
        else:
            context = desired
            batch = _insert(batch, operation.proposed, desired)
            changes = len(desired.source.changes or ())
            _note(reporter, Outcome.CONTEXT_FOLDED, passes, message=desired.id, changes=changes)
    state = replace(state, inbox=_without(state.inbox, state.pending))
    return StepResult(_appear(state, batch), entered=batch, context=context, warnings=warnings)


def _insert(batch: tuple[Message, ...], claimed: tuple[Message, ...], context: Message) -> tuple[Message, ...]:
    """Right after the last claimed message, by identity of the object; in front when there is none (cur-211 on)."""
    known = {id(message) for message in claimed}
    at = max((place for place, message in enumerate(batch, 1) if id(message) in known), default=0)
    return (*batch[:at], context, *batch[at:])
