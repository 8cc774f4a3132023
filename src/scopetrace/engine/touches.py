"""Touches: which tool results count, and how they travel to the step end that releases them.

Source: README seed "Lifecycle", scenarios cur-104 to cur-125 and cur-184, cur-185.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from scopetrace.model import Decision, Fact, Outcome, Reporter, Stage

from .operations import ToolResult
from .paths import touched_path
from .state import LoaderState, Touches

TOUCHING_TOOLS = ("read", "write", "edit")


def settle_execution(state: LoaderState, result: ToolResult, reporter: Reporter | None) -> LoaderState:
    """A tool execution has its final result: its own touch, after those of its children, goes to where it belongs."""
    facts: dict[str, Fact] = {"tool": result.name}
    path = touched_path(result.name, result.arguments)
    if path is not None:
        facts["touched"] = path
    refusal = _refusal(result, path)
    children = state.bubbling.get(result.token, ())
    touches: Touches = children if refusal is not None or path is None else (*children, path)

    def note(outcome: Outcome, **more: Fact) -> None:
        if reporter is not None:
            reporter.decide(Decision(Stage.LIFECYCLE, outcome, facts={**facts, **more}))

    note(refusal or Outcome.TOUCH_ACCEPTED)
    if result.agentless:
        return state
    if children:
        rest = {token: held for token, held in state.bubbling.items() if token != result.token}
        state = replace(state, bubbling=MappingProxyType(rest))
    if not touches:
        return state
    if result.parent is not None:
        note(Outcome.TOUCH_BUBBLED, parent=result.parent)
        held = (*state.bubbling.get(result.parent, ()), *touches)
        return replace(state, bubbling=MappingProxyType({**state.bubbling, result.parent: held}))
    if state.step_open:
        note(Outcome.TOUCH_STAGED)
        return replace(state, staged=(*state.staged, *touches))
    note(Outcome.TOUCH_RELEASED, count=len(touches))
    return replace(state, queue=(*state.queue, *touches))


def _refusal(result: ToolResult, path: str | None) -> Outcome | None:
    if result.agentless:
        return Outcome.TOUCH_NO_AGENT
    if result.name not in TOUCHING_TOOLS:
        return Outcome.TOUCH_OTHER_TOOL
    if path is None:
        return Outcome.TOUCH_BAD_ARGUMENTS
    if result.is_error:
        return Outcome.TOUCH_ERROR
    if result.aborted:
        return Outcome.TOUCH_ABORTED
    return None


def close_step(state: LoaderState, reporter: Reporter | None) -> LoaderState:
    """A step ended: its held touches are released, each as a projection of its own."""
    if state.staged and reporter is not None:
        reporter.decide(Decision(Stage.LIFECYCLE, Outcome.TOUCH_RELEASED, facts={"count": len(state.staged)}))
    return replace(state, step_started=False, staged=(), queue=(*state.queue, *state.staged))
