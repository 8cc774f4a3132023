"""Every way in which a log cannot be used has a code, a place and a remedy."""

from __future__ import annotations

import errno
import os
import socket
import stat
from pathlib import Path

import pytest
from sessions_helpers import frame, header, lines, plain, row

from scopetrace.sessions import BundleError, ErrorCode, LogError, open_log, read_log
from scopetrace.sessions import frames as frames_module
from scopetrace.sessions.errors import from_os_error
from scopetrace.sessions.frames import open_regular


def failure(path: str | Path) -> LogError:
    with pytest.raises(LogError) as caught:
        read_log(path)
    error = caught.value
    assert error.path == os.fspath(path)
    assert str(error) == f"{error.message}: {error.where}: {error.remedy}"
    assert error.remedy
    assert "\n" not in str(error)
    return error


def test_no_such_log(tmp_path: Path) -> None:
    assert failure(tmp_path / "nowhere").code == "no-such-log"
    (tmp_path / "file").touch()
    assert failure(tmp_path / "file" / "below").code == "no-such-log"
    assert failure(f"{tmp_path}/nul\0byte").code == "no-such-log"
    assert failure(tmp_path / ("long" * 200)).code == "no-such-log"
    (tmp_path / "loop").symlink_to("loop")
    assert failure(tmp_path / "loop").code == "unreadable"


def test_a_directory(tmp_path: Path) -> None:
    assert failure(tmp_path).code == "is-a-directory"


def test_pipes_and_sockets_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert failure(tmp_path / "pipe").code == "not-regular-file"
    (tmp_path / "link").symlink_to("pipe")
    assert failure(tmp_path / "link").code == "not-regular-file"
    with socket.socket(socket.AF_UNIX) as server:
        where = os.getcwd()
        os.chdir(tmp_path)
        try:
            server.bind("sock")
        finally:
            os.chdir(where)
        assert failure(tmp_path / "sock").code == "not-regular-file"
    assert failure("/dev/null").code == "not-regular-file"


def test_a_name_that_turns_into_a_pipe_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    regular = os.stat(__file__)
    monkeypatch.setattr(frames_module.os, "stat", lambda path: regular)
    with pytest.raises(LogError) as caught:
        open_regular(str(tmp_path / "pipe"))
    assert caught.value.code == "not-regular-file"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "unreadable"),
        (errno.EPERM, "unreadable"),
        (errno.EIO, "unreadable"),
        (errno.ENOENT, "no-such-log"),
        (errno.EISDIR, "is-a-directory"),
    ],
)
def test_system_errors(number: int, code: str) -> None:
    assert from_os_error(OSError(number, "x"), "p").code == code


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plain(tmp_path, header(), row(0))

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(frames_module.os, "open", refuse)
    error = failure(path)
    assert error.code == "unreadable"
    assert "permission" in error.message
    assert stat.S_IMODE(path.stat().st_mode) & 0o400


def test_empty_and_cut_logs(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl"
    path.write_bytes(b"")
    assert failure(path).code == "empty-log"
    path.write_bytes(lines(header())[:-1])
    assert failure(path).code == "empty-log"
    packed = tmp_path / "session.v4.jsonl.zstd"
    packed.write_bytes(frame(lines(header()))[:20])
    assert failure(packed).code == "empty-log"
    packed.write_bytes(frame(b""))
    assert failure(packed).code == "empty-log"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xef\xbb\xbf" + lines(header(), row(0)), "byte order mark"),
        (lines(header()).decode().encode("utf-16"), "UTF-16"),
        (lines(header()).decode().encode("utf-16-le"), "UTF-16"),
        (lines(header()).decode().encode("utf-16-be"), "UTF-16"),
        (lines(header()).decode().encode("utf-32"), "UTF-32"),
        (b"\x1f\x8b\x08\0\0\0", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"SQLite format 3\0", "SQLite"),
        (b"\0" * 4096, "zero bytes"),
        (b"# Notes\n\n- text\n", "JSON object"),
        (b'[{"type":"session"}]\n', "JSON object"),
        (b"{nonsense}\n", "not JSON"),
        (b'{"type":"session","version":4,"id":"\xff"}\n', "not UTF-8"),
        (b'{"type":"summary"}\n', "no session header"),
        (b"{}\n", "no session header"),
    ],
)
def test_files_of_other_kinds_are_named(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "session.v4.jsonl"
    path.write_bytes(data)
    error = failure(path)
    assert error.code == "not-a-log"
    assert words in error.message
    packed = tmp_path / "session.v4.jsonl.zstd"
    packed.write_bytes(frame(data))
    error = failure(packed)
    assert error.code in (("not-a-log",) if b"\n" in data else ("corrupt", "empty-log"))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": "4"}, "version"),
        ({"version": -1}, "version"),
        ({"version": True}, "version"),
        ({"version": None}, "version"),
        ({"id": 7}, "id"),
        ({"id": ""}, "id"),
        ({"cwd": ["x"]}, "cwd"),
        ({"createdAt": "yesterday"}, "createdAt"),
    ],
)
def test_bad_headers_name_the_field(tmp_path: Path, change: dict[str, object], field: str) -> None:
    error = failure(plain(tmp_path, {**header(), **change}, row(0)))
    assert error.code == "not-a-log"
    assert error.place == f"line 1, field {field}"


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    error = failure(plain(tmp_path, header(5, entirely="different"), row(0)))
    assert error.code == "newer-format"
    assert "format 5" in error.message
    assert error.remedy == "update scopetrace"


def test_header_only_is_readable_but_an_error(tmp_path: Path) -> None:
    path = plain(tmp_path, header())
    reader = open_log(path)
    assert reader.header.id == "s1"
    with pytest.raises(LogError) as caught:
        list(reader)
    assert caught.value.code == "header-only"
    assert caught.value.place == "after line 1"
    assert failure(plain(tmp_path, header(), lines(row(0))[:-5][:10])).code in ("header-only", "corrupt")
    path.write_bytes(lines(header()) + b'{"type":"ste')
    assert failure(path).code == "header-only"


def test_nothing_readable_after_the_header_is_corruption(tmp_path: Path) -> None:
    error = failure(plain(tmp_path, header(), b"noise"))
    assert error.code == "corrupt"
    assert error.place == f"byte {len(lines(header()))}"
    broken = bytearray(frame(lines(header())))
    broken[-1] ^= 1
    path = tmp_path / "session.v4.jsonl.zstd"
    path.write_bytes(bytes(broken) + frame(lines(row(0))))
    error = failure(path)
    assert error.code == "corrupt"
    assert "header" in error.message


def test_a_log_that_vanishes_or_changes_between_two_looks(tmp_path: Path) -> None:
    path = plain(tmp_path, header(), row(0), row(1))
    reader = open_log(path)
    events = list(reader)
    path.write_bytes(lines(header()))
    with pytest.raises(LogError) as caught:
        reader.raw(events[1])
    assert caught.value.code == "corrupt"
    path.unlink()
    with pytest.raises(LogError) as caught:
        list(reader)
    assert caught.value.code == "no-such-log"


def test_codes_are_stable() -> None:
    assert sorted(ErrorCode) == [
        "bad-manifest", "corrupt", "empty-log", "header-only", "is-a-directory", "newer-format", "no-such-log",
        "not-a-bundle", "not-a-log", "not-regular-file", "too-large", "unknown-event", "unreadable",
        "workspace-missing",
    ]  # fmt: skip


def test_bundle_errors_are_log_errors() -> None:
    error = BundleError("not-a-bundle", "/b", "", "no bundle", "name one")
    assert isinstance(error, LogError)
    assert str(error) == "no bundle: /b: name one"
