"""Workspaces that somebody else made: special files and impossible names. Nothing hangs or is passed over."""

from __future__ import annotations

import inspect
import os
import socket
import sys
from pathlib import Path

import pytest
from looked import Looked

from scopetrace.model import Outcome
from scopetrace.replay.plain import open_workspace
from scopetrace.replay.tree import MAX_NESTING
from scopetrace.report import build
from scopetrace.report.text import show_lines
from scopetrace.workspace.memory import MemoryFs

# -- what is no regular file


def test_special_files_named_like_candidates_are_never_opened(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(ws / "AGENTS.md")
    (ws / "CLAUDE.md").mkdir()
    (ws / "AGENTS.local.md").symlink_to("/dev/zero")
    (ws / "s").mkdir()
    os.mkfifo(ws / "s" / "fifo")
    (ws / "s" / "AGENTS.md").symlink_to("fifo")
    (ws / "s" / "CLAUDE.md").symlink_to("..")
    monkeypatch.chdir(ws)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("CLAUDE.local.md")
        looked = Looked(ws, "s/x")
    for path in ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md", "s/AGENTS.md", "s/CLAUDE.md"):
        assert set(looked.outcomes(path)) == {Outcome.NOT_A_FILE}
    assert looked.told == ""


def test_the_marker_may_be_anything_and_the_working_directory_too(ws: Path) -> None:
    (ws / "inner").mkdir()
    os.mkfifo(ws / "inner" / ".git")
    (ws / "inner" / "AGENTS.md").write_text("# x\n")
    assert Looked(ws / "inner").view.frame(0).project_root == str(ws / "inner")


# -- names

NAMES = [
    b"new\nline",
    b"esc\x1b[31m\x1b]0;owned\x07",
    "\u202etxt.exe".encode(),
    "zero\u200bwidth\ufeff".encode(),
    b"bad\xff\xfeutf8",
    b"tab\tand\rreturn",
    b"back\\slash",
    b" leading and trailing ",
    b"-rf",
    b"~",
    b"$DSH_HOME",
    b"user-global",
    b"...",
    b"..foo",
    b"a" * 255,
    "é".encode() * 127,
    "e\u0301".encode(),
    b"[bold red]markup[tool.x]",
    b"<system-reminder>",
    b"`fence```",
    b"&lt;script&gt;",
]


@pytest.mark.parametrize("name", NAMES, ids=[str(number) for number in range(len(NAMES))])
def test_directories_of_any_name_are_shown_safely(name: bytes, ws: Path) -> None:
    directory = os.fsencode(ws) + b"/" + name
    os.mkdir(directory)
    with open(directory + b"/AGENTS.md", "w") as file:
        file.write("# inside\n")
    shown = os.fsdecode(name)
    looked = Looked(ws, f"{ws}/{shown}/x.py")
    found = [one for one in looked.candidates.values() if one.name == "AGENTS.md" and one.size == 9]
    assert len(found) == 1
    assert found[0].absolute_path == f"{ws}/{shown}/AGENTS.md"
    # The loader takes what begins with two dots for a place outside; everything else loads.
    assert found[0].outcome is (Outcome.NOT_REACHED if shown.startswith("..") else Outcome.LOADED)


def test_candidates_and_touches_with_impossible_names(ws: Path) -> None:
    (ws / "AGENTS.md").write_text("# x\n")
    long = "/".join(["d" * 250] * 20) + "/f"
    for touch in (
        "nul\0byte/x",
        "\ud800/x",
        "x" * 300 + "/y",
        long,
        "a/" * 300 + "f",
        "//",
        "..",
        "../../..//x",
        "\n",
    ):
        looked = Looked(ws, touch)
        assert "# x" in looked.told


def test_paths_of_four_thousand_bytes(ws: Path) -> None:
    here = os.open(ws, os.O_RDONLY)
    steps = []
    try:
        while len(os.fsencode(ws)) + sum(map(len, steps)) + len(steps) < 4300:
            name = f"{len(steps):03}" + "d" * 197
            os.mkdir(name, dir_fd=here)
            below = os.open(name, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
            steps.append(name)
            with open(os.open("AGENTS.md", os.O_CREAT | os.O_WRONLY, dir_fd=here), "w") as file:
                file.write(f"# level {len(steps)}\n")
    finally:
        os.close(here)
    looked = Looked(ws, "/".join(steps) + "/x.py")
    reached = [
        n for n in range(1, len(steps)) if len(os.fsencode(f"{ws}/{'/'.join(steps[:n])}/CLAUDE.local.md")) < 4096
    ]
    assert f"# level {reached[-1]}\n" in looked.told
    # Beyond PATH_MAX the system does not answer, and the reason is told.
    too_long = looked.first("/".join([*steps, "AGENTS.md"]), Outcome.UNAVAILABLE)
    assert "too long" in str(too_long.facts["reason"])


def test_more_levels_than_a_stack_has(ws: Path) -> None:
    def look(levels: int) -> None:
        fs = MemoryFs({str(ws / ".git"): {"dir": True}})
        for level in range(1, levels + 1):
            fs.write(f"{ws}/{'/'.join(['a'] * level)}/AGENTS.md", f"# {level}\n")
        view = open_workspace(ws, home="/nowhere", environ={}, fs=fs)
        document = build.show_doc(view, 0)
        assert document.scopes[-1].directory == "/".join(["a"] * levels)
        assert max(scope.depth for scope in document.scopes) == min(levels, MAX_NESTING + 1)
        assert len(list(show_lines(document))) > levels

    look(1)  # imports need a stack of their own
    usual = sys.getrecursionlimit()
    small = len(inspect.stack()) + 200  # work grows with the square of the levels, so a small stack shows it sooner
    sys.setrecursionlimit(small)
    try:
        look(small + 100)
    finally:
        sys.setrecursionlimit(usual)


def test_twins_that_differ_in_letter_case_only(ws: Path) -> None:
    for number, name in enumerate(("agents.md", "Agents.md", "AGENTS.MD", "AGENTS.md")):
        (ws / name).write_text(f"# twin {number}\n")
    looked = Looked(ws)
    assert "# twin 3" in looked.told
    assert looked.told.count("# twin") == 1
    (ws / "AGENTS.md").unlink()
    assert Looked(ws).outcomes("AGENTS.md") == [Outcome.ABSENT]
