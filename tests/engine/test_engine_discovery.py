"""Where a baseline looks, in which order, and what makes a directory the project root."""

from __future__ import annotations

import pytest
from engine_agent import Agent, moves, paths

from scopetrace.engine.discovery import find_project_root
from scopetrace.engine.profile import PROFILE_0_1
from scopetrace.model import Outcome
from scopetrace.workspace.memory import MemoryFs

NAMES = ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")


def test_from_broad_to_specific_and_bases_before_overlays() -> None:
    files: dict[str, str | bytes] = {
        f"{directory}/{name}": f"{directory}/{name}"
        for directory in ("/h/.agents", "/h/.dsh", "/w", "/w/a", "/w/a/b", "/w/a/b/c", "/w/x", "/")
        for name in reversed(NAMES)
    }
    agent = Agent(files, cwd="/w/a/b")
    assert paths(agent.context()) == [
        "~/.dsh/AGENTS.md",
        "~/.agents/AGENTS.md",
        *(f"{directory}{name}" for directory in ("", "a/", "a/b/") for name in NAMES),
    ]


def test_user_global_roots_have_one_name_and_no_overlay() -> None:
    files: dict[str, str | bytes] = {f"/h/.dsh/{name}": name for name in NAMES[1:]}
    agent = Agent({**files, "/h/.agents/CLAUDE.md": "x"})
    assert agent.context() is None
    assert agent.decisions[-1].outcome is Outcome.NOTHING_TO_LOAD


@pytest.mark.parametrize(
    ("marker", "files", "root"),
    [
        (".git", {"/w/.git/HEAD": {"text": "x"}}, "/w"),
        (".git", {"/w/.git": {"text": "gitdir: elsewhere"}}, "/w"),
        (".git", {"/w/.git": {"symlink": "/r"}, "/r": {"dir": True}}, "/w"),
        (".git", {"/w/.git": {"symlink": "nowhere"}}, "/w/a/b"),
        (".git", {"/.git": {"dir": True}, "/w/a/.git": {"dir": True}}, "/w/a"),
        ("tools/root", {"/w/tools/root": {"text": ""}}, "/w"),
        ("", {}, "/w/a/b"),
        (".", {}, "/w/a/b"),
        ("..", {}, "/w/a/b"),
        ("none", {}, "/w/a/b"),
    ],
)
def test_any_existing_marker_ends_the_walk(marker: str, files: dict[str, dict[str, object]], root: str) -> None:
    fs = MemoryFs({"/w/a/b/f": {"text": ""}, **files})
    found, by = find_project_root(fs, "/w/a/b", [marker])
    assert found == root
    assert by == (None if root == "/w/a/b" and marker in ("none", ".git") else marker)


def test_the_nearest_directory_wins_over_the_first_marker() -> None:
    fs = MemoryFs({"/w/.git": {"dir": True}, "/w/a/go.mod": {"text": ""}, "/w/a/b/f": {"text": ""}})
    assert find_project_root(fs, "/w/a/b", [".git", "go.mod"]) == ("/w/a", "go.mod")
    assert find_project_root(fs, "/w/a/b", []) == ("/w/a/b", None)


def test_without_a_marker_the_working_directory_is_the_root() -> None:
    agent = Agent({"/x/AGENTS.md": "above", "/x/y/AGENTS.md": "here"}, cwd="/x/y")
    assert paths(agent.context()) == ["AGENTS.md"]
    assert agent.decision(Outcome.NO_MARKER).facts["root"] == "/x/y"


def test_a_failing_marker_fails_the_pre_step_and_a_projection_warns() -> None:
    agent = Agent({"/w/AGENTS.md": "text", "/w/a/AGENTS.md": "nested"})
    agent.memory.fail("/w/.git", "stat")
    assert agent.enter().error == "/w/.git: probe failed"
    assert [decision.outcome for decision in agent.decisions] == [Outcome.MARKER_UNAVAILABLE, Outcome.PASS_FAILED]
    assert agent.touch("a/f").warnings == ("/w/.git: probe failed",)
    assert agent.memory.reads == []
    agent.memory.heal("/w/.git")
    assert paths(agent.context()) == ["AGENTS.md"]


def test_the_provider_s_not_found_error_counts_as_absence_of_a_marker() -> None:
    agent = Agent({"/.git/HEAD": "x", "/AGENTS.md": "top"})
    agent.memory.fail("/w/.git", "notFound")
    assert paths(agent.context()) == ["AGENTS.md"]
    assert agent.decision(Outcome.MARKER_FOUND).facts["root"] == "/"


def test_one_file_under_two_names_of_a_chain_is_loaded_once() -> None:
    """The home is the project root: the label comes first, the project path is the same file."""
    agent = Agent({"/w/AGENTS.md": "text"}, environ={"DSH_HOME": "/w"})
    assert paths(agent.context()) == ["$DSH_HOME/AGENTS.md"]
    assert agent.outcomes("AGENTS.md") == [Outcome.SAME_FILE]
    assert agent.decision(Outcome.SAME_FILE).facts == {"other": "$DSH_HOME/AGENTS.md"}


def test_equal_roots_are_one_file() -> None:
    agent = Agent({"/conf/AGENTS.md": "text"}, environ={"DSH_HOME": "/conf", "DSH_AGENTS_HOME": "/conf/."})
    assert paths(agent.context()) == ["$DSH_HOME/AGENTS.md"]
    assert agent.memory.reads == ["/conf/AGENTS.md"]


def test_a_project_directory_named_like_a_root_is_spelt_apart() -> None:
    agent = Agent({"/w/user-global/AGENTS.md": "mine", "/h/.dsh/AGENTS.md": "home"}, cwd="/w/user-global")
    message = agent.context()
    assert paths(message) == ["~/.dsh/AGENTS.md", "./user-global/AGENTS.md"]
    assert message is not None
    assert [change.scope for change in message.source.changes or ()] == [
        "user-global\0AGENTS.md",
        "./user-global\0AGENTS.md",
    ]


def test_profile_0_1_knows_one_root() -> None:
    agent = Agent({"/h/.agents/AGENTS.md": "shared", "/h/.dsh/AGENTS.md": "own"}, profile=PROFILE_0_1)
    assert paths(agent.context()) == ["~/.dsh/AGENTS.md"]
    assert not any(decision.absolute_path.startswith("/h/.agents") for decision in agent.decisions)


def test_a_touch_discovers_every_directory_on_its_way() -> None:
    agent = Agent(
        {"/w/a/AGENTS.md": "a", "/w/a/b/c/CLAUDE.md": "c", "/w/a/b/c/d/AGENTS.md": "d", "/w/x/AGENTS.md": "x"}
    )
    agent.context()
    assert moves(agent.announced("a/b/c/f")) == [("set", "a/AGENTS.md"), ("set", "a/b/c/CLAUDE.md")]


@pytest.mark.parametrize("path", ["/x/f", "../x/f", "/w/..a/f", "..a/f", "/wx/f"])
def test_a_touch_outside_of_the_working_directory_discovers_nothing(path: str) -> None:
    agent = Agent({"/x/AGENTS.md": "x", "/w/..a/AGENTS.md": "dots", "/wx/AGENTS.md": "near"})
    assert agent.announced(path) is None
    assert agent.decision(Outcome.TOUCH_OUTSIDE).facts == {"touched": path, "cwd": "/w"}
    assert agent.memory.reads == []


def test_a_touch_directly_below_the_working_directory_reaches_nothing_new() -> None:
    agent = Agent({"/w/AGENTS.md": "text"})
    agent.context()
    assert agent.announced("f") is None
    assert not any(decision.outcome is Outcome.TOUCH_OUTSIDE for decision in agent.decisions)
