"""Rows: numbers, packed rows, odd JSON, unknown types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions_helpers import frame, header, lines, plain, row

from scopetrace.sessions import Event, Gap, GapKind, LogError, SeqRanges, open_log, read_log
from scopetrace.sessions.schema import RowError, SurfaceOp, decode_row, parse_sources, parse_surface_op


def shape(path: Path) -> list[int | str]:
    """Event numbers and gap kinds in order."""
    return [item.seq if isinstance(item, Event) else item.kind.value for item in read_log(path).items]


def test_a_plain_and_a_packed_log_say_the_same(tmp_path: Path) -> None:
    rows = [header(), *(row(n) for n in range(5))]
    path = plain(tmp_path, *rows)
    packed = tmp_path / "session.v4.jsonl.zstd"
    packed.write_bytes(frame(lines(rows[0])) + frame(lines(*rows[1:3])) + frame(lines(*rows[3:])))
    one, two = read_log(path), read_log(packed)
    assert [(e.seq, e.type, e.data) for e in one.events] == [(e.seq, e.type, e.data) for e in two.events]
    assert (one.encoding, two.encoding) == ("plain", "zstd")
    assert [event.inner for event in one.events] == [0] * 5


def test_a_pass_can_be_repeated_and_broken_off(tmp_path: Path) -> None:
    reader = open_log(plain(tmp_path, header(), *(row(n) for n in range(50))))
    assert reader.header.id == "s1"
    assert reader.header.cwd == "/home/dev/p"
    first = iter(reader)
    assert [next(first) and 0, next(first) and 0] == [0, 0]
    assert sum(1 for _ in reader) == 50
    assert reader.position == reader.size


@pytest.mark.parametrize(
    ("numbers", "want"),
    [
        ([0, 1, 2], [0, 1, 2]),
        ([0, 1, 1, 2], [0, 1, "repeated-seq", 2]),
        ([0, 1, 2, 1, 2, 3], [0, 1, 2, "repeated-seq", 3]),
        ([0, 1, 4, 5], [0, 1, "missing-seq", 4, 5]),
        ([0, 1, 4], [0, 1, "missing-seq", 4]),
        ([0, 1, 900, 2, 3], [0, 1, "stray-seq", 2, 3]),
        ([0, 1, 900, 3, 4], [0, 1, "stray-seq", "missing-seq", 3, 4]),
        ([0, 5, 9, 10], [0, "missing-seq", 5, "missing-seq", 9, 10]),
        ([0, 5, 0, 6], [0, "repeated-seq", "missing-seq", 5, 6]),
        ([0, 5, 5, 6], [0, "stray-seq", "missing-seq", 5, 6]),
        ([3, 4], ["missing-seq", 3, 4]),
        ([0, -1, 1], [0, "not-an-event", 1]),
        ([0, None, 1], [0, "not-an-event", 1]),
        ([10**15, 0, 1], ["stray-seq", 0, 1]),
    ],
)
def test_numbers(tmp_path: Path, numbers: list[int | None], want: list[int | str]) -> None:
    assert shape(plain(tmp_path, header(), *map(row, numbers))) == want


def test_missing_numbers_are_named(tmp_path: Path) -> None:
    gap = read_log(plain(tmp_path, header(), row(0), row(4), row(5))).gaps[0]
    assert (gap.first_seq, gap.last_seq, gap.skipped) == (1, 3, 0)
    assert "events 1 to 3 are missing" in gap.reason


def test_a_spoilt_frame_leaves_a_hole_in_the_numbers(tmp_path: Path) -> None:
    broken = bytearray(frame(lines(row(1), row(2))))
    broken[-1] ^= 1
    path = tmp_path / "session.v4.jsonl.zstd"
    path.write_bytes(frame(lines(header())) + frame(lines(row(0))) + bytes(broken) + frame(lines(row(3), row(4))))
    assert shape(path) == [0, "corrupt-frame", "missing-seq", 3, 4]


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        (b"nonsense", "not-json", "not JSON"),
        (b'{"type":"x"', "not-json", "not JSON"),
        (b'{"type":"x","seq":1,"data":{"a":NaN}}', "not-json", "NaN"),
        (b'{"type":"x","seq":1,"data":{"a":"\xff"}}', "not-json", "not UTF-8 at byte 33"),
        (b"[" * 100_000 + b"]" * 100_000, "not-json", "deep"),
        (b'{"type":"x","seq":1,"data":{"a":' + b"9" * 5000 + b".5x}}", "not-json", "not JSON"),
        (b"[1]", "not-an-event", "an array"),
        (b"null", "not-an-event", "null"),
        (b"12", "not-an-event", "a number"),
        (b"{}", "not-an-event", "type"),
        (b'{"type":7,"seq":1}', "not-an-event", "type"),
        (b'{"type":"x","seq":"1"}', "not-an-event", "seq"),
        (b'{"type":"x","seq":1.5}', "not-an-event", "seq"),
        (b'{"type":"x","seq":true}', "not-an-event", "seq"),
        (b'{"type":"x","seq":1,"data":[]}', "not-an-event", "data"),
        (b'{"type":"text-chunks","seq0":1,"data":{"texts":[]}}', "not-an-event", "texts"),
        (b'{"type":"text-chunks","seq0":1,"data":{"texts":["a"],"dt":["x"]}}', "not-an-event", "dt"),
    ],
)
def test_lines_that_are_no_events(tmp_path: Path, line: bytes, kind: str, words: str) -> None:
    path = plain(tmp_path, header(), row(0), line, row(1))
    assert shape(path) == [0, kind, 1]
    gap = read_log(path).gaps[0]
    assert words in gap.reason
    assert gap.skipped == len(line)
    assert path.read_bytes()[gap.offset :].startswith(line)


def test_what_ecmascript_accepts_is_read(tmp_path: Path) -> None:
    odd = [
        b'{"type":"x","seq":0,"data":{"a":"\\ud800","b":1e999,"c":' + b"1" * 400 + b"}}",
        b'{"seq":1.0,"data":{"a":1,"a":2},"type":"y","time":"late"}\r',
        b'  {"type":"z","seq":2,"time":5.9,"data":{},"ignorable":"yes"}  ',
        b'{"type":"no-data","seq":3}',
        b'{"type":"far","seq":4,"time":1e999}',
    ]
    log = read_log(plain(tmp_path, header(), *odd))
    assert [event.type for event in log.events] == ["x", "y", "z", "no-data", "far"]
    assert log.gaps == ()
    assert log.events[0].data["a"] == "\ud800"
    assert log.events[1].data == {"a": 2}
    assert log.events[2].time == 5
    assert not log.events[2].ignorable


def test_a_spoilt_stretch_is_one_gap(tmp_path: Path) -> None:
    log = read_log(plain(tmp_path, header(), row(0), *[b"noise"] * 1000, row(1)))
    assert len(log.gaps) == 1
    assert log.gaps[0].skipped == 5000
    assert "more lines" in log.gaps[0].reason


def test_blank_lines_and_crlf(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl"
    path.write_bytes(lines(header(), row(0), b"", b"  ", row(1)).replace(b"\n", b"\r\n"))
    log = read_log(path)
    assert [event.seq for event in log.events] == [0, 1]
    assert log.gaps == ()
    assert log.notes == ("lines end with CR LF; the runtime writes LF",)


def test_packed_rows_stand_for_their_events(tmp_path: Path) -> None:
    text = {"turn": 1, "step": 1, "index": 0, "dt": [2, 3], "texts": ["a", "b", "c"]}
    call = {"turn": 1, "step": 1, "index": 1, "dt": [1, 1], "id": "c1", "name": "read", "args": ["{", "", "}"]}
    rows = [
        row(0),
        {"type": "text-chunks", "seq0": 1, "time0": 100, "data": text},
        {"type": "tool-call-chunks", "seq0": 4, "time0": 200, "data": call},
        row(7),
    ]
    log = read_log(plain(tmp_path, header(0), *rows, name="session.jsonl"))
    assert [event.seq for event in log.events] == list(range(8))
    assert [event.time for event in log.events[1:7]] == [100, 102, 105, 200, 201, 202]
    assert {event.type for event in log.events[1:7]} == {"assistant/chunk"}
    chunk = {"type": "text-delta", "index": 0, "text": "b"}
    assert log.events[2].data == {"turn": 1, "step": 1, "chunk": chunk}
    assert log.events[6].data["chunk"]["id"] == "c1"
    assert len({event.offset for event in log.events}) == 4


def test_rows_without_numbers_are_counted_in_old_formats(tmp_path: Path) -> None:
    packed = {"type": "reasoning-chunks", "data": {"turn": 1, "step": 1, "index": 0, "texts": ["a", "b", "c"]}}
    bare = {"type": "step/end", "data": {"turn": 1, "step": 1}}
    for version in (0, 1):
        log = read_log(plain(tmp_path, header(version), bare, packed, bare, row(5), bare, name="x.jsonl"))
        assert [event.seq for event in log.events] == list(range(7))
        assert log.gaps == ()
        assert bool(log.notes) == (version == 1)


def test_counting_goes_on_after_a_hole(tmp_path: Path) -> None:
    bare = {"type": "step/end", "data": {"turn": 1, "step": 1}}
    path = plain(tmp_path, header(0), row(0), row(9), bare, bare, name="session.jsonl")
    assert shape(path) == [0, "missing-seq", 9, 10, 11]


def test_unknown_types_are_shown_and_flagged(tmp_path: Path) -> None:
    rows = [row(0, "future/a"), row(1, "future/b", ignorable=True), row(2, "future/a"), row(3)]
    reader = open_log(plain(tmp_path, header(), *rows))
    events = [item for item in reader if isinstance(item, Event)]
    assert [event.known for event in events] == [False, False, False, True]
    assert reader.unknown == {"future/a": 2}
    assert len(reader.notes) == 1
    assert "future/a (2 rows)" in reader.notes[0]


def test_unknown_types_do_not_fill_the_memory(tmp_path: Path) -> None:
    reader = open_log(plain(tmp_path, header(), *(row(n, f"x/{n}") for n in range(300))))
    assert sum(1 for _ in reader) == 300
    assert len(reader.unknown) == 20


def test_misnamed_logs_are_noted(tmp_path: Path) -> None:
    directory = tmp_path / "--home-dev-p--" / "other"
    directory.mkdir(parents=True)
    log = read_log(plain(directory, header(3), row(0)))
    assert log.notes == (
        "the file name says format 4, the header format 3",
        "the header's id s1 does not match its directory other",
    )


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (None, None),
        ("append", SurfaceOp("append")),
        ({"op": "replace", "start": 3, "end": 5}, SurfaceOp("replace", 3, 5)),
        ({"op": "replace", "startSeq": 3, "endSeq": 3}, SurfaceOp("replace", 3, 3)),
        ({"op": "replace", "startSeq": 3}, SurfaceOp("invalid")),
        ({"op": "replace", "startSeq": True, "endSeq": 3}, SurfaceOp("invalid")),
        ({"op": "prepend"}, SurfaceOp("invalid")),
        ("prepend", SurfaceOp("invalid")),
        (7, SurfaceOp("invalid")),
    ],
)
def test_surface_operations(value: Any, want: SurfaceOp | None) -> None:
    assert parse_surface_op(value) == want


def test_source_numbers_are_ranges_that_cost_nothing() -> None:
    seqs = parse_sources([1, [4, 6], 9])
    assert list(seqs) == [1, 4, 5, 6, 9]
    assert len(seqs) == 5
    assert 5 in seqs
    assert 7 not in seqs
    assert not seqs.malformed
    assert 10**15 in parse_sources([[0, 2**53 - 1]])
    assert parse_sources([[0, 2**53], 10**30]) == SeqRanges((), True)
    assert seqs.covers((9, 1, 5))
    assert not seqs.covers((1, 4, 7, 9))
    assert not seqs.covers((10,))
    assert parse_sources([[5, 9], [1, 6]]).covers(range(1, 10))
    assert not parse_sources([]).covers((0,))
    assert parse_sources([1, "2", [5, 3], [1, 2, 3], True, None]) == SeqRanges(((1, 1),), True)
    assert parse_sources({"a": 1}).malformed


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_any_json_value_as_a_line_is_an_event_or_a_row_error(value: Any) -> None:
    line = json.dumps({"type": value, "seq": value, "data": value, "time": value}).encode()
    for candidate in (line, json.dumps(value).encode()):
        with pytest.raises(RowError):
            decode_row(candidate)


@given(st.binary(max_size=200))
def test_no_bytes_after_a_header_break_the_reader(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    path = tmp_path_factory.mktemp("noise") / "session.v4.jsonl"
    path.write_bytes(lines(header(), row(0)) + noise)
    items = read_log(path).items
    assert isinstance(items[0], Event)
    assert all(isinstance(item, Event | Gap) for item in items)


@given(st.binary(max_size=200))
def test_no_bytes_as_a_file_break_the_reader(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    path = tmp_path_factory.mktemp("noise") / "session.v4.jsonl.zstd"
    for data in (noise, b"\x28\xb5\x2f\xfd" + noise):
        path.write_bytes(data)
        with pytest.raises(LogError):
            read_log(path)


def test_a_gap_names_its_kind() -> None:
    assert {kind.value for kind in GapKind} >= {"torn-tail", "corrupt-frame", "not-json", "missing-seq"}
