"""Every instruction case: the engine reproduces its trace, and ``why`` on its question names the cause."""

from __future__ import annotations

from typing import Any

import pytest
from case_files import Case, cases, profile, row_of_step, trace

from scopetrace.explain import Answer, why
from scopetrace.explain.questions import understand
from scopetrace.report.explain_pages import page_of

EVERY = [pytest.param(case, id=case.name) for case in cases()]
ASKED = [pytest.param(case, id=case.name) for case in cases() if case.ask]


@pytest.mark.parametrize("case", EVERY)
def test_the_engine_reproduces_the_trace(case: Case) -> None:
    assert trace(case, profile()) == case.row["expected"]["trace"]


@pytest.mark.parametrize("case", EVERY)
def test_the_question_in_words_gets_an_answer_that_reads_well(case: Case) -> None:
    timeline = case.play(profile())
    ask = understand(timeline, case.row["question"])
    answer = why(timeline, ask.path, at=ask.at)
    assert 0 < len(answer.headline) <= 100
    assert answer.causes
    assert answer.code == answer.causes[0].code
    for cause in answer.causes:
        assert page_of(cause.code) is not None
        assert cause.seq is None or timeline.index_of(cause.seq) is not None


@pytest.mark.parametrize("case", ASKED)
def test_the_question_in_words_is_understood_as_meant(case: Case) -> None:
    timeline = case.play(profile())
    ask = understand(timeline, case.row["question"])
    assert ask.path == case.ask["path"]
    if "step" in case.ask:
        assert ask.at == row_of_step(case, timeline, case.ask["step"])
    check(why(timeline, ask.path, at=ask.at), case.ask)


@pytest.mark.parametrize("case", ASKED)
def test_the_call_names_the_cause(case: Case) -> None:
    timeline = case.play(profile())
    at = row_of_step(case, timeline, case.ask["step"]) if "step" in case.ask else None
    check(why(timeline, case.ask["path"], at=at), case.ask)


def check(answer: Answer, ask: dict[str, Any]) -> None:
    """Codes, facts and evidence that an ``ask.json`` expects; what it does not name is free."""
    codes = [cause.code for cause in answer.causes]
    assert answer.standing == ask.get("standing", answer.standing)
    assert codes[0] == ask["codes"][0]
    assert [code for code in dict.fromkeys(codes) if code in ask["codes"]] == ask["codes"]
    for code, facts in ask.get("facts", {}).items():
        assert any(cause.code == code and has(cause.facts, facts) for cause in answer.causes), (code, facts)
    for wanted in ask.get("evidence", ()):
        assert any(e.kind == wanted["kind"] and has(e.facts, wanted["facts"]) for e in answer.evidence), wanted
    kinds = [moment.kind for moment in answer.when]
    assert all(kind in kinds for kind in ask.get("when", ()))
    if "applies" in ask:
        assert [one.path for one in answer.applies] == ask["applies"]
    if "would_load" in ask:
        assert [one.path for one in answer.would_load] == ask["would_load"]


def has(facts: Any, wanted: dict[str, Any]) -> bool:
    return all(facts.get(key) == value for key, value in wanted.items())
