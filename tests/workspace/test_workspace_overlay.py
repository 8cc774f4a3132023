"""Edits over another provider: by example, and against a history in which the same edits really happened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import Cancelled, Entry, FileSystem, FsError, Stat
from scopetrace.workspace.history import History
from scopetrace.workspace.memory import MemoryFs
from scopetrace.workspace.overlay import Edit, Overlay
from scopetrace.workspace.paths import join, parent


class NoLinks:
    """A provider that only knows the protocol, not its links."""

    def __init__(self, fs: FileSystem) -> None:
        self.stat, self.read, self.listdir, self.generation = fs.stat, fs.read, fs.listdir, fs.generation


def test_edits_are_seen_and_the_base_is_left_alone() -> None:
    base = MemoryFs({"/w/AGENTS.md": {"text": "old"}, "/w/sub/CLAUDE.md": {"text": "gone"}, "/w/kept": {"text": "k"}})
    fs = Overlay(
        base,
        [
            Edit.write("/w/AGENTS.md", "newer"),
            Edit.delete("/w/sub"),
            Edit.write("/w/new/dir/AGENTS.md", b"\xff"),
            Edit.mkdir("/w/.git"),
            Edit.symlink("/w/l", "kept"),
        ],
    )
    assert isinstance(fs, FileSystem)
    assert fs.read("/w/AGENTS.md", 3) == b"new"
    assert fs.stat("/w/sub") is None
    assert fs.stat("/w/sub/CLAUDE.md") is None
    assert fs.stat("/w/new/dir") == Stat("directory")
    assert fs.read("/w/new/dir/AGENTS.md", 9) == b"\xff"
    assert fs.stat("/w/.git") == Stat("directory")
    assert fs.stat("/w/kept") == base.stat("/w/kept")
    linked = fs.stat("/w/l")
    assert linked is not None
    assert linked.link_target == "/w/kept"
    assert fs.listdir("/w") == (
        Entry(".git", "directory"),
        Entry("AGENTS.md", "file"),
        Entry("kept", "file"),
        Entry("l", "link"),
        Entry("new", "directory"),
    )
    assert fs.listdir("/w/sub") == fs.listdir("/w/AGENTS.md") == ()
    for path in ("/w/sub/CLAUDE.md", "/w/new", "/w/AGENTS.md/x"):
        with pytest.raises(FsError):
            fs.read(path, 1)
    assert base.read("/w/AGENTS.md", 9) == b"old"
    assert base.stat("/w/sub/CLAUDE.md") is not None


def test_versions_of_edits_follow_their_bytes() -> None:
    base = MemoryFs({"/w/f": {"text": "same"}})
    one, two = Overlay(base, [Edit.write("/w/f", "same")]), Overlay(base, [Edit.write("/w/f", "other")])
    assert one.stat("/w/f") == one.over(MemoryFs()).stat("/w/f")
    assert len({one.stat("/w/f"), two.stat("/w/f"), base.stat("/w/f")}) == 3


def test_links_lead_across_the_layers() -> None:
    base = MemoryFs({"/w/real/f": {"text": "base"}, "/w/dir": {"symlink": "real"}, "/w/far": {"symlink": "/new/f"}})
    fs = Overlay(base, [Edit.write("/w/real/g", "edit"), Edit.symlink("/w/in", "dir/f"), Edit.write("/new/f", "there")])
    assert fs.read("/w/dir/g", 9) == b"edit"
    assert fs.read("/w/in", 9) == b"base"
    assert fs.read("/w/far", 9) == b"there"
    found = fs.stat("/w/far")
    assert found is not None
    assert found.link_target == "/new/f"
    assert fs.readlink("/w/in") == "dir/f"
    assert fs.readlink("/w/far") == "/new/f"
    assert fs.readlink("/w/real/g") is None
    assert fs.readlink("/") is None
    assert fs.listdir("/w/dir") == (Entry("f", "file"), Entry("g", "file"))


def test_an_edit_behind_a_linked_directory_goes_to_its_real_place() -> None:
    base = MemoryFs({"/w/real/f": {"text": "old"}, "/w/dir": {"symlink": "real"}})
    fs = Overlay(base, [Edit.write("/w/dir/f", "new")])
    assert fs.read("/w/real/f", 9) == b"new"
    assert fs.edits == (Edit.write("/w/dir/f", "new"),)


def test_a_base_that_does_not_show_its_links() -> None:
    base = MemoryFs({"/w/real/f": {"text": "base"}, "/w/dir": {"symlink": "real"}})
    fs = Overlay(NoLinks(base), [Edit.write("/w/real/g", "edit")])
    assert fs.read("/w/dir/g", 9) == b"edit"
    assert fs.read("/w/dir/f", 9) == b"base"
    assert fs.readlink("/w/dir") is None


def test_links_in_a_circle_through_both_layers() -> None:
    fs = Overlay(MemoryFs({"/w/a": {"symlink": "b"}}), [Edit.symlink("/w/b", "a")])
    with pytest.raises(FsError, match="40 symbolic links"):
        fs.stat("/w/a")
    assert fs.listdir("/w/a") == ()
    assert fs.listdir("/w") == (Entry("a", "link"), Entry("b", "link"))


def test_failures_of_the_base_stay_but_not_over_an_edit() -> None:
    base = MemoryFs({"/w/f": {"text": "x"}, "/w/g": {"text": "y"}})
    for path in ("/w/f", "/w/g", "/w"):
        base.fail(path, "stat")
    fs = Overlay(base, [Edit.write("/w/f", "new")])
    assert fs.stat("/w/f") is not None
    with pytest.raises(FsError):
        fs.stat("/w/g")
    with pytest.raises(FsError):
        fs.stat("/w")
    assert fs.read("/w/g", 1) == b"y"


def test_generation_combines_both() -> None:
    base = MemoryFs({"/w/f": {"text": "x"}})
    fs = Overlay(base)
    seen = {fs.generation()}
    fs.add(Edit.delete("/w/f"))
    seen.add(fs.generation())
    base.touch("/w/f")
    seen.add(fs.generation())
    assert len(seen) == 3
    assert None not in seen
    assert Overlay(DiskFs()).generation() is None


def test_over_a_disk(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("disk")
    (tmp_path / "l").symlink_to("fresh")
    fs = Overlay(DiskFs(), [Edit.write(f"{tmp_path}/fresh", "edit"), Edit.delete(f"{tmp_path}/AGENTS.md")])
    assert fs.read(f"{tmp_path}/l", 9) == b"edit"
    assert fs.stat(f"{tmp_path}/AGENTS.md") is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["AGENTS.md", "l"]


def test_cancel_and_the_root() -> None:
    fs = Overlay(MemoryFs({"/w/f": {"text": "x"}}), [Edit.delete("/")])
    assert fs.stat("/") == Stat("directory")
    assert fs.stat("/w") is None
    assert fs.listdir("/") == ()
    with pytest.raises(Cancelled):
        fs.stat("/", lambda: True)
    with pytest.raises(Cancelled):
        fs.read("/", 1, lambda: True)


NAMES = ["a", "b", "c"]
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))
targets = st.one_of(
    paths, st.lists(st.sampled_from([*NAMES, "..", "."]), min_size=1, max_size=3).map("/".join), st.just("/")
)
edits = st.one_of(
    st.builds(Edit.write, paths, st.binary(max_size=2)),
    st.builds(Edit.delete, paths),
    st.builds(Edit.mkdir, paths),
    st.builds(Edit.symlink, paths, targets),
)


def real_place(history: History, time: int, path: str) -> str:
    """Where an edit of ``path`` lands: links above it followed, names that are nowhere taken as they are."""
    steps = [part for part in reversed(parent(path).split("/")) if part]
    here, followed = "/", 0
    while steps:
        found = history.at(time).stat(here)
        if found is not None and found.kind == "file":
            return path
        name = steps.pop()
        if name == "..":
            here = parent(here)
            continue
        target = history.at(time).readlink(join(here, name))
        if target is None:
            here = join(here, name)
            continue
        followed += 1
        if followed > 40:
            return path
        here = "/" if target.startswith("/") else here
        steps.extend(part for part in reversed(target.split("/")) if part not in ("", "."))
    return join(here, path.rpartition("/")[2])


def happen(history: History, time: int, edit: Edit) -> None:
    path = real_place(history, time, edit.path)
    if edit.op == "write":
        history.write(time, path, edit.data)
    elif edit.op == "symlink":
        history.symlink(time, path, edit.target)
    elif edit.op == "delete":
        history.delete(time, path)
    else:
        try:
            found = history.at(time).stat(path)
        except FsError:
            found = None
        if found is None or found.kind != "directory":
            history.mkdir(time, path)


def is_possible(history: History, edit: Edit) -> bool:
    """Whether a disk could hold it: nothing lies below a file or a link that leads nowhere."""
    path = real_place(history, 1, edit.path)
    while path != "/":
        path = parent(path)
        try:
            found = history.at(1).stat(path)
        except FsError:
            return False
        # A real place has no link above it: one that is left leads through a file, as in /f and /l -> /f/x.
        if (found is not None and found.kind == "file") or history.at(1).readlink(path) is not None:
            return False
    return True


def answers(fs: FileSystem, path: str) -> Any:
    try:
        found = fs.stat(path)
    except FsError:
        return "error"
    names = fs.listdir(path)
    if found is None or found.kind != "file":
        return (found, names)
    return (found.kind, found.size, found.link_target, fs.read(path, 9), names)


@settings(max_examples=int(os.environ.get("SCOPETRACE_LAWS") or 400))
@given(
    base=st.lists(edits, max_size=8), script=st.lists(edits, max_size=8), asked=st.lists(paths, min_size=1, max_size=9)
)
def test_an_overlay_equals_a_history_in_which_it_happened(
    base: list[Edit], script: list[Edit], asked: list[str]
) -> None:
    happened, before = History(), History()
    for history in (happened, before):
        for edit in base:
            if is_possible(history, edit):
                happen(history, 1, edit)
        # Directories of the base are real ones, as on a disk: they do not vanish with their last name.
        waiting = ["/"]
        while waiting:
            directory = waiting.pop()
            below = [e.name for e in history.at(1).listdir(directory) if e.kind == "directory"]
            for name in below:
                history.mkdir(1, join(directory, name))
                waiting.append(join(directory, name))
    overlay = Overlay(before.at(1))
    for edit in script:
        overlay.add(edit)
        happen(happened, 2, edit)
    for path in ["/", *asked, *(edit.path for edit in [*base, *script])]:
        assert answers(overlay, path) == answers(happened.at(2), path), path
