"""Recorded paths answered from real places."""

from __future__ import annotations

from pathlib import Path

import pytest

from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import Cancelled, Entry, FileSystem, FsError, FsNotFound, Stat
from scopetrace.workspace.mapped import MappedFs, map_path, unmap_path
from scopetrace.workspace.memory import MemoryFs
from scopetrace.workspace.passcache import PassCache

MAPPING = [("/home/dev/shop", "/tmp/copy"), ("/home/dev/shop/lib", "/srv/lib"), ("/home/dev/.dsh/", "/tmp/home/")]


@pytest.mark.parametrize(
    ("recorded", "real"),
    [
        ("/home/dev/shop", "/tmp/copy"),
        ("/home/dev/shop/a/AGENTS.md", "/tmp/copy/a/AGENTS.md"),
        ("/home/dev/shop/lib/f", "/srv/lib/f"),
        ("/home/dev/shop/library", "/tmp/copy/library"),
        ("/home/dev/.dsh/f", "/tmp/home/f"),
        ("/home/dev/shopping", None),
        ("/home/dev", None),
    ],
)
def test_the_longest_prefix_of_whole_components_wins(recorded: str, real: str | None) -> None:
    assert map_path(recorded, MAPPING) == real
    if real is not None:
        assert unmap_path(real, MAPPING) == recorded


def test_any_strings_can_be_mapped() -> None:
    assert map_path("C:\\Users\\dev\\shop\\a", [("C:\\Users\\dev\\shop", "/tmp/copy")]) == "/tmp/copy/a"
    assert map_path("/a", [("/", "/tmp/copy")]) == "/tmp/copy/a"
    assert map_path("/tmp/a", [("/tmp", "/")]) == "/a"


def test_probes_reads_and_links_speak_recorded_paths() -> None:
    inner = MemoryFs({"/tmp/copy/a/AGENTS.md": {"text": "x"}, "/etc/f": {"text": "out"}})
    inner.symlink("/tmp/copy/in", "/tmp/copy/a/AGENTS.md")
    inner.symlink("/tmp/copy/out", "/etc/f")
    inner.symlink("/tmp/copy/near", "a")
    inner.fail("/tmp/copy/bad", "stat")
    inner.fail("/tmp/copy/gone", "notFound")
    inner.fail("/tmp/copy/bad", "read")
    fs = MappedFs(inner, MAPPING)
    assert isinstance(fs, FileSystem)
    plain = fs.stat("/home/dev/shop/x/../a//AGENTS.md")
    assert plain is not None
    assert plain.kind == "file"
    linked, out = fs.stat("/home/dev/shop/in"), fs.stat("/home/dev/shop/out")
    assert linked is not None
    assert out is not None
    assert linked.link_target == "/home/dev/shop/a/AGENTS.md"
    assert out.link_target == "/etc/f"
    assert fs.readlink("/home/dev/shop/in") == "/home/dev/shop/a/AGENTS.md"
    assert fs.readlink("/home/dev/shop/near") == "a"
    assert fs.readlink("/home/dev/shop/a") is None
    assert fs.read("/home/dev/shop/in", 5) == b"x"
    with pytest.raises(FsError, match=r"^/home/dev/shop/bad: probe failed"):
        fs.stat("/home/dev/shop/bad")
    with pytest.raises(FsNotFound, match=r"^/home/dev/shop/gone:"):
        fs.stat("/home/dev/shop/gone")
    with pytest.raises(FsError, match=r"^/home/dev/shop/bad: read failed"):
        fs.read("/home/dev/shop/bad", 1)
    assert fs.generation() == inner.generation()


def test_paths_outside_every_prefix() -> None:
    inner = MemoryFs({"/etc/f": {"text": "out"}, "/home/other": {"text": ""}})
    passing, closed = MappedFs(inner, MAPPING), MappedFs(inner, MAPPING, outside="absent")
    assert passing.read("/etc/f", 9) == b"out"
    assert closed.stat("/etc/f") is None
    with pytest.raises(FsError):
        closed.read("/etc/f", 9)
    assert closed.readlink("/etc/f") is None
    for fs in (passing, closed):
        assert fs.stat("/home/dev") == Stat("directory")
        assert fs.listdir("/home/dev") == (Entry(".dsh", "directory"), Entry("shop", "directory"))
    assert closed.listdir("/home") == (Entry("dev", "directory"),)
    assert passing.listdir("/home") == (Entry("dev", "directory"), Entry("other", "file"))
    with pytest.raises(Cancelled):
        closed.stat("/etc/f", lambda: True)


def test_listings_prove_absence_through_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("x")
    fs = PassCache(MappedFs(DiskFs(), [("/rec/w", str(tmp_path))], outside="absent"))
    assert fs.stat("/rec/w/AGENTS.md") is not None
    assert fs.stat("/rec/w/CLAUDE.md") is None
    assert fs.stat("/rec/w") == Stat("directory")
    assert fs.stat("/rec/.git") is None
    assert fs.counts.stat == 2
    assert MappedFs(MemoryFs(), MAPPING).scan("/home/dev/shop") is None
