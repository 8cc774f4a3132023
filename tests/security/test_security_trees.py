"""Trees without end, directories that refuse, and files that change while somebody looks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from looked import Looked

from scopetrace.model import Outcome
from scopetrace.replay.plain import open_workspace
from scopetrace.replay.tree import ENTRY_LIMIT, WALK_LIMIT
from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import Cancel, Entry, Stat
from scopetrace.workspace.memory import MemoryFs

# -- large trees


class Endless:
    """A tree in which every directory holds two more and an instruction file; counts the questions."""

    def __init__(self, top: str) -> None:
        self.top = top
        self.listed = 0
        self.asked = 0

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        self.asked += 1
        if path.endswith("/AGENTS.md"):
            return Stat("file", 1, 3)
        return Stat("directory") if path == f"{self.top}/.git" else None

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        return b"# x"

    def listdir(self, path: str) -> tuple[Entry, ...]:
        self.listed += 1
        return (Entry("AGENTS.md", "file"), Entry("a", "directory"), Entry("b", "directory"))

    def generation(self) -> int:
        return 0


def test_the_search_for_what_was_not_reached_ends(ws: Path) -> None:
    fs = Endless(str(ws))
    view = open_workspace(ws, home="/nowhere", environ={}, fs=fs)
    fs.listed = 0
    tree = view.tree(0)
    assert fs.listed == WALK_LIMIT
    assert fs.asked < 12 * WALK_LIMIT
    assert "4 000 directories" in tree[-1].note
    assert "left" in tree[-1].note


HUNDRED_THOUSAND = tuple(Entry(f"d{number:05}", "directory") for number in range(100_000))


class Wide(Endless):
    """A hundred thousand directories side by side; ``levels`` of them below each other."""

    levels = 1

    def listdir(self, path: str) -> tuple[Entry, ...]:
        self.listed += 1
        here = (Entry("AGENTS.md", "file"),)
        return here + HUNDRED_THOUSAND if path.removeprefix(self.top).count("/") < self.levels else here


def test_a_hundred_thousand_directories_side_by_side(ws: Path) -> None:
    fs = Wide(str(ws))
    tree = open_workspace(ws, home="/nowhere", environ={}, fs=fs).tree(0)
    assert fs.listed == WALK_LIMIT
    assert "searched 4 000 directories, 96 001 or more are left" in tree[-1].note


def test_a_hundred_thousand_directories_in_each_of_a_hundred_thousand(ws: Path) -> None:
    fs = Wide(str(ws))
    fs.levels = 9
    tree = open_workspace(ws, home="/nowhere", environ={}, fs=fs).tree(0)
    assert fs.listed == ENTRY_LIMIT // len(HUNDRED_THOUSAND)
    assert "searched 4 directories" in tree[-1].note


def test_a_listing_too_long_to_keep_is_asked_name_by_name(ws: Path) -> None:
    for number in range(4200):
        (ws / f"f{number}").touch()
    (ws / "AGENTS.md").write_text("# here\n")
    looked = Looked(ws)
    assert "# here" in looked.told
    assert looked.outcomes("CLAUDE.md") == [Outcome.ABSENT]


# -- refusals and changes


def refusing(real: Callable[..., Any], directory: str) -> Callable[..., Any]:
    """A system call that may not look below a directory: as root, permissions alone refuse nothing."""

    def call(path: Any, *args: Any, **options: Any) -> Any:
        if isinstance(path, str) and path.startswith(directory + "/"):
            raise PermissionError(13, "Permission denied", path)
        return real(path, *args, **options)

    return call


def test_an_unreadable_directory_is_told_and_the_rest_goes_on(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ws / "AGENTS.md").write_text("# root\n")
    (ws / "closed").mkdir()
    (ws / "closed" / "AGENTS.md").write_text("# closed\n")
    (ws / "open").mkdir()
    (ws / "open" / "AGENTS.md").write_text("# open\n")
    closed = str(ws / "closed")
    real_scan, real_access = os.scandir, os.access

    def scandir(path: Any = ".") -> Iterator[Any]:
        if path == closed:
            raise PermissionError(13, "Permission denied", path)
        return real_scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(os, "access", lambda path, mode, **o: path != closed and real_access(path, mode, **o))
    for name in ("stat", "lstat", "open"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name), closed))
    looked = Looked(ws, "closed/x", "open/x")
    assert looked.first("closed/AGENTS.md", Outcome.UNAVAILABLE).facts["reason"] == "permission denied (EACCES)"
    assert "# open" in looked.told
    assert "# closed" not in looked.told


class Changing(MemoryFs):
    """Files that change between the look at them and the reading of them."""

    def __init__(self, files: dict[str, dict[str, Any]], change: Callable[[MemoryFs, str], None]) -> None:
        super().__init__(files)
        self._change = change

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        self._change(self, path)
        return super().read(path, limit, cancel)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (lambda fs, path: fs.delete(path), Outcome.READ_FAILED),
        (lambda fs, path: (fs.delete(path), fs.mkdir(path)), Outcome.READ_FAILED),
        (lambda fs, path: (fs.delete(path), fs.symlink(path, path)), Outcome.READ_FAILED),
        (lambda fs, path: fs.write(path, b"x" * (2 << 20)), Outcome.OVERSIZE),
        (lambda fs, path: fs.write(path, b"\xff\xfe"), Outcome.INVALID_UTF8),
        (lambda fs, path: fs.write(path, b"a\0b"), Outcome.BINARY),
        (lambda fs, path: fs.write(path, b""), Outcome.READ),
    ],
)
def test_a_file_that_changes_between_look_and_reading(
    change: Callable[[MemoryFs, str], None], outcome: Outcome, ws: Path
) -> None:
    fs = Changing({f"{ws}/.git": {"dir": True}, f"{ws}/AGENTS.md": {"text": "# before\n"}}, change)
    fs.write(f"{ws}/CLAUDE.local.md", "# untouched\n")
    looked = Looked(ws, fs=fs)
    assert outcome in looked.outcomes("AGENTS.md")
    assert "# before" not in looked.told


def test_a_file_that_grows_on_disk_is_read_to_its_limit(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = ws / "AGENTS.md"
    target.write_text("# small\n")
    real = os.read

    def growing(descriptor: int, count: int) -> bytes:
        with target.open("ab") as file:
            file.write(b"x" * (1 << 20))
        return real(descriptor, count)

    monkeypatch.setattr(os, "read", growing)
    with monkeypatch.context():
        assert len(DiskFs().read(str(target), 1000)) == 1000
        assert Looked(ws).outcomes("AGENTS.md")[-1] in (Outcome.OVERSIZE, Outcome.READ)
