"""Every provider counts the bytes of a bounded read alike: a leading byte order mark comes along and is not counted."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import BYTE_ORDER_MARK, FileSystem, head
from scopetrace.workspace.history import History
from scopetrace.workspace.mapped import MappedFs
from scopetrace.workspace.memory import MemoryFs
from scopetrace.workspace.overlay import Edit, Overlay
from scopetrace.workspace.passcache import PassCache
from scopetrace.workspace.snapshot import Snapshot

MARK = BYTE_ORDER_MARK
Provider = Callable[[Path, bytes], tuple[FileSystem, str]]


def disk(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    (folder / "f").write_bytes(data)
    return DiskFs(), str(folder / "f")


def mapped(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    disk(folder, data)
    return MappedFs(DiskFs(), [("/rec", str(folder))]), "/rec/f"


def pass_cache(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    fs, path = disk(folder, data)
    return PassCache(fs), path


def snapshot(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    fs, path = disk(folder, data)
    return Snapshot(fs), path


def edited(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    return Overlay(DiskFs(), [Edit.write("/w/f", data)]), "/w/f"


def below_an_overlay(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    fs, path = disk(folder, data)
    return Overlay(fs, [Edit.write("/w/other", b"x")]), path


def memory(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    fs = MemoryFs()
    fs.write("/w/f", data)
    return fs, "/w/f"


def history(folder: Path, data: bytes) -> tuple[FileSystem, str]:
    past = History()
    past.write(1, "/w/f", data)
    return past.at(1), "/w/f"


PROVIDERS = [disk, mapped, pass_cache, snapshot, edited, below_an_overlay, memory, history]


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.__name__)
@pytest.mark.parametrize(
    ("data", "limit", "expect"),
    [
        (MARK + b"text", 0, b""),
        (MARK + b"text", -1, b""),
        (MARK + b"text", 1, MARK + b"t"),
        (MARK + b"text", 2, MARK + b"te"),
        (MARK + b"text", 4, MARK + b"text"),
        (MARK + b"text", 99, MARK + b"text"),
        (MARK, 1, MARK),
        (MARK + MARK + b"x", 3, MARK + MARK),  # only one mark is no content
        (MARK[:2] + b"text", 1, MARK[:1]),
        (MARK[:2], 1, MARK[:1]),
        (MARK[:2], 2, MARK[:2]),
        (b"x" + MARK, 2, b"x" + MARK[:1]),
        (b"text", 0, b""),
        (b"text", 1, b"t"),
        (b"", 1, b""),
    ],
)
def test_the_mark_comes_along(tmp_path: Path, provider: Provider, data: bytes, limit: int, expect: bytes) -> None:
    fs, path = provider(tmp_path, data)
    assert fs.read(path, limit) == expect
    assert head(data, limit) == expect


def test_a_disk_that_answers_byte_by_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mark is found also when it arrives in pieces, and nothing beyond the limit is taken."""
    path = tmp_path / "f"
    path.write_bytes(MARK + b"text")
    taken: list[bytes] = []
    real = os.read

    def drip(descriptor: int, size: int) -> bytes:
        taken.append(real(descriptor, min(size, 1)))
        return taken[-1]

    monkeypatch.setattr(os, "read", drip)
    assert DiskFs().read(str(path), 2) == MARK + b"te"
    assert b"".join(taken) == MARK + b"te"
