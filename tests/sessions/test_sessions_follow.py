"""A log that is being written: every byte of it, its tail, its replacement, its next generation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from sessions_helpers import RECORDINGS, frame, header, lines, row

from scopetrace.sessions import Event, Follower, Gap, LogError, LogIndex, Rotation, read_log
from scopetrace.sessions import source as source_module
from scopetrace.sessions.frames import HARMLESS, open_regular

ROWS = [
    row(0, "turn/start"),
    row(1, data={"text": "naïve \n 日本"}),
    row(2, "user/message", data={"content": []}, surfaceOp="append"),
    b"noise",
    row(3),
    row(4, "future/thing"),
    row(5, data={"text": "x" * 300}),
]


def stored(packed: bool, *batches: list[Any]) -> bytes:
    return b"".join(frame(lines(*batch)) if packed else lines(*batch) for batch in batches)


def said(items: list[Any]) -> list[Any]:
    """Items as plain values; the unfinished end is no item of a log that is followed."""
    out: list[Any] = []
    for item in items:
        if isinstance(item, Event):
            out.append((item.seq, item.type, item.data, item.index, item.offset, item.inner))
        elif isinstance(item, Rotation):
            out.append((item.kind.value, Path(item.path).name))
        elif item.kind not in HARMLESS:
            out.append(item)
    return out


def fresh(path: Path) -> list[Any]:
    """What a reader that comes now says; nothing when there is no event yet."""
    with suppress(LogError):
        return said(list(read_log(path).items))
    return []


def growing(path: Path, data: bytes, step: int = 1) -> Iterator[int]:
    path.write_bytes(b"")
    with path.open("ab", buffering=0) as file:
        for at in range(0, len(data), step):
            file.write(data[at : at + step])
            yield min(at + step, len(data))


@pytest.mark.parametrize("packed", [False, True])
def test_every_byte_of_a_growing_log(tmp_path: Path, packed: bool) -> None:
    data = stored(packed, [header()], ROWS[:3], ROWS[3:5], ROWS[5:])
    path = tmp_path / "log.jsonl"
    follower, items = Follower(path), []
    for size in growing(path, data):
        items += follower.poll()
        assert follower.poll() == []
        assert [value for value in said(items) if isinstance(value, tuple)] == [
            value for value in fresh(path) if isinstance(value, tuple)
        ]
        waiting = follower.waiting
        if waiting is not None:
            assert waiting.offset + waiting.skipped == size
            assert waiting.harmless
    assert said(items) == fresh(path)
    assert len(said(items)) == len(ROWS)
    assert follower.waiting is None
    assert follower.header is not None
    assert follower.notes == read_log(path).notes


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("step", [1, 7, 100])
def test_an_index_grows_with_its_log(tmp_path: Path, packed: bool, step: int) -> None:
    data = stored(packed, [header(), row(0, "turn/start")], ROWS[1:3], ROWS[3:5], ROWS[5:])
    path = tmp_path / "log.jsonl"
    grown = growing(path, data, step)
    while len(fresh(path) if path.exists() else []) == 0:
        next(grown)
    index = LogIndex(path, live=True)
    for _ in grown:
        assert index.advance()
        assert index.complete
    assert said(list(index)) == fresh(path)
    assert index.waiting is None
    assert index.surface.visible == (2,)


@pytest.mark.parametrize("name", ["compaction", "v0.1.2rc1-full", "plain-jsonl", "torn-tail", "crash-resume"])
def test_recordings_written_in_pieces(tmp_path: Path, name: str) -> None:
    source = next(path for path in (RECORDINGS / name).iterdir() if path.name.startswith("session."))
    path = tmp_path / source.name
    data = source.read_bytes()
    follower, items = Follower(path), []
    for _ in growing(path, data, max(1, len(data) // 37)):
        items += follower.poll()
    assert said(items) == fresh(path)


class Counting:
    """Counts the bytes that are read of a file."""

    def __init__(self, file: BinaryIO, total: list[int]) -> None:
        self._file, self._total = file, total

    def read(self, count: int) -> bytes:
        data = self._file.read(count)
        self._total[0] += len(data)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Counting:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


@pytest.mark.parametrize("packed", [False, True])
def test_what_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(stored(packed, [header()], [row(n, data={"n": "text" * 50 + str(n)}) for n in range(5000)]))
    follower = Follower(path)
    assert len(follower.poll()) == 5000
    total = [0]
    monkeypatch.setattr(source_module, "open_regular", lambda name: Counting(open_regular(name), total))
    for n in range(5000, 5100):
        with path.open("ab") as file:
            file.write(stored(packed, [row(n)]))
        assert len(follower.poll()) == 1
    # A look compares the last bytes before the end twice; beyond that only what is new is read.
    assert total[0] < 100 * 600


@pytest.mark.parametrize("packed", [False, True])
def test_a_tail_that_is_taken_back_is_no_new_log(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "log.jsonl"
    whole, more = stored(packed, [header()], [row(0)]), stored(packed, [row(1), row(2)])
    path.write_bytes(whole + more[:9])
    follower, index = Follower(path), LogIndex(path, live=True)
    index.advance()
    assert len(follower.poll()) == 1
    assert follower.waiting is not None
    path.write_bytes(whole)
    assert follower.poll() == []
    assert follower.waiting is None
    path.write_bytes(whole + more)
    assert [item.seq for item in follower.poll() if isinstance(item, Event)] == [1, 2]
    assert index.advance()
    assert [index.event(at).seq for at in range(len(index))] == [0, 1, 2]


@pytest.mark.parametrize("packed", [False, True])
def test_a_log_cut_short_begins_anew(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(stored(packed, [header()], [row(0)], [row(1)], [row(2)]))
    follower, index = Follower(path), LogIndex(path, live=True)
    assert len(follower.poll()) == 3
    index.advance()
    path.write_bytes(stored(packed, [header()], [row(0)]))
    assert said(follower.poll())[:1] == [("truncated", "log.jsonl")]
    assert index.look() == "truncated"
    with pytest.raises(LogError, match="cut short"):
        index.advance()
    path.write_bytes(b"")
    assert said(follower.poll()) == [("truncated", "log.jsonl")]
    assert follower.poll() == []
    path.write_bytes(stored(packed, [header()], [row(0)]))
    assert [value[0] for value in said(follower.poll())] == [0]


def test_a_log_written_anew_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(header(), row(0), row(1)))
    follower = Follower(path)
    follower.poll()
    path.write_bytes(lines(header(), *(row(n, "turn/start", {"turn": 77 + n}) for n in range(9))))
    assert [value[0] for value in said(follower.poll())] == ["rewritten", *range(9)]


def test_a_log_that_is_replaced_or_goes(tmp_path: Path) -> None:
    path, other = tmp_path / "session.v4.jsonl", tmp_path / "other"
    path.write_bytes(lines(header(), row(0)))
    follower = Follower(path)
    assert [value[0] for value in said(follower.poll())] == [0]
    other.write_bytes(lines(header(), row(0), row(1)))
    other.replace(path)
    assert [value[0] for value in said(follower.poll())] == ["replaced", 0, 1]
    path.unlink()
    assert said(follower.poll()) == [("gone", "session.v4.jsonl")]
    assert follower.poll() == []
    path.write_bytes(lines(header(), row(0), row(1), row(2)))
    found = [value[0] for value in said(follower.poll())]
    assert found[-1] == 2
    assert found in (["replaced", 0, 1, 2], [2])


def test_a_newer_generation_is_gone_over_to(tmp_path: Path) -> None:
    old, new = tmp_path / "session.v3.jsonl", tmp_path / "session.v4.jsonl.zstd"
    old.write_bytes(lines(header(3), row(0), row(1)))
    follower = Follower(old)
    assert [value[0] for value in said(follower.poll())] == [0, 1]
    data = stored(True, [header(4)], [row(0)])
    with old.open("ab") as file:
        file.write(lines(row(2)))
    new.write_bytes(data[:20])
    assert [value[0] for value in said(follower.poll())] == [2]
    new.write_bytes(data)
    assert said(follower.poll())[0] == ("newer-generation", new.name)
    assert follower.path == str(new)
    with new.open("ab") as file:
        file.write(stored(True, [row(1)]))
    assert [value[0] for value in said(follower.poll())] == [1]


def test_a_generation_that_is_too_new_is_named_once(tmp_path: Path) -> None:
    old, new = tmp_path / "session.v4.jsonl", tmp_path / "session.v5.jsonl"
    old.write_bytes(lines(header(), row(0)))
    new.write_bytes(lines(header(5), row(0)))
    follower = Follower(old)
    items = follower.poll()
    assert [value[0] for value in said(items)] == [0, "newer-generation"]
    last = items[-1]
    assert isinstance(last, Rotation)
    assert last.error is not None
    assert last.error.code == "newer-format"
    with old.open("ab") as file:
        file.write(lines(row(1)))
    assert [value[0] for value in said(follower.poll())] == [1]
    assert follower.path == str(old)


def test_what_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    for target, code in ((tmp_path / "none", "no-such-log"), (tmp_path, "is-a-directory")):
        with pytest.raises(LogError) as caught:
            Follower(target).poll()
        assert caught.value.code == code
    path = tmp_path / "log"
    path.write_bytes(b"no log at all\n")
    follower = Follower(path)
    for _ in range(2):
        with pytest.raises(LogError) as caught:
            follower.poll()
        assert caught.value.code == "not-a-log"
    path.write_bytes(lines(header(), row(0)))
    assert len(follower.poll()) == 1


@pytest.mark.parametrize("garbage", [b"garbage!", b"\0" * 50, frame(lines(row(1)))[:-3]])
def test_damage_in_a_living_log_is_a_gap_once_it_goes_on(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "log.zstd"
    parts = [frame(lines(header())), frame(lines(row(0))), garbage, frame(lines(row(2), row(3)))]
    follower, items = Follower(path), []
    for _ in growing(path, b"".join(parts)):
        items += follower.poll()
    gaps = [item for item in items if isinstance(item, Gap)]
    assert [gap.offset for gap in gaps][:1] == [len(parts[0]) + len(parts[1])]
    assert [item.seq for item in items if isinstance(item, Event)][-2:] == [2, 3]
    assert {"garbage", "corrupt-frame"} & {gap.kind.value for gap in gaps}
