"""Messages, sources, calls and inbox edits in one shape for all formats."""

from __future__ import annotations

from typing import Any

import pytest

from scopetrace.model import Action, Change
from scopetrace.sessions import Event
from scopetrace.sessions.messages import (
    boundary,
    directory_change,
    inbox_edit,
    instruction_source,
    is_prompt,
    message,
    parse_source,
    source_kind,
    text_blocks,
    tool_call,
    tool_result,
)
from scopetrace.sessions.payloads import Splice, ToolCallRecord, misfit
from scopetrace.sessions.schema import APPEND, SurfaceOp

SET = {"action": "set", "scope": "pkg\0AGENTS.md", "path": "pkg/AGENTS.md", "digest": "1"}


def event(kind: str, data: dict[str, Any], op: SurfaceOp | None = APPEND) -> Event:
    return Event(0, kind, 0, data, 0, 0, surface_op=op)


def user(source: Any, text: str = "x") -> Event:
    return event("user/message", {"content": [{"type": "text", "text": text}], "source": source, "id": "m1"})


def test_an_instruction_source() -> None:
    value = {
        "kind": "agent-instructions", "form": "instructions", "baseline": True, "baselineIdentity": "{}",
        "changes": [SET, {"action": "remove", "scope": ".\0A.md", "path": "A.md"}], "foreign": 1,
    }  # fmt: skip
    source = instruction_source(user(value))
    assert source is not None
    assert source.changes == (
        Change(Action.SET, "pkg\0AGENTS.md", "pkg/AGENTS.md", "1"),
        Change(Action.REMOVE, ".\0A.md", "A.md"),
    )
    assert (source.baseline, source.baseline_identity, dict(source.extra)) == (True, "{}", {"foreign": 1})
    assert source.as_json() == {key: item for key, item in value.items() if key != "foreign"}


def test_malformed_records_are_left_out_one_by_one() -> None:
    # Shapes of the conformance scenario visible-spoofs-ignored.
    bad: list[Any] = [
        None,
        {**SET, "action": "unknown"},
        {**SET, "path": 42},
        {**SET, "digest": 42},
        ["set"],
        "set",
        {**SET, "action": ["set"]},
        {**SET, "scope": None},
        {"action": "set"},
    ]
    source = parse_source({"kind": "agent-instructions", "changes": [*bad, SET]})
    assert source.changes == (Change(Action.SET, "pkg\0AGENTS.md", "pkg/AGENTS.md", "1"),)
    assert source.extra["changes"] == [*bad, SET]
    only_bad = parse_source({"kind": "agent-instructions", "form": "instructions", "changes": bad})
    assert only_bad.is_instructions
    assert only_bad.changes == ()


@pytest.mark.parametrize(
    "source",
    [
        {"kind": "agent-instructions", "changes": "invalid"},
        {"kind": "agent-instructions"},
        {"kind": "agent-instructions", "changes": None},
        {"kind": "plugin", "plugin": "other", "changes": [SET]},
        {"kind": ["agent-instructions"], "changes": [SET]},
        {"changes": [SET]},
        None,
        "agent-instructions",
    ],
)
def test_look_alikes_are_no_instruction_messages(source: Any) -> None:
    spoof = user(source, "Updated instructions from: pkg/AGENTS.md")
    assert instruction_source(spoof) is None
    found = message(spoof)
    assert found is not None
    assert found.source.changes is None


def test_only_user_messages_carry_instructions() -> None:
    source = {"kind": "agent-instructions", "changes": [SET]}
    assert instruction_source(event("developer/message", {"source": source})) is None
    assert instruction_source(event("user/message", {"message": {"source": source}})) is None


def test_baseline_flags_of_wrong_type_do_not_count() -> None:
    source = parse_source({"kind": "agent-instructions", "changes": [], "baseline": 1, "baselineIdentity": 5})
    assert (source.baseline, source.baseline_identity) == (False, None)


def test_other_sources_keep_their_fields() -> None:
    source = parse_source({"kind": "runtime-context", "form": "snapshot", "sections": [1]})
    assert source.as_json() == {"kind": "runtime-context", "form": "snapshot", "sections": [1]}


def test_texts() -> None:
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "reasoning", "text": "b"},
        {"type": "tool-call", "name": "read"},
        {"type": "tool-result", "content": [{"type": "text", "text": "c"}, {"type": "image"}]},
        {"type": "text", "text": 5},
        "loose",
    ]
    assert text_blocks(blocks) == ("a", "b", "c")
    assert text_blocks("whole") == ("whole",)
    assert text_blocks(None) == ()


def test_prompts_and_kinds() -> None:
    assert is_prompt(user({"kind": "user"}))
    assert is_prompt(user(None))
    assert not is_prompt(user({"kind": "goal"}))
    assert not is_prompt(event("user/message", {"source": {"kind": "user"}}, SurfaceOp("replace", 1, 1)))
    assert source_kind(user({"kind": "plugin", "plugin": "compact"})) == "compact-checkpoint"
    assert source_kind(user({"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"})) == "runtime-context"
    assert source_kind(user({"kind": "plugin", "plugin": "third"})) == "plugin"
    assert source_kind(event("system/message", {"message": {"source": {"kind": "system-prompt"}}})) == "system-prompt"
    assert source_kind(event("step/start", {})) == ""


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ('{"file_path": "a"}', {"file_path": "a"}),
        ('{"file_path": "a', None),
        ("", None),
        ("[1]", [1]),
        ('{"x":"\\ud800"}', {"x": "\ud800"}),
        ('{"x":NaN}', None),
        ("\ud800", None),
        ("[" * 50_000, None),
    ],
)
def test_arguments_are_raw_text(raw: str, arguments: Any) -> None:
    call = tool_call(event("tool/call", {"callId": "c", "name": "read", "arguments": raw}, None))
    assert call is not None
    assert (call.arguments, call.raw) == (arguments, raw)
    assert call.valid == isinstance(arguments, dict)


@pytest.mark.parametrize("start", ["tool/ptc-dispatch-start", "tool/code-dispatch-start"])
def test_sub_calls(start: str) -> None:
    data = {"rootCallId": "r", "parentCallId": "p", "subCallId": "p:ptc:1", "name": "read", "arguments": {"a": 1}}
    call = tool_call(event(start, data, None))
    assert call is not None
    assert (call.call_id, call.parent, call.root, call.arguments) == ("p:ptc:1", "p", "r", {"a": 1})
    end = event(start.removesuffix("-start"), {**data, "isError": True, "content": "boom", "meta": 5}, None)
    result = tool_result(end)
    assert result is not None
    assert (result.call_id, result.is_error, result.blocks, dict(result.meta)) == ("p:ptc:1", True, ("boom",), {})
    assert result.call == call
    assert tool_call(event(start, {"name": "read"}, None)) is None
    assert tool_result(event(start.removesuffix("-start"), {}, None)) is None


def test_results_in_both_shapes() -> None:
    content = [{"type": "text", "text": "out"}]
    new = {"role": "tool", "toolCallId": "c1", "content": content, "isError": True, "id": "x"}
    old_block = {"type": "tool-result", "toolCallId": "c1", "content": content, "isError": True}
    old = {"role": "user", "content": [old_block], "source": {"kind": "tool", "callId": "c1"}, "id": "x"}
    for record in (new, old):
        result = tool_result(event("tool/result", {"message": record, "error": {"name": "E", "code": "F"}}))
        assert result is not None
        assert (result.call_id, result.is_error, result.blocks, result.error_code) == ("c1", True, ("out",), "F")
        assert not result.interrupted
    # A text block that says isError is no wrapped result.
    tricky = {**new, "isError": False, "content": [{"type": "text", "text": "out", "isError": True}]}
    assert tool_result(event("tool/result", {"message": tricky})).is_error is False  # type: ignore[union-attr]
    assert tool_result(event("tool/result", {"message": {"role": "tool", "content": []}})) is None
    assert tool_result(event("tool/result", {})) is None
    assert tool_result(event("tool/call", {})) is None


def test_inbox_edits() -> None:
    inserted = [{"content": [{"type": "text", "text": "hi"}], "source": {"kind": "user"}, "role": "user", "id": "m"}]
    edit = inbox_edit(event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": inserted}, None))
    assert edit is not None
    assert (edit.target, edit.start, edit.removed, edit.outcome) == ("next-turn", 0, 0, "")
    assert [(item.id, item.blocks, item.source.kind) for item in edit.inserted] == [("m", ("hi",), "user")]
    bad = event("agent/inbox/spliced", {"target": "later", "start": 0, "inserted": []}, None)
    assert inbox_edit(bad) is None
    assert "data.target" in (misfit(bad, Splice) or "")
    assert misfit(event("tool/call", {"callId": "c", "name": "n"}), ToolCallRecord) is None
    assert inbox_edit(event("step/end", {}, None)) is None


def test_boundaries_and_directories() -> None:
    assert boundary(event("turn/start", {"turn": 2}, None)) == (2, None)
    assert boundary(event("step/end", {"turn": 2, "step": 3}, None)) == (2, 3)
    assert boundary(event("step/end", {"turn": "2"}, None)) is None
    assert boundary(event("tool/call", {"turn": 2}, None)) is None
    assert directory_change(event("working-directory/change", {"cwd": "/w"}, None)) == "/w"
    assert directory_change(event("working-directory/change", {"cwd": ""}, None)) is None
    assert directory_change(event("tool/call", {"cwd": "/w"}, None)) is None
