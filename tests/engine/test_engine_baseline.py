"""Composing a complete baseline: the aggregate cap, duplicates, what stays out, what is replaced."""

from __future__ import annotations

import pytest
from engine_agent import Agent, moves, paths, text

from scopetrace.engine.profile import PROFILE_0_2, PROFILE_NEXT
from scopetrace.engine.sections import EMPTY_REPLACEMENT_INTRO, REPLACEMENT_INTRO
from scopetrace.model import Outcome

FIVE: dict[str, str | bytes] = {
    "/h/.dsh/AGENTS.md": "1234",
    "/w/AGENTS.md": "5678",
    "/w/CLAUDE.md": "too long",
    "/w/AGENTS.local.md": "90",
    "/w/CLAUDE.local.md": "",
}


# -- maxTotalSourceBytes


def test_the_aggregate_cap_is_spent_in_loading_order() -> None:
    agent = Agent(FIVE, maxTotalSourceBytes=10)
    assert paths(agent.context()) == ["~/.dsh/AGENTS.md", "AGENTS.md", "AGENTS.local.md"]
    assert agent.memory.reads == ["/h/.dsh/AGENTS.md", "/w/AGENTS.md", "/w/AGENTS.local.md"]
    refused = {d.path: dict(d.facts) for d in agent.decisions if d.outcome is Outcome.OVER_AGGREGATE}
    assert refused == {
        "CLAUDE.md": {"limit": 10, "left": 2, "size": 8},  # skipped whole, a smaller one still finds room
        "CLAUDE.local.md": {"limit": 10, "left": 0, "size": 0},  # exhausted: not even an empty file
    }


@pytest.mark.parametrize("cap", [18, 19, None])
def test_all_fit_from_the_sum_of_their_sizes_on(cap: int | None) -> None:
    agent = Agent(FIVE, maxTotalSourceBytes=cap)
    expect = ["~/.dsh/AGENTS.md", "AGENTS.md", "CLAUDE.md", "AGENTS.local.md"]
    assert paths(agent.context()) == (expect if cap == 18 else [*expect, "CLAUDE.local.md"])


def test_bytes_count_not_characters() -> None:
    files: dict[str, str | bytes] = {"/w/AGENTS.md": "éé", "/w/CLAUDE.md": "ab"}
    assert paths(Agent(files, maxTotalSourceBytes=5).context()) == ["AGENTS.md"]
    assert paths(Agent(files, maxTotalSourceBytes=6).context()) == ["AGENTS.md", "CLAUDE.md"]


def test_what_cannot_be_used_spends_nothing() -> None:
    agent = Agent({"/h/.dsh/AGENTS.md": b"\xff" * 8, "/w/AGENTS.md": b"\0" * 8, "/w/CLAUDE.md": "x" * 10})
    agent.configure(maxTotalSourceBytes=10)
    assert paths(agent.context()) == ["CLAUDE.md"]


def test_a_duplicate_was_read_and_is_paid_for() -> None:
    agent = Agent({"/w/AGENTS.md": "same", "/w/CLAUDE.md": "same", "/w/AGENTS.local.md": "abc"}, maxTotalSourceBytes=10)
    assert paths(agent.context()) == ["AGENTS.md"]
    assert agent.outcomes("AGENTS.local.md")[-1] is Outcome.OVER_AGGREGATE


def test_the_single_file_cap_stays_in_force_below_the_aggregate() -> None:
    agent = Agent(FIVE, maxTotalSourceBytes=100, maxSourceBytes=4)
    assert "CLAUDE.md" not in paths(agent.context())
    assert agent.outcomes("CLAUDE.md")[-1] is Outcome.OVERSIZE


def test_the_smaller_cap_is_the_one_that_is_named() -> None:
    agent = Agent({"/w/AGENTS.md": "x" * 50}, maxTotalSourceBytes=20, maxSourceBytes=30)
    assert agent.context() is None
    assert agent.outcomes("AGENTS.md")[-1] is Outcome.OVERSIZE  # too long for any batch
    agent.memory.write("/w/AGENTS.md", "x" * 25)
    assert agent.context(2) is None
    assert agent.outcomes("AGENTS.md")[-1] is Outcome.OVER_AGGREGATE


def test_every_baseline_starts_with_the_whole_cap() -> None:
    agent = Agent({"/w/AGENTS.md": "0123456789"}, maxTotalSourceBytes=10)
    assert paths(agent.context()) == ["AGENTS.md"]
    agent.configure(maxTotalSourceBytes=10, projectRootMarkers=[".hg"])
    agent.memory.write("/w/AGENTS.md", "9876543210")
    assert moves(agent.context(2)) == [("set", "AGENTS.md")]


def test_a_batch_beside_a_baseline_has_a_cap_of_its_own() -> None:
    """One pass composes both: a replacement of the baseline and news of a nested scope."""
    agent = Agent({"/w/AGENTS.md": "0123456789", "/w/a/AGENTS.md": "nested"}, maxTotalSourceBytes=10)
    agent.context()
    agent.announced("a/f")
    agent.context(2)
    agent.memory.write("/w/a/AGENTS.md", "changed")
    agent.configure(maxTotalSourceBytes=10, projectRootMarkers=[".hg"])
    message = agent.context(3)
    assert message is not None
    assert len(message.blocks) == 2
    assert moves(message) == [("set", "AGENTS.md"), ("replace", "a/AGENTS.md")]


# -- duplicates


def test_equal_siblings_collapse_to_the_first_after_trimming() -> None:
    agent = Agent({"/w/AGENTS.md": "text", "/w/CLAUDE.md": "\ufeff\n text \u2029", "/w/AGENTS.local.md": "text\u0085"})
    assert paths(agent.context()) == ["AGENTS.md", "AGENTS.local.md"]  # U+0085 is no white space to ECMAScript
    assert agent.decision(Outcome.DUPLICATE).facts["of"] == "AGENTS.md"


def test_equal_files_of_different_directories_both_load() -> None:
    agent = Agent({"/w/AGENTS.md": "text", "/w/a/AGENTS.md": "text", "/h/.dsh/AGENTS.md": "text"}, cwd="/w/a")
    assert paths(agent.context()) == ["~/.dsh/AGENTS.md", "AGENTS.md", "a/AGENTS.md"]


def test_the_user_global_roots_are_one_group() -> None:
    agent = Agent({"/h/.dsh/AGENTS.md": "text", "/h/.agents/AGENTS.md": " text"})
    assert paths(agent.context()) == ["~/.dsh/AGENTS.md"]


def test_a_link_to_its_sibling_collapses_like_any_duplicate() -> None:
    agent = Agent({"/w/AGENTS.md": "text"})
    agent.memory.symlink("/w/CLAUDE.md", "AGENTS.md")
    assert paths(agent.context()) == ["AGENTS.md"]


# -- what cannot be probed or read


@pytest.mark.parametrize("how", ["stat", "notFound", "read"])
def test_a_failing_candidate_is_left_out_alone(how: str) -> None:
    agent = Agent({"/w/AGENTS.md": "one", "/w/CLAUDE.md": "two", "/w/a/AGENTS.md": "three"}, cwd="/w/a")
    agent.memory.fail("/w/AGENTS.md", how)  # type: ignore[arg-type]
    assert paths(agent.context()) == ["CLAUDE.md", "a/AGENTS.md"]
    agent.memory.heal("/w/AGENTS.md")
    assert moves(agent.context(2)) == [("set", "AGENTS.md")]  # not excluded: it never was a victim of the budget


# -- budget


def test_what_the_budget_leaves_out_stays_out_for_the_life_of_the_instance() -> None:
    agent = Agent({"/w/AGENTS.md": "x" * 600, "/w/CLAUDE.md": "short"}, maxBytes=500)
    assert paths(agent.context()) == ["CLAUDE.md"]
    agent.memory.write("/w/AGENTS.md", "small now")
    assert agent.context(2) is None
    assert agent.outcomes("AGENTS.md") == [Outcome.EXCLUDED]


def test_a_baseline_that_represents_nothing_is_still_told() -> None:
    message = Agent({"/w/AGENTS.md": "x" * 600}, maxBytes=60).context()
    assert message is not None
    assert message.source.baseline
    assert message.source.changes == ()
    assert text(message).startswith("Workspace instruction budget 60 bytes: ")


def test_user_global_files_keep_a_budget_of_their_own_under_next() -> None:
    files: dict[str, str | bytes] = {"/h/.dsh/AGENTS.md": "g" * 200, "/w/AGENTS.md": "p" * 200}
    assert paths(Agent(files, profile=PROFILE_0_2, maxBytes=550).context()) == ["AGENTS.md"]
    message = Agent(files, profile=PROFILE_NEXT, maxBytes=550).context()
    assert paths(message) == ["~/.dsh/AGENTS.md", "AGENTS.md"]
    assert 550 < len(text(message).encode()) <= 1100


# -- superseding


def test_a_changed_identity_replaces_the_baseline_with_removals_first() -> None:
    agent = Agent({"/w/AGENTS.md": "one", "/w/RULES.md": "two"})
    agent.context()
    agent.configure(instructionFileCandidates=["RULES.md"])
    message = agent.context(2)
    assert moves(message) == [("remove", "AGENTS.md"), ("set", "RULES.md")]
    assert REPLACEMENT_INTRO in text(message)
    assert [d.path for d in agent.decisions if d.outcome is Outcome.REMOVED_SUPERSEDED] == ["AGENTS.md"]


def test_an_empty_baseline_is_explicit_when_it_replaces_one() -> None:
    agent = Agent({"/w/AGENTS.md": "one"})
    agent.context()
    agent.configure(instructionFileCandidates=["RULES.md"])
    message = agent.context(2)
    assert moves(message) == [("remove", "AGENTS.md")]
    assert EMPTY_REPLACEMENT_INTRO in text(message)
    assert message is not None
    assert message.source.baseline


def test_without_files_and_without_a_baseline_there_is_nothing_to_say() -> None:
    agent = Agent()
    assert agent.context() is None
    assert agent.context(2) is None
    assert agent.decisions[-1].outcome is Outcome.NOTHING_TO_LOAD
    agent.memory.write("/w/AGENTS.md", "late")
    assert moves(agent.context(3)) == [("set", "AGENTS.md")]
