"""Text and JSON say the same, JSON fits its schema, and nothing of a log can steer the terminal."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scopetrace.explain import Answer, Applying, Evidence, Moment, Reason
from scopetrace.model import Outcome, TimelineView
from scopetrace.model.catalog import CATALOG
from scopetrace.report import build, documents, json_text, lesson_docs, lesson_text, parts, schema, tables, text
from scopetrace.report.lines import Line, line, plain_text

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\ud800-\udfff]")


def every_document(view: TimelineView) -> dict[str, documents.Document]:
    totals = build.totals_doc(view)
    error = documents.ErrorDoc(
        code="not-a-log", path="/x\x1b", place="byte 3", message="not a log", remedy="pick another"
    )
    log = documents.AuditLogDoc(
        path="/logs/a.jsonl",
        title="a\x1b]0;x\x07",
        format="4",
        profile="0.2",
        totals=totals,
        comparisons=tuple(parts.comparison_doc(item, messages=True) for item in view.comparisons),
        fits=("0.1",),
    )
    bad = documents.AuditLogDoc(
        path="/logs/b", title="", format="", profile="", totals=None, comparisons=(), fits=(), error=error
    )
    session = documents.SessionDoc(
        path="/s/1", session_id="1", cwd="/w\x1b", format=4, size=2048, modified_ms=0, parent="p"
    )
    message = parts.message_doc(view.comparisons[1].recorded)  # type: ignore[arg-type]
    return {
        "timeline": build.timeline_doc(view, decisions=True, every=True),
        "frame": build.frame_doc(view, 2),
        "tree": build.tree_doc(view, 2),
        "show": build.show_doc(view, 2),
        "audit": documents.AuditDoc(verdict="unreadable", logs=(log, bad)),
        "message": documents.MessageAtDoc(session_id="s", seq=12, origin="recorded", message=message),
        "sessions": documents.SessionsDoc(home="/h", sessions=(session,)),
        "outcomes": parts.outcomes_doc(tuple(CATALOG.values())),
        "lesson": lesson(),
        "lessons": lesson_docs.LessonsDoc(
            lessons=(
                lesson_docs.LessonHeadDoc(name="n", title="t\x1b", teaches="t", profile="0.2", pages=1, questions=1),
            )
        ),
        "answer": answer(),
        "error": error,
    }


def lesson() -> lesson_docs.LessonDoc:
    claim = lesson_docs.ClaimDoc(
        claim={"message": {"changes": [["set", "a\x1b"]]}}, holds=False, glyph="✖", said="nothing\u202e"
    )
    page = lesson_docs.PageDoc(
        number=1, at=0, caption="look\x1b", happened=("go\x1b",), claims=(claim,), question="why?\x1b", answer="so\x1b"
    )
    return lesson_docs.LessonDoc(
        name="n\x1b",
        title="t\x1b",
        teaches="t\x1b",
        profile="0.2",
        path="/l\x1b",
        holds=False,
        unexpected=("expect[0].inbox",),
        pages=(page,),
    )


def answer() -> Answer:
    reason = Reason(code="duplicate", sentence="said twice\x1b", facts={"of": "a", "n": 1, "names": ("x", "y")}, seq=4)
    return Answer(
        question="x\x1b",
        path="x",
        absolute_path="/w/x",
        subject="candidate",
        at=3,
        seq=4,
        cwd="/w",
        project_root="/w",
        profile="next",
        standing="not-loaded",
        code="duplicate",
        headline="Not loaded: x",
        causes=(reason,),
        evidence=(Evidence(kind="file", sentence="x", facts={"size": 3, "digest": None}, absolute_path="/w/x"),),
        when=(Moment(kind="next-step", sentence="soon", facts={}),),
        applies=(Applying(directory=".", name="x", path="x", absolute_path="/w/x", code="loaded", size=3, seq=4),),
    )


def test_every_document_has_a_schema(view: TimelineView) -> None:
    assert set(every_document(view)) == set(schema.SCHEMAS)


@pytest.mark.parametrize("name", sorted(schema.SCHEMAS))
def test_json_comes_back_as_the_same_document(view: TimelineView, name: str) -> None:
    document = every_document(view)[name]
    written = json_text.to_json(document)
    assert written.isascii()
    assert not CONTROL.search(written)
    data = json.loads(written)
    assert data["schema"] == f"scopetrace/{name}/1"
    assert schema.parse(data) == document


@pytest.mark.parametrize("name", sorted(schema.SCHEMAS))
def test_json_schema_is_versioned(name: str) -> None:
    described = schema.json_schema(name)
    assert described["$id"] == f"scopetrace/{name}/1"
    assert described["properties"]


@pytest.mark.parametrize(
    "data", [None, {}, {"schema": 1}, {"schema": "scopetrace/timeline/2/3"}, {"schema": "other/frame/1"}]
)
def test_other_json_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="not a scopetrace document"):
        schema.parse(data)


def test_pieces_of_a_timeline_are_the_timeline(view: TimelineView) -> None:
    pieces = json_text.timeline_json(
        parts.info_doc(view.info), build.row_docs(view, decisions=True), build.totals_doc(view)
    )
    assert schema.parse(json.loads("".join(pieces))) == build.timeline_doc(view, decisions=True)


def test_budget_that_is_no_number() -> None:
    assert parts.finite(float("inf")) is None
    assert parts.finite(float("nan")) is None
    assert parts.finite(600.0) == 600
    assert isinstance(parts.finite(600.0), int)
    assert parts.finite(100.25) == 100.25


def text_twins(view: TimelineView) -> dict[str, list[Line]]:
    docs = every_document(view)
    timeline = build.timeline_doc(view, decisions=True, every=True)
    return {
        "timeline": list(text.timeline_lines(timeline.info, timeline.rows, timeline.totals)),
        "frame": list(text.frame_lines(build.frame_doc(view, 4))),
        "baseline": list(text.frame_lines(build.frame_doc(view, 2))),
        "tree": list(text.tree_lines(build.tree_doc(view, 2))),
        "show": list(text.show_lines(build.show_doc(view, 2), decisions=True)),
        "audit": list(tables.audit_lines(docs["audit"])),  # type: ignore[arg-type]
        "sessions": list(tables.sessions_lines(docs["sessions"])),  # type: ignore[arg-type]
        "error": list(tables.error_lines(docs["error"])),  # type: ignore[arg-type]
        "lesson": list(lesson_text.lesson_lines(lesson())),
        "lessons": list(lesson_text.lessons_lines(docs["lessons"])),  # type: ignore[arg-type]
        "list": list(tables.outcome_list_lines(docs["outcomes"])),  # type: ignore[arg-type]
        "pages": list(tables.outcome_page_lines(docs["outcomes"])),  # type: ignore[arg-type]
    }


def test_no_text_report_lets_a_control_character_through(view: TimelineView) -> None:
    for name, lines in text_twins(view).items():
        shown = plain_text(lines)
        assert shown, name
        assert not CONTROL.search(shown), name
        coloured = re.sub("\x1b\\[[0-9]+m", "", "\n".join(item.ansi for item in lines))
        assert not CONTROL.search(coloured), name


def test_timeline_says_what_moved(view: TimelineView) -> None:
    shown = plain_text(text_twins(view)["timeline"])
    assert "/home/dev/shop · rules 0.2 · budget 600 B" in shown
    assert re.search(r"5 +1\.1 +⊕ baseline: 1 change, 50 B +recorded = computed ✔\n +⊕ set +AGENTS\.md", shown)
    assert "recorded ≠ computed ✖ (blocks, changes)" in shown
    assert "▲ files of today stand in for 2 of 3 files" in shown
    assert "✂ truncated    AGENTS.md was cut to 421 B of 9 216 B to fit 600 B" in shown
    assert "5 events · 2 instruction messages recorded · 1 equal · 1 different" in shown


def test_rows_that_do_not_matter_are_left_out(view: TimelineView) -> None:
    assert [row.seq for row in build.row_docs(view)] == [4, 5, 9, 12]
    assert [row.seq for row in build.row_docs(view, every=True)] == [0, 4, 5, 9, 12]


def test_tree_folds_absent_candidates(view: TimelineView) -> None:
    shown = plain_text(text_twins(view)["tree"]).splitlines()
    assert "  · CLAUDE.md, CLAUDE.local.md  absent" in shown
    assert "  ✂ AGENTS.md  9 KiB  loaded, cut  changed here" in shown
    assert "    ○ AGENTS.md  10 B  not reached" in shown


def test_show_holds_budget_and_text(view: TimelineView) -> None:
    shown = plain_text(text_twins(view)["show"])
    assert "Budget · baseline   598 B of 600 B" in shown
    assert "✂ AGENTS.md  9 216 B → 421 B" in shown
    assert "▲ ~/.dsh/AGENTS.md  77 B omitted" in shown
    assert "│ Root rules é" in shown


def test_audit_names_the_rules_that_fit(view: TimelineView) -> None:
    shown = plain_text(text_twins(view)["audit"])
    assert "the record fits the rules 0.1" in shown
    assert "pick another" in shown


def test_every_outcome_of_a_document_is_in_the_catalogue(view: TimelineView) -> None:
    for row in build.timeline_doc(view, decisions=True).rows:
        for decision in row.decisions or ():
            assert CATALOG[Outcome(decision.outcome)].word == decision.word
            assert decision.sentence in plain_text([text.decision_line(decision)]) or "\x1b" in decision.sentence


def test_long_text_is_cut_to_the_width(view: TimelineView) -> None:
    timeline = build.timeline_doc(view)
    for item in text.timeline_lines(timeline.info, timeline.rows[:1], None, width=40):
        assert len(item.text) <= 130
    assert next(iter(text.row_lines(timeline.rows[0], width=40))).text.endswith("…")


def test_colour_is_only_in_ansi() -> None:
    item = line(("bad", "bad"), " plain", ("", "good"))
    assert item.text == "bad plain"
    assert item.ansi == "\x1b[31mbad\x1b[0m plain"
