"""The mutable tree in memory."""

from __future__ import annotations

import base64

import pytest

from scopetrace.workspace.fs import FileSystem, FsError, FsNotFound, Stat
from scopetrace.workspace.memory import MemoryFs


def test_files_of_the_conformance_format() -> None:
    fs = MemoryFs(
        {
            "/w/text": {"text": "häß"},
            "/w/raw": {"base64": base64.b64encode(b"\xff\x00").decode(), "noSize": True},
            "/w/link": {"symlink": "text"},
            "/w/.git": {"dir": True},
        }
    )
    assert isinstance(fs, FileSystem)
    assert fs.read("/w/link", 99) == "häß".encode()
    assert fs.read("/w/raw", 99) == b"\xff\x00"
    text, raw = fs.stat("/w/text"), fs.stat("/w/raw")
    assert text is not None
    assert raw is not None
    assert (text.size, raw.size) == (5, None)
    assert fs.stat("/w/.git") == Stat("directory")
    assert fs.reads == ["/w/link", "/w/raw"]
    assert fs.stats == 3


def test_mutations_are_seen_at_once_and_earlier_trees_stay() -> None:
    fs = MemoryFs()
    fs.write("/w/f", "one")
    then, generation = fs.view, fs.generation()
    fs.write("/w/f", "two", keep_version=True)
    assert fs.generation() != generation
    assert fs.stat("/w/f") == then.stat("/w/f")
    assert (fs.read("/w/f", 9), then.read("/w/f", 9)) == (b"two", b"one")
    fs.touch("/w/f")
    assert fs.stat("/w/f") != then.stat("/w/f")
    fs.chmod("/w/f", 0)
    with pytest.raises(FsError):
        fs.read("/w/f", 9)
    fs.delete("/w")
    assert fs.stat("/w") is None
    fs.symlink("/w/l", "nowhere")
    assert fs.stat("/w/l") is None
    fs.mkdir("/w/d")
    assert [entry.name for entry in fs.listdir("/w")] == ["d", "l"]
    assert fs.history.at(fs.now) is not fs.view
    assert fs.history.at(fs.now).generation() == fs.generation()


def test_failures_count_as_probes_and_reads() -> None:
    fs = MemoryFs({"/w/f": {"text": "x"}})
    fs.fail("/w/f", "notFound")
    fs.fail("/w/f", "read")
    with pytest.raises(FsNotFound):
        fs.stat("/w/f")
    with pytest.raises(FsError):
        fs.read("/w/f", 1)
    fs.heal("/w/f")
    assert fs.read("/w/f", 1) == b"x"
    assert (fs.stats, fs.reads) == (1, ["/w/f", "/w/f"])
