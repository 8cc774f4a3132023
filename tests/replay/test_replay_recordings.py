"""Every recorded session: record against claim, and a timeline that answers the same whatever way one walks it."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scopetrace.engine.config import Config
from scopetrace.engine.profile import PROFILES
from scopetrace.model import Frame, Message, Verdict
from scopetrace.replay import Timeline, open_session, prepare_session
from scopetrace.replay.fit import fitting_profiles
from scopetrace.sessions import Bundle

RECORDINGS = Path(os.environ.get("SCOPETRACE_RECORDINGS") or Path(__file__).parents[1] / "recordings")
NAMES = sorted(path.parent.name for path in RECORDINGS.glob("*/recording.json"))
OLD = [name for name in NAMES if name.startswith("v0.1")]


@cache
def bundle(name: str) -> Bundle:
    return Bundle.open(RECORDINGS / name)


def logs() -> Iterator[tuple[str, Path]]:
    for name in NAMES:
        for path in (bundle(name).main, *bundle(name).children, *bundle(name).earlier):
            yield name, path


LOGS = list(logs())
each_log = pytest.mark.parametrize(
    "path", [path for _, path in LOGS], ids=[f"{name}/{path.name}" for name, path in LOGS]
)


@cache
def replayed(path: Path) -> Timeline:
    return open_session(path)


def counts(timeline: Timeline) -> tuple[int, int, int]:
    """Recorded, computed and equal messages; a fork's copied history aside."""
    own = [one for one in timeline.comparisons if one.verdict is not Verdict.NOT_COMPARABLE]
    return (
        sum(one.recorded is not None for one in own),
        sum(one.computed is not None for one in own),
        sum(one.verdict is Verdict.EQUAL for one in own),
    )


def manifest(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((RECORDINGS / name / "recording.json").read_text(encoding="utf-8"))
    return loaded


# -- record against claim


def test_there_is_something_to_replay() -> None:
    assert len(NAMES) >= 31
    assert len(OLD) >= 6
    assert len(LOGS) >= 36


@each_log
def test_recorded_computed_and_equal_are_one_number(path: Path) -> None:
    recorded, computed, equal = counts(replayed(path))
    assert (computed, equal) == (recorded, recorded)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OLD])
def test_the_numbers_are_those_of_the_recording(name: str) -> None:
    said = manifest(name)["replay"]
    assert counts(replayed(bundle(name).main)) == (said["recorded"], said["recomputed"], said["equal"])
    for child in bundle(name).children:
        row = said["children"][child.name]
        assert counts(replayed(child)) == (row["recorded"], row["recomputed"], row["equal"])


@pytest.mark.parametrize("name", OLD)
def test_an_older_log_differs_under_0_2_in_its_baselines_alone(name: str) -> None:
    said = manifest(name)["replay"]
    timeline = open_session(RECORDINGS / name, profile="0.2")
    assert counts(timeline) == (said["recorded"], said["recomputed"], said["equal"])
    different = [one for one in timeline.comparisons if one.verdict is not Verdict.EQUAL]
    assert all(f"{one.seq}" in said["why"] for one in different)
    for one in different:
        assert one.recorded is not None
        assert one.computed is not None
        assert one.recorded.source.baseline
        assert one.differs == ("blocks", "changes")
        assert "~/.agents/AGENTS.md" in one.computed.blocks[0]
        assert "~/.agents/AGENTS.md" not in one.recorded.blocks[0]


# -- which generation fits


@pytest.mark.parametrize("name", OLD)
def test_the_generation_that_fits_is_named(name: str) -> None:
    timeline = open_session(RECORDINGS / name, profile="0.2")
    agrees = counts(timeline)[0] == counts(timeline)[2]
    assert fitting_profiles(timeline) == (() if agrees else ("0.1",))


@each_log
def test_where_record_and_claim_agree_no_other_generation_is_named(path: Path) -> None:
    assert fitting_profiles(replayed(path)) == ()


@pytest.mark.parametrize("name", ["baseline", "nested-discovery"])
def test_a_record_of_0_2_opened_as_0_1_fits_what_it_is(name: str) -> None:
    timeline = open_session(RECORDINGS / name, profile="0.1")
    assert counts(timeline)[0] != counts(timeline)[2]
    assert "0.2" in fitting_profiles(timeline)


def test_a_part_of_a_replay_is_judged_by_itself() -> None:
    timeline = prepare_session(RECORDINGS / OLD[1], profile="0.2")
    assert fitting_profiles(timeline) == ()
    while not timeline.comparisons:
        timeline.advance(1)
    reached = len(timeline)
    assert [one.verdict for one in timeline.comparisons] == [Verdict.DIFFERENT]
    assert fitting_profiles(timeline) == ("0.1",)
    assert len(timeline) == reached


def test_where_nothing_fits_nothing_is_named() -> None:
    timeline = open_session(RECORDINGS / "baseline", config=Config(120))
    assert all(one.verdict is Verdict.DIFFERENT for one in timeline.comparisons)
    assert fitting_profiles(timeline) == ()


@pytest.mark.parametrize("profile", list(PROFILES))
def test_the_log_s_format_chooses_unless_told(profile: str) -> None:
    assert open_session(RECORDINGS / "baseline", profile=profile).info.profile == profile
    assert open_session(RECORDINGS / "baseline").info.profile == "0.2"
    assert open_session(RECORDINGS / OLD[1]).info.profile == "0.1"


# -- forward and backward


def said(message: Message) -> tuple[Any, ...]:
    return message.id, message.blocks, message.source


def facts(frame: Frame) -> dict[str, Any]:
    """A frame by its values."""
    return {
        "index": frame.index,
        "seq": frame.seq,
        "operations": frame.operations,
        "decisions": frame.decisions,
        "budgets": frame.budgets,
        "messages": [said(message) for message in frame.messages],
        "comparisons": [(one.verdict, one.seq, one.differs) for one in frame.comparisons],
        "visible": tuple(frame.visible),
        "inbox": [said(message) for message in frame.inbox],
        "cwd": frame.cwd,
        "root": frame.project_root,
        "agrees": frame.agrees_so_far,
    }


def state_facts(timeline: Timeline, index: int) -> dict[str, Any]:
    state = timeline.state(index)
    loader = state.loader
    return {
        "visible": [said(message) for message in loader.visible],
        "inbox": [said(message) for message in loader.inbox],
        "changes": dict(loader.fold.changes),
        "versions": dict(loader.versions),
        "prepared": loader.prepared,
        "touches": (loader.staged, loader.queue, dict(loader.bubbling)),
        "boundaries": (loader.turn_open, loader.step_started),
        "queues": [[said(m) for m in queue] for queue in (state.next_turn, state.next_step)],
        "placed": {seq: said(message) for seq, message in state.placed.items()},
        "rest": (state.cwd, state.run, state.claimed, dict(state.calls), dict(state.told)),
    }


@each_log
def test_frames_do_not_depend_on_the_way_one_came(path: Path) -> None:
    forward = prepare_session(path)
    forward.advance()
    expected = [facts(forward.frame(index)) for index in range(len(forward))]
    backward = prepare_session(path)
    backward.advance()
    for index in reversed(range(len(backward))):
        assert facts(backward.frame(index)) == expected[index]
    jumping = prepare_session(path)
    jumping.advance()
    order = random.Random(path.name)
    for index in order.choices(range(len(jumping)), k=min(60, len(jumping))):
        assert facts(jumping.frame(index)) == expected[index]


@pytest.mark.parametrize("name", ["demo-monorepo", "compaction-deep", "working-directory", "subagent-fork"])
def test_each_frame_alone_equals_the_frame_of_a_walk(name: str) -> None:
    walked = replayed(bundle(name).main)
    for index in range(0, len(walked), 3):
        alone = open_session(bundle(name).main)
        assert facts(alone.frame(index)) == facts(walked.frame(index))


@each_log
def test_the_state_is_the_same_after_going_to_the_end_and_back(path: Path) -> None:
    timeline = prepare_session(path)
    timeline.advance()
    last = len(timeline) - 1
    for index in sorted({0, last // 3, last // 2, last}):
        before = state_facts(timeline, index)
        kept = timeline.state(index)
        timeline.frame(last)
        timeline.frame(0)
        assert state_facts(timeline, index) == before
        assert timeline.state(index) is kept or len(timeline) > 256


@pytest.mark.parametrize("stretch", [1, 7, 1000])
def test_a_replay_in_stretches_is_the_replay_at_once(stretch: int) -> None:
    whole = replayed(bundle("demo-monorepo").main)
    parts = prepare_session(bundle("demo-monorepo").main)
    while not parts.advance(stretch):
        pass
    assert [facts(parts.frame(i)) for i in range(len(parts))] == [facts(whole.frame(i)) for i in range(len(whole))]
    assert list(parts.changes) == list(whole.changes)
    assert list(parts.passes) == list(whole.passes)


@pytest.mark.parametrize("index", [-1, 10_000_000])
def test_there_is_no_frame_beyond_the_ends(index: int) -> None:
    with pytest.raises(IndexError):
        replayed(bundle("baseline").main).frame(index)
