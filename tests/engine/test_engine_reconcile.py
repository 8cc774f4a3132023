"""Reconciliation: transitions, the version cache, held-back groups, the aggregate cap of a batch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_agent import Agent, moves, paths, text

from scopetrace.engine.operations import Reshaped, Resume
from scopetrace.engine.profile import PROFILE_0_2
from scopetrace.model import Outcome

FAILURES = ["stat", "notFound", "read"]


def session(**settings: int | None) -> Agent:
    """A session with a root file and a nested one in force."""
    agent = Agent({"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "nested"}, **settings)
    agent.context()
    agent.announced("a/f")
    assert paths(agent.state.pending[0]) == ["a/AGENTS.md"]
    agent.enter(2)
    agent.memory.reads.clear()
    return agent


# -- transitions


def test_a_change_without_a_touch_shows_at_the_next_step() -> None:
    agent = session()
    agent.memory.write("/w/a/AGENTS.md", "changed")
    agent.memory.write("/w/CLAUDE.md", "second")
    message = agent.context(3)
    assert moves(message) == [("set", "CLAUDE.md"), ("replace", "a/AGENTS.md")]
    assert "Updated instructions from: a/AGENTS.md" in text(message)


def test_removal_return_and_renewal() -> None:
    agent = session()
    agent.memory.delete("/w/a/AGENTS.md")
    assert moves(agent.context(3)) == [("remove", "a/AGENTS.md")]
    assert agent.context(4) is None
    agent.memory.write("/w/a/AGENTS.md", "nested")
    assert moves(agent.context(5)) == [("set", "a/AGENTS.md")]


@pytest.mark.parametrize("instead", ["directory", "dangling link", "link to a directory", "file above"])
def test_what_is_no_regular_file_any_more_is_a_removal(instead: str) -> None:
    agent = session()
    agent.memory.delete("/w/a/AGENTS.md")
    match instead:
        case "directory":
            agent.memory.mkdir("/w/a/AGENTS.md")
        case "dangling link":
            agent.memory.symlink("/w/a/AGENTS.md", "none")
        case "link to a directory":
            agent.memory.symlink("/w/a/AGENTS.md", "/w")
        case _:
            agent.memory.delete("/w/a")
            agent.memory.write("/w/a", "a file")
    assert moves(agent.context(3)) == [("remove", "a/AGENTS.md")]


def test_a_file_that_becomes_a_duplicate_is_withdrawn() -> None:
    agent = session()
    agent.memory.write("/w/a/CLAUDE.md", "other")
    assert moves(agent.context(3)) == [("set", "a/CLAUDE.md")]
    agent.memory.write("/w/a/CLAUDE.md", " nested\n")
    assert moves(agent.context(4)) == [("remove", "a/CLAUDE.md")]
    assert agent.context(5) is None


def test_white_space_alone_is_a_change() -> None:
    agent = session()
    agent.memory.write("/w/a/AGENTS.md", "nested\n")
    assert moves(agent.context(3)) == [("replace", "a/AGENTS.md")]


# -- version cache


def test_an_unchanged_version_spares_the_read() -> None:
    agent = session()
    assert agent.context(3) is None
    assert agent.memory.reads == []
    assert agent.outcomes("AGENTS.md") == [
        Outcome.PRESENT,
        Outcome.UNCHANGED_VERSION,
        Outcome.KEPT,
        Outcome.UNCHANGED,
    ]


def test_a_new_version_with_the_same_text_is_read_once_and_says_nothing() -> None:
    agent = session()
    agent.memory.touch("/w/AGENTS.md")
    assert agent.context(3) is None
    assert agent.context(4) is None
    assert agent.memory.reads == ["/w/AGENTS.md"]


def test_an_equal_version_hides_a_change() -> None:
    """Versions are the provider's word: what keeps its version is not read."""
    agent = session()
    agent.memory.write("/w/AGENTS.md", "hidden", keep_version=True)
    assert agent.context(3) is None
    assert agent.memory.reads == []


def test_a_fresh_instance_reads_once_more() -> None:
    agent = session()
    agent.do(Resume())
    assert agent.context(3) is None
    assert agent.memory.reads == ["/w/AGENTS.md", "/w/a/AGENTS.md"]
    assert agent.context(4) is None
    assert len(agent.memory.reads) == 2


def test_compaction_arms_a_nested_scope_again_for_a_touch_only() -> None:
    agent = session()
    agent.do(Reshaped(agent.state.visible[:1]))
    assert agent.context(3) is None
    assert moves(agent.announced("a/f")) == [("set", "a/AGENTS.md")]


def test_compaction_of_the_baseline_arms_the_next_step() -> None:
    agent = session()
    agent.do(Reshaped(()))
    message = agent.context(3)
    assert moves(message) == [("set", "AGENTS.md")]
    assert message is not None
    assert message.source.baseline


# -- maxTotalSourceBytes in a batch


def test_the_aggregate_cap_spans_a_batch() -> None:
    agent = session(maxTotalSourceBytes=12)
    agent.memory.write("/w/AGENTS.md", "0123456789")
    agent.memory.write("/w/a/AGENTS.md", "0123456789")
    assert moves(agent.context(3)) == [("replace", "AGENTS.md")]
    assert agent.decision(Outcome.OVER_AGGREGATE).facts == {"limit": 12, "left": 2, "size": 10}
    assert moves(agent.context(4)) == [("replace", "a/AGENTS.md")]  # the next batch has the whole cap


def test_files_of_an_unchanged_version_cost_nothing() -> None:
    agent = session(maxTotalSourceBytes=10)
    agent.memory.write("/w/a/AGENTS.md", "0123456789")
    assert moves(agent.context(3)) == [("replace", "a/AGENTS.md")]


def test_over_the_aggregate_is_temporary_and_holds_the_group_back() -> None:
    agent = session(maxTotalSourceBytes=12)
    agent.memory.write("/w/AGENTS.md", "0123456789")
    agent.memory.write("/w/CLAUDE.md", "0123456789a")
    assert agent.context(3) is None
    assert agent.outcomes("AGENTS.md")[-1] is Outcome.HELD_BACK
    assert agent.outcomes("CLAUDE.md")[-1] is Outcome.OVER_AGGREGATE
    agent.memory.delete("/w/CLAUDE.md")
    assert moves(agent.context(4)) == [("replace", "AGENTS.md")]


def test_a_held_back_group_has_spent_what_it_read() -> None:
    agent = session(maxTotalSourceBytes=12)
    agent.memory.write("/w/AGENTS.md", "01234567")
    agent.memory.write("/w/CLAUDE.md", "0123")
    agent.memory.fail("/w/AGENTS.local.md", "stat")
    agent.memory.write("/w/a/AGENTS.md", "a")
    assert agent.context(3) is None
    assert agent.outcomes("a/AGENTS.md")[-1] is Outcome.OVER_AGGREGATE


def test_without_an_aggregate_cap_only_single_files_are_bounded() -> None:
    agent = session(maxTotalSourceBytes=None, maxSourceBytes=10)
    agent.memory.write("/w/AGENTS.md", "0123456789")
    agent.memory.write("/w/a/AGENTS.md", "9876543210")
    assert moves(agent.context(3)) == [("replace", "AGENTS.md"), ("replace", "a/AGENTS.md")]


# -- holding back


@pytest.mark.parametrize("how", FAILURES)
@pytest.mark.parametrize("failing", ["AGENTS.md", "CLAUDE.md", "AGENTS.local.md"])
def test_one_unreadable_candidate_holds_its_group_back(how: str, failing: str) -> None:
    agent = session()
    for name in ("CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md"):
        agent.memory.write(f"/w/a/{name}", name)
    agent.memory.write("/w/AGENTS.md", "changed")
    agent.memory.touch(f"/w/a/{failing}")
    agent.memory.fail(f"/w/a/{failing}", how)  # type: ignore[arg-type]
    assert moves(agent.context(3)) == [("replace", "AGENTS.md")]  # another group goes on
    at = ["AGENTS.md", "CLAUDE.md", "AGENTS.local.md"].index(failing)
    ends = [agent.outcomes(f"a/{name}")[-1] for name in ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md")]
    failed = Outcome.READ_FAILED if how == "read" else Outcome.UNAVAILABLE
    assert ends == [Outcome.HELD_BACK] * at + [failed] + [Outcome.UNREACHED_IN_GROUP] * (2 - at)
    assert agent.outcomes("a/CLAUDE.local.md") == [Outcome.UNREACHED_IN_GROUP]
    agent.memory.heal(f"/w/a/{failing}")
    expect = [("set", f"a/{name}") for name in ("CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")]
    assert moves(agent.context(4)) == expect


def test_holding_back_restores_the_version_cache() -> None:
    agent = session()
    agent.memory.touch("/w/a/AGENTS.md")
    agent.memory.fail("/w/a/CLAUDE.md", "stat")
    before = dict(agent.state.versions)
    assert agent.context(3) is None
    assert dict(agent.state.versions) == before
    agent.context(4)
    assert agent.memory.reads == ["/w/a/AGENTS.md"] * 2  # read again, as its entry is the old one


def test_every_member_of_a_held_back_group_is_accounted_for() -> None:
    agent = session()
    agent.memory.mkdir("/w/a/CLAUDE.md")
    agent.memory.fail("/w/a/AGENTS.local.md", "stat")
    assert agent.context(3) is None
    ends = {
        name: agent.outcomes(f"a/{name}") for name in ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")
    }
    assert ends == {
        "AGENTS.md": [Outcome.PRESENT, Outcome.UNCHANGED_VERSION, Outcome.KEPT, Outcome.HELD_BACK],
        "CLAUDE.md": [Outcome.NOT_A_FILE],
        "AGENTS.local.md": [Outcome.UNAVAILABLE],
        "CLAUDE.local.md": [Outcome.UNREACHED_IN_GROUP],
    }
    held = agent.decision(Outcome.HELD_BACK, "a/AGENTS.md")
    assert held.facts == {"because": "a/AGENTS.local.md", "cause": "unavailable"}


def test_a_removal_is_held_back_too() -> None:
    agent = session()
    agent.memory.delete("/w/a/AGENTS.md")
    agent.memory.fail("/w/a/CLAUDE.md", "stat")
    assert agent.context(3) is None
    assert agent.outcomes("a/AGENTS.md") == [Outcome.ABSENT, Outcome.HELD_BACK]
    agent.memory.heal("/w/a/CLAUDE.md")
    assert moves(agent.context(4)) == [("remove", "a/AGENTS.md")]


def test_the_user_global_roots_are_held_back_together() -> None:
    agent = Agent({"/h/.dsh/AGENTS.md": "one", "/h/.agents/AGENTS.md": "two"})
    agent.context()
    agent.memory.write("/h/.dsh/AGENTS.md", "changed")
    agent.memory.fail("/h/.agents/AGENTS.md", "stat")
    assert agent.context(2) is None
    assert agent.outcomes("~/.dsh/AGENTS.md")[-1] is Outcome.HELD_BACK


# -- budget


def test_what_the_budget_swallows_is_tried_again() -> None:
    agent = session(maxBytes=420)
    agent.memory.write("/w/AGENTS.md", "x" * 300)
    agent.memory.write("/w/a/AGENTS.md", "y" * 150)
    assert moves(agent.context(3)) == [("replace", "a/AGENTS.md")]
    assert agent.outcomes("AGENTS.md")[-2:] == [Outcome.OMITTED, Outcome.NOT_REPRESENTED]
    assert moves(agent.context(4)) == [("replace", "AGENTS.md")]


def test_a_batch_that_represents_nothing_is_not_sent() -> None:
    agent = Agent({"/w/a/AGENTS.md": "nested"}, maxBytes=100)
    agent.context()
    assert agent.announced("a/f") is None
    assert agent.outcomes("a/AGENTS.md")[-2:] == [Outcome.NOTICE_ONLY, Outcome.NOT_REPRESENTED]


def test_an_empty_file_is_represented_by_its_heading() -> None:
    agent = session()
    agent.memory.write("/w/a/AGENTS.md", "")
    assert moves(agent.context(3)) == [("replace", "a/AGENTS.md")]
    assert agent.context(4) is None


def test_two_scopes_of_one_file_are_processed_once() -> None:
    """A root inside the project: its file is a project file, too, and belongs to whoever looks first."""
    agent = Agent({"/w/a/AGENTS.md": "both", "/w/AGENTS.md": "root"}, environ={"DSH_HOME": "/w/a"})
    assert paths(agent.context()) == ["$DSH_HOME/AGENTS.md", "AGENTS.md"]
    assert agent.announced("a/f") is None
    assert agent.outcomes("a/AGENTS.md") == [Outcome.PRESENT, Outcome.SAME_FILE]


def test_a_held_back_group_blocks_its_paths_for_later_groups() -> None:
    files: dict[str, str | bytes] = {"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "both"}
    blocked, released = (
        Agent(files, environ={"DSH_HOME": "/w/a"}, profile=replace(PROFILE_0_2, block_unreached_paths=block))
        for block in (True, False)
    )
    for agent in (blocked, released):
        agent.context()
        agent.memory.write("/w/a/AGENTS.md", "new")
        agent.memory.fail("/h/.agents/AGENTS.md", "stat")
    assert blocked.announced("a/f") is None
    assert moves(released.announced("a/f")) == [("set", "a/AGENTS.md")]
