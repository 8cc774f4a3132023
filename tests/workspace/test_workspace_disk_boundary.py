"""Links that leave a boundary are refused where that is asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import FsError, Stat


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    inside, outside = tmp_path / "w", tmp_path / "secret"
    (inside / "sub").mkdir(parents=True)
    outside.mkdir()
    (inside / "AGENTS.md").write_text("inside")
    (outside / "key").write_text("outside")
    (inside / "near").symlink_to("AGENTS.md")
    (inside / "round").symlink_to("../w/sub/../AGENTS.md")
    (inside / "far").symlink_to(outside / "key")
    (inside / "dir").symlink_to("../secret")
    (inside / "hop").symlink_to("far")
    (inside / "dangling").symlink_to("../nowhere")
    return tmp_path


def guarded(tree: Path) -> DiskFs:
    return DiskFs("the workspace", follow_outside=False, boundary=str(tree / "w"))


@pytest.mark.parametrize("name", ["far", "hop", "dir", "dir/key", "dir/none", "dangling"])
def test_leaving_is_refused(tree: Path, name: str) -> None:
    fs, path = guarded(tree), f"{tree}/w/{name}"
    with pytest.raises(FsError) as caught:
        fs.stat(path)
    assert caught.value.reason == f"link leaves {tree}/w, refused"
    with pytest.raises(FsError, match="refused"):
        fs.read(path, 9)
    assert fs.listdir(path) == ()
    assert fs.scan(path) is None


def test_staying_is_not(tree: Path) -> None:
    fs = guarded(tree)
    assert fs.read(f"{tree}/w/AGENTS.md", 9) == b"inside"
    assert fs.read(f"{tree}/w/near", 9) == b"inside"
    assert fs.read(f"{tree}/w/round", 9) == b"inside"
    assert fs.stat(f"{tree}/w/none") is None
    assert fs.stat(f"{tree}/w/sub") == Stat("directory")
    assert [entry.name for entry in fs.listdir(f"{tree}/w/sub")] == []


def test_outside_paths_and_unguarded_links_are_answered(tree: Path) -> None:
    assert guarded(tree).read(f"{tree}/secret/key", 9) == b"outside"
    assert DiskFs(boundary=str(tree / "w")).read(f"{tree}/w/hop", 9) == b"outside"
    assert DiskFs().stat(f"{tree}/w/dangling") is None


def test_a_boundary_that_is_itself_reached_by_a_link(tree: Path) -> None:
    (tree / "alias").symlink_to("w")
    fs = DiskFs(follow_outside=False, boundary=str(tree / "alias"))
    assert fs.read(f"{tree}/alias/near", 9) == b"inside"
    with pytest.raises(FsError, match="refused"):
        fs.stat(f"{tree}/alias/far")


@pytest.mark.parametrize("swapped", ["sub", "sub/AGENTS.md"])
def test_a_link_put_in_place_while_opening_is_not_followed(
    tree: Path, swapped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "w/sub/AGENTS.md").write_text("inside")
    (tree / "secret/AGENTS.md").write_text("outside")
    victim, real = tree / "w" / swapped, os.open

    def swap(path: Any, *args: Any, **options: Any) -> int:
        if not victim.is_symlink():
            victim.rename(tree / "aside")
            victim.symlink_to(tree / "secret" if swapped == "sub" else tree / "secret/AGENTS.md")
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", swap)
    with pytest.raises(FsError, match="changed while it was being opened"):
        guarded(tree).read(f"{tree}/w/sub/AGENTS.md", 9)


def test_a_guard_needs_a_boundary() -> None:
    with pytest.raises(ValueError, match="boundary"):
        DiskFs(follow_outside=False)
