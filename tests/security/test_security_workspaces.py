"""Workspaces that somebody else made: links, special files, impossible names. Nothing hangs or is passed over."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scopetrace.cli import main
from scopetrace.model import CandidateState, Decision, Outcome
from scopetrace.replay.plain import open_workspace
from scopetrace.replay.tree import ENTRY_LIMIT, MAX_NESTING, WALK_LIMIT
from scopetrace.replay.whatif import candidates
from scopetrace.report import build
from scopetrace.report.html import timeline_html
from scopetrace.report.json_text import to_json
from scopetrace.report.parts import info_doc
from scopetrace.report.text import show_lines
from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import Cancel, Entry, FsError, Stat
from scopetrace.workspace.memory import MemoryFs

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A project with a marker; ``outside`` lies beside it."""
    (tmp_path / "ws" / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "outside" / "sub").mkdir(parents=True)
    (tmp_path / "outside" / "AGENTS.md").write_text("# from outside\n")
    (tmp_path / "outside" / "sub" / "AGENTS.md").write_text("# from further outside\n")
    return tmp_path / "ws"


class Looked:
    """A workspace opened, with one touch or more, looked at from every side."""

    def __init__(self, ws: Path, *touches: str, fs: Any = None, follow_outside: bool = True) -> None:
        home = str(ws.parent / "home")
        self.view = open_workspace(ws, home=home, environ={}, touches=touches, fs=fs, follow_outside=follow_outside)
        self.last = len(self.view) - 1
        for index in range(len(self.view)):
            document = build.show_doc(self.view, index)
            to_json(document).encode("ascii")
            for item in show_lines(document, decisions=True, text=True):
                assert item.text.isprintable() or item.text == "", item.text
        "".join(
            timeline_html(info_doc(self.view.info), build.telling_frames(self.view), build.totals_doc(self.view))
        ).encode()
        self.decisions: list[Decision] = [
            one for index in range(len(self.view)) for one in self.view.frame(index).decisions
        ]

    @property
    def candidates(self) -> dict[str, CandidateState]:
        return {one.path: one for one in candidates(self.view.tree(self.last))}

    def outcomes(self, path: str) -> list[Outcome]:
        return [one.outcome for one in self.decisions if one.path == path]

    def first(self, path: str, outcome: Outcome) -> Decision:
        return next(one for one in self.decisions if one.path == path and one.outcome is outcome)

    @property
    def told(self) -> str:
        """All text that the model would be given."""
        return "\n".join(
            block for i in range(len(self.view)) for one in self.view.frame(i).messages for block in one.blocks
        )


# -- links


def test_a_link_out_of_the_root_is_followed_and_flagged(ws: Path) -> None:
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    looked = Looked(ws)
    present = looked.first("AGENTS.md", Outcome.PRESENT)
    assert present.facts["crosses"] is True
    assert present.facts["link"] == str(ws.parent / "outside" / "AGENTS.md")
    state = looked.candidates["AGENTS.md"]
    assert state.outcome is Outcome.LOADED
    assert state.facts["crosses"] is True
    assert "# from outside" in looked.told


def test_a_linked_directory_out_of_the_root_is_followed_and_flagged(ws: Path) -> None:
    (ws / "lib").symlink_to("../outside/sub")
    looked = Looked(ws, "lib/x.py")
    present = looked.first("lib/AGENTS.md", Outcome.PRESENT)
    assert present.facts["crosses"] is True
    assert present.facts["link"] == str(ws.parent / "outside" / "sub" / "AGENTS.md")
    assert looked.candidates["lib/AGENTS.md"].facts["crosses"] is True
    assert "# from further outside" in looked.told


def test_a_link_that_nobody_reached_yet_is_flagged_too(ws: Path) -> None:
    (ws / "deep").mkdir()
    (ws / "deep" / "CLAUDE.md").symlink_to(ws.parent / "outside" / "AGENTS.md")
    state = Looked(ws).candidates["deep/CLAUDE.md"]
    assert state.outcome is Outcome.NOT_REACHED
    assert state.facts["crosses"] is True


def test_links_that_stay_inside_are_not_flagged(ws: Path) -> None:
    (ws / "a").mkdir()
    (ws / "a" / "AGENTS.md").write_text("# a\n")
    (ws / "b").symlink_to("a")
    (ws / "AGENTS.md").symlink_to("b/AGENTS.md")
    looked = Looked(ws, "b/x")
    for path in ("AGENTS.md", "b/AGENTS.md"):
        present = looked.first(path, Outcome.PRESENT)
        assert present.facts["crosses"] is False
        assert present.facts["link"] == str(ws / "a" / "AGENTS.md")


def test_a_root_that_is_reached_by_a_link_is_no_way_out(ws: Path) -> None:
    (ws / "AGENTS.md").write_text("# x\n")
    (ws / "CLAUDE.md").symlink_to("AGENTS.md")
    (ws / "AGENTS.local.md").symlink_to(ws / "AGENTS.md")
    alias = ws.parent / "alias"
    alias.symlink_to("ws")
    looked = Looked(alias)
    assert looked.first("AGENTS.md", Outcome.PRESENT).facts["link"] == ""
    assert looked.first("CLAUDE.md", Outcome.PRESENT).facts["crosses"] is False
    assert looked.first("AGENTS.local.md", Outcome.PRESENT).facts["crosses"] is False


def test_both_reports_flag_the_way_out(ws: Path, capsys: Captured) -> None:
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    document = build.show_doc(Looked(ws).view, 0)
    shown = "\n".join(item.text for item in show_lines(document, decisions=True))
    assert "▲ link out of the root" in shown
    assert "▲ the link leaves the project root" in shown
    assert '"crosses": true' in to_json(document) or '"crosses":true' in to_json(document)


def test_following_can_be_refused_and_the_refusal_is_said(ws: Path) -> None:
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    (ws / "lib").symlink_to("../outside/sub")
    (ws / "CLAUDE.md").write_text("# from inside\n")
    looked = Looked(ws, "lib/x", follow_outside=False)
    for path in ("AGENTS.md", "lib/AGENTS.md"):
        reason = str(looked.first(path, Outcome.UNAVAILABLE).facts["reason"])
        assert reason == f"link leaves {ws}, refused"
    assert "outside" not in looked.told
    assert "# from inside" in looked.told
    assert looked.view.info.notes == (f"links that leave {ws} are refused (--no-follow-outside)",)


def test_the_boundary_is_the_project_root_and_not_where_the_session_began(ws: Path) -> None:
    (ws / "app").mkdir()
    (ws / "RULES.md").write_text("# of the project\n")
    (ws / "app" / "AGENTS.md").symlink_to("../RULES.md")
    looked = Looked(ws / "app", follow_outside=False)
    assert "# of the project" in looked.told


def test_a_refused_link_stays_refused_below_supposed_edits(ws: Path) -> None:
    from scopetrace.workspace.overlay import Edit, Overlay

    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    (ws / "lib").symlink_to("../outside/sub")
    fs = Overlay(DiskFs(follow_outside=False, boundary=str(ws)), [Edit.write(f"{ws}/x", "y")])
    for path in ("AGENTS.md", "lib/AGENTS.md"):
        with pytest.raises(FsError, match="refused"):
            fs.stat(f"{ws}/{path}")
        with pytest.raises(FsError, match="refused"):
            fs.read(f"{ws}/{path}", 10)


@pytest.mark.parametrize("first", ["flag", "command"])
def test_the_option_is_known_to_the_command_line(first: str, tmp_path: Path, capsys: Captured, ws: Path) -> None:
    log = tmp_path / "session.v4.jsonl"
    header = {"type": "session", "version": 4, "id": "s", "createdAt": 1, "cwd": str(ws)}
    rows = [
        {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}},
        {"type": "step/start", "seq": 1, "time": 2, "data": {"turn": 1, "step": 1}},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in (header, *rows)))
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    given = ["show", f"{log}@1", "--home", str(tmp_path / "home"), "--decisions"]
    assert main(given) == 0
    followed = capsys.readouterr().out
    assert "▲ the link leaves the project root" in followed
    assert main(["--no-follow-outside", *given] if first == "flag" else [*given, "--no-follow-outside"]) == 0
    refused = capsys.readouterr().out
    assert f"link leaves {ws}, refused" in refused
    assert "--no-follow-outside" in refused


def test_a_bundle_reads_no_file_of_this_disk_so_nothing_is_refused(capsys: Captured) -> None:
    bundle = str(Path(__file__).parents[1] / "recordings" / "demo-monorepo")
    assert main(["audit", bundle, "--no-follow-outside"]) == 0
    capsys.readouterr()
    assert main(["--no-follow-outside", bundle]) == 0
    assert "nothing to refuse" in capsys.readouterr().out


def test_loops_and_long_chains(ws: Path) -> None:
    (ws / "AGENTS.md").symlink_to("AGENTS.md")
    (ws / "CLAUDE.md").symlink_to("AGENTS.local.md")
    (ws / "AGENTS.local.md").symlink_to("CLAUDE.md")
    (ws / "CLAUDE.local.md").symlink_to("nowhere")
    (ws / "loop").symlink_to(".")
    (ws / "up").symlink_to("..")
    (ws / "long").mkdir()
    (ws / "long" / "0").write_text("# end of the chain\n")
    for number in range(1, 200):
        (ws / "long" / str(number)).symlink_to(str(number - 1))
    (ws / "long" / "AGENTS.md").symlink_to("20")
    (ws / "long" / "CLAUDE.md").symlink_to("199")
    looked = Looked(ws, "long/x", "loop/loop/loop/x", "up/ws/x")
    for path in ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md"):
        assert "symbolic links" in str(looked.first(path, Outcome.UNAVAILABLE).facts["reason"])
    assert looked.outcomes("CLAUDE.local.md")[0] is Outcome.ABSENT
    assert looked.outcomes("long/AGENTS.md")[0] is Outcome.PRESENT
    assert looked.outcomes("loop/loop/loop/AGENTS.md")[0] is Outcome.UNAVAILABLE


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
    levels = sys.getrecursionlimit() + 100
    fs = MemoryFs({str(ws / ".git"): {"dir": True}})
    for level in range(1, levels + 1):
        fs.write(f"{ws}/{'/'.join(['a'] * level)}/AGENTS.md", f"# {level}\n")
    view = open_workspace(ws, home="/nowhere", environ={}, fs=fs)
    document = build.show_doc(view, 0)
    deepest = "/".join(["a"] * levels)
    assert document.scopes[-1].directory == deepest
    assert max(scope.depth for scope in document.scopes) == MAX_NESTING + 1
    assert len(list(show_lines(document))) > levels


def test_twins_that_differ_in_letter_case_only(ws: Path) -> None:
    for number, name in enumerate(("agents.md", "Agents.md", "AGENTS.MD", "AGENTS.md")):
        (ws / name).write_text(f"# twin {number}\n")
    looked = Looked(ws)
    assert "# twin 3" in looked.told
    assert looked.told.count("# twin") == 1
    (ws / "AGENTS.md").unlink()
    assert Looked(ws).outcomes("AGENTS.md") == [Outcome.ABSENT]


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
