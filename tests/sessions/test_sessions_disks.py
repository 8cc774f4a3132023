"""What is no log file, disks that are slow or bad, files that change while they are read."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from sessions_helpers import frame, header, lines, plain, row, same

from scopetrace.sessions import Event, Follower, Gap, LogError, LogIndex, open_log, read_log
from scopetrace.sessions import fetch as fetch_module
from scopetrace.sessions import frames as frames_module
from scopetrace.sessions import reader as reader_module
from scopetrace.sessions import source as source_module

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


# -- files that are none, disks that are slow or bad


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert code(tmp_path / "pipe") == "not-regular-file"
    assert code("/dev/zero") == "not-regular-file"
    assert code(tmp_path) == "is-a-directory"
    assert code(tmp_path / "none") == "no-such-log"
    assert code(f"{tmp_path}/\0") == "no-such-log"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + lines(header(), row(0)),
        lines(header(), row(0)).decode().encode("utf-16"),
        lines(header(), row(0)).decode().encode("utf-16-be"),
        b"\0" * 5000,
        b"plain text\n",
    ],
)
def test_text_of_other_kinds(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "log"
    path.write_bytes(data)
    assert code(path) == "not-a-log"


def test_line_ends_of_another_system(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(lines(header(), *ROWS, b"", row(5)).replace(b"\n", b"\r\n"))
    assert shape(path) == [0, 1, 2, 3, 4, 5]
    assert read_log(path).notes == ("lines end with CR LF; the runtime writes LF",)


class Disk:
    """A file on a disk that hands out ``piece`` bytes at a time and fails at byte ``bad``."""

    def __init__(self, file: BinaryIO, piece: int, bad: int) -> None:
        self._file, self._piece, self._bad = file, piece, bad

    def read(self, count: int) -> bytes:
        if self._file.tell() >= self._bad:
            raise OSError(errno.EIO, "bad block")
        return self._file.read(min(count, self._piece))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def on_disk(monkeypatch: pytest.MonkeyPatch, piece: int, bad: int = 1 << 60) -> None:
    for module in (reader_module, source_module, fetch_module):
        monkeypatch.setattr(module, "open_regular", lambda path: Disk(frames_module.open_regular(path), piece, bad))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("piece", [1, 3, 100])
def test_a_slow_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool, piece: int) -> None:
    path = tmp_path / "log"
    parts = [lines(header()), lines(*ROWS[:3]), lines(*ROWS[3:])]
    path.write_bytes(b"".join(map(frame, parts) if packed else parts))
    on_disk(monkeypatch, piece)
    assert shape(path) == [0, 1, 2, 3, 4]
    follower = Follower(path)
    assert len(follower.poll()) == 5
    assert follower.poll() == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_bad_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    path = tmp_path / "log"
    path.write_bytes(frame(lines(header(), *ROWS)) if packed else lines(header(), *ROWS))
    on_disk(monkeypatch, 64, path.stat().st_size - 10)
    for action in (lambda: read_log(path), lambda: LogIndex(path).advance(), lambda: Follower(path).poll()):
        with pytest.raises(LogError) as caught:
            action()
        assert caught.value.code == "unreadable"
        assert "Input/output error" in caught.value.message


def test_a_log_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plain(tmp_path, header(), *ROWS)
    index = LogIndex(path)
    index.advance()

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(frames_module.os, "open", refuse)
    assert code(path) == "unreadable"
    with pytest.raises(LogError) as caught:
        index.event(0)
    assert caught.value.code == "unreadable"


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_grows_while_it_is_read(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "log"
    rows = [row(n, data={"text": os.urandom(300).hex()}) for n in range(3000)]

    def stored(*some: Any) -> bytes:
        return frame(lines(*some)) if packed else lines(*some)

    path.write_bytes(stored(header()) + stored(*rows[:1000]) + stored(*rows[1000:2000]))
    reader, index = open_log(path), LogIndex(path)
    items = iter(reader)
    found = [next(items) for _ in range(10)]
    assert not index.advance(rows=10)
    with path.open("ab") as file:
        file.write(stored(*rows[2000:]))
    found += items
    assert index.advance()
    for numbers in (
        [item.seq for item in found if isinstance(item, Event)],
        [index.seq(at) for at in range(len(index))],
    ):
        assert len(numbers) in (2000, 3000)
        assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "log"
    rows = [row(n, data={"text": os.urandom(2000).hex()}) for n in range(2000)]
    parts = [lines(header()), *(lines(*rows[at : at + 100]) for at in range(0, 2000, 100))]
    path.write_bytes(b"".join(map(frame, parts) if packed else parts))
    index, reader = LogIndex(path), open_log(path)
    assert not index.advance(rows=150)
    items = iter(reader)
    found = [next(items) for _ in range(10)]
    os.truncate(path, path.stat().st_size // 2 + 7)
    found += items
    assert [item.kind.value for item in found if isinstance(item, Gap)] == ["torn-tail"]
    numbers = [item.seq for item in found if isinstance(item, Event)]
    assert numbers == list(range(len(numbers)))
    with pytest.raises(LogError, match="cut short") as caught:
        index.advance()
    assert caught.value.code == "corrupt"
    assert index.event(3).data == rows[3]["data"]
