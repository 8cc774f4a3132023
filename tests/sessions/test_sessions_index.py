"""The index says what the reader says, row by row, whatever the writer's habits and the file's state."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions_helpers import NAMES, RECORDINGS, fields, frame, header, lines, manifest, plain, row, same

from scopetrace.sessions import Event, Gap, LogError, LogIndex, open_log, read_log
from scopetrace.sessions.vocabulary import KNOWN_TYPES, MATTERING_TYPES

LOGS = [RECORDINGS / name / log["file"] for name in NAMES for log in manifest(name)["logs"]]
IDS = [f"{path.parent.name}-{path.name}" for path in LOGS]


@pytest.mark.parametrize("path", LOGS, ids=IDS)
def test_every_recording(path: Path) -> None:
    index = same(path)
    events = [event for _, event in index.operations()]
    assert {event.type for event in events} <= MATTERING_TYPES
    assert events
    assert len(events) == sum(event.type in MATTERING_TYPES for event in read_log(path).events)


def rewritten(path: Path, target: Path, habit: str) -> Path:
    """The log as another writer would have stored it; every third row only, so that habits mix in a stretch."""
    words = random.Random(7)
    reader = open_log(path)
    seen: set[tuple[int, int]] = set()
    out = [json.dumps(reader.header.model_dump(by_alias=True, exclude_none=True)).encode()]
    for item in reader:
        if isinstance(item, Gap) or (item.offset, item.inner) in seen:
            continue
        seen.add((item.offset, item.inner))
        stored = reader.raw(item)
        if len(seen) % 3 == 0:
            value = json.loads(stored)
            if habit == "shuffled":
                value = dict(words.sample(list(value.items()), len(value)))
                stored = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
            elif habit == "spaced":
                stored = b" \t" + json.dumps(value, indent=1, ensure_ascii=False).replace("\n", " ").encode() + b" \r"
            elif habit == "escaped":
                text = json.dumps(value, separators=(",", ":"))
                for word in ("type", "seq", "surfaceOp", "data", "append", "user", "step"):
                    text = text.replace(f'"{word}', '"' + "".join(f"\\u{ord(char):04x}" for char in word))
                stored = text.encode()
            elif habit == "doubled":
                # As in ECMAScript the last of equal keys counts.
                text = json.dumps(value, separators=(",", ":"))
                stored = b'{"type":"step/end","seq":-5,"data":[],"time":"x",' + text[1:].encode()
            elif habit == "blank":
                stored += b"\n\n  "
        out.append(stored)
    data = b"\n".join(out) + b"\n"
    target.write_bytes(data)
    return target


@pytest.mark.parametrize("habit", ["shuffled", "spaced", "escaped", "doubled", "blank"])
@pytest.mark.parametrize(
    "name", ["compaction", "v0.1.2rc1-full", "v0.1.5rc1-full", "ptc-run-code", "working-directory"]
)
def test_other_writers(tmp_path: Path, name: str, habit: str) -> None:
    source = RECORDINGS / name / next(log["file"] for log in manifest(name)["logs"] if log["role"] == "main")
    index = same(rewritten(source, tmp_path / source.name.removesuffix(".zstd"), habit))
    before = read_log(source).events
    after = [item for item in index if isinstance(item, Event)]
    assert [(event.seq, event.type, event.time, event.data) for event in after] == [
        (event.seq, event.type, event.time, event.data) for event in before
    ]
    assert [event.surface_op for event in after] == [event.surface_op for event in before]


ODD: list[bytes] = [
    b"",
    b"   ",
    b"noise",
    b"[1]",
    b'{"type":"step/start","seq":%d,"data":[]}',
    b'{"type":"step/start","seq":%d,"data":null}',
    b'{"type":"step/start","seq":%d}',
    b'{"type":"step/start","seq":%d.0,"data":{}}',
    b'{"type":"step/start","seq":"%d","data":{}}',
    b'{"type":"step/start","seq":%d,"data":{"a":"\xff"}}',
    b'{"type":"step/start","seq":%d,"data":{"a":"\\ud800"}}',
    b'{"type":"step/start","seq":%d,"data":{"a":"\\u0000"}}',
    b'{"type":"step/start","seq":%d,"data":{"a":NaN}}',
    b'{"type":"step/start","seq":%d,"data":{"a":1e999,"b":9007199254740993}}',
    b'{"type":"step/start","seq":%d,"data":{"a":"\x01"}}',
    b'{"type":"step/start","seq":%d,"data":{"a":1,}}',
    b'{"type":"step/start","seq":%d,"data":{},"time":1e999}',
    b'{"type":"step/start","seq":%d,"data":{},"ignorable":true}',
    b'{"type":"step/start","seq":%d,"data":{},"ignorable":"yes"}',
    b'{"type":"step/start","seq":%d,"data":{},"surfaceOp":"append"}',
    b'{"type":"step/start","seq":%d,"data":{}}{"type":"step/end","seq":%d,"data":{}}',
    b'{"type":"step/start","seq":%d,"data":' + b'{"a":' * 2000 + b"1" + b"}" * 2001,
    b'{"type":"user/message","seq":%d,"data":{}}',
    b'{"type":"user/message","seq":%d,"data":{},"surfaceOp":"append","sourceEventSeqs":"x"}',
    b'{"type":"user/message","seq":%d,"data":{},"surfaceOp":{"op":"replace","startSeq":0,"endSeq":1}}',
    b'{"type":"user/message","seq":%d,"data":{},"surfaceOp":{"op":"replace","startSeq":900,"endSeq":1}}',
    b'{"type":"user/message","seq":%d,"data":{},"surfaceOp":"prepend"}',
    b'{"type":"future/thing","seq":%d,"data":{}}',
    b'{"type":"future/thing","seq":%d,"data":{},"ignorable":true}',
    b'{"type":"text-chunks","seq":%d,"data":{"texts":["a","b"],"dt":[1]}}',
    b'{"type":"text-chunks","seq0":%d,"time0":5,"data":{"texts":["a","b"],"dt":[1]}}',
    b'{"type":"step/end","data":{}}',
    b'{"type":"step/end","seq":null,"data":{}}',
    b'{"type":"step/end","seq":0,"data":{}}',
    b'{"type":"step/end","seq":-1,"data":{}}',
    b'{"type":"step/end","seq":9007199254740992,"data":{}}',
    b'{"type":"step/end","seq":123456789012345678901234567890,"data":{}}',
]


@st.composite
def logs(draw: st.DrawFn) -> tuple[int, list[bytes]]:
    """A format and rows, most of them usual, some odd, numbers sometimes skipping."""
    seq, out = 0, []
    for _ in range(draw(st.integers(1, 40))):
        seq += draw(st.sampled_from([0] * 30 + [1, 2, -1]))
        if draw(st.integers(0, 4)) == 0:
            stored = draw(st.sampled_from(ODD)).replace(b"%d", str(max(seq, 0)).encode())
        else:
            kind = draw(st.sampled_from(["step/start", "user/message", "system/message", "request/context"]))
            shown = {"surfaceOp": "append"} if kind.endswith("message") else {}
            stored = json.dumps(row(seq, kind, **shown)).encode()
        out.append(stored)
        seq += 1
    return draw(st.sampled_from([0, 3, 4])), out


def refusal(action: Callable[[], object]) -> tuple[object, ...]:
    """What a log is refused with; nothing when it is not."""
    try:
        action()
    except LogError as error:
        return error.args
    return ()


@settings(max_examples=100)
@given(logs(), st.booleans(), st.integers(1, 7), st.binary(max_size=20))
def test_damaged_and_odd_logs(
    tmp_path_factory: pytest.TempPathFactory, log: tuple[int, list[bytes]], packed: bool, width: int, tail: bytes
) -> None:
    version, rows = log
    path = tmp_path_factory.mktemp("odd") / ("x.jsonl.zstd" if packed else "x.jsonl")
    if packed:
        parts = [frame(lines(*rows[at : at + width])) for at in range(0, len(rows), width)]
        path.write_bytes(frame(lines(header(version))) + b"".join(parts) + tail)
    else:
        path.write_bytes(lines(header(version), *rows) + tail)
    refusals = [refusal(lambda: read_log(path)), refusal(lambda: LogIndex(path).advance())]
    assert refusals[0] == refusals[1]
    if not refusals[0]:
        same(path)


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_one_odd_line_among_many(tmp_path: Path, odd: bytes) -> None:
    rows: list[Any] = [row(n) for n in range(60)]
    rows[37] = odd.replace(b"%d", b"37")
    index = same(plain(tmp_path, header(), *rows))
    assert index.decoded <= 16


def test_work_on_a_log_of_five_thousand_events(tmp_path: Path, generated_log: Path) -> None:
    index = LogIndex(generated_log)
    assert index.advance()
    assert len(index) == 5000
    assert index.decoded == 0
    assert index.memory < 5000 * 40
    mattering = sum(1 for _ in index.operations())
    assert 2500 < mattering < 4500
    assert {index.kind(at) for at in range(5000)} <= KNOWN_TYPES


@pytest.mark.parametrize("suffix", ["", ".zstd"])
def test_generated_logs(make_log: Any, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"session.v4.jsonl{suffix}"
    make_log(path, 1500, 3)
    index = same(path)
    assert index.surface.problems == []
    assert index.decoded == 0


def test_steps_progress_and_cancelling(generated_log: Path) -> None:
    index = LogIndex(generated_log)
    assert (len(index), index.complete, index.progress.rows) == (0, False, 0)
    assert not index.advance(rows=100)
    first = index.progress
    assert 100 <= first.rows < 3000
    assert 0 < first.position < first.size == generated_log.stat().st_size
    assert isinstance(index[99], Event)
    with pytest.raises(IndexError):
        index[first.rows]
    assert not index.advance(seconds=0)
    assert index.progress.position > first.position
    index.cancel()
    assert not index.advance()
    assert len(index) < 5000
    assert index.event(0).type == "permission/preset"


def test_reading_while_another_thread_advances(generated_log: Path) -> None:
    index = LogIndex(generated_log)
    want = [(event.seq, event.type) for event in read_log(generated_log).events]
    thread = threading.Thread(target=index.advance)
    thread.start()
    words = random.Random(1)
    while not index.complete:
        if len(index):
            at = words.randrange(len(index))
            assert (index.event(at).seq, index.kind(at)) == want[at]
    thread.join()
    assert [(event.seq, event.type) for event in index if isinstance(event, Event)] == want


@pytest.mark.parametrize("suffix", ["", ".zstd"])
def test_many_small_steps_are_one_pass(make_log: Any, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"log{suffix}"
    make_log(path, 3000, 5)
    index = LogIndex(path)
    sizes = [len(index)]
    while not index.advance(rows=1):
        sizes.append(len(index))
    assert len(sizes) > 10
    assert sizes == sorted(sizes)
    assert [fields(item) for item in index] == [fields(item) for item in read_log(path).items]


def test_it_is_a_sequence(tmp_path: Path) -> None:
    index = same(plain(tmp_path, header(), row(0), b"noise", row(1), row(5), row(6)))
    assert [item.seq if isinstance(item, Event) else item.kind.value for item in index] == [
        0, "not-json", 1, "missing-seq", 5, 6,
    ]  # fmt: skip
    last = index[-1]
    assert isinstance(last, Event)
    assert (last.seq, last.index) == (6, 3)
    assert [fields(item) for item in index[1:3]] == [fields(index[1]), fields(index[2])]
    assert [index.seq(at) for at in range(6)] == [0, 0, 1, 1, 5, 6]
    assert (index.row_of(1), index.row_of(2), index.row_of(99), index.row_of(-1)) == (2, None, None, None)
    with pytest.raises(ValueError, match="row 1 is a gap"):
        index.event(1)
    for at in (6, -7):
        with pytest.raises(IndexError):
            index.kind(at)
    assert index.raw(index[1]) == b"noise"
    assert [at for at, _ in index.operations(1, 5)] == [2, 4]


def test_many_unknown_types_are_told_apart(tmp_path: Path) -> None:
    index = same(plain(tmp_path, header(), *(row(n, f"x/{n}") for n in range(5000))))
    assert index.kind(4999) == "x/4999"


def test_a_large_frame_is_read_through_a_window(tmp_path: Path) -> None:
    rows = [row(n, data={"text": f"{n:06}" * 500}) for n in range(5000)]
    path = tmp_path / "session.v4.jsonl.zstd"
    path.write_bytes(frame(lines(header())) + frame(lines(*rows)))
    index = LogIndex(path)
    assert index.advance()
    for at in (4999, 0, 2500, 2501, 2499, 4000, 10):
        assert index.event(at).data == rows[at]["data"]


def test_a_row_that_nests_deeply_is_read_from_a_deep_stack(tmp_path: Path) -> None:
    deep = b'{"type":"step/start","seq":0,"data":{"a":' + b"[" * 850 + b"]" * 850 + b"}}"
    index = same(plain(tmp_path, header(), deep, row(1)))

    def from_below(depth: int) -> Event:
        return index.event(0) if depth == 0 else from_below(depth - 1)

    assert from_below(400).seq == 0


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_changes_under_the_index_is_named(tmp_path: Path, packed: bool) -> None:
    def stored(*rows: Any) -> bytes:
        return b"".join(map(frame, map(lines, rows))) if packed else lines(*rows)

    path = tmp_path / "log"
    path.write_bytes(stored(header(), *(row(n) for n in range(50))))
    index = LogIndex(path)
    index.advance()
    path.write_bytes(stored(header(), *(row(n + 1) for n in range(50))))
    with pytest.raises(LogError) as caught:
        LogIndex.event(index, 7)
    assert caught.value.code == "corrupt"
    other = tmp_path / "other"
    other.write_bytes(stored(header(), *(row(n) for n in range(50))))
    other.replace(path)
    fresh, unread = LogIndex(path), LogIndex(path)
    fresh.advance()
    other.write_bytes(stored(header(), *(row(n) for n in range(50))))
    other.replace(path)
    for look in (lambda: fresh.event(30), unread.advance):
        with pytest.raises(LogError, match="another file has taken the place") as caught:
            look()
        assert caught.value.code == "corrupt"
    path.unlink()
    with pytest.raises(LogError) as caught:
        fresh.event(30)
    assert caught.value.code == "no-such-log"
