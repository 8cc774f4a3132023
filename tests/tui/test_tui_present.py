"""What the panes say, decided without a screen."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from fake_timeline import BASELINE_BUDGET, FakeTimeline, tree, update_decisions

from scopetrace.model import BudgetReport, Outcome, ScopeNode, Segment, SegmentKind
from scopetrace.tui.pace import Pace
from scopetrace.tui.present import budget, decisions, diff, layout, scopes, timeline
from scopetrace.tui.present.header import title_line
from scopetrace.tui.present.layout import Pane, Shape
from scopetrace.tui.present.legend import help_lines
from scopetrace.tui.present.message import MessageView, message_lines
from scopetrace.tui.present.moment import moment_at
from scopetrace.tui.present.outcomes import fold_names
from scopetrace.tui.present.shown import Shown
from scopetrace.tui.present.spans import Lines, text_of, width_of
from scopetrace.tui.present.steps import StepError, parse_step
from scopetrace.tui.present.text import TextLines


def at(seq: int) -> Shown:
    fake = FakeTimeline()
    index = fake.index_of(seq)
    assert index is not None
    return Shown(fake, timeline.TimelineMarks(fake), index, fake.frame(index), fake.tree(index))


def texts(lines: Lines, width: int = 100) -> list[str]:
    if isinstance(lines, TextLines):
        lines.layout(width)
    return [text_of(lines.line(index, width)).rstrip() for index in range(len(lines))]


def test_the_present_layer_does_not_know_textual() -> None:
    code = (
        "import pkgutil, sys, importlib, scopetrace.tui.present as p, scopetrace.tui.actions\n"
        "[importlib.import_module('scopetrace.tui.present.' + m.name) for m in pkgutil.iter_modules(p.__path__)]\n"
        "sys.exit('textual' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_one_row_a_candidate_and_absent_ones_folded() -> None:
    rows = decisions.decision_rows(update_decisions())
    assert [(row.outcome.value, row.label) for row in rows[:4]] == [
        ("set", "services/AGENTS.md"),
        ("absent", "services/{CLAUDE,AGENTS.local,CLAUDE.local}.md"),
        ("set", "services/api/AGENTS.md"),
        ("set", "services/api/CLAUDE.md"),
    ]
    assert [item.outcome.value for item in rows[0].chain] == ["present", "read", "kept", "whole", "set"]
    assert decisions.summary(rows) == "3 new · 4 unchanged · 1 duplicate · 5 absent"
    assert decisions.first_of_interest(rows) == 0


def test_the_chain_names_every_stage() -> None:
    lines = decisions.DecisionLines(decisions.decision_rows(update_decisions()))
    labels = [text_of(line).split()[0] for line in lines.details(0, 90)]
    assert labels == ["probe", "read", "dedup", "budget", "reconcile", "facts"]


@pytest.mark.parametrize("width", [20, 34, 60, 120])
def test_rows_fit_the_pane(width: int) -> None:
    shown = at(30)
    sources: list[Lines] = [
        decisions.DecisionLines(decisions.decision_rows(shown.frame.decisions)),
        scopes.ScopeLines(scopes.scope_rows(shown.tree, shown.frame.decisions)),
        timeline.TimelineLines(shown.timeline, shown.marks),
    ]
    for source in sources:
        for index in range(len(source)):
            assert width_of(source.line(index, width)) <= width
            for detail in source.details(index, width):
                assert width_of(detail) <= width
    for line in budget.budget_lines([budget.BudgetPart(BASELINE_BUDGET, 9)], width):
        assert width_of(line) <= width


def test_scopes_say_what_moved_and_fold_closed_directories() -> None:
    shown = at(30)
    rows = scopes.scope_rows(shown.tree, shown.frame.decisions)
    new = [row.label for row in rows if row.moved is Outcome.SET]
    assert new == ["AGENTS.md", "AGENTS.md", "CLAUDE.md"]
    closed = scopes.scope_rows(shown.tree, shown.frame.decisions, {"services"})
    assert len(closed) == len(rows) - 7
    assert scopes.summary(shown.tree).startswith("7 loaded · 1 duplicate")


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        (["a/CLAUDE.md"], "a/CLAUDE.md"),
        (["a/CLAUDE.md", "a/AGENTS.local.md"], "a/{CLAUDE,AGENTS.local}.md"),
        (["CLAUDE.md", "rules.txt"], "{CLAUDE.md,rules.txt}"),
    ],
)
def test_folded_names(paths: list[str], shown: str) -> None:
    assert fold_names(paths) == shown


def test_the_bar_is_to_scale() -> None:
    report = BudgetReport(
        "baseline",
        "all",
        100,
        75,
        (Segment(SegmentKind.FRAME, 25), Segment(SegmentKind.FILE, 25, "a"), Segment(SegmentKind.FILE, 25, "b")),
    )
    line = budget.bar(report, 40)
    assert [(len(span.text), span.role) for span in line if span.text] == [
        (10, "frame"),
        (10, "good"),
        (10, "info"),
        (10, "track"),
    ]
    over = BudgetReport("baseline", "all", 50, 100, (Segment(SegmentKind.FILE, 100, "a"),))
    assert width_of(budget.bar(over, 40)) == 40


def test_budget_lines_name_losses_with_their_numbers() -> None:
    lines = [text_of(line) for line in budget.budget_lines([budget.BudgetPart(BASELINE_BUDGET)], 70)]
    assert any("docs/AGENTS.md" in line and "9 216 B" in line for line in lines)
    assert any("40 218 → 34 021 B" in line for line in lines)


@pytest.mark.parametrize(
    ("typed", "seq"), [("30", 30), ("#30", 30), ("31", 32), ("+1", 32), ("-1", 29), ("0%", 0), ("100%", 49)]
)
def test_steps_as_typed(typed: str, seq: int) -> None:
    fake = FakeTimeline()
    assert fake.row(parse_step(typed, fake, 20)).seq == seq


@pytest.mark.parametrize("typed", ["", "abc", "999", "120%", "+5%", "3.5"])
def test_steps_that_name_nothing(typed: str) -> None:
    with pytest.raises(StepError):
        parse_step(typed, FakeTimeline(), 20)


def test_text_shows_the_message_or_what_is_in_force() -> None:
    here = texts(message_lines(at(30), MessageView.TEXT, wrap_text=True, width=100))
    assert here[0].startswith("event 30 · update · 3 changes · ")
    assert "Additional instructions from: services/AGENTS.md" in here
    later = texts(message_lines(at(34), MessageView.TEXT, wrap_text=True, width=100))
    assert later[0] == "No instructions at this event. The model still holds:"
    assert later[1].startswith("event 9 · baseline")
    assert later[2].startswith("event 30 · update")
    before = texts(message_lines(at(4), MessageView.TEXT, wrap_text=True, width=100))
    assert before == ["No instruction message has reached the model yet. ] goes to the first one."]


def test_other_views() -> None:
    changes = texts(message_lines(at(30), MessageView.CHANGES, wrap_text=True, width=80))
    assert sum("set" in line for line in changes) == 3
    raw = texts(message_lines(at(30), MessageView.RAW, wrap_text=True, width=80))
    assert '  "seq": 30,' in raw
    same = texts(message_lines(at(30), MessageView.RECORD, wrap_text=True, width=80))
    assert any("byte for byte" in line for line in same)
    record = texts(message_lines(at(47), MessageView.RECORD, wrap_text=True, width=80))
    assert "- - FastAPI only. Return plain JSON on errors." in record
    version = texts(message_lines(at(47), MessageView.VERSION, wrap_text=True, width=80))
    assert "+ - Plain JSON." in version


def test_wrapped_text_drops_no_character() -> None:
    text = "word " * 40 + "x" * 90 + " 中文字" * 30
    lines = TextLines(text)
    lines.layout(31)
    assert "".join(text_of(lines.line(index, 31)) for index in range(len(lines))) == text


def test_equal_texts_have_no_diff_and_long_ones_are_not_compared_line_by_line() -> None:
    assert diff.diff_lines("a\nb", "a\nb", "x", "y") == []
    many = "\n".join(map(str, range(diff.LIMIT + 5)))
    lines = diff.diff_lines(many, many.replace("77\n", "78\n", 1), "x", "y")
    assert "first difference in line 78" in text_of(lines[2])


@pytest.mark.parametrize(
    ("size", "shape", "count"),
    [
        ((59, 24), Shape.REDUCED, 1),
        ((80, 19), Shape.REDUCED, 1),
        ((80, 24), Shape.NARROW, 2),
        ((100, 30), Shape.MIDDLE, 4),
        ((140, 40), Shape.WIDE, 5),
    ],
)
def test_shapes(size: tuple[int, int], shape: Shape, count: int) -> None:
    assert layout.shape_for(*size) is shape
    assert len(layout.visible_panes(shape, Pane.MESSAGE)) == count


def test_names_in_a_title_can_be_clicked() -> None:
    line = text_of(layout.tab_titles(Pane.SCOPES, Shape.NARROW))
    assert layout.tab_at(Pane.SCOPES, Shape.NARROW, line.index("3 Budget")) is Pane.BUDGET
    assert layout.tab_at(Pane.SCOPES, Shape.NARROW, len(line) + 3) is None


@pytest.mark.parametrize("width", [40, 59, 80, 120, 200])
def test_the_title_always_names_profile_and_event(width: int) -> None:
    fake = FakeTimeline()
    line = title_line(fake.info, moment_at(fake, 20), fake.frame(20), width)
    text = text_of(line)
    assert width_of(line) <= width
    assert "rules 0.2" in text
    assert "event 30/49" in text
    assert "✔" in text


def test_density_marks_changes_and_the_present() -> None:
    line = timeline.density([0, 5, 99], 100, 50, 20)
    assert width_of(line) == 20
    assert [span.role for span in line].count("good") == 3
    assert line[10].role == "accent"
    assert timeline.strip_index(10, 20, 100) == 50


def test_help_names_every_outcome_in_one_cell_glyphs() -> None:
    page = "\n".join(text_of(line) for line in help_lines("scopes", 100))
    for outcome in Outcome:
        assert f"({outcome.value})" in " ".join(page.split())


def test_moments_find_their_turn_and_gaps_have_no_number() -> None:
    fake = FakeTimeline()
    fake.rows[20] = replace(fake.rows[20], turn=0, step=0)
    moment = moment_at(fake, 20)
    assert (moment.number, moment.turn, moment.step, moment.last_seq) == ("30", 1, 3, 49)
    fake.rows[20] = replace(fake.rows[20], seq=-1)
    assert moment_at(fake, 20).number == "gap"
    assert "gap" in text_of(title_line(fake.info, moment_at(fake, 20), None, 120))


def test_a_directory_without_files_takes_one_row() -> None:
    absent = tuple(replace(item, outcome=Outcome.ABSENT) for item in tree(True, True)[2].children[0].candidates)
    rows = scopes.scope_rows((ScopeNode("services", "services", "", True, absent),))
    assert len(rows) == 1
    assert text_of(scopes.ScopeLines(rows).line(0, 40)).split() == ["·", "services", "4", "absent"]
    assert scopes.describe_row(rows[0]).startswith("services: AGENTS.md, CLAUDE.md")


def test_the_pace_follows_the_clock() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])

    def advance(rows: int) -> bool:
        now[0] += rows * 0.0001
        return False

    for _ in range(10):
        pace.run(advance)
    assert 125 <= pace.rows <= 256
