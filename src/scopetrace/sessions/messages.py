"""Messages, tool calls and inbox edits in one shape for all log formats.

Source: ``formats/session-log.md`` sections 6, 7 and 9; what counts as a malformed instruction record:
``conformance`` scenario ``visible-spoofs-ignored``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from scopetrace.model import Action, Change, Message, Source

from .payloads import Boundary, DirectoryChange, MessageRecord, Splice, SubCallRecord, ToolCallRecord, payload
from .schema import Event, RowError, decode_json
from .vocabulary import INSTRUCTIONS

_ACTIONS = {action.value: action for action in Action}
_SOURCE_FIELDS = frozenset({"kind", "form", "baseline", "baselineIdentity", "changes"})
SUB_CALL_STARTS = frozenset({"tool/ptc-dispatch-start", "tool/code-dispatch-start"})
SUB_CALL_ENDS = frozenset({"tool/ptc-dispatch", "tool/code-dispatch"})


def parse_source(value: Any) -> Source:
    """A recorded source, in the model's shape.

    It is an instruction source when its kind is ``agent-instructions`` and ``changes`` is a list. Malformed records
    in the list are left out one by one; when that happened, ``extra["changes"]`` keeps the list as it was. Anything
    else keeps its fields in ``extra``.
    """
    if not isinstance(value, dict):
        return Source("")
    kind = value.get("kind")
    kind = kind if isinstance(kind, str) else ""
    records = value.get("changes")
    if kind != INSTRUCTIONS or not isinstance(records, list):
        return Source(kind, extra=MappingProxyType({key: item for key, item in value.items() if key != "kind"}))
    changes = tuple(change for change in map(parse_change, records) if change is not None)
    extra = {key: item for key, item in value.items() if key not in _SOURCE_FIELDS}
    if len(changes) != len(records):
        extra["changes"] = records
    if value.get("form", "instructions") != "instructions":
        extra["form"] = value["form"]
    identity = value.get("baselineIdentity")
    return Source(
        kind,
        changes,
        baseline=value.get("baseline") is True,
        baseline_identity=identity if isinstance(identity, str) else None,
        extra=MappingProxyType(extra),
    )


def parse_change(value: Any) -> Change | None:
    """One record of ``changes``; ``None`` when its action is unknown or a field has the wrong type."""
    if not isinstance(value, dict):
        return None
    action = value.get("action")
    scope, path, digest = value.get("scope"), value.get("path"), value.get("digest")
    if not isinstance(action, str) or action not in _ACTIONS:
        return None
    if not isinstance(scope, str) or not isinstance(path, str):
        return None
    if digest is not None and not isinstance(digest, str):
        return None
    return Change(_ACTIONS[action], scope, path, digest)


def text_blocks(content: Any) -> tuple[str, ...]:
    """The texts of a content list, in order; tool results are looked into, images and calls have none."""
    texts: list[str] = []
    # A stack and no recursion: a hostile row may nest as deep as JSON may.
    left: list[Any] = [content]
    while left:
        block = left.pop()
        if isinstance(block, list):
            left.extend(item for item in reversed(block) if isinstance(item, dict))
        elif isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            if block.get("type") in ("text", "reasoning") and isinstance(block.get("text"), str):
                texts.append(block["text"])
            elif block.get("type") == "tool-result" and isinstance(block.get("content"), list | str):
                left.append(block["content"])
    return tuple(texts)


def _record(event: Event) -> dict[str, Any] | None:
    """Where a row keeps its message: the payload itself for ``user/message``, ``data.message`` for the others."""
    if event.type == "user/message":
        return event.data
    message = event.data.get("message")
    return message if isinstance(message, dict) else None


def message(event: Event) -> Message | None:
    """The message of a surface event; ``None`` for other events and for payloads without a message."""
    record = _record(event)
    if record is None:
        return None
    identity = record.get("id")
    blocks = text_blocks(record.get("content"))
    return Message(identity if isinstance(identity, str) else "", blocks, parse_source(record.get("source")))


def instruction_source(event: Event) -> Source | None:
    """The source of a ``user/message`` that carries workspace instructions; ``None`` for everything else."""
    if event.type != "user/message":
        return None
    value = event.data.get("source")
    if not isinstance(value, dict) or value.get("kind") != INSTRUCTIONS:
        return None
    source = parse_source(value)
    return source if source.is_instructions else None


def is_prompt(event: Event) -> bool:
    """Whether a person wrote this message."""
    if event.type != "user/message" or (event.surface_op is not None and event.surface_op.op != "append"):
        return False
    source = event.data.get("source")
    return source is None or (isinstance(source, dict) and source.get("kind") == "user")


def source_kind(event: Event) -> str:
    """What a message is, in the words of format 4, also where formats 0 and 3 say ``plugin``; ``""`` if unknown."""
    record = _record(event)
    source = record.get("source") if record else None
    if not isinstance(source, dict) or not isinstance(source.get("kind"), str):
        return ""
    kind: str = source["kind"]
    if kind == "plugin":
        plugin = source.get("plugin")
        if plugin == "compact":
            return "compact-checkpoint"
        if plugin == "@deepseek-ai/dsh-system-prompt":
            return "system-prompt" if event.type == "system/message" else "runtime-context"
    return kind


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool. ``arguments`` is the decoded value, ``None`` when the text (``raw``) is no JSON.

    ``parent`` and ``root`` name the enclosing calls of a sub-call, ``""`` at the top.
    """

    call_id: str
    name: str
    arguments: Any
    raw: str = ""
    parent: str = ""
    root: str = ""

    @property
    def valid(self) -> bool:
        """Whether the arguments are a JSON object, as every tool wants them."""
        return isinstance(self.arguments, dict)


def tool_call(event: Event) -> ToolCall | None:
    """A ``tool/call`` or the start of a sub-call; ``None`` for other events and misshapen payloads."""
    if event.type == "tool/call":
        record = payload(event, ToolCallRecord)
        if record is None:
            return None
        if not isinstance(record.arguments, str):
            return ToolCall(record.call_id, record.name, record.arguments)
        return ToolCall(record.call_id, record.name, _arguments(record.arguments), record.arguments)
    if event.type in SUB_CALL_STARTS:
        started = payload(event, SubCallRecord)
        return None if started is None else _sub_call(started)
    return None


def _sub_call(record: SubCallRecord) -> ToolCall:
    return ToolCall(
        record.sub_call_id, record.name, record.arguments, parent=record.parent_call_id, root=record.root_call_id
    )


def _arguments(raw: str) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        pass
    try:
        return decode_json(raw.encode("utf-8"))
    except (RowError, UnicodeEncodeError):
        return None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of a call. ``interrupted`` marks the closer a resume writes for a call that never answered.

    ``call`` is given for sub-calls, whose result row repeats the call. ``meta`` holds the file facts of read, write
    and edit; ``error_code`` the machine word for the failure, ``""`` if none.
    """

    call_id: str
    is_error: bool
    blocks: tuple[str, ...]
    meta: Mapping[str, Any]
    error_code: str = ""
    interrupted: bool = False
    call: ToolCall | None = None


def tool_result(event: Event) -> ToolResult | None:
    """A ``tool/result`` in any format, or the end of a sub-call; ``None`` for other events and misshapen payloads."""
    if event.type in SUB_CALL_ENDS:
        record = payload(event, SubCallRecord)
        if record is None:
            return None
        blocks = text_blocks(event.data.get("content"))
        meta, code = _meta(event.data), _error_code(event.data)
        return ToolResult(record.sub_call_id, record.is_error, blocks, meta, code, call=_sub_call(record))
    record_dict = _record(event) if event.type == "tool/result" else None
    if record_dict is None:
        return None
    inner = record_dict
    content = record_dict.get("content")
    if record_dict.get("role") != "tool" and isinstance(content, list) and content and isinstance(content[0], dict):
        # Formats 0 and 3 wrap the outcome in one block of a user message.
        inner = content[0]
    call_id = inner.get("toolCallId")
    if not isinstance(call_id, str):
        source = record_dict.get("source")
        call_id = source.get("callId") if isinstance(source, dict) else None
    if not isinstance(call_id, str):
        return None
    identity = record_dict.get("id")
    interrupted = isinstance(identity, str) and identity.startswith("interrupted-tool-result-")
    blocks = text_blocks(content)
    is_error = inner.get("isError") is True
    return ToolResult(call_id, is_error, blocks, _meta(event.data), _error_code(event.data), interrupted)


def _meta(data: dict[str, Any]) -> Mapping[str, Any]:
    meta = data.get("meta")
    return MappingProxyType(meta if isinstance(meta, dict) else {})


def _error_code(data: dict[str, Any]) -> str:
    error = data.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) else ""


@dataclass(frozen=True, slots=True)
class InboxEdit:
    """An edit of an inbox queue: from position ``start``, ``removed`` messages go and ``inserted`` come."""

    target: Literal["next-turn", "next-step"]
    start: int
    removed: int
    inserted: tuple[Message, ...]
    outcome: str = ""


def inbox_edit(event: Event) -> InboxEdit | None:
    """The edit of an ``agent/inbox/spliced`` event; ``None`` for other events and misshapen payloads."""
    if event.type != "agent/inbox/spliced":
        return None
    splice = payload(event, Splice)
    if splice is None:
        return None
    inserted = tuple(map(_message_of, splice.inserted))
    return InboxEdit(splice.target, splice.start, splice.removed, inserted, splice.outcome or "")


def _message_of(record: MessageRecord) -> Message:
    return Message(record.id, text_blocks(record.content), parse_source(record.source))


def boundary(event: Event) -> tuple[int, int | None] | None:
    """Turn and step number of a turn or step boundary; ``None`` for other events."""
    if event.type not in ("turn/start", "turn/end", "step/start", "step/end"):
        return None
    record = payload(event, Boundary)
    return None if record is None else (record.turn, record.step)


def directory_change(event: Event) -> str | None:
    """The new working directory, if this event moves it."""
    if event.type != "working-directory/change":
        return None
    record = payload(event, DirectoryChange)
    return None if record is None else record.cwd
