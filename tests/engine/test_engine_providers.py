"""The loader over a real disk: links, special files, refusals, end to end through the engine."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from engine_agent import Agent, moves, paths, text

from scopetrace.model import Outcome
from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import FileSystem
from scopetrace.workspace.passcache import PassCache


class Project:
    """A project on disk (``.git``, a home beside it) and an agent in it."""

    def __init__(self, folder: Path, fs: Callable[[], FileSystem]) -> None:
        self.root = folder / "w"
        self.home = folder / "h"
        (self.root / ".git").mkdir(parents=True)
        self.home.mkdir()
        self.fs = fs()
        self.agent = Agent(fs=self.fs, cwd=str(self.root), home=str(self.home))

    def write(self, path: str, data: str | bytes = "text") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        return file

    def link(self, path: str, target: str | Path) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(target)

    def enter(self, number: int = 1) -> Any:
        if isinstance(self.fs, PassCache):
            self.fs.fresh()
        return self.agent.context(number)

    def touch(self, path: str) -> Any:
        if isinstance(self.fs, PassCache):
            self.fs.fresh()
        return self.agent.announced(path)


@pytest.fixture(params=[DiskFs, lambda: PassCache(DiskFs())], ids=["disk", "disk listed once a pass"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    return Project(tmp_path, request.param)


def test_a_session_on_disk(project: Project) -> None:
    project.write("AGENTS.md", "root")
    project.write("a/CLAUDE.md", "nested")
    (project.home / ".dsh").mkdir()
    (project.home / ".dsh" / "AGENTS.md").write_text("mine")
    assert paths(project.enter()) == ["~/.dsh/AGENTS.md", "AGENTS.md"]
    assert moves(project.touch("a/f")) == [("set", "a/CLAUDE.md")]
    assert project.enter(2) is None
    project.write("AGENTS.md", "other")
    os.utime(project.root / "AGENTS.md", ns=(1, 1))
    (project.root / "a" / "CLAUDE.md").unlink()
    assert moves(project.enter(3)) == [("replace", "AGENTS.md"), ("remove", "a/CLAUDE.md")]


# -- links


def test_a_link_to_a_file_loads_its_target(project: Project) -> None:
    project.write("docs/rules.md", "linked")
    project.link("AGENTS.md", "docs/rules.md")
    assert "\n\nlinked\n" in text(project.enter())
    present = project.agent.decision(Outcome.PRESENT, "AGENTS.md")
    assert present.facts["link"] == os.path.realpath(project.root / "docs/rules.md")
    assert present.facts["crosses"] is False


def test_a_link_out_of_the_project_is_followed_and_flagged(project: Project, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("from outside")
    project.link("AGENTS.md", "../outside.md")
    assert "from outside" in text(project.enter())
    assert project.agent.decision(Outcome.PRESENT, "AGENTS.md").facts["crosses"] is True


@pytest.mark.parametrize("target", ["docs", "."])
def test_a_link_to_a_directory_is_absence(project: Project, target: str) -> None:
    project.write("docs/x")
    project.link("AGENTS.md", target)
    assert project.enter() is None
    assert project.agent.decision(Outcome.NOT_A_FILE).facts["kind"] == "directory"


def test_a_dangling_link_is_absence_and_loads_when_its_target_comes(project: Project) -> None:
    project.link("AGENTS.md", "later.md")
    assert project.enter() is None
    assert project.agent.outcomes("AGENTS.md") == [Outcome.ABSENT]
    project.write("later.md", "late")
    assert "late" in text(project.enter(2))


def test_a_link_through_a_file_is_absence(project: Project) -> None:
    project.write("file")
    project.link("AGENTS.md", "file/below")
    assert project.enter() is None
    assert project.agent.outcomes("AGENTS.md") == [Outcome.ABSENT]


def test_a_loop_is_no_proof_of_absence(project: Project) -> None:
    project.write("CLAUDE.md")
    project.link("AGENTS.md", "other")
    project.link("other", "AGENTS.md")
    assert paths(project.enter()) == ["CLAUDE.md"]
    assert "ELOOP" in str(project.agent.decision(Outcome.UNAVAILABLE).facts["reason"])


@pytest.mark.parametrize("length", [40, 41])
def test_chains_of_links_are_followed_forty_times(project: Project, length: int) -> None:
    """The kernel draws the line where the loader's provider does."""
    project.write("end.md", "reached")
    for number in range(1, length):
        project.link(f"chain{number}", f"chain{number + 1}" if number + 1 < length else "end.md")
    project.link("AGENTS.md", "chain1")
    message = project.enter()
    if length == 40:
        assert "reached" in text(message)
    else:
        assert message is None
        assert project.agent.outcomes("AGENTS.md") == [Outcome.UNAVAILABLE]


def test_a_link_that_turns_into_a_loop_withdraws_nothing(project: Project) -> None:
    project.write("rules.md", "rules")
    project.link("AGENTS.md", "rules.md")
    project.enter()
    (project.root / "rules.md").unlink()
    project.link("rules.md", "AGENTS.md")
    assert project.enter(2) is None
    (project.root / "rules.md").unlink()
    assert moves(project.enter(3)) == [("remove", "AGENTS.md")]


def test_a_linked_directory_is_walked_under_its_own_name(project: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "AGENTS.md").write_text("there")
    project.link("a", "../elsewhere")
    project.enter()
    assert paths(project.touch("a/f")) == ["a/AGENTS.md"]


def test_a_link_reports_its_target_s_version(project: Project) -> None:
    project.write("rules.md", "rules")
    project.link("AGENTS.md", "rules.md")
    project.enter()
    project.write("rules.md", "other")
    os.utime(project.root / "rules.md", ns=(1, 1))
    assert moves(project.enter(2)) == [("replace", "AGENTS.md")]


# -- what is no regular file


def test_a_directory_named_like_a_candidate_is_absence(project: Project) -> None:
    project.write("AGENTS.md/inside")
    project.write("CLAUDE.md")
    assert paths(project.enter()) == ["CLAUDE.md"]
    assert project.agent.outcomes("AGENTS.md") == [Outcome.NOT_A_FILE]


@pytest.fixture
def special(project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Makes ``AGENTS.md`` a FIFO or a socket."""
    servers: list[socket.socket] = []

    def make(kind: str) -> None:
        if kind == "fifo":
            os.mkfifo(project.root / "AGENTS.md")
            return
        monkeypatch.chdir(project.root)  # a short relative name: socket paths are limited to about 100 bytes
        servers.append(socket.socket(socket.AF_UNIX))
        servers[-1].bind("AGENTS.md")

    yield make
    for server in servers:
        server.close()


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_a_fifo_or_socket_is_absence_and_is_never_opened(
    project: Project, special: Callable[[str], None], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *args, **options: opened.append(path) or real(path, *args, **options))
    special(kind)
    project.write("CLAUDE.md")
    assert paths(project.enter()) == ["CLAUDE.md"]
    assert project.agent.decision(Outcome.NOT_A_FILE).facts["kind"] == "other"
    assert not [path for path in opened if str(path).endswith("AGENTS.md")]


def test_a_file_that_becomes_a_fifo_is_withdrawn(project: Project) -> None:
    project.write("AGENTS.md")
    project.enter()
    (project.root / "AGENTS.md").unlink()
    os.mkfifo(project.root / "AGENTS.md")
    assert moves(project.enter(2)) == [("remove", "AGENTS.md")]


# -- refusals (injected: tests may run as root, whom nothing is refused)


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Path], None]:
    """``refuse(function, path)``: permission denied there, as for a user without rights."""

    def install(function: str, path: Path) -> None:
        real = getattr(os, function)

        def patched(asked: Any, *args: Any, **options: Any) -> Any:
            if asked == str(path):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), asked)
            return real(asked, *args, **options)

        monkeypatch.setattr(os, function, patched)

    return install


def test_permission_denied_while_probing_is_no_proof_of_absence(
    project: Project, refuse: Callable[[str, Path], None]
) -> None:
    project.write("CLAUDE.md")
    refuse("lstat", project.write("AGENTS.md"))
    assert paths(project.enter()) == ["CLAUDE.md"]
    unavailable = project.agent.decision(Outcome.UNAVAILABLE)
    assert unavailable.path == "AGENTS.md"
    assert unavailable.facts["reason"] == "permission denied (EACCES)"


def test_permission_denied_while_reading_leaves_what_was_loaded(
    project: Project, refuse: Callable[[str, Path], None]
) -> None:
    project.write("AGENTS.md", "before")
    project.enter()
    refuse("open", project.write("AGENTS.md", "after, longer"))
    assert project.enter(2) is None
    failed = project.agent.decision(Outcome.READ_FAILED)
    assert (failed.path, failed.facts["reason"]) == ("AGENTS.md", "permission denied (EACCES)")
    assert [change.path for change in project.agent.state.fold.changes.values()] == ["AGENTS.md"]


def test_a_failing_marker_on_disk_fails_the_step(project: Project, refuse: Callable[[str, Path], None]) -> None:
    refuse("lstat", project.root / ".git")
    result = project.agent.enter()
    assert result.error == f"{project.root}/.git: permission denied (EACCES)"


def test_a_boundary_that_links_must_not_leave_is_temporary_unavailability(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("from outside")
    root = str(tmp_path / "w")
    project = Project(tmp_path, lambda: DiskFs(follow_outside=False, boundary=root))
    project.link("AGENTS.md", "../outside.md")
    project.write("CLAUDE.md")
    assert paths(project.enter()) == ["CLAUDE.md"]
    assert "refused" in str(project.agent.decision(Outcome.UNAVAILABLE).facts["reason"])


# -- names and bytes


def test_odd_names_are_directories_like_any_other(project: Project) -> None:
    for number, name in enumerate(["with space", "路径", "a\nb", "</system-reminder>", "..x", "~", "$DSH_HOME"]):
        project.write(f"sub/{name}/AGENTS.md", f"text {number}")
    project.enter()
    for name in ["with space", "路径", "a\nb", "</system-reminder>", "..x", "~", "$DSH_HOME"]:
        assert f"sub/{name}/AGENTS.md" in paths(project.touch(f"sub/{name}/f"))


def test_nothing_on_disk_is_changed(project: Project) -> None:
    project.write("AGENTS.md", "root")
    project.write("a/AGENTS.md", "nested")

    def listing() -> list[tuple[str, int, int]]:
        return [
            (str(path), path.lstat().st_mtime_ns, path.lstat().st_ctime_ns) for path in sorted(project.root.rglob("*"))
        ]

    before = listing()
    project.enter()
    project.touch("a/f")
    project.enter(2)
    assert listing() == before
