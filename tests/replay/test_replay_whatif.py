"""What-if replays, breakpoints, filters and search over a real session."""

from __future__ import annotations

from pathlib import Path

import pytest

from scopetrace.engine.config import ConfigError
from scopetrace.model import Outcome
from scopetrace.replay import Timeline, open_session
from scopetrace.replay.looking import BreakKind, Breakpoint, RowFilter, filtered, next_hit, search
from scopetrace.replay.whatif import Variation, deltas, latest_budgets, suppose, visible_text
from scopetrace.workspace.overlay import Edit

RECORDINGS = Path(__file__).parents[1] / "recordings"


@pytest.fixture(scope="module")
def demo() -> Timeline:
    return open_session(RECORDINGS / "demo-monorepo")


def at(timeline: Timeline, seq: int) -> int:
    index = timeline.index_of(seq)
    assert index is not None
    return index


def test_supposing_nothing_changes_nothing(demo: Timeline) -> None:
    same = suppose(demo, Variation())
    last = len(demo) - 1
    assert deltas(demo, same, last) == ()
    assert visible_text(demo, last) == visible_text(same, last)
    assert same.comparisons == []


def test_a_small_budget_leaves_the_broad_files_out(demo: Timeline) -> None:
    index = at(demo, 10)
    small = suppose(demo, Variation(settings=(("maxBytes", 600),)), upto=index)
    changed = {delta.path: delta.outcomes for delta in deltas(demo, small, index)}
    assert changed["AGENTS.md"] == (Outcome.LOADED, Outcome.OMITTED)
    assert changed["~/.dsh/AGENTS.md"] == (Outcome.LOADED, Outcome.OMITTED)
    assert "AGENTS.local.md" not in changed
    assert [report.limit for report in latest_budgets(small, index)] == [600]
    assert visible_text(small, index).startswith("<system-reminder>\nWorkspace instruction budget 600 bytes: omitted")


def test_a_supposed_touch_reaches_a_directory_that_the_session_never_touched(demo: Timeline) -> None:
    index = at(demo, 15)
    other = suppose(demo, Variation(touches=((index, "read", "services/worker/jobs.py"),)), upto=index)
    waiting = other.frame(index).inbox
    assert [change.path for message in waiting for change in message.source.changes or ()] == [
        "services/AGENTS.md",
        "services/worker/CLAUDE.md",
    ]
    assert demo.frame(index).inbox == ()


def test_an_edited_file_is_read_as_edited_and_the_disk_is_left_alone(demo: Timeline) -> None:
    root = "/home/dev/demo-monorepo/CLAUDE.md"
    index = at(demo, 10)
    edited = suppose(demo, Variation(edits=(Edit.write(root, b"# Its own\n"),)), upto=index)
    changed = {delta.path: delta.outcomes for delta in deltas(demo, edited, index)}
    assert changed == {"CLAUDE.md": (Outcome.DUPLICATE, Outcome.LOADED)}
    assert "# Its own" in visible_text(edited, index)
    assert "# Its own" not in visible_text(demo, index)


def test_other_rules_are_a_variation_too(demo: Timeline) -> None:
    index = at(demo, 10)
    older = suppose(demo, Variation(profile="0.1"), upto=index)
    changed = [delta.path for delta in deltas(demo, older, index)]
    assert changed == ["~/.agents/AGENTS.md"]


def test_a_setting_that_the_loader_refuses_is_named(demo: Timeline) -> None:
    with pytest.raises(ConfigError, match="maxSourceBytes"):
        suppose(demo, Variation(settings=(("maxSourceBytes", 0),)))


def test_breakpoints_stop_at_scopes_outcomes_and_nowhere_without_a_mismatch(demo: Timeline) -> None:
    scope = Breakpoint.parse("services/api")
    first = next_hit(demo, (scope,), 0)
    assert first is not None
    assert demo.row(first).seq == 26
    outcome = next_hit(demo, (Breakpoint.parse("removed-absent"),), first)
    assert outcome is not None
    assert any(decision.outcome is Outcome.REMOVED_ABSENT for decision in demo.frame(outcome).decisions)
    assert next_hit(demo, (Breakpoint.parse("mismatch"),), 0) is None
    assert Breakpoint.parse("touch-error").kind is BreakKind.OUTCOME
    failed = next_hit(demo, (Breakpoint.parse("touch-error"),), 0)
    assert failed is not None
    assert demo.row(failed).seq == 40


def test_a_mismatch_breakpoint_stops_at_the_first_difference() -> None:
    older = open_session(RECORDINGS / "v0.1.5rc1-full", profile="0.2")
    hit = next_hit(older, (Breakpoint.parse("mismatch"),), 0)
    assert hit == older.changes[0]


def test_filters_and_search(demo: Timeline) -> None:
    assert list(filtered(demo, RowFilter.CHANGES)) == list(demo.changes)
    touches = [demo.row(index) for index in filtered(demo, RowFilter.TOUCHES)]
    assert {row.label for row in touches} == {"read", "write", "edit"}
    problems = [demo.row(index).seq for index in filtered(demo, RowFilter.PROBLEMS)]
    assert 40 in problems
    found = list(search(demo, "QTY"))
    assert at(demo, 33) in found
    assert list(search(demo, "no such words anywhere")) == []
