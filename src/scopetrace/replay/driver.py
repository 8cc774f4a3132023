"""From events to operations: what the agent did around the loader, read off the log.

Source: ``design/REPLAY.md``. The surface holds the computed messages, at the places the log gives them, so that one
difference between record and claim does not drag others behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from scopetrace.engine.lifecycle import StepResult
from scopetrace.engine.operations import Appended, Boundary, InboxSet, Operation, PreStep, Reshaped, Resume, Settle
from scopetrace.engine.operations import ToolResult as ToolOutcome
from scopetrace.engine.state import Env
from scopetrace.model import Comparison, Message, Reporter, Verdict
from scopetrace.sessions import Event, Gap
from scopetrace.sessions.messages import (
    directory_change,
    inbox_edit,
    instruction_source,
    message,
    tool_call,
    tool_result,
)
from scopetrace.workspace.fs import FileSystem

from .compare import compare
from .host import Effect, HostState, Setting
from .logrows import LogRows

_BOUNDARIES = {"turn/start": "turn-start", "turn/end": "turn-end", "step/start": "step-start", "step/end": "step-end"}
BATCH_ENDS = ("assistant/", "tool/", "step/", "turn/", "session/end-seed", "request/", "compaction/")
BATCH_LIMIT = 512
"""Rows looked at, at most, for the messages that entered with a step."""


class Driver:
    """Applies the events of one log, one by one; every state can be kept and gone on from."""

    def __init__(self, items: LogRows, setting: Setting) -> None:
        self.items = items
        self.surface = items.surface
        self.setting = setting
        self._starts = frozenset(setting.plan.starts)
        # Rows that are more than what they say.
        self._told = self._starts | frozenset(setting.touches)

    def idle(self, index: int) -> bool:
        """Whether :meth:`apply` would change nothing at a row; nothing is read."""
        if index <= self.setting.plan.copied_through or index in self._told:
            return False
        return self.items.idle(index)

    def initial(self) -> HostState:
        """The state before the first event."""
        return HostState(self.setting.loader.initial(), self.setting.origin_cwd)

    def env(self, state: HostState, fs: FileSystem | None) -> Env:
        """The loader's surroundings in a state."""
        setting = self.setting
        return Env(
            fs=fs,
            config=setting.config(state.run),
            profile=setting.profile,
            home=setting.home,
            cwd=state.cwd,
            origin_cwd=setting.origin_cwd,
            environ=setting.environ,
            flavour=setting.flavour,
            cancel=setting.cancel,
        )

    def apply(self, state: HostState, index: int, reporter: Reporter | None = None) -> tuple[HostState, Effect]:
        """The state after the event at ``index``, and after the touches supposed there."""
        effect = Effect()
        state = self._event(state, index, effect, reporter)
        for tool, path in self.setting.touches.get(index, ()):
            state = self._suppose(state, index, tool, path, effect, reporter)
        return state, effect

    def _suppose(
        self, state: HostState, index: int, tool: str, path: str, effect: Effect, reporter: Reporter | None
    ) -> HostState:
        """A touch that did not happen, looked at once instead of at the step's end."""
        started = state.loader.step_started
        state = state._replace(loader=replace(state.loader, step_started=False))
        outcome = ToolOutcome(tool, {"file_path": path}, token=f"supposed-{index}")
        state = self._do(state, outcome, None, effect, "supposed-touch", reporter)
        item = self.items[index]
        time = 0 if isinstance(item, Gap) else item.time
        seq = index if isinstance(item, Gap) else item.seq
        state = self._do(state, Settle(), self.setting.files.after(seq, time), effect, "projection", reporter)
        return state._replace(loader=replace(state.loader, step_started=started))

    def _event(self, state: HostState, index: int, effect: Effect, reporter: Reporter | None) -> HostState:
        item = self.items[index]
        if index in self._starts:
            state = state._replace(run=state.run + 1, calls=MappingProxyType({}), claimed=frozenset())
            state = self._do(state, Resume(), None, effect, "resume", reporter)
            if not self.setting.supposed:
                waiting = tuple(m for m in state.next_step if m.source.is_instructions)
                state = self._do(state, InboxSet(waiting), None, effect, "", reporter)
        if isinstance(item, Gap):
            return state
        if index <= self.setting.plan.copied_through:
            return self._copied(state, item, effect, index == self.setting.plan.copied_through)
        kind = item.type
        if kind == "step/start":
            state = self._pre_step(state, item, index, effect, reporter)
        if kind in _BOUNDARIES:
            state = self._boundary(state, item, effect, reporter)
        elif kind == "agent/inbox/spliced":
            state = self._inbox(state, item)
        elif kind.startswith("tool/"):
            state = self._tool(state, item, effect, reporter)
        elif kind == "working-directory/change":
            moved = directory_change(item)
            state = state if moved is None else state._replace(cwd=moved)
        elif item.surface_op is not None and item.surface_op.op == "replace":
            state = self._reshape(state, item, effect, reporter)
        return state

    def _do(
        self,
        state: HostState,
        operation: Operation,
        fs: FileSystem | None,
        effect: Effect,
        name: str,
        reporter: Reporter | None,
    ) -> HostState:
        return self._step(state, operation, fs, effect, name, reporter)[0]

    def _step(
        self,
        state: HostState,
        operation: Operation,
        fs: FileSystem | None,
        effect: Effect,
        name: str,
        reporter: Reporter | None,
    ) -> tuple[HostState, StepResult]:
        result = self.setting.loader.step(state.loader, operation, self.env(state, fs), reporter)
        if name:
            effect.operations.append(name)
        effect.warnings.extend(result.warnings)
        return state._replace(loader=result.state), result

    def _copied(self, state: HostState, event: Event, effect: Effect, last: bool) -> HostState:
        """A fork's history: messages stand on the surface as they were written, nothing is computed."""
        source = instruction_source(event)
        if source is not None:
            copy = message(event)
            assert copy is not None
            effect.comparisons.append(
                compare(event.seq, copy, None, reason="copied from the parent session, not composed here")
            )
            state = self._place(state, event.seq, copy)
            state = state._replace(loader=self._step(state, Appended(copy), None, effect, "", None)[1].state)
        elif event.type == "working-directory/change":
            state = state._replace(cwd=directory_change(event) or state.cwd)
        elif event.surface_op is not None and event.surface_op.op == "replace":
            state = self._reshape(state, event, effect, None)
        elif event.type in _BOUNDARIES:
            state = self._do(state, Boundary(_BOUNDARIES[event.type]), None, effect, "", None)  # type: ignore[arg-type]
        if last:
            state = self._do(state, Resume(), None, effect, "resume", None)
        return state

    def _place(self, state: HostState, seq: int, what: Message) -> HostState:
        told = {**state.told, **{change.scope: seq for change in what.source.changes or ()}}
        return state._replace(placed=MappingProxyType({**state.placed, seq: what}), told=MappingProxyType(told))

    def _boundary(self, state: HostState, event: Event, effect: Effect, reporter: Reporter | None) -> HostState:
        kind = _BOUNDARIES[event.type]
        state = self._do(state, Boundary(kind), None, effect, kind, reporter)  # type: ignore[arg-type]
        if state.loader.queue:
            files = self.setting.files.after(event.seq, event.time)
            state = self._do(state, Settle(), files, effect, "projection", reporter)
        return state

    def _inbox(self, state: HostState, event: Event) -> HostState:
        edit = inbox_edit(event)
        if edit is None:
            return state
        queue = state.next_turn if edit.target == "next-turn" else state.next_step
        gone = queue[edit.start : edit.start + edit.removed]
        queue = (*queue[: edit.start], *edit.inserted, *queue[edit.start + edit.removed :])
        # "canceled" is the loader taking its own message out to hand it over; anything else is a claim.
        if edit.outcome != "canceled":
            state = state._replace(claimed=state.claimed | {one.id for one in gone})
        if edit.target == "next-turn":
            return state._replace(next_turn=queue)
        return state._replace(next_step=queue)

    def _tool(self, state: HostState, event: Event, effect: Effect, reporter: Reporter | None) -> HostState:
        call = tool_call(event)
        if call is not None:
            return state._replace(calls=MappingProxyType({**state.calls, call.call_id: (call.name, call.arguments)}))
        result = tool_result(event)
        if result is None or result.interrupted:
            return state
        known = state.calls.get(result.call_id)
        name, arguments = known or ("", None)
        parent = None
        if result.call is not None:
            name, arguments, parent = result.call.name, result.call.arguments, result.call.parent or None
        rest = {key: value for key, value in state.calls.items() if key != result.call_id}
        state = state._replace(calls=MappingProxyType(rest))
        outcome = ToolOutcome(name, arguments, is_error=result.is_error, token=result.call_id, parent=parent)
        state = self._do(state, outcome, None, effect, "tool-result", reporter)
        if state.loader.queue:
            files = self.setting.files.after(event.seq, event.time)
            state = self._do(state, Settle(), files, effect, "projection", reporter)
        return state

    def _reshape(self, state: HostState, event: Event, effect: Effect, reporter: Reporter | None) -> HostState:
        visible = self.surface.at(event.seq)
        alive = set(visible)
        placed = {seq: what for seq, what in state.placed.items() if seq in alive}
        strays = tuple((seq, what) for seq, what in state.strays if seq in alive)
        if len(placed) == len(state.placed) and len(strays) == len(state.strays):
            return state
        after: dict[int, list[Message]] = {}
        for seq, what in strays:
            after.setdefault(seq, []).append(what)
        order: list[Message] = []
        for seq in visible:
            if seq in placed:
                order.append(placed[seq])
            order.extend(after.get(seq, ()))
        state = state._replace(placed=MappingProxyType(placed), strays=strays)
        return self._do(state, Reshaped(tuple(order)), None, effect, "compaction", reporter)

    def _batch(self, index: int) -> list[Event]:
        """The user messages that entered with the step that starts at ``index``."""
        found: list[Event] = []
        for at in range(index + 1, min(index + 1 + BATCH_LIMIT, len(self.items))):
            kind = self.items.kind(at)
            if kind.startswith(BATCH_ENDS):
                break
            item = self.items[at] if kind == "user/message" else None
            if isinstance(item, Event) and item.surface_op is not None and item.surface_op.op == "append":
                found.append(item)
        return found

    def _pre_step(
        self, state: HostState, event: Event, index: int, effect: Effect, reporter: Reporter | None
    ) -> HostState:
        recorded = [(one, message(one)) for one in self._batch(index)]
        # A waiting instruction message that the host claimed enters as the message it is, not as a new context.
        taken = [what for what in state.loader.inbox if what.source.is_instructions]
        claims = bool(taken) and any(
            what is not None and what.source.is_instructions and what.id in state.claimed for _, what in recorded
        )
        waiting = list(taken) if claims else []
        batch: list[Message] = []
        proposed: list[Message] = []
        seats: list[tuple[Event, Message]] = []
        at_seat: dict[int, int] = {}
        for one, what in recorded:
            if what is None:
                continue
            if what.source.is_instructions:
                seats.append((one, what))
                if not (what.id in state.claimed and waiting):
                    continue
                mine = waiting.pop(0)
                at_seat[id(mine)] = one.seq
                proposed.append(mine)
                batch.append(mine)
                continue
            batch.append(what)
            if what.id in state.claimed:
                proposed.append(what)
        step_number = event.data.get("step")
        operation = PreStep(
            step_number if isinstance(step_number, int) else 1,
            tuple(proposed),
            tuple(batch),
            claim=claims,
        )
        files = self.setting.files.before(event.seq, event.time)
        state, result = self._step(state, operation, files, effect, "pre-step", reporter)
        state = state._replace(claimed=frozenset())
        return self._seat(state, event, result, recorded, seats, effect)

    def _doubted(self, found: Comparison, recorded: Message) -> Comparison:
        """A difference, unless the files at hand are known not to be those of the session."""
        if found.verdict is Verdict.EQUAL or found.reason == self.setting.not_comparable != "":
            return found
        doubt = self.setting.doubt(found.seq, recorded)
        return compare(found.seq, found.recorded, found.computed, reason=doubt) if doubt else found

    def _seat(
        self,
        state: HostState,
        event: Event,
        result: StepResult,
        recorded: Sequence[tuple[Event, Message | None]],
        seats: list[tuple[Event, Message]],
        effect: Effect,
    ) -> HostState:
        """Give the computed instruction messages the places of the recorded ones, in order, and compare."""
        entered = [what for what in result.entered or () if what.source.is_instructions]
        effect.messages.extend(entered)
        reason = self.setting.not_comparable
        order = [what for _, what in recorded if what is not None]
        computed_order = list(result.entered or ())
        for (row, theirs), mine in zip(seats, entered, strict=False):
            in_place = order.index(theirs) == next(i for i, what in enumerate(computed_order) if what is mine)
            if not self.setting.supposed:
                found = compare(row.seq, theirs, mine, in_place=in_place, reason=reason)
                effect.comparisons.append(self._doubted(found, theirs))
            state = self._place(state, row.seq, mine)
        for row, theirs in () if self.setting.supposed else seats[len(entered) :]:
            effect.comparisons.append(self._doubted(compare(row.seq, theirs, None, reason=reason), theirs))
            if reason:
                state = self._place(state, row.seq, theirs)
                state = state._replace(loader=self._step(state, Appended(theirs), None, effect, "", None)[1].state)
        for mine in entered[len(seats) :]:
            if not self.setting.supposed:
                effect.comparisons.append(compare(event.seq, None, mine, reason=reason))
            last = self.surface.at(event.seq)
            anchor = last[-1] if last else -1
            told = {**state.told, **{change.scope: event.seq for change in mine.source.changes or ()}}
            state = state._replace(strays=(*state.strays, (anchor, mine)), told=MappingProxyType(told))
        return state
