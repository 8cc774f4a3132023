"""What the next step, or a touch before it, would bring: the loader is let run on from a state, nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass

from scopetrace.engine.lifecycle import step
from scopetrace.engine.operations import Boundary, Operation, PreStep, Settle, ToolResult
from scopetrace.model import Action, Change, Decision, Message, Recorder

from .replayed import Replayed, env_at


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What was decided on the way, and the instruction messages that would enter with the next step."""

    decisions: tuple[Decision, ...]
    messages: tuple[Message, ...]

    def sets(self) -> dict[str, Change]:
        """Announced or replaced scopes."""
        return {
            change.scope: change
            for message in self.messages
            for change in message.source.changes or ()
            if change.action is not Action.REMOVE
        }


def foresee(timeline: Replayed, index: int, touch: str | None = None) -> Foreseen:
    """The next step after the row at ``index``, with a successful read of ``touch`` (absolute) before it if given.

    An open step ends first, so touches that wait for its end are looked at. Files are those of that row.
    """
    env = env_at(timeline, index)
    state = timeline.state(index).loader
    recorder = Recorder()
    operations: list[Operation] = []
    if touch is not None:
        operations.append(ToolResult("read", {"file_path": touch}, token="foreseen"))
    if state.step_open:
        operations.append(Boundary("step-end"))
    operations.append(Settle())
    for operation in operations:
        state = step(state, operation, env, recorder).state
    result = step(state, PreStep(2, state.inbox, state.inbox), env, recorder)
    entered = tuple(message for message in result.entered or () if message.source.is_instructions)
    return Foreseen(tuple(recorder.decisions), entered)
