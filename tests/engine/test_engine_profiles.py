"""Every difference between the generations of rules, alone: one switch flipped on the 0.2 rules, and what follows."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from engine_agent import Agent, moves, paths, prompt, text

from scopetrace.engine.operations import InboxSet, PreStep, Reshaped
from scopetrace.engine.profile import (
    DEFAULT_PROFILE,
    PROFILE_0_1,
    PROFILE_0_2,
    PROFILE_NEXT,
    PROFILES,
    Profile,
    profile_for_format,
)
from scopetrace.model import Action, Change, Message, Outcome, Source

DOCS = Path(__file__).parents[2] / "docs" / "profiles.md"
SWITCHES = [field.name for field in fields(Profile) if field.name != "name"]
FROM_0_1 = [name for name in SWITCHES if name != "per_chain"]


def flipped(switch: str) -> Profile:
    """The 0.2 rules but for one switch."""
    return replace(PROFILE_0_2, name=f"0.2 without {switch}", **{switch: not getattr(PROFILE_0_2, switch)})


def both(switch: str, files: dict[str, str | bytes] | None = None, **options: Any) -> tuple[Agent, Agent]:
    """The same session under the 0.2 rules and with one switch flipped."""
    return Agent(files, profile=PROFILE_0_2, **options), Agent(files, profile=flipped(switch), **options)


# -- the profiles


def test_all_switches_of_the_first_table_flipped_turn_0_1_into_0_2() -> None:
    assert len(FROM_0_1) == 14
    assert all(getattr(PROFILE_0_1, name) != getattr(PROFILE_0_2, name) for name in FROM_0_1)
    turned = replace(PROFILE_0_1, name="0.2", **{name: not getattr(PROFILE_0_1, name) for name in FROM_0_1})
    assert turned == PROFILE_0_2
    back = replace(PROFILE_0_2, name="0.1", **{name: not getattr(PROFILE_0_2, name) for name in FROM_0_1})
    assert back == PROFILE_0_1


def test_next_is_0_2_with_a_budget_per_chain_and_the_setting() -> None:
    assert replace(PROFILE_0_2, name="next", per_chain=True, home_setting=True) == PROFILE_NEXT


def test_which_profile_is_taken() -> None:
    assert DEFAULT_PROFILE is PROFILE_NEXT
    assert {version: profile_for_format(version).name for version in range(6)} == {
        0: "0.1",
        1: "0.1",
        2: "0.1",
        3: "0.1",
        4: "0.2",
        5: "0.2",
    }
    assert list(PROFILES) == ["0.1", "0.2", "next"]


def test_switches_are_told_by_name() -> None:
    assert list(PROFILE_0_1.switches()) == SWITCHES


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_docs_name_every_switch(switch: str) -> None:
    number = SWITCHES.index(switch) + 1
    heading = "**`per_chain` —" if switch == "per_chain" else f"**D{number} · `{switch}` —"
    assert DOCS.read_text(encoding="utf-8").count(heading) == 1


def test_the_docs_name_no_other_switch() -> None:
    lines = DOCS.read_text(encoding="utf-8").split("\n")
    named = [line.split("`")[1] for line in lines if line.startswith(("**D", "**`"))]
    assert sorted(named) == sorted(SWITCHES)


# -- D1 to D5: names and places


def test_d1_shared_root() -> None:
    new, old = both("shared_root", {"/h/.dsh/AGENTS.md": "own", "/h/.agents/AGENTS.md": "shared"})
    assert paths(new.context()) == ["~/.dsh/AGENTS.md", "~/.agents/AGENTS.md"]
    assert paths(old.context()) == ["~/.dsh/AGENTS.md"]
    assert old.memory.stats == new.memory.stats - 1


def test_d1_a_recorded_scope_agents_global_is_a_directory_without_the_shared_root() -> None:
    said = Change(Action.SET, "agents-global\0AGENTS.md", "agents-global/AGENTS.md", "0" * 40)
    new, old = both("shared_root", {"/w/AGENTS.md": "root", "/w/agents-global/CLAUDE.md": "project"})
    for agent in (new, old):
        agent.context()
        record = Message("record", ("x",), Source("agent-instructions", (said,)))
        agent.do(Reshaped((*agent.state.visible, record)))
    assert moves(new.context(2)) == [("remove", "agents-global/AGENTS.md")]
    assert moves(old.context(2)) == [
        ("remove", "agents-global/AGENTS.md"),
        ("set", "./agents-global/CLAUDE.md"),  # D3 is not flipped here: shown apart all the same
    ]


def test_d2_global_sentence() -> None:
    new, old = both("global_sentence", {"/w/AGENTS.md": "root"})
    for agent, sentence in (
        (new, "These user-global instructions apply to all work. Use"),
        (old, "These instructions apply to work under `user-global`. Use"),
    ):
        agent.context()
        agent.memory.write("/h/.dsh/AGENTS.md", "late")
        assert sentence in text(agent.context(2))


def test_d3_reserved_escape() -> None:
    files: dict[str, str | bytes] = {"/w/user-global/AGENTS.md": "project", "/h/.dsh/AGENTS.md": "home"}
    new, old = both("reserved_escape", files, cwd="/w/user-global")
    assert paths(new.context()) == ["~/.dsh/AGENTS.md", "./user-global/AGENTS.md"]
    message = old.context()
    assert "home" in text(message)  # both are rendered
    assert paths(message) == ["user-global/AGENTS.md"]  # and share one scope
    assert new.context(2) is None
    assert moves(old.context(2)) == [("replace", "~/.dsh/AGENTS.md")]


def test_d4_label_keeps_name() -> None:
    """Reached by a waiting record that names another candidate of the home."""
    said = Change(Action.SET, "user-global\0CLAUDE.md", "~/.dsh/CLAUDE.md", "0" * 40)
    new, old = both("label_keeps_name", {"/w/AGENTS.md": "root", "/h/.dsh/CLAUDE.md": "home"})
    for agent, path in ((new, "~/.dsh/CLAUDE.md"), (old, "~/.dsh/AGENTS.md")):
        agent.context()
        agent.do(InboxSet((Message("record", ("x",), Source("agent-instructions", (said,))),)))
        assert moves(agent.announced("f")) == [("set", path)]
        assert agent.memory.reads[-1] == "/h/.dsh/CLAUDE.md"


def test_d5_dedup_by_group() -> None:
    """A project directory that is spelt like the home's label; its ``AGENTS.md`` would be the home's by name."""
    files: dict[str, str | bytes] = {"/conf/AGENTS.md": "same", "/w/$DSH_HOME/CLAUDE.md": "same"}
    new, old = both("dedup_by_group", files, cwd="/w/$DSH_HOME", environ={"DSH_HOME": "/conf"})
    assert paths(new.context()) == ["$DSH_HOME/AGENTS.md", "$DSH_HOME/CLAUDE.md"]
    assert paths(old.context()) == ["$DSH_HOME/AGENTS.md"]
    assert old.decision(Outcome.DUPLICATE).absolute_path == "/w/$DSH_HOME/CLAUDE.md"


def test_d5_the_roots_share_a_group_but_no_label() -> None:
    new, old = both("dedup_by_group", {"/h/.dsh/AGENTS.md": "same", "/h/.agents/AGENTS.md": "same"})
    assert paths(new.context()) == ["~/.dsh/AGENTS.md"]
    assert paths(old.context()) == ["~/.dsh/AGENTS.md", "~/.agents/AGENTS.md"]


# -- D6, D7: duplicates

TWINS: dict[str, str | bytes] = {"/w/AGENTS.md": "same", "/w/CLAUDE.md": "same"}


def test_d6_duplicates_reconciled() -> None:
    new, old = both("duplicates_reconciled", TWINS)
    for agent in (new, old):
        agent.context()
        agent.memory.write("/w/CLAUDE.md", "its own now")
    assert moves(new.context(2)) == [("set", "CLAUDE.md")]
    assert old.context(2) is None
    assert old.outcomes("CLAUDE.md") == [Outcome.EXCLUDED]
    old.memory.delete("/w/AGENTS.md")
    assert moves(old.context(3)) == [("remove", "AGENTS.md")]  # the twin does not step in


def test_d6_duplicates_of_a_budget_victim_are_out_either_way() -> None:
    long = "x" * 600
    new, old = both("duplicates_reconciled", {"/w/AGENTS.md": long, "/w/CLAUDE.md": long, "/w/a/AGENTS.md": "a"})
    for agent in (new, old):
        agent.configure(maxBytes=500)
        agent.cwd = agent.origin = "/w/a"
        assert paths(agent.context()) == ["a/AGENTS.md"]
        agent.memory.write("/w/CLAUDE.md", "its own now")
        assert agent.context(2) is None


def test_d7_cache_duplicates() -> None:
    new, old = both("cache_duplicates", TWINS)
    for agent in (new, old):
        for number in (1, 2, 3, 4):
            agent.context(number)
    assert new.memory.reads.count("/w/CLAUDE.md") == 2  # for the baseline and at the first reconciliation
    assert old.memory.reads.count("/w/CLAUDE.md") == 4
    assert new.memory.reads.count("/w/AGENTS.md") == old.memory.reads.count("/w/AGENTS.md") == 1


def test_d7_a_withdrawn_duplicate_keeps_its_version() -> None:
    new, old = both("cache_duplicates", {"/w/AGENTS.md": "one", "/w/CLAUDE.md": "two"})
    for agent in (new, old):
        agent.context()
        agent.memory.write("/w/CLAUDE.md", "one")
        assert moves(agent.context(2)) == [("remove", "CLAUDE.md")]
        agent.memory.reads.clear()
        agent.context(3)
    assert (new.memory.reads, old.memory.reads) == ([], ["/w/CLAUDE.md"])


# -- D8 to D10: holding back


@pytest.mark.parametrize("data", [b"\xff", b"\0", b"x" * 99], ids=["not UTF-8", "binary", "too large"])
def test_d8_read_failure_holds_group(data: bytes) -> None:
    new, old = both("read_failure_holds_group", {"/w/AGENTS.md": "one", "/w/CLAUDE.md": "two"}, maxSourceBytes=50)
    for agent in (new, old):
        agent.context()
        agent.memory.write("/w/AGENTS.md", "changed")
        agent.memory.write("/w/CLAUDE.md", data)
        agent.memory.write("/w/AGENTS.local.md", "added")
    assert new.context(2) is None
    assert new.outcomes("AGENTS.local.md") == [Outcome.UNREACHED_IN_GROUP]
    assert moves(old.context(2)) == [("replace", "AGENTS.md"), ("set", "AGENTS.local.md")]


def test_d9_probe_failure_holds_group() -> None:
    new, old = both("probe_failure_holds_group", {"/w/AGENTS.md": "one"})
    for agent in (new, old):
        agent.context()
        agent.memory.write("/w/AGENTS.md", "changed")
        agent.memory.fail("/w/CLAUDE.md", "stat")
    assert new.context(2) is None
    assert moves(old.context(2)) == [("replace", "AGENTS.md")]
    for agent in (new, old):  # what is in force holds its group back under both
        agent.memory.heal("/w/CLAUDE.md")
        agent.memory.write("/w/CLAUDE.md", "two")
        agent.context(3)
        agent.memory.write("/w/AGENTS.md", "changed again")
        agent.memory.fail("/w/CLAUDE.md", "stat")
        assert agent.context(4) is None


def test_d10_block_unreached_paths() -> None:
    """The harness home is a project directory; its group is held back before the project looks at the same file."""
    files: dict[str, str | bytes] = {"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "both"}
    new, old = both("block_unreached_paths", files, environ={"DSH_HOME": "/w/a"})
    for agent in (new, old):
        agent.context()
        agent.memory.write("/w/a/AGENTS.md", "new")
        agent.memory.fail("/h/.agents/AGENTS.md", "stat")
    assert new.announced("a/f") is None
    assert new.outcomes("a/AGENTS.md") == [Outcome.PRESENT, Outcome.SAME_FILE]
    assert moves(old.announced("a/f")) == [("set", "a/AGENTS.md")]


# -- D11 to D14: a waiting message, the working directory, the setting


def waiting(switch: str) -> tuple[Agent, Agent]:
    """Both with a nested announcement in the inbox."""
    agents = both(switch, {"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "nested"})
    for agent in agents:
        agent.context()
        assert agent.announced("a/f") is not None
    return agents


def look(agent: Agent) -> PreStep:
    batch = (prompt(),)
    return PreStep(2, batch, batch, claim=False)


def test_d11_pending_after_root() -> None:
    new, old = waiting("pending_after_root")
    for agent in (new, old):
        agent.memory.fail("/w/.git", "stat")
    assert new.do(look(new)).error == "/w/.git: probe failed"
    probes = old.memory.stats
    assert moves(old.do(look(old)).context) == [("set", "a/AGENTS.md")]
    assert old.memory.stats == probes


def test_d12_pending_needs_identity() -> None:
    new, old = waiting("pending_needs_identity")
    for agent in (new, old):
        agent.configure(maxBytes=60000)
    assert [message is not None and message.source.baseline for message in (new.do(look(new)).context,)] == [True]
    assert moves(old.do(look(old)).context) == [("set", "a/AGENTS.md")]
    assert old.decisions[-2].outcome is Outcome.CONTEXT_REUSED


def test_d13_follow_cwd() -> None:
    new, old = both("follow_cwd", {"/w/AGENTS.md": "root", "/w/a/AGENTS.md": "nested"})
    for agent in (new, old):
        agent.context()
        agent.cwd = "/w/a"
    message = new.context(2)
    assert message is not None
    assert message.source.baseline
    assert moves(message) == [("set", "AGENTS.md"), ("set", "a/AGENTS.md")]
    assert old.context(2) is None


def test_d14_home_setting() -> None:
    files: dict[str, str | bytes] = {"/conf/AGENTS.md": "configured", "/h/.dsh/AGENTS.md": "default"}
    without, having = both("home_setting", files, dshHome="/conf")
    assert paths(without.context()) == ["~/.dsh/AGENTS.md"]
    assert paths(having.context()) == ["$DSH_HOME/AGENTS.md"]


def test_d14_the_home_is_not_part_of_the_identity() -> None:
    """A label that changes is a replacement, also of equal text."""
    _, agent = both("home_setting", {"/conf/AGENTS.md": "same", "/h/.dsh/AGENTS.md": "same"})
    agent.context()
    agent.configure(dshHome="/conf")
    message = agent.context(2)
    assert message is not None
    assert not message.source.baseline
    assert moves(message) == [("replace", "$DSH_HOME/AGENTS.md")]


# -- next


def test_per_chain_in_a_baseline() -> None:
    files: dict[str, str | bytes] = {"/h/.dsh/AGENTS.md": "g" * 200, "/w/AGENTS.md": "p" * 200}
    single, chains = both("per_chain", files, maxBytes=550)
    assert paths(single.context()) == ["AGENTS.md"]
    assert paths(chains.context()) == ["~/.dsh/AGENTS.md", "AGENTS.md"]


def test_per_chain_in_an_update() -> None:
    single, chains = both("per_chain", {"/w/AGENTS.md": "root"}, maxBytes=450)
    for agent in (single, chains):
        agent.context()
        agent.memory.write("/w/AGENTS.md", "p" * 200)
        agent.memory.write("/h/.dsh/AGENTS.md", "g" * 150)
    assert len(paths(single.context(2))) == 1
    assert len(paths(chains.context(2))) == 2


def test_per_chain_makes_no_difference_while_everything_fits() -> None:
    single, chains = both("per_chain", {"/h/.dsh/AGENTS.md": "global", "/w/AGENTS.md": "project"})
    assert text(single.context()) == text(chains.context())
