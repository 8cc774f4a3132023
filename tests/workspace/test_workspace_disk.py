"""The real disk: links, special files, limits, refusals. Meaningful as root too: refusals are injected into ``os``."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scopetrace.workspace import disk
from scopetrace.workspace.disk import CHUNK, DiskFs
from scopetrace.workspace.fs import Cancelled, Entry, FileSystem, FsError, Stat

FS = DiskFs()


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, int], None]:
    """``refuse(function, path, errno)``: that ``os`` function fails for that path and works for all others."""

    def install(function: str, path: str, number: int) -> None:
        real = getattr(os, function)

        def patched(asked: Any, *args: Any, **options: Any) -> Any:
            if asked == path:
                raise OSError(number, os.strerror(number), path)
            return real(asked, *args, **options)

        monkeypatch.setattr(os, function, patched)

    return install


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every path that is opened, as given."""
    paths: list[str] = []
    real = os.open

    def patched(path: Any, *args: Any, **options: Any) -> int:
        paths.append(path)
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", patched)
    return paths


@pytest.fixture
def unix_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)  # a short relative name: socket paths are limited to about 100 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        yield str(tmp_path / "s")


def test_files_directories_and_absence(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"\xef\xbb\xbftext")
    here = str(tmp_path)
    found = FS.stat(f"{here}/AGENTS.md")
    assert found is not None
    assert (found.kind, found.size, found.link_target) == ("file", 7, None)
    assert FS.stat(here) == Stat("directory")
    assert FS.stat(f"{here}/none") is None
    assert FS.stat(f"{here}/AGENTS.md/below") is None
    assert FS.stat(f"{here}/none/../AGENTS.md") == found  # lexical, as the loader's host resolves it
    assert FS.read(f"{here}/AGENTS.md", 2) == b"\xef\xbb\xbfte"
    assert FS.generation() is None
    assert isinstance(FS, FileSystem)
    with pytest.raises(FsError, match="no such file"):
        FS.read(f"{here}/none", 5)


def test_a_new_version_for_new_content(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("a")
    first = FS.stat(str(file))
    assert first == FS.stat(str(file))
    file.write_text("b")
    os.utime(file, ns=(1, 1))
    second = FS.stat(str(file))
    assert first is not None
    assert second is not None
    assert first.version != second.version


def test_links_to_file_and_directory(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "f").write_text("text")
    (tmp_path / "file").symlink_to("real/f")
    (tmp_path / "dir").symlink_to(real)
    (tmp_path / "dangling").symlink_to("nowhere")
    plain = FS.stat(str(real / "f"))
    assert plain is not None
    assert FS.stat(str(tmp_path / "file")) == Stat("file", plain.version, 4, str(real / "f"))
    assert FS.stat(str(tmp_path / "dir")) == Stat("directory", link_target=str(real))
    assert FS.stat(str(tmp_path / "dir/f")) == plain
    assert FS.stat(str(tmp_path / "dangling")) is None
    assert FS.read(str(tmp_path / "file"), 9) == b"text"
    assert FS.readlink(str(tmp_path / "file")) == "real/f"
    assert FS.readlink(str(real / "f")) is None
    assert FS.readlink(str(tmp_path / "none/x")) is None
    assert FS.listdir(str(tmp_path)) == (
        Entry("dangling", "link"),
        Entry("dir", "link"),
        Entry("file", "link"),
        Entry("real", "directory"),
    )
    assert FS.listdir(str(tmp_path / "dir")) == (Entry("f", "file"),)
    assert FS.listdir(str(real / "f")) == ()


def test_a_loop_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(FsError, match=r"too many symbolic links \(ELOOP\)"):
        FS.stat(str(tmp_path / "a"))
    with pytest.raises(FsError, match="too many symbolic links"):
        FS.read(str(tmp_path / "a/f"), 1)


def chain(directory: Path, first: int, last: int) -> str:
    for number in range(first, last + 1):
        (directory / str(number)).symlink_to(str(number - 1))
    return str(directory / str(last))


def test_a_chain_of_forty_links_and_no_more(tmp_path: Path) -> None:
    most = 40 if sys.platform == "linux" else 32
    (tmp_path / "0").write_text("end")
    last = chain(tmp_path, 1, most)
    found = FS.stat(last)
    assert found is not None
    assert found.link_target == str(tmp_path / "0")
    assert FS.read(last, 9) == b"end"
    one_more = chain(tmp_path, most + 1, most + 1)
    with pytest.raises(FsError, match="too many symbolic links"):
        FS.stat(one_more)
    with pytest.raises(FsError, match="too many symbolic links"):
        FS.read(one_more, 9)


def test_a_fifo_is_other_and_never_opened(tmp_path: Path, opened: list[str]) -> None:
    os.mkfifo(tmp_path / "AGENTS.md")
    path = str(tmp_path / "AGENTS.md")
    assert FS.stat(path) == Stat("other")
    with pytest.raises(FsError, match="not a regular file"):
        FS.read(path, 10)
    assert FS.listdir(str(tmp_path)) == (Entry("AGENTS.md", "other"),)
    assert FS.listdir(path) == ()
    assert opened == []


def test_a_file_that_turns_into_a_fifo_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("x")
    real = os.open

    def swap(asked: Any, *args: Any, **options: Any) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(asked, *args, **options)

    monkeypatch.setattr(os, "open", swap)
    with pytest.raises(FsError, match="not a regular file"):
        FS.read(str(path), 10)


def test_a_socket_and_a_device_are_other(unix_socket: str, opened: list[str]) -> None:
    for path in (unix_socket, "/dev/zero"):
        assert FS.stat(path) == Stat("other")
        with pytest.raises(FsError, match="not a regular file"):
            FS.read(path, 10)
    assert opened == []


def test_a_directory_named_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").mkdir()
    assert FS.stat(str(tmp_path / "AGENTS.md")) == Stat("directory")
    with pytest.raises(FsError, match=r"not a regular file \(directory\)"):
        FS.read(str(tmp_path / "AGENTS.md"), 10)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.EACCES, "permission denied (EACCES)"),
        (errno.EIO, "input/output error (EIO)"),
        (errno.ESTALE, "stale network file handle (ESTALE)"),
    ],
)
def test_a_refused_probe_is_no_proof_of_absence(
    tmp_path: Path, refuse: Callable[[str, str, int], None], number: int, reason: str
) -> None:
    path = str(tmp_path / "f")
    Path(path).write_text("x")
    refuse("lstat", path, number)
    with pytest.raises(FsError) as caught:
        FS.stat(path)
    assert (caught.value.path, caught.value.reason) == (path, reason)


def test_a_refused_open_and_a_refused_listing(tmp_path: Path, refuse: Callable[[str, str, int], None]) -> None:
    path = str(tmp_path / "f")
    Path(path).write_text("x")
    refuse("open", path, errno.EACCES)
    refuse("scandir", str(tmp_path), errno.EACCES)
    assert FS.stat(path) is not None
    with pytest.raises(FsError, match="permission denied"):
        FS.read(path, 1)
    assert FS.listdir(str(tmp_path)) == ()
    assert FS.scan(str(tmp_path)) is None


def test_a_file_of_somebody_else_is_read_with_its_access_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_text("text")
    flag, real = 0o1000000, os.open

    def theirs(asked: Any, flags: int, *args: Any, **options: Any) -> int:
        if flags & flag:
            raise PermissionError(errno.EPERM, "not the owner")
        return real(asked, flags, *args, **options)

    monkeypatch.setattr(disk, "_NOATIME", flag)
    monkeypatch.setattr(os, "open", theirs)
    assert FS.read(str(path), 9) == b"text"


def test_names_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(FsError, match=r"name too long \(ENAMETOOLONG\)"):
        FS.stat(str(tmp_path / ("n" * 300)))
    with pytest.raises(FsError, match="NUL"):
        FS.stat(f"{tmp_path}/a\0b")
    assert FS.stat(f"{tmp_path}/\ud800") is None
    assert FS.listdir(f"{tmp_path}/a\0b") == ()


def test_names_that_are_no_text(tmp_path: Path) -> None:
    names = [b"caf\xe9", b"two\nlines", b"\x1b[31m", "e\u0301".encode()]
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_bytes(name)
    listed = [entry.name for entry in FS.listdir(str(tmp_path))]
    assert sorted(map(os.fsencode, listed)) == sorted(names)
    for name in listed:
        assert FS.read(f"{tmp_path}/{name}", 99) == os.fsencode(name)


def test_a_read_never_takes_more_than_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * (3 * CHUNK))
    taken: list[int] = []
    real = os.read

    def count(descriptor: int, size: int) -> bytes:
        taken.append(len(data := real(descriptor, size)))
        return data

    monkeypatch.setattr(os, "read", count)
    assert len(FS.read(str(path), CHUNK + 1)) == CHUNK + 1
    assert sum(taken) == CHUNK + 1
    assert FS.read(str(path), 0) == b""
    assert FS.read(str(path), -1) == b""
    assert len(FS.read(str(path), 9 * CHUNK)) == 3 * CHUNK


def test_a_file_that_grows_after_its_probe_stays_bounded(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * CHUNK)
    found = FS.stat(str(path))
    assert found is not None
    assert found.size == CHUNK

    def grow() -> bool:
        with path.open("ab") as file:
            file.write(b"y" * CHUNK)
        return False

    assert len(FS.read(str(path), CHUNK + 1, grow)) == CHUNK + 1


def test_cancel_stops_a_probe_and_a_read_between_chunks(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * (4 * CHUNK))
    asked = 0

    def third_time() -> bool:
        nonlocal asked
        asked += 1
        return asked == 3

    with pytest.raises(Cancelled):
        FS.stat(str(path), lambda: True)
    before = len(os.listdir("/dev/fd"))
    with pytest.raises(Cancelled):
        FS.read(str(path), 4 * CHUNK, third_time)
    assert asked == 3
    assert len(os.listdir("/dev/fd")) == before


def test_nothing_on_the_disk_is_changed(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    os.utime(tmp_path / "f", ns=(7, 7))
    before = os.stat(tmp_path / "f"), sorted(os.listdir(tmp_path))
    FS.stat(str(tmp_path / "f"))
    FS.read(str(tmp_path / "f"), 10)
    FS.listdir(str(tmp_path))
    after = os.stat(tmp_path / "f"), sorted(os.listdir(tmp_path))
    assert after[0].st_mtime_ns == before[0].st_mtime_ns
    assert after[0].st_ctime_ns == before[0].st_ctime_ns
    assert after[1] == before[1]
