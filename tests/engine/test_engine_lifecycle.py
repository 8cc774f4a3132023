"""Claims, batches, touches and boundaries: when the loader works, and where its message goes."""

from __future__ import annotations

from typing import Any

import pytest
from engine_agent import Agent, moves, paths, prompt

from scopetrace.engine.operations import Appended, Boundary, InboxSet, PreStep, Resume, Settle, ToolResult
from scopetrace.model import Message, Outcome, Source

FILES: dict[str, str | bytes] = {"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "nested", "/w/b/AGENTS.md": "other"}


def started(files: dict[str, str | bytes] = FILES) -> Agent:
    agent = Agent(files)
    agent.context()
    return agent


def ids(messages: tuple[Message, ...] | None) -> list[str]:
    return [message.id for message in messages or ()]


# -- pre-step


def test_the_context_follows_the_last_claimed_message_by_identity() -> None:
    agent = Agent(FILES)
    one, two, added = prompt("one"), prompt("two"), prompt("added")
    result = agent.do(PreStep(1, (one, two), (one, two, added)))
    assert ids(result.entered) == ["one", "two", "context-1", "added"]


@pytest.mark.parametrize(
    ("batch", "expect"),
    [
        (["copy", "added"], ["context-1", "one", "added"]),  # an equal object is not the claimed one
        (["added"], ["context-1", "added"]),
        (["added", "one"], ["added", "one", "context-1"]),
        (["one", "added", "one"], ["one", "added", "one", "context-1"]),
    ],
)
def test_without_a_claimed_object_it_goes_in_front(batch: list[str], expect: list[str]) -> None:
    agent = Agent(FILES)
    known = {"one": prompt("one"), "copy": prompt("one"), "added": prompt("added")}
    result = agent.do(PreStep(1, (known["one"],), tuple(known[name] for name in batch)))
    assert ids(result.entered) == expect


def test_an_empty_first_batch_leaves_the_context_waiting() -> None:
    agent = Agent(FILES)
    result = agent.do(PreStep(1, (), ()))
    assert result.entered == ()
    assert paths(agent.state.pending[0]) == ["AGENTS.md"]
    assert agent.do(PreStep(1, (), (), claim=False)).entered == ()
    assert len(agent.state.inbox) == 1


def test_an_empty_later_batch_enters_the_context_alone() -> None:
    agent = Agent(FILES)
    assert ids(agent.do(PreStep(2, (), ())).entered) == ["context-1"]


def test_rejection_loses_the_claimed_baseline_every_second_time() -> None:
    agent = Agent(FILES)

    def reject() -> list[str]:
        proposed = (*agent.state.inbox, prompt())
        assert agent.do(PreStep(1, proposed, None)).entered is None
        return ids(agent.state.inbox)

    assert reject() == ["context-1"]
    assert reject() == []  # the claimed baseline counts as said, and is gone
    assert agent.decision(Outcome.CONTEXT_LOST).facts == {"message": "context-1"}
    assert reject() == ["context-2"]


def test_a_claimed_announcement_is_lost_until_a_new_touch() -> None:
    agent = started()
    agent.announced("a/f")
    agent.do(PreStep(2, agent.state.inbox, None))
    assert agent.state.inbox == ()
    assert agent.context(3) is None
    assert moves(agent.announced("a/f")) == [("set", "a/AGENTS.md")]


def test_what_is_already_in_the_batch_is_not_put_there_twice() -> None:
    agent = started()
    waiting = agent.announced("a/f")
    assert waiting is not None
    copy = Message("copy", waiting.blocks, waiting.source)
    result = agent.do(PreStep(2, (), (copy,), claim=False))
    assert ids(result.entered) == ["copy"]
    assert agent.decisions[-1].outcome is Outcome.CONTEXT_SUPPLIED
    assert agent.state.inbox == ()


def test_news_that_the_surface_says_somewhere_are_not_queued_but_entered() -> None:
    """v1, v2, v1, v2: the second v2 equals a message on the surface."""
    agent = started()
    for number, content in enumerate(["v2", "root"], 2):
        agent.memory.write("/w/AGENTS.md", content)
        assert agent.context(number) is not None
    agent.memory.write("/w/AGENTS.md", "v2")
    assert agent.announced("f") is None
    assert agent.decisions[-1].outcome is Outcome.CONTEXT_SUPPLIED
    assert moves(agent.context(4)) == [("replace", "AGENTS.md")]


def test_the_inbox_keeps_foreign_messages_and_gets_ours_in_front() -> None:
    agent = started()
    agent.do(InboxSet((prompt("waiting"),)))
    agent.announced("a/f")
    assert ids(agent.state.inbox) == ["context-2", "waiting"]


def test_a_failed_pre_step_loses_what_it_claimed() -> None:
    agent = started()
    agent.announced("a/f")
    agent.memory.fail("/w/.git", "stat")
    assert agent.enter(2).error == "/w/.git: probe failed"
    assert agent.state.inbox == ()


# -- touches


@pytest.mark.parametrize(
    ("tool", "arguments", "flags", "outcome"),
    [
        ("read", {"file_path": "a/f"}, {}, Outcome.TOUCH_ACCEPTED),
        ("write", {"file_path": " a/f\u2003\ufeff"}, {}, Outcome.TOUCH_ACCEPTED),
        ("edit", {"file_path": "a/f", "old": "x"}, {}, Outcome.TOUCH_ACCEPTED),
        ("bash", {"command": "cat a/f"}, {}, Outcome.TOUCH_OTHER_TOOL),
        ("Read", {"file_path": "a/f"}, {}, Outcome.TOUCH_OTHER_TOOL),
        ("read", {"path": "a/f"}, {}, Outcome.TOUCH_BAD_ARGUMENTS),
        ("read", {"file_path": " \u3000"}, {}, Outcome.TOUCH_BAD_ARGUMENTS),
        ("read", {"file_path": 7}, {}, Outcome.TOUCH_BAD_ARGUMENTS),
        ("read", None, {}, Outcome.TOUCH_BAD_ARGUMENTS),
        ("read", "a/f", {}, Outcome.TOUCH_BAD_ARGUMENTS),
        ("read", {"file_path": "a/f"}, {"is_error": True}, Outcome.TOUCH_ERROR),
        ("read", {"file_path": "a/f"}, {"aborted": True}, Outcome.TOUCH_ABORTED),
        ("read", {"file_path": "a/f"}, {"agentless": True}, Outcome.TOUCH_NO_AGENT),
    ],
)
def test_which_results_are_touches(tool: str, arguments: Any, flags: dict[str, bool], outcome: Outcome) -> None:
    agent = started()
    agent.do(ToolResult(tool, arguments, **flags))
    assert agent.decisions[0].outcome is outcome
    agent.do(Settle())
    assert bool(agent.state.inbox) == (outcome is Outcome.TOUCH_ACCEPTED)


def test_touches_of_an_open_step_wait_for_its_end() -> None:
    agent = started()
    agent.boundary("turn-start", "step-start")
    agent.touch("a/f")
    agent.touch("b/f")
    assert (agent.state.staged, agent.state.inbox) == (("a/f", "b/f"), ())
    agent.do(Boundary("step-end"), Settle())
    assert len(agent.state.inbox) == 1  # two projections, the second renews what the first one queued
    assert moves(agent.state.pending[0]) == [("set", "a/AGENTS.md"), ("set", "b/AGENTS.md")]
    assert {decision.pass_index for decision in agent.decisions} == {0, 1}


@pytest.mark.parametrize(
    ("boundaries", "waits"),
    [
        ([], False),
        (["step-start"], False),
        (["turn-start"], False),
        (["turn-start", "step-start"], True),
        (["turn-start", "step-start", "step-end"], False),
        (["turn-start", "step-start", "turn-end"], False),
        (["turn-start", "step-start", "turn-end", "turn-start"], False),
        (["turn-start", "step-start", "step-end", "step-start"], True),
    ],
)
def test_a_step_is_open_between_its_start_and_end_in_an_open_turn(boundaries: list[str], waits: bool) -> None:
    agent = started()
    agent.boundary(*boundaries)
    agent.touch("a/f")
    assert bool(agent.state.staged) == waits
    assert bool(agent.state.inbox) == (not waits)


def test_touches_left_by_a_turn_without_a_step_end_wait_for_any_later_one() -> None:
    agent = started()
    agent.boundary("turn-start", "step-start")
    agent.touch("a/f")
    agent.boundary("turn-end", "turn-start", "step-start")
    assert agent.state.staged == ("a/f",)
    agent.do(Boundary("step-end"), Settle())
    assert paths(agent.state.pending[0]) == ["a/AGENTS.md"]


def test_nested_touches_bubble_to_the_outermost_execution() -> None:
    agent = started()
    agent.do(ToolResult("read", {"file_path": "a/f"}, token="3", parent="2"), Settle())
    agent.do(ToolResult("run_code", {}, token="2", parent="1"), Settle())
    assert agent.state.inbox == ()
    assert agent.decision(Outcome.TOUCH_BUBBLED).facts["parent"] == "1"
    agent.do(ToolResult("run_code", {}, is_error=True, token="1"), Settle())
    assert paths(agent.state.pending[0]) == ["a/AGENTS.md"]  # a failed parent releases its children's touches
    assert dict(agent.state.bubbling) == {}


def test_children_s_touches_come_before_the_parent_s_own() -> None:
    agent = started()
    agent.do(
        ToolResult("read", {"file_path": "a/f"}, token="2", parent="1"),
        ToolResult("read", {"file_path": "b/f"}, token="1"),
    )
    assert agent.state.queue == ("a/f", "b/f")


def test_queued_projections_run_before_a_pre_step() -> None:
    agent = started()
    agent.do(ToolResult("read", {"file_path": "a/f"}))
    batch = (prompt(),)
    result = agent.do(PreStep(2, batch, batch, claim=False))
    assert moves(result.context) == [("set", "a/AGENTS.md")]


def test_a_queued_projection_does_not_know_what_a_step_claims() -> None:
    """The claim comes first (cur-128): what it said comes once more, unless in an equal message."""
    agent = started({**FILES, "/w/a/deep/AGENTS.md": "deep"})
    agent.announced("a/f")
    agent.do(ToolResult("read", {"file_path": "a/deep/f"}))
    entered = [message for message in agent.enter(2).entered or () if message.source.is_instructions]
    assert [paths(message) for message in entered] == [["a/AGENTS.md"], ["a/AGENTS.md", "a/deep/AGENTS.md"]]
    assert agent.context(3) is None


def test_touches_die_with_the_instance() -> None:
    agent = started()
    agent.boundary("turn-start", "step-start")
    agent.touch("a/f")
    agent.do(ToolResult("read", {"file_path": "b/f"}, token="2", parent="1"))
    agent.do(Resume())
    assert agent.decision(Outcome.RESUMED).facts == {"lost": 2}
    agent.do(Boundary("step-end"), ToolResult("run_code", {}, token="1"), Settle())
    assert agent.state.inbox == ()


def test_a_projection_that_fails_warns_and_the_next_one_runs() -> None:
    agent = started()
    agent.do(ToolResult("read", {"file_path": "a/f"}), ToolResult("read", {"file_path": "b/f"}))
    agent.memory.fail("/w/.git", "stat")
    assert agent.do(Settle()).warnings == ("/w/.git: probe failed",) * 2
    assert agent.state.queue == ()


# -- surface


def test_instruction_messages_of_others_count_as_said() -> None:
    agent = started()
    waiting = agent.announced("a/f")
    assert waiting is not None
    agent.do(InboxSet(()), Appended(Message("again", waiting.blocks, waiting.source)))
    assert agent.announced("a/f") is None
    assert agent.outcomes("a/AGENTS.md")[-1] is Outcome.UNCHANGED


def test_other_messages_are_none_of_the_loader_s_business() -> None:
    agent = started()
    before = agent.state
    agent.do(Appended(prompt()), Appended(Message("x", ("x",), Source("agent-instructions"))))
    assert agent.state is before


def test_a_resume_keeps_what_the_log_keeps() -> None:
    agent = started()
    agent.announced("a/f")
    agent.boundary("turn-start", "step-start")
    before = agent.state
    agent.do(Resume())
    after = agent.state
    assert (after.visible, after.inbox, after.turn_open, after.step_started) == (
        before.visible,
        before.inbox,
        True,
        True,
    )
    assert (after.prepared, dict(after.versions), after.root) == (None, {}, "")
