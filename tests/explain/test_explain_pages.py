"""Every code has a page, every headline fits, and answers on real recordings have all their facts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explain_world import WS, plain

from scopetrace.explain import Answer, why
from scopetrace.explain.answer import Reason
from scopetrace.explain.codes import Code, Kind, Standing, When
from scopetrace.explain.pages import CODES
from scopetrace.explain.sentences import WIDTH, cause, evidence, headline, moment
from scopetrace.explain.words import WORDS
from scopetrace.model import Outcome
from scopetrace.replay import open_session
from scopetrace.report.answer_text import answer_lines
from scopetrace.report.explain_pages import all_pages, page_of

RECORDINGS = Path(__file__).parents[1] / "recordings"
MISSING = re.compile(r"(^|[\s(])\?([\s,;:)]|$)")
JARGON = (
    "candidate", "overlay", "scope", "baseline", "touch", "surface", "compaction", "inbox", "budget", "chain", "group",
    "digest", "marker", "user-global", "in-force", "announced", "withdrawn", "step", "session", "settings", "profile",
    "project-root",
)  # fmt: skip


@pytest.mark.parametrize("code", [*Standing, *Code, *When, *Kind, *Outcome])
def test_every_code_has_a_page(code: str) -> None:
    page = page_of(code)
    assert page is not None
    assert page.page.endswith(".")
    assert 0 < len(page.word) <= 12
    assert len(page.glyph) == 1


@pytest.mark.parametrize("word", JARGON)
def test_the_words_of_the_field_are_defined(word: str) -> None:
    assert word in WORDS
    assert page_of(word) is not None


def test_codes_are_told_apart() -> None:
    codes = [page.code for page in all_pages()]
    assert len(codes) == len(set(codes))
    assert not {code.value for code in Code} & {outcome.value for outcome in Outcome}


@pytest.mark.parametrize("code", [*Code, *Outcome])
@pytest.mark.parametrize("fact", ["p", "a/very/long/path/" * 40 + "AGENTS.md", "x\ny", "[b]{c}", ""])
def test_headlines_fit_whatever_the_facts(code: str, fact: str) -> None:
    phrase = CODES[Code(code)].phrase if isinstance(code, Code) else ""
    facts = dict.fromkeys(re.findall(r"\{(\w+)", phrase), fact) | {"path": fact, "count": 3}
    reason = Reason(code=code, sentence="", facts=facts)
    for standing in Standing:
        causes = [reason]
        if standing is Standing.APPLIES:
            causes = [Reason(code=Code.FILES_APPLY, sentence="", facts={"count": 3, "paths": (fact,) * 9}), reason]
        text = headline(standing, causes, reason)
        assert 0 < len(text) <= WIDTH
        assert "\n" not in text


def test_sentences_without_any_fact_do_not_fail() -> None:
    for code in (*Code, *Outcome):
        assert cause(code, {})
    for when in When:
        assert moment(when, {})
    for kind in Kind:
        assert isinstance(evidence(kind, {}), str)


def texts(answer: Answer) -> list[str]:
    return [
        answer.headline,
        *(c.sentence for c in answer.causes),
        *(e.sentence for e in answer.evidence),
        *(m.sentence for m in answer.when),
    ]


@pytest.mark.parametrize(
    "name", ["budget-small", "compaction", "misc-edges", "resume-superseded", "unreadable-sibling"]
)
def test_answers_on_recordings_have_their_facts(name: str) -> None:
    timeline = open_session(RECORDINGS / name)
    paths = {".", "/", "~", "AGENTS.md", "agents.md", "nope/x.py", ".cursorrules", "~/.dsh/CLAUDE.md"}
    rows = sorted({0, len(timeline) - 1, *timeline.passes[-4:], *timeline.changes[:4]})
    for index in rows:
        nodes = list(timeline.tree(index))
        while nodes:
            node = nodes.pop()
            nodes.extend(node.children)
            paths.update(candidate.absolute_path for candidate in node.candidates)
        for path in paths:
            answer = why(timeline, path, at=index)
            assert len(answer.headline) <= WIDTH
            assert not [text for text in texts(answer) if MISSING.search(text)]
            for item in (*answer.causes, *answer.evidence, *answer.when):
                assert item.seq is None or timeline.index_of(item.seq) is not None


def test_states_and_verdicts_agree_with_the_tree() -> None:
    timeline = open_session(RECORDINGS / "demo-monorepo")
    loaded = {Outcome.LOADED: "loaded", Outcome.LOADED_CUT: "loaded-cut"}
    for index in (*timeline.changes, len(timeline) - 1):
        nodes = list(timeline.tree(index))
        while nodes:
            node = nodes.pop()
            nodes.extend(node.children)
            for state in node.candidates:
                standing = why(timeline, state.absolute_path, at=index).standing
                assert (standing in loaded.values()) == (state.outcome in loaded), (index, state)


def test_text_is_made_safe_and_fits() -> None:
    evil = "\x1b]0;x\x07" * 9 + "/AGENTS.md"
    answer = why(plain({evil: "x\n"}), f"{WS}/{evil}")
    shown = [item.text for item in answer_lines(answer)]
    assert len(shown[0]) <= WIDTH + 2 == 100
    assert not any("\x1b" in text or "\x07" in text for text in shown)
