"""Laws of whole sessions, on trees and operations that hypothesis makes up, under every generation of rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_rows import law, rows
from replay_tape import Take, Telling, Watched, plain, play, told

from scopetrace.engine.operations import PreStep
from scopetrace.engine.paths import is_user_global_directory
from scopetrace.engine.state import Fold
from scopetrace.model import Action, Change, Decision, Message, Outcome, Recorder, Stage

PROFILES = ("0.1", "0.2", "next")
each_profile = pytest.mark.parametrize("profile", PROFILES)

BASELINE_ENDS = (
    Outcome.BASELINE_COMPOSED,
    Outcome.BASELINE_SUPERSEDED,
    Outcome.BASELINE_KEPT,
    Outcome.NOTHING_TO_LOAD,
)
ACTIONS = {
    Outcome.SET: Action.SET,
    Outcome.REPLACE: Action.REPLACE,
    Outcome.REMOVED_ABSENT: Action.REMOVE,
    Outcome.REMOVED_DUPLICATE: Action.REMOVE,
    Outcome.REMOVED_BUDGET: Action.REMOVE,
    Outcome.REMOVED_SUPERSEDED: Action.REMOVE,
}
GIVEN = (Outcome.CONTEXT_FOLDED, Outcome.CONTEXT_QUEUED, Outcome.CONTEXT_REPLACED)
KNOWN = (Outcome.CONTEXT_SUPPLIED, Outcome.CONTEXT_LEFT)


@dataclass
class Look:
    """A pass's decisions about candidates, from one start to the end of its baseline or of its reconciliation.

    ``candidates`` holds the outcomes of each (scope, absolute path) in order. ``moves`` are the transitions named.
    """

    baseline: bool
    candidates: dict[tuple[str, str], list[Outcome]] = field(default_factory=dict)
    moves: list[Decision] = field(default_factory=list)


@dataclass
class Pass:
    """What one pass decided. ``lifecycle`` are the decisions that are about no candidate."""

    index: int
    looks: list[Look] = field(default_factory=list)
    lifecycle: list[Decision] = field(default_factory=list)

    @property
    def moves(self) -> list[Decision]:
        return [move for look in self.looks for move in look.moves]

    def named(self, *outcomes: Outcome) -> list[Decision]:
        return [decision for decision in self.lifecycle if decision.outcome in outcomes]


def passes(take: Take) -> list[Pass]:
    """The passes of an operation. A baseline comes before a reconciliation, a lifecycle decision lies between them."""
    found: dict[int, Pass] = {}
    with_baseline = {d.pass_index for d in take.decisions if d.outcome in BASELINE_ENDS}
    ended: set[int] = set()
    for decision in take.decisions:
        here = found.setdefault(decision.pass_index, Pass(decision.pass_index))
        if not decision.scope:
            here.lifecycle.append(decision)
            if decision.outcome in BASELINE_ENDS:
                ended.add(here.index)
            continue
        is_baseline = here.index in with_baseline - ended
        if not here.looks or here.looks[-1].baseline != is_baseline:
            here.looks.append(Look(is_baseline))
        look = here.looks[-1]
        if decision.stage is Stage.RECONCILE and decision.outcome in ACTIONS:
            look.moves.append(decision)
        # A baseline's transitions follow from its budget; a candidate's own story ends there.
        if not (is_baseline and decision.stage is Stage.RECONCILE):
            look.candidates.setdefault((decision.scope, decision.absolute_path), []).append(decision.outcome)
    return list(found.values())


def code(*outcomes: Outcome) -> str:
    return f"(?:{'|'.join(outcome.value for outcome in outcomes)})"


# The stories that a candidate can have in one look. The last word of each is its one terminal outcome.
REFUSED = code(Outcome.OVERSIZE, Outcome.OVER_AGGREGATE, Outcome.INVALID_UTF8, Outcome.BINARY, Outcome.READ_FAILED)
FATE = code(Outcome.WHOLE, Outcome.OMITTED, Outcome.TRUNCATED, Outcome.HEADING_ONLY, Outcome.NOTICE_ONLY)
MOVE = f"(?:{FATE} {code(*ACTIONS, Outcome.NOT_REPRESENTED)})"
VERDICT = f"(?:{MOVE}|{code(Outcome.HELD_BACK, Outcome.UNCHANGED)})"
IN_BASELINE = re.compile(
    f"same-file|absent|not-a-file|unavailable|present (?:{REFUSED}|read (?:duplicate|kept(?: {FATE})?))"
)
IN_RECONCILIATION = re.compile(
    f"excluded|{MOVE}|unreached-in-group|unavailable|(?:absent|not-a-file)(?: {VERDICT})?"
    f"|present (?:same-file|{REFUSED}|(?:read|unchanged-version) (?:duplicate(?: {VERDICT})?|kept {VERDICT}))"
)
SILENT = (Outcome.ABSENT, Outcome.NOT_A_FILE, Outcome.DUPLICATE, Outcome.EXCLUDED, Outcome.SET)
"""Where a story may only end when nothing was in force: else a removal, a replacement or a hold would be due."""
SPEAKING = (Outcome.REPLACE, Outcome.UNCHANGED, *(outcome for outcome, to in ACTIONS.items() if to is Action.REMOVE))


def in_force(take: Take, this: Pass) -> dict[str, Change]:
    """What is in force before the reconciliation of a pass, by scope."""
    fold = take.before.fold
    if isinstance(take.operation, PreStep) and this.index == len(take.before.queue):
        fold = fold.then(tuple(message for message in take.operation.proposed if message.source.is_instructions))
    found = dict(fold.changes)
    for look in this.looks:
        if look.baseline:
            found.update({move.scope: change_of(move) for move in look.moves})
    return {scope: change for scope, change in found.items() if change.action is not Action.REMOVE}


def change_of(decision: Decision) -> Change:
    digest = decision.facts.get("digest") if ACTIONS[decision.outcome] is not Action.REMOVE else None
    assert digest is None or isinstance(digest, str)
    return Change(ACTIONS[decision.outcome], decision.scope, decision.path, digest)


# -- every candidate exactly once


@each_profile
@law
@given(row=rows())
def test_every_candidate_of_every_look_has_one_story_with_one_end(profile: str, row: dict[str, Any]) -> None:
    for take in play(row, profile):
        for this in passes(take):
            force = in_force(take, this)
            for look in this.looks:
                grammar = IN_BASELINE if look.baseline else IN_RECONCILIATION
                for (scope, path), outcomes in look.candidates.items():
                    story = " ".join(outcome.value for outcome in outcomes)
                    assert grammar.fullmatch(story), (scope, path, story)
                    if look.baseline:
                        continue
                    end = outcomes[-1]
                    assert not (end in SILENT and scope in force), (scope, path, story)
                    assert not (end in SPEAKING and scope not in force), (scope, path, story)


@each_profile
@law
@given(row=rows())
def test_every_probe_and_every_read_is_told_and_nothing_else(profile: str, row: dict[str, Any]) -> None:
    for take in play(row, profile):
        probed = Counter(
            d.absolute_path
            for d in take.decisions
            if d.outcome in (Outcome.PRESENT, Outcome.ABSENT, Outcome.NOT_A_FILE, Outcome.UNAVAILABLE)
        )
        assert probed == Counter(path for path in take.probes if not path.endswith(("/.git", "/.hg")))
        assert Counter(take.reads) == Counter(d.absolute_path for d in take.decisions if took_a_read(d))


def took_a_read(decision: Decision) -> bool:
    match decision.outcome:
        case Outcome.READ | Outcome.INVALID_UTF8 | Outcome.BINARY | Outcome.READ_FAILED:
            return True
        case Outcome.OVERSIZE:
            return decision.facts["size"] is None
        case Outcome.OVER_AGGREGATE:
            return decision.facts["size"] is None and decision.facts["left"] != 0
    return False


@each_profile
@law
@given(row=rows())
def test_every_candidate_of_every_visible_scope_is_looked_at(profile: str, row: dict[str, Any]) -> None:
    for take in play(row, profile):
        for this in passes(take):
            if not any(not look.baseline or look.candidates for look in this.looks):
                continue
            seen = {scope for look in this.looks for scope, _ in look.candidates}
            shared = take.env.profile.shared_root
            for directory in take.before.fold.positions:
                alone = is_user_global_directory(directory, shared_root=shared)
                names = ("AGENTS.md",) if alone else take.env.candidate_names()
                assert seen.issuperset(f"{directory}\0{name}" for name in names), directory


# -- messages follow from decisions


@each_profile
@law
@given(row=rows())
def test_a_message_says_what_the_decisions_of_its_pass_name(profile: str, row: dict[str, Any]) -> None:
    for take in play(row, profile):
        after = {m.id: m for m in (*(take.result.entered or ()), *take.result.state.inbox)}
        for this in passes(take):
            moved = this.moves
            given_out = this.named(*GIVEN)
            if this.named(Outcome.CONTEXT_REUSED):
                assert not moved
                continue
            if not given_out:
                # Nothing that was named may be missing: the same is waiting already, or has been said.
                assert not moved or this.named(*KNOWN), moved
                continue
            (decision,) = given_out
            message = after.get(str(decision.facts["message"]))
            if message is None:
                later = [d.facts for d in take.decisions if d.pass_index > this.index]
                assert any(decision.facts["message"] in (f.get("before"), f.get("message")) for f in later)
                continue
            assert_said(message, moved)


def assert_said(message: Message, moved: list[Decision]) -> None:
    changes = message.source.changes or ()
    assert [(c.action, c.scope, c.digest) for c in changes] == [
        (c.action, c.scope, c.digest) for c in map(change_of, moved)
    ]
    for change, move in zip(changes, moved, strict=True):
        # A removal speaks of the recorded path, which may differ from where the file would be shown today.
        assert change.action is Action.REMOVE or change.path == move.path
    assert bool(message.source.baseline) or changes


@each_profile
@law
@given(row=rows())
def test_what_a_budget_kept_is_what_is_said(profile: str, row: dict[str, Any]) -> None:
    """A file with bytes in the text moves its scope, any other does not."""
    kept = (Outcome.WHOLE, Outcome.TRUNCATED)
    for take in play(row, profile):
        for this in passes(take):
            for look in this.looks:
                shared = Counter(path for _, path in look.candidates)
                said = {m.scope for m in look.moves if m.outcome is Outcome.SET or not look.baseline}
                held = {
                    scope: outcomes
                    for (scope, path), outcomes in look.candidates.items()
                    if shared[path] == 1 and any(re.fullmatch(FATE, outcome.value) for outcome in outcomes)
                }
                if look.baseline and not this.named(Outcome.BASELINE_COMPOSED, Outcome.BASELINE_SUPERSEDED):
                    assert not said  # a kept baseline is rendered only to know what it leaves out
                    continue
                for scope, outcomes in held.items():
                    if profile == "0.1" and scope.startswith("user-global\0"):
                        continue  # two files can share this scope there
                    assert (scope in said) == any(outcome in kept for outcome in outcomes), scope


# -- what is injected


def composed(takes: list[Take]) -> Iterator[tuple[Take, Message]]:
    """Every message of the loader, where it first shows."""
    known: set[int] = set()
    for take in takes:
        given_in = take.operation.proposed if isinstance(take.operation, PreStep) else ()
        known.update(id(message) for message in (*given_in, *take.before.inbox, *take.before.visible))
        for message in (*(take.result.entered or ()), *take.result.state.inbox):
            if message.source.is_instructions and id(message) not in known:
                known.add(id(message))
                yield take, message


@each_profile
@law
@given(row=rows())
def test_a_block_never_exceeds_its_budget(profile: str, row: dict[str, Any]) -> None:
    times = 2 if profile == "next" else 1
    for take, message in composed(play(row, profile)):
        assert len(message.blocks) <= 2
        for block in message.blocks:
            assert len(block.encode()) <= times * take.env.config.max_bytes


@each_profile
@law
@given(data=st.data())
def test_a_text_is_not_injected_again_while_visible_and_unchanged(profile: str, data: st.DataObject) -> None:
    """A complete baseline repeats itself by design. Under 0.1 a project directory ``user-global`` shares the home's
    scope (D3), so that two files take turns there; such trees are left out. So is the one race that the loader loses:
    a projection still queued when a step claims the waiting message does not know what was claimed."""
    row = data.draw(rows(reserved=profile != "0.1"))
    for take in play(row, profile):
        if take.before.queue and any(message.source.is_instructions for message in proposed(take)):
            continue
        fold = take.before.fold
        for message in take.result.entered or ():
            if not message.source.is_instructions:
                continue
            if message is take.result.context and not message.source.baseline:
                for change in message.source.changes or ():
                    before = fold.changes.get(change.scope)
                    assert change.action is Action.REMOVE or before is None or before != again(before, change), change
                    assert change.action is not Action.REMOVE or (before and before.action is not Action.REMOVE)
            fold = fold.then((message,))


def proposed(take: Take) -> tuple[Message, ...]:
    return take.operation.proposed if isinstance(take.operation, PreStep) else ()


def again(before: Change, change: Change) -> Change:
    """The change as it would have to stand in force already to be a repetition."""
    return Change(before.action if before.action is not Action.REMOVE else change.action, *_rest(change))


def _rest(change: Change) -> tuple[str, str, str | None]:
    return change.scope, change.path, change.digest


# -- states


@each_profile
@law
@given(row=rows(), data=st.data())
def test_any_kept_state_can_be_gone_on_from_twice(profile: str, row: dict[str, Any], data: st.DataObject) -> None:
    """Replay of a prefix, then of the rest, is replay of the whole; nothing changes a state that somebody kept."""
    takes = play(row, profile)
    kept = [plain(take.before) for take in takes]
    expected = [told(take.result) for take in takes]
    for start in (0, data.draw(st.integers(0, len(takes) - 1), label="start")):
        for _ in range(2):
            state = takes[start].before
            for take, expect in zip(takes[start:], expected[start:], strict=True):
                result, _ = take.again(state, Watched, None)
                assert told(result) == expect
                state = result.state
    assert [plain(take.before) for take in takes] == kept
    assert [told(take.result) for take in takes] == expected


@each_profile
@law
@given(row=rows())
def test_with_and_without_a_reporter_and_at_rest_everything_is_the_same(profile: str, row: dict[str, Any]) -> None:
    """A provider that can say what changed spares probes, never a read, a message or a difference in state."""
    takes = play(row, profile)
    silent = resting = reported = takes[0].before
    for take in takes:
        expect = told(take.result)
        recorder = Recorder()
        results = []
        for state, watch, reporter in (
            (silent, Watched, None),
            (resting, Telling, None),
            (reported, Telling, recorder),
        ):
            result, watched = take.again(state, watch, reporter)
            assert told(result) == expect
            assert tuple(watched.reads) == take.reads
            results.append(result.state)
            assert len(watched.probes) <= len(take.probes)
        silent, resting, reported = results
        assert tuple(recorder.decisions) == take.decisions
        assert tuple(recorder.budgets) == take.budgets


@each_profile
@law
@given(row=rows())
def test_a_session_played_twice_is_the_same_session(profile: str, row: dict[str, Any]) -> None:
    first, second = play(row, profile), play(row, profile)
    assert [told(take.result) for take in first] == [told(take.result) for take in second]
    assert [take.decisions for take in first] == [take.decisions for take in second]


@each_profile
@law
@given(row=rows())
def test_what_is_folded_is_what_is_visible(profile: str, row: dict[str, Any]) -> None:
    for take in play(row, profile):
        state = take.result.state
        fresh = Fold.of(state.visible)
        assert dict(state.fold.changes) == dict(fresh.changes)
        assert state.fold.baseline is fresh.baseline
        assert dict(state.fold.positions) == dict(fresh.positions)
        assert len(state.pending) <= 1 or state.inbox == take.before.inbox
