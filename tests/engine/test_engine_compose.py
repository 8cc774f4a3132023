"""The one context that a session should have next: nothing, a baseline, an update, both, or what waits already."""

from __future__ import annotations

import pytest
from engine_agent import Agent, moves, paths, prompt

from scopetrace.engine.operations import InboxSet, PreStep, Reshaped, Resume
from scopetrace.engine.profile import PROFILE_0_1
from scopetrace.model import Action, Change, Message, Outcome, Source


def pending_agent() -> Agent:
    """A session with a baseline in force and a nested announcement in the inbox."""
    agent = Agent({"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "nested"})
    agent.context()
    agent.announced("a/f")
    return agent


def look(agent: Agent, number: int = 2) -> Message | None:
    """A pre-step that leaves the inbox alone; what it puts into the batch."""
    batch = (prompt(),)
    return agent.do(PreStep(number, batch, batch, claim=False)).context


# -- no provider


def test_without_a_provider_loading_is_a_no_op() -> None:
    agent = Agent({"/w/AGENTS.md": "root"})
    agent.fs = None
    result = agent.enter()
    assert (result.error, result.context) == ("", None)
    assert [message.id for message in result.entered or ()] == ["prompt"]
    assert [decision.outcome for decision in agent.decisions] == [Outcome.NO_PROVIDER]
    assert agent.touch("a/f").warnings == ()
    assert agent.state.inbox == ()


def test_loading_begins_when_the_provider_comes() -> None:
    agent = Agent({"/w/AGENTS.md": "root"})
    agent.fs = None
    agent.enter()
    agent.fs = agent.memory
    assert paths(agent.context(2)) == ["AGENTS.md"]


def test_a_provider_that_goes_keeps_what_is_visible_and_drops_what_waits() -> None:
    agent = pending_agent()
    agent.fs = None
    assert look(agent) is None
    assert agent.state.inbox == ()
    assert len(agent.state.visible) == 1
    agent.fs = agent.memory
    assert agent.context(3) is None
    assert moves(agent.announced("a/f")) == [("set", "a/AGENTS.md")]


def test_a_disabled_budget_drops_what_waits() -> None:
    agent = pending_agent()
    agent.configure(maxBytes=0)
    assert look(agent) is None
    assert agent.state.inbox == ()


# -- what waits


def test_what_waits_is_taken_unread() -> None:
    agent = pending_agent()
    agent.memory.write("/w/a/AGENTS.md", "changed meanwhile")
    agent.memory.reads.clear()
    assert moves(look(agent)) == [("set", "a/AGENTS.md")]
    assert agent.memory.reads == []
    assert agent.decisions[1].outcome is Outcome.CONTEXT_REUSED
    assert moves(agent.context(3)) == [("replace", "a/AGENTS.md")]


def test_a_fresh_instance_composes_anew_instead() -> None:
    agent = pending_agent()
    agent.do(Resume())
    agent.memory.write("/w/a/AGENTS.md", "changed meanwhile")
    message = look(agent)
    assert moves(message) == [("set", "a/AGENTS.md")]
    assert "changed meanwhile" in str(message)


def test_under_0_1_it_is_taken_all_the_same() -> None:
    agent = pending_agent()
    agent.profile = PROFILE_0_1
    agent.do(Resume())
    agent.memory.write("/w/a/AGENTS.md", "changed meanwhile")
    agent.memory.fail("/w/.git", "stat")
    message = look(agent)
    assert "changed meanwhile" not in str(message)
    assert agent.decisions[0].outcome is Outcome.CONTEXT_REUSED


def test_what_waits_is_renewed_by_a_touch() -> None:
    agent = pending_agent()
    first = agent.state.pending[0]
    agent.memory.write("/w/a/AGENTS.md", "changed")
    assert agent.announced("a/f") is not first
    assert agent.decisions[-1].outcome is Outcome.CONTEXT_REPLACED
    assert len(agent.state.inbox) == 1


def test_equal_news_leave_the_waiting_message_alone() -> None:
    agent = pending_agent()
    first = agent.state.pending[0]
    assert agent.announced("a/f") is first
    assert agent.decisions[-1].outcome is Outcome.CONTEXT_LEFT


def test_what_waits_goes_when_there_is_nothing_left_to_say() -> None:
    agent = pending_agent()
    agent.memory.delete("/w/a/AGENTS.md")
    assert agent.announced("a/f") is None
    assert agent.decisions[-1].outcome is Outcome.CONTEXT_DROPPED


def test_one_waiting_message_at_most() -> None:
    agent = pending_agent()
    first = agent.state.pending[0]
    stray = Message("stray", first.blocks, Source("agent-instructions", ()))
    agent.do(InboxSet((prompt(), first, stray)))
    agent.announced("a/f")
    assert [message.id for message in agent.state.inbox] == ["prompt", first.id]


# -- both


def test_a_baseline_and_news_of_a_nested_scope_are_one_message_of_two_blocks() -> None:
    agent = pending_agent()
    agent.enter(2)
    agent.do(Reshaped(agent.state.visible[1:]))
    agent.memory.write("/w/a/AGENTS.md", "changed")
    message = agent.context(3)
    assert message is not None
    assert len(message.blocks) == 2
    assert moves(message) == [("set", "AGENTS.md"), ("replace", "a/AGENTS.md")]
    assert message.source.baseline
    assert message.source.baseline_identity is not None


def test_an_update_alone_carries_no_identity() -> None:
    agent = pending_agent()
    message = agent.state.pending[0]
    assert not message.source.baseline
    assert message.source.baseline_identity is None


def test_messages_are_numbered_as_they_are_composed() -> None:
    agent = pending_agent()
    assert agent.state.visible[0].id == "context-1"
    assert agent.state.pending[0].id == "context-2"
    agent.do(Resume())
    agent.enter(2)
    agent.memory.write("/w/AGENTS.md", "changed")
    message = agent.context(3)
    assert message is not None
    assert message.id == "context-3"


# -- identity


@pytest.mark.parametrize(
    "setting",
    [
        {"maxBytes": 65535},
        {"maxSourceBytes": 99},
        {"projectRootMarkers": [".git", "x"]},
        {"instructionFileCandidates": ["AGENTS.md"]},
        {"localInstructionFileCandidates": []},
        {"maxTotalSourceBytes": 4194304},
    ],
    ids=lambda setting: next(iter(setting)),
)
def test_every_part_of_the_identity_supersedes_the_baseline(setting: dict[str, object]) -> None:
    agent = Agent({"/w/AGENTS.md": "root"})
    first = agent.context()
    agent.configure(**setting)
    second = agent.context(2)
    assert first is not None
    assert second is not None
    assert second.source.baseline
    assert agent.decisions[-2].outcome is Outcome.BASELINE_SUPERSEDED
    assert agent.decisions[-2].facts["before"] == first.source.baseline_identity


def test_candidates_that_are_ignored_do_not_change_it() -> None:
    agent = Agent({"/w/AGENTS.md": "root"})
    agent.context()
    agent.configure(instructionFileCandidates=["AGENTS.md", "", "a/b", "CLAUDE.md", ".."])
    assert agent.context(2) is None


def test_a_working_directory_of_the_same_shape_keeps_it() -> None:
    """The identity holds the relative root: the files of another project count as changes."""
    agent = Agent({"/w/AGENTS.md": "root", "/x/.git": "", "/x/AGENTS.md": "other"})
    agent.context()
    agent.cwd = "/x"
    assert moves(agent.context(2)) == [("replace", "AGENTS.md")]
    agent.cwd = "/x/deeper"
    message = agent.context(3)
    assert message is not None
    assert message.source.baseline


def test_a_recorded_scope_without_a_name_counts_as_a_directory() -> None:
    """Older records name directories only; what lies there is then looked at."""
    agent = Agent({"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "nested"})
    agent.context()
    old = Message("old", ("x",), Source("agent-instructions", (Change(Action.SET, "a", "a/AGENTS.md", "0" * 40),)))
    agent.do(Reshaped((*agent.state.visible, old)))
    assert moves(agent.context(2)) == [("set", "a/AGENTS.md")]
