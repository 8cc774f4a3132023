"""The catalogue is whole, fits its columns, and never raises."""

from __future__ import annotations

import re
import string

import pytest
from rich.cells import cell_len

from scopetrace.model import Decision, Outcome, OutcomeInfo, Stage
from scopetrace.model.catalog import CATALOG, describe, explain_page, find_outcome
from scopetrace.model.catalog.sentence import render_sentence
from scopetrace.model.sizes import both_bytes, exact_bytes, short_bytes

EVERY = [pytest.param(info, id=info.outcome.value) for info in CATALOG.values()]


def test_every_outcome_has_an_entry() -> None:
    missing = [outcome.value for outcome in Outcome if outcome not in CATALOG]
    assert missing == []
    assert len(CATALOG) == len(Outcome)


def test_entries_follow_the_order_of_stages() -> None:
    order = list(Stage)
    positions = [order.index(info.stage) for info in CATALOG.values()]
    assert positions == sorted(positions)


@pytest.mark.parametrize("info", EVERY)
def test_entry_fits_where_it_is_shown(info: OutcomeInfo) -> None:
    assert len(info.glyph) == 1
    assert cell_len(info.glyph) == 1
    assert 0 < len(info.word) <= 12
    assert cell_len(info.word) == len(info.word)
    assert not info.sentence.rstrip().endswith(".")
    assert info.page.endswith(".")
    sentences = re.findall(r"[.!?](?:\s|$)", info.page)
    assert 2 <= len(sentences) <= 8
    assert "Rule: loader README" in info.page or "docs/profiles.md" in info.page


@pytest.mark.parametrize("info", EVERY)
def test_sentence_without_any_fact(info: OutcomeInfo) -> None:
    text = describe(Decision(info.stage, info.outcome))
    assert text
    assert not set(text) & set("{}[]")


@pytest.mark.parametrize("info", EVERY)
def test_sentence_with_facts_of_any_type(info: OutcomeInfo) -> None:
    fields = {name for _, name, _, _ in string.Formatter().parse(info.sentence) if name}
    for value in (7, 1.5, "x[y]{z}", True, False, None, ("a", "b"), ()):
        decision = Decision(
            info.stage, info.outcome, scope="a\0AGENTS.md", path="a/AGENTS.md", facts=dict.fromkeys(fields, value)
        )
        assert describe(decision)


@pytest.mark.parametrize("info", EVERY)
def test_glyph_and_word_tell_outcomes_apart_without_colour(info: OutcomeInfo) -> None:
    same = [
        other
        for other in CATALOG.values()
        if (other.glyph, other.word) == (info.glyph, info.word) and other is not info
    ]
    assert all(other.stage is not info.stage for other in same)


def test_size_and_link_are_told() -> None:
    facts = {"size": 9216, "link": "/etc/motd", "crosses": True}
    decision = Decision(Stage.PROBE, Outcome.PRESENT, path="AGENTS.md", facts=facts)
    assert describe(decision) == "AGENTS.md exists, 9 216 B, a link to /etc/motd ▲ the link leaves the project root"
    inside = Decision(Stage.PROBE, Outcome.PRESENT, path="AGENTS.md", facts={**facts, "crosses": False})
    assert "leaves" not in describe(inside)


def test_a_missing_fact_is_a_question_mark() -> None:
    assert describe(Decision(Stage.DEDUP, Outcome.DUPLICATE, path="CLAUDE.md")).endswith("the same as ?")


def test_braces_in_a_path_are_text() -> None:
    decision = Decision(Stage.PROBE, Outcome.ABSENT, path="[x]{size}/AGENTS.md")
    assert describe(decision) == "[x]{size}/AGENTS.md does not exist"


def test_zero_bytes_are_a_fact() -> None:
    assert render_sentence("left[ {left:size}]", {"left": 0}) == "left 0 B"


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (3, "3 files")])
def test_counts(count: int, text: str) -> None:
    assert render_sentence("{n:file}", {"n": count}) == text


@pytest.mark.parametrize(("lost", "end"), [(0, "its memory is empty"), (2, ", 2 touches that waited did not survive")])
def test_what_a_resume_lost(lost: int, end: str) -> None:
    assert describe(Decision(Stage.LIFECYCLE, Outcome.RESUMED, facts={"lost": lost})).endswith(end)


@pytest.mark.parametrize("typed", ["held-back", "HELD_BACK", " Held back "])
def test_codes_as_people_type_them(typed: str) -> None:
    info = find_outcome(typed)
    assert info is not None
    assert info.outcome is Outcome.HELD_BACK
    assert explain_page(typed) == info.page


def test_unknown_code() -> None:
    assert explain_page("no-such-code") is None


@pytest.mark.parametrize(
    ("size", "exact", "short"),
    [
        (0, "0 B", "0 B"),
        (1023, "1 023 B", "1 023 B"),
        (1024, "1 024 B", "1 KiB"),
        (1229, "1 229 B", "1.2 KiB"),
        (65536, "65 536 B", "64 KiB"),
        (1048575, "1 048 575 B", "1 MiB"),
        (3250586, "3 250 586 B", "3.1 MiB"),
        (100.25, "100.25 B", "100.25 B"),
        (float("inf"), "inf B", "inf B"),
    ],
)
def test_sizes(size: float, exact: str, short: str) -> None:
    assert exact_bytes(size) == exact
    assert short_bytes(size) == short


def test_both_sizes() -> None:
    assert both_bytes(9216) == "9 216 B (9 KiB)"
    assert both_bytes(12) == "12 B"
