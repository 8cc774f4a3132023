"""One listing a directory a pass."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from scopetrace.workspace.disk import MAX_LISTING, DiskFs
from scopetrace.workspace.fs import Cancelled, Entry, FileSystem, FsError, Stat
from scopetrace.workspace.memory import MemoryFs
from scopetrace.workspace.passcache import PassCache

CANDIDATES = ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")


class Fake:
    """A disk blind to letter case and to Unicode form, or one whose listing fails."""

    def __init__(self, names: tuple[str, ...] | None) -> None:
        self.names = names

    def stat(self, path: str, cancel: Any = None) -> Stat | None:
        return Stat("file", path, 0)

    def read(self, path: str, limit: int, cancel: Any = None) -> bytes:
        return b""

    def listdir(self, path: str) -> tuple[Entry, ...]:
        return ()

    def generation(self) -> int | None:
        return 7

    def scan(self, path: str) -> tuple[Entry, ...] | None:
        return None if self.names is None else tuple(Entry(name, "file") for name in self.names)


def test_absent_names_cost_one_listing(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("x")
    fs = PassCache(DiskFs())
    assert isinstance(fs, FileSystem)
    found = [fs.stat(f"{tmp_path}/{name}") for name in CANDIDATES]
    assert [bool(stat) for stat in found] == [False, True, False, False]
    assert (fs.counts.list, fs.counts.stat, fs.counts.read) == (1, 1, 0)
    assert [fs.stat(f"{tmp_path}/none/{name}") for name in CANDIDATES] == [None] * 4
    assert [fs.stat(f"{tmp_path}/CLAUDE.md/{name}") for name in CANDIDATES] == [None] * 4
    assert (fs.counts.list, fs.counts.stat) == (3, 1)
    assert fs.read(f"{tmp_path}/CLAUDE.md", 5) == b"x"
    assert fs.counts.read == 1


def test_a_new_pass_asks_again(tmp_path: Path) -> None:
    fs = PassCache(DiskFs())
    assert fs.stat(f"{tmp_path}/AGENTS.md") is None
    (tmp_path / "AGENTS.md").write_text("x")
    assert fs.stat(f"{tmp_path}/AGENTS.md") is None
    fs.fresh()
    assert fs.stat(f"{tmp_path}/AGENTS.md") is not None


def test_links_are_still_followed(tmp_path: Path) -> None:
    (tmp_path / "l").symlink_to("nowhere")
    (tmp_path / "d").symlink_to(".")
    fs = PassCache(DiskFs())
    assert fs.stat(f"{tmp_path}/l") is None
    assert fs.counts.stat == 1
    assert fs.stat(f"{tmp_path}/d/d/none") is None
    assert fs.readlink(f"{tmp_path}/l") == "nowhere"


@pytest.mark.parametrize(
    ("listed", "asked"),
    [("agents.md", "AGENTS.md"), ("cafe\u0301", "caf\u00e9"), ("STRASSE", "stra\u00dfe"), ("AGENTS.md", "AGENTS.md")],
)
def test_names_that_agree_but_for_case_or_form_are_asked(listed: str, asked: str) -> None:
    fs = PassCache(Fake((listed, "other")))
    assert fs.stat(f"/w/{asked}") is not None
    assert fs.stat("/w/CLAUDE.md") is None
    assert fs.counts.stat == 1


def test_a_failed_listing_proves_nothing() -> None:
    fs = PassCache(Fake(None))
    assert fs.stat("/w/AGENTS.md") is not None
    assert fs.stat("/w/CLAUDE.md") is not None
    assert (fs.counts.list, fs.counts.stat) == (1, 2)
    assert fs.generation() == 7


@pytest.mark.parametrize("path", ["/", "/w/" + "n" * 100, "/w" + "/n" * 600, "/w/a\0b"])
def test_paths_that_may_fail_for_their_shape_are_asked(path: str) -> None:
    fs = PassCache(Fake(()))
    assert fs.stat(path) is not None


def test_a_name_too_long_is_an_error_not_absent(tmp_path: Path) -> None:
    with pytest.raises(FsError, match="name too long"):
        PassCache(DiskFs()).stat(f"{tmp_path}/{'n' * 300}")


def test_a_directory_without_search_permission_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Any, *args: Any, **options: Any) -> Any:
        raise PermissionError(errno.EACCES, "no", path)

    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(os, "lstat", refuse)
    with pytest.raises(FsError, match="permission denied"):
        PassCache(DiskFs()).stat(f"{tmp_path}/AGENTS.md")


def test_a_huge_directory_is_not_listed_to_its_end(tmp_path: Path) -> None:
    for number in range(MAX_LISTING + 1):
        (tmp_path / f"{number}").touch()
    fs = PassCache(DiskFs())
    assert fs.stat(f"{tmp_path}/AGENTS.md") is None
    assert fs.counts.stat == 1
    assert len(fs.listdir(str(tmp_path))) == MAX_LISTING + 1


def test_other_providers_are_passed_through() -> None:
    memory = MemoryFs()
    memory.fail("/w/AGENTS.md", "stat")
    fs = PassCache(memory)
    with pytest.raises(FsError):
        fs.stat("/w/AGENTS.md")
    assert fs.stat("/w/CLAUDE.md") is None
    assert (fs.counts.list, fs.counts.stat) == (0, 2)


def test_cancel_comes_first(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        PassCache(DiskFs()).stat(f"{tmp_path}/AGENTS.md", lambda: True)
