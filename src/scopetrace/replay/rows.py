"""A log row as a line of the timeline: what kind it is, its label, and a short raw text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scopetrace.model import Row, RowKind
from scopetrace.sessions import Event, Gap
from scopetrace.sessions.messages import (
    SUB_CALL_ENDS,
    SUB_CALL_STARTS,
    boundary,
    directory_change,
    inbox_edit,
    instruction_source,
    message,
    source_kind,
    tool_call,
    tool_result,
)

from .moves import moves

TEXT_LIMIT = 400
_ARGUMENTS = ("file_path", "command", "pattern", "path", "query", "code", "prompt", "url")


def make_row(item: Event | Gap, index: int) -> Row:
    """The row of an event or a gap. Text is raw and cut to :data:`TEXT_LIMIT` characters."""
    if isinstance(item, Gap):
        text = f"{item.reason} · {item.skipped} bytes at byte {item.offset}"
        return Row(index, item.first_seq if item.first_seq is not None else -1, RowKind.GAP, "gap", text, error=True)
    kind, label, text, extra = _describe(item)
    turn, step = _place(item)
    return Row(
        index,
        item.seq,
        kind,
        label,
        text[:TEXT_LIMIT],
        turn=turn,
        step=step,
        on_surface=item.surface_op is not None,
        offset=item.offset,
        **extra,
    )


def _place(event: Event) -> tuple[int, int]:
    turn, step = event.data.get("turn"), event.data.get("step")
    return (turn if isinstance(turn, int) else 0, step if isinstance(step, int) else 0)


def _describe(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    kind = event.type
    if kind in ("turn/start", "turn/end", "step/start", "step/end"):
        return _boundary(event)
    if kind == "user/message":
        return _user(event)
    if kind == "assistant/message":
        return RowKind.ASSISTANT, "assistant", _spoken(event), {}
    if kind == "assistant/attempt":
        return RowKind.ASSISTANT, "attempt", "a model call without an answer", {"error": True}
    if kind in ("system/message", "developer/message"):
        return RowKind.SYSTEM, kind.partition("/")[0], _first_text(event), {}
    if kind == "tool/call" or kind in SUB_CALL_STARTS:
        return _call(event)
    if kind == "tool/result" or kind in SUB_CALL_ENDS:
        return _result(event)
    if kind == "agent/inbox/spliced":
        return _inbox(event)
    if kind.startswith("compaction/"):
        return _compaction(event)
    if kind == "session/end-seed":
        copied = event.data.get("inherited") is True
        return (
            RowKind.RESUME,
            "fork" if copied else "resume",
            ("end of the history copied from the parent" if copied else "a new run: what was in memory is gone"),
            {},
        )
    if kind == "working-directory/change":
        return RowKind.DIRECTORY, "cd", directory_change(event) or "", {}
    if kind == "session/title":
        return RowKind.OTHER, "title", str(event.data.get("title", "")), {}
    return RowKind.OTHER, kind, _facts(event.data), {}


def _boundary(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    place = boundary(event)
    turn, step = place if place is not None else (0, None)
    if event.type.startswith("step/"):
        return RowKind.STEP, event.type, f"turn {turn} · step {step}", {}
    text, extra = f"turn {turn}", {}
    reason = event.data.get("reason")
    if isinstance(reason, Mapping) and isinstance(reason.get("kind"), str):
        text += f" · {reason['kind']}"
        error = reason.get("error")
        if isinstance(error, Mapping):
            text += f" · {error.get('message', '')}"
        extra = {"error": reason["kind"] in ("error", "aborted", "blocked", "interrupted")}
    return RowKind.TURN, event.type, text, extra


def _first_text(event: Event) -> str:
    what = message(event)
    return what.blocks[0] if what is not None and what.blocks else ""


def _user(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    source = instruction_source(event)
    if source is not None:
        return RowKind.INSTRUCTIONS, "instructions", moves(source.baseline, source.changes or ()), {}
    kind = source_kind(event)
    if kind in ("user", ""):
        return RowKind.PROMPT, "user", _first_text(event), {}
    if kind == "compact-checkpoint":
        return RowKind.COMPACTION, "checkpoint", _first_text(event), {}
    return RowKind.OTHER, kind, _first_text(event), {}


def _spoken(event: Event) -> str:
    record = event.data.get("message")
    content = record.get("content") if isinstance(record, Mapping) else None
    calls: list[str] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, Mapping):
            continue
        if block.get("type") == "text" and isinstance(block.get("text"), str) and block["text"].strip():
            return str(block["text"])
        if block.get("type") == "tool-call":
            calls.append(str(block.get("name", "")))
    return f"calls {', '.join(calls)}" if calls else ""


def _call(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    call = tool_call(event)
    if call is None:
        return RowKind.TOOL, "call", "not readable", {"error": True}
    depth = 1 if event.type in SUB_CALL_STARTS else 0
    if not call.valid:
        return RowKind.TOOL, call.name, f"arguments are no JSON object: {call.raw}", {"depth": depth, "error": True}
    return RowKind.TOOL, call.name, _argument(call.arguments), {"depth": depth}


def _argument(arguments: Mapping[str, Any]) -> str:
    for key in _ARGUMENTS:
        if isinstance(arguments.get(key), str):
            return str(arguments[key])
    return _facts(arguments)


def _result(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    result = tool_result(event)
    if result is None:
        return RowKind.RESULT, "result", "not readable", {"error": True}
    depth = 1 if event.type in SUB_CALL_ENDS else 0
    text = result.blocks[0] if result.blocks else ""
    label = "interrupted" if result.interrupted else "result"
    if result.is_error and result.error_code and result.error_code not in text:
        text = f"{result.error_code} {text}"
    return RowKind.RESULT, label, text or "ok", {"depth": depth, "error": result.is_error}


def _inbox(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    edit = inbox_edit(event)
    if edit is None:
        return RowKind.INBOX, "inbox", "not readable", {"error": True}
    parts: list[str] = []
    contexts = sum(1 for one in edit.inserted if one.source.is_instructions)
    prompts = len(edit.inserted) - contexts
    if contexts:
        parts.append("+ instructions wait")
    if prompts:
        parts.append(f"+ {prompts} message{'s' if prompts > 1 else ''} wait{'' if prompts > 1 else 's'}")
    if edit.removed:
        handed = edit.outcome == "canceled"
        parts.append(f"− {edit.removed} {'handed over' if handed else 'taken'}")
    return RowKind.INBOX, "inbox", f"{' · '.join(parts) or 'unchanged'} · {edit.target}", {}


def _compaction(event: Event) -> tuple[RowKind, str, str, dict[str, Any]]:
    name = event.type.partition("/")[2]
    if name == "summary":
        seqs = event.data.get("shadowedSeqs")
        return (
            RowKind.COMPACTION,
            "compaction",
            (f"summary takes the place of {len(seqs)} messages" if isinstance(seqs, list) else "summary"),
            {},
        )
    error = event.data.get("error")
    if name == "end" and error:
        reason = error.get("message", "") if isinstance(error, Mapping) else str(error)
        return RowKind.COMPACTION, "compaction", f"failed, nothing changed · {reason}", {"error": True}
    return RowKind.COMPACTION, "compaction", name, {}


def _facts(data: Mapping[str, Any]) -> str:
    said = [f"{key}={value}" for key, value in data.items() if isinstance(value, str | int | float | bool)]
    return " ".join(said[:6])
