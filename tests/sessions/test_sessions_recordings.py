"""Every recording is read as its manifest and its expected surface say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sessions_helpers import NAMES, RECORDINGS, manifest

from scopetrace.sessions import Bundle, Event, GapKind, Surface, open_log, read_log
from scopetrace.sessions.frames import DEFAULT_LIMITS, open_regular
from scopetrace.sessions.messages import (
    directory_change,
    inbox_edit,
    instruction_source,
    is_prompt,
    message,
    source_kind,
    tool_call,
    tool_result,
)
from scopetrace.sessions.zstdframes import FrameReader

LOGS = [(name, log) for name in NAMES for log in manifest(name)["logs"]]
IDS = [f"{name}-{log['role']}" for name, log in LOGS]


def expected(name: str, log: dict[str, Any]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((RECORDINGS / name / "expected.json").read_text())
    return loaded if log["role"] == "main" else loaded.get("children", {}).get(log["file"], {})


def test_all_recordings_are_here() -> None:
    assert len(NAMES) == 31
    assert len(LOGS) == 36


@pytest.mark.parametrize(("name", "log"), LOGS, ids=IDS)
def test_events_frames_and_gaps(name: str, log: dict[str, Any]) -> None:
    path = RECORDINGS / name / log["file"]
    read = read_log(path)
    assert [event.seq for event in read.events] == list(range(log["events"]))
    assert [event.index for event in read.events] == list(range(log["events"]))
    assert read.format == manifest(name)["logFormat"]
    assert read.notes == ()
    assert [gap.kind for gap in read.gaps] == ([GapKind.TORN_TAIL] if log.get("torn") else [])
    if "rows" in log:
        assert len({(event.offset, event.inner) for event in read.events}) == log["rows"]
    if read.encoding == "zstd":
        with open_regular(str(path)) as file:
            reader = FrameReader(file, path.stat().st_size, DEFAULT_LIMITS)
            for _ in reader.batches():
                pass
        assert reader.frames == log["frames"]


@pytest.mark.parametrize(("name", "log"), LOGS, ids=IDS)
def test_surfaces_and_files_in_force(name: str, log: dict[str, Any]) -> None:
    read = read_log(RECORDINGS / name / log["file"])
    surface, live = Surface(), {}
    for event in read.events:
        surface.apply(event)
        live[event.seq] = surface.visible
    assert surface.problems == []
    want = expected(name, log)
    assert bool(want) == (log["role"] in ("main", "child"))
    for point in want.get("surfaces", ()):
        assert list(surface.at(point["beforeSeq"] - 1)) == point["visible"]
    for seq, visible in live.items():
        assert surface.at(seq) == visible
        assert all(surface.is_visible(node, seq) for node in visible)
    sources = {event.seq: instruction_source(event) for event in read.events}
    for point in want.get("active", ()):
        active: dict[str, dict[str, str | None]] = {}
        for seq in surface.at(point["afterSeq"]):
            source = sources[seq]
            for change in (source.changes or ()) if source else ():
                if change.action == "remove":
                    active.pop(change.scope, None)
                else:
                    active[change.scope] = {"path": change.path, "digest": change.digest}
        assert active == point["scopes"]
    count = sum(source is not None for source in sources.values())
    if log["role"] == "main":
        assert count == manifest(name)["replay"]["recorded"]


@pytest.mark.parametrize(("name", "log"), LOGS, ids=IDS)
def test_rows_can_be_fetched_again(name: str, log: dict[str, Any]) -> None:
    reader = open_log(RECORDINGS / name / log["file"])
    for event in [item for item in reader if isinstance(item, Event)][:: max(1, log["events"] // 7)]:
        stored = json.loads(reader.raw(event))
        if event.type == stored["type"]:
            assert (stored["seq"], stored["data"]) == (event.seq, event.data)
        else:
            assert stored["type"].endswith("-chunks")


@pytest.mark.parametrize(("name", "log"), LOGS, ids=IDS)
def test_calls_results_and_inbox_are_understood_in_every_format(name: str, log: dict[str, Any]) -> None:
    calls, results, known = {}, {}, set()
    for event in read_log(RECORDINGS / name / log["file"]).events:
        if event.type in ("tool/call", "tool/ptc-dispatch-start"):
            call = tool_call(event)
            assert call is not None
            calls[call.call_id] = call
        elif event.type in ("tool/result", "tool/ptc-dispatch"):
            result = tool_result(event)
            assert result is not None
            assert result.call_id in calls
            assert result.blocks
            results[result.call_id] = result
        elif event.type == "agent/inbox/spliced":
            edit = inbox_edit(event)
            assert edit is not None
            known |= {item.id for item in edit.inserted}
        elif event.type == "user/message":
            item = message(event)
            assert item is not None
            assert item.id
            assert item.blocks
            assert source_kind(event) != "plugin"
            if is_prompt(event) and "inheritedThrough" not in log:
                assert item.id in known
    closed = set(results) if log["role"] in ("main", "child") else set(calls)
    assert set(calls) == closed or log["role"] != "main"


def test_errors_and_sub_calls_of_results() -> None:
    events = read_log(RECORDINGS / "ptc-run-code/session.v4.jsonl.zstd").events
    subs = [result for event in events if event.type == "tool/ptc-dispatch" and (result := tool_result(event))]
    assert [(sub.call.name, sub.call.arguments, sub.is_error, sub.error_code) for sub in subs if sub.call] == [
        ("read", {"file_path": "pkg/a.txt"}, False, ""),
        ("read", {"file_path": "lib/b.txt"}, False, ""),
        ("read", {"file_path": "pkg/missing.txt"}, True, "FS_NOT_FOUND"),
    ]
    assert {sub.call.parent for sub in subs if sub.call} == {"toolu_002"}
    assert subs[0].meta["path"] == "/home/dev/ptc-run-code/pkg/a.txt"
    closers = [
        result
        for event in read_log(RECORDINGS / "crash-resume/session.v4.jsonl.zstd").events
        if (result := tool_result(event)) and result.interrupted
    ]
    assert [closer.is_error for closer in closers] == [True]


def test_source_kinds_read_alike_in_all_formats() -> None:
    def kinds(name: str) -> list[str]:
        events = read_log(Bundle.open(RECORDINGS / name).main).events
        return [source_kind(event) for event in events if event.type in ("user/message", "system/message")]

    assert kinds("compaction")[:4] == ["system-prompt", "user", "agent-instructions", "runtime-context"]
    assert kinds("v0.1.5rc1-compaction")[:4] == kinds("compaction")[:4]
    assert kinds("v0.1.2rc1-compaction")[:3] == kinds("compaction")[1:4]
    for name in ("compaction", "v0.1.2rc1-compaction", "v0.1.5rc1-compaction"):
        assert kinds(name).count("compact-checkpoint") == 1


def test_a_change_of_directory_is_seen() -> None:
    events = read_log(RECORDINGS / "working-directory/session.v4.jsonl.zstd").events
    moves = [moved for event in events if (moved := directory_change(event))]
    assert moves == ["/home/dev/working-directory/svc", "/home/dev/working-directory/other"]
