"""Logs as crashes, bad disks and strangers leave them: all that is readable is there, the rest is a gap with a place.

Reader, index and follower go through the same faults and must agree.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from sessions_helpers import frame, header, lines, plain, row, same, zstd

from scopetrace.sessions import Event, Follower, Gap, Limits, LogError, LogIndex, Surface, open_log, read_log
from scopetrace.sessions.messages import (
    instruction_source,
    message,
    text_blocks,
    tool_call,
    tool_result,
)

LONG = os.environ.get("SCOPETRACE_LONG") == "1"
"""Whether sizes that take minutes and gigabytes are tried, too: ``make long``."""

ROWS = [row(0), row(1, "turn/start"), row(2, data={"text": "naïve"}), row(3), row(4, data={"text": "y" * 40})]


def shape(path: Path) -> list[int | str]:
    """Event numbers and gap kinds in order, the same for the reader and the index."""
    index = same(path)
    return [item.seq if isinstance(item, Event) else item.kind.value for item in index]


def code(path: Path | str) -> str:
    """What a log is refused with, the same by all three."""
    codes = set()
    for action in (lambda: read_log(path), lambda: LogIndex(path).advance(), lambda: Follower(path).poll()):
        with pytest.raises(LogError) as caught:
            action()
        codes.add(caught.value.code.value)
    (found,) = codes
    return found


# -- cut anywhere


@pytest.mark.parametrize("packed", [False, True])
def test_a_log_cut_at_any_byte(tmp_path: Path, packed: bool) -> None:
    batches = [[header()], ROWS[:1], ROWS[1:3], ROWS[3:]]
    parts = [frame(lines(*batch)) if packed else lines(*batch) for batch in batches]
    data, whole = b"".join(parts), sum(map(len, parts[:2]))
    path = tmp_path / "log"
    before: list[int | str] = []
    for cut in range(whole, len(data) + 1):
        path.write_bytes(data[:cut])
        found = shape(path)
        events = [item for item in found if isinstance(item, int)]
        gaps = [item for item in found if isinstance(item, str)]
        assert events == list(range(len(events)))
        assert len(events) >= len([item for item in before if isinstance(item, int)])
        ends_well = cut in (whole, whole + len(parts[2]), len(data)) or (not packed and data[cut - 1 : cut] == b"\n")
        assert gaps == ([] if ends_well else ["torn-tail"])
        if not ends_well:
            gap = read_log(path).gaps[0]
            assert gap.harmless
            assert gap.offset <= cut
            assert open_log(path).raw(gap) == data[gap.offset : cut]
        before = found
    assert before == [0, 1, 2, 3, 4]
    for cut in range(len(parts[0])):
        path.write_bytes(data[:cut])
        with pytest.raises(LogError) as caught:
            read_log(path)
        assert caught.value.code in ("empty-log", "not-a-log", "header-only")


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_lost_anywhere_in_the_middle(tmp_path: Path, packed: bool) -> None:
    batches = [[header()], ROWS[:2], ROWS[2:3], [*ROWS[3:], row(5)]]
    parts = [frame(lines(*batch)) if packed else lines(*batch) for batch in batches]
    path = tmp_path / "log"
    for cut in range(len(parts[2])):
        broken = parts[2][:cut] + parts[2][cut + 1 :]
        path.write_bytes(parts[0] + parts[1] + broken + parts[3])
        found = shape(path)
        assert found[:2] == [0, 1]
        assert found[-2:] == [4, 5]
        assert not packed or found == [0, 1, "garbage" if cut < 4 else "corrupt-frame", "missing-seq", 3, 4, 5]


@pytest.mark.parametrize(
    ("garbage", "kind"),
    [(b"garbage", "garbage"), (b"\0" * 64, "garbage"), (frame(b"x\n")[:-2], "corrupt-frame"), (b"\n\n", "garbage")],
)
def test_garbage_between_frames(tmp_path: Path, garbage: bytes, kind: str) -> None:
    path = tmp_path / "log.zstd"
    head = frame(lines(header(), *ROWS[:2]))
    path.write_bytes(head + garbage + frame(lines(*ROWS[2:])))
    assert shape(path) == [0, 1, kind, 2, 3, 4]
    gap = read_log(path).gaps[0]
    assert (gap.offset, gap.skipped) == (len(head), len(garbage))
    assert str(gap.skipped) in gap.reason
    assert open_log(path).raw(gap) == garbage


@pytest.mark.parametrize("packed", [False, True])
def test_zero_bytes_at_the_end(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "log"
    stored = lines(header(), *ROWS)
    path.write_bytes((frame(stored) if packed else stored) + b"\0" * 5000)
    assert shape(path) == [0, 1, 2, 3, 4, "padding"]
    gap = read_log(path).gaps[0]
    assert (gap.skipped, gap.harmless) == (5000, True)


# -- what rows say


def test_operations_on_nodes_that_are_not_there(tmp_path: Path) -> None:
    def says(seq: int, operation: Any, **more: Any) -> dict[str, Any]:
        return row(seq, "user/message", {"content": []}, surfaceOp=operation, **more)

    rows = [
        says(0, "append"),
        says(1, {"op": "replace", "startSeq": 7, "endSeq": 9}),
        says(2, {"op": "replace", "startSeq": 2, "endSeq": 2}),
        says(3, {"op": "replace", "startSeq": 2**60, "endSeq": -1}),
        says(4, {"op": "replace", "startSeq": 0, "endSeq": 0}, sourceEventSeqs=[[0, 2**53 - 1]]),
        says(5, "append", sourceEventSeqs=[[0, 10**30], "x", None]),
    ]
    index = same(plain(tmp_path, header(), *rows))
    assert index.surface.visible == (4, 5)
    assert [problem.seq for problem in index.surface.problems] == [1, 2, 3]


def test_results_without_calls_and_calls_without_arguments(tmp_path: Path) -> None:
    def result(seq: int, **record: Any) -> dict[str, Any]:
        return row(seq, "tool/result", {"message": record}, surfaceOp="append", sourceEventSeqs=[77])

    rows = [
        result(0, role="tool", toolCallId="nobody", content=[]),
        result(1, role="tool", content="text only"),
        result(2),
        row(3, "tool/call", {"callId": "c", "name": "read", "arguments": '{"file_path": "a'}),
        row(4, "tool/call", {"callId": "c", "name": "read", "arguments": "[" * 100_000}),
        row(5, "tool/call", {"callId": "c", "name": "read", "arguments": "\ud800"}),
        row(6, "tool/call", {"callId": "c", "name": "read", "arguments": {"file_path": "a"}}),
        row(7, "tool/call", {"name": "read"}),
        row(8, "tool/call", {"callId": 7, "name": None, "arguments": "{}"}),
        row(9, "tool/ptc-dispatch", {"isError": "no"}),
    ]
    events = read_log(plain(tmp_path, header(), *rows)).events
    results = [tool_result(event) for event in events[:3]]
    assert [result and result.call_id for result in results] == ["nobody", None, None]
    calls = [tool_call(event) for event in events[3:9]]
    assert [call and call.valid for call in calls] == [False, False, False, True, None, None]
    assert calls[0] is not None
    assert calls[0].raw == '{"file_path": "a'
    assert tool_result(events[9]) is None


def test_surrogates_and_nul_come_through(tmp_path: Path) -> None:
    odd = ["\ud800", "a\0b", "\udfff\ud800", "\U0001f600", "\x7f\x1b[31m", "\u202eabc"]
    rows = [row(n, "user/message", {"content": text, "id": text}, surfaceOp="append") for n, text in enumerate(odd)]
    index = same(plain(tmp_path, header(), *rows))
    found = [message(event) for _, event in index.operations()]
    assert [what and what.blocks[0] for what in found] == odd


def test_numbers_beyond_what_ecmascript_counts(tmp_path: Path) -> None:
    huge = b'{"type":"turn/start","seq":1,"time":1e300,"data":{"turn":123456789012345678901234567890,"x":1e999}}'
    path = plain(tmp_path, header(), row(0), huge, row(2**53), row(2), row(10**30), row(3), row(-(2**60)))
    assert shape(path) == [0, 1, "not-an-event", 2, "not-an-event", 3, "not-an-event"]
    assert read_log(path).events[1].time == int(1e300)
    assert read_log(path).events[1].data["turn"] == 123456789012345678901234567890


@pytest.mark.parametrize("depth", [300, 450, 900, 1100, 20_000])
def test_nesting_never_escapes(tmp_path: Path, depth: int) -> None:
    deep = b'{"type":"user/message","seq":0,"surfaceOp":"append","data":{"id":"d","source":%s,"content":%s}}' % (
        b'{"kind":"x","changes":' * depth + b"1" + b"}" * depth,
        b'[{"type":"tool-result","content":' * depth + b'"deep"' + b"}]" * depth,
    )
    path = plain(tmp_path, header(), deep, row(1))
    found = shape(path)
    assert found[-1] == 1
    assert found[0] in (0, "not-json")
    assert depth < 1100 or found[0] == "not-json"
    for event in read_log(path).events[:-1]:
        what = message(event)
        assert what is not None
        assert what.blocks == ("deep",)
        assert instruction_source(event) is None


def test_texts_nested_deeper_than_the_stack() -> None:
    content: Any = "deep"
    for _ in range(50_000):
        content = [{"type": "tool-result", "content": content}]
    assert text_blocks(content) == ("deep",)
    while isinstance(content, list):
        content = content[0].pop("content")


def test_very_many_changes_in_one_message(tmp_path: Path) -> None:
    count = 1_000_000 if LONG else 10_000
    changes = [{"action": "set", "scope": f"d{n}\0AGENTS.md", "path": f"d{n}/AGENTS.md"} for n in range(count)]
    changes[500]["action"] = "conquer"
    source = {"kind": "agent-instructions", "form": "instructions", "changes": changes}
    path = plain(tmp_path, header(), row(0, "user/message", {"source": source, "content": []}, surfaceOp="append"))
    read = instruction_source(same(path).event(0))
    assert read is not None
    assert read.changes is not None
    assert len(read.changes) == count - 1


# -- size


@pytest.mark.parametrize("packed", [False, True])
def test_one_very_long_line(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "log"
    long = b'{"type":"step/start","seq":0,"data":{"text":"' + b"0123456789abcdef" * (50 << 16) + b'"}}'
    data = [lines(header()), long + b"\n", lines(row(1))]
    path.write_bytes(b"".join(map(frame, data) if packed else data))
    index = LogIndex(path)
    index.advance()
    assert len(index) == 2
    assert len(index.event(0).data["text"]) == 50 << 20
    assert index.event(1).seq == 1
    small = Limits(line=1 << 20, held=1 << 16)
    log = read_log(path, small)
    assert [event.seq for event in log.events] == [1]
    assert [(gap.kind.value, gap.skipped) for gap in log.gaps] == [
        ("too-large", len(long) + 1), ("missing-seq", 0),
    ]  # fmt: skip


def test_a_decompression_bomb_is_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "log.zstd"
    bomb = zstd.compress(b" " * (64 << 20), options={zstd.CompressionParameter.checksum_flag: 1})
    assert len(bomb) < 8000
    path.write_bytes(frame(lines(header(), *ROWS[:2])) + bomb + frame(lines(*ROWS[2:])))
    limits = Limits(bomb_size=8 << 20, bomb_ratio=200, line=1 << 20, held=1 << 20)
    index = same(path, limits)
    assert [item.kind.value for item in index if isinstance(item, Gap)][:1] == ["too-large"]
    assert [item.seq for item in index if isinstance(item, Event)] == [0, 1, 2, 3, 4]


def test_a_surface_of_rows_out_of_order_keeps_standing() -> None:
    surface = Surface()
    for seq in (5, 3, 9):
        surface.note(seq, "user/message", None)
    assert (len(surface), surface.visible, surface.problem_count) == (0, (), 3)
