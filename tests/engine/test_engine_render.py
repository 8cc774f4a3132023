"""The renderer: against a slow model of itself, and case by case where a rule is easily got wrong."""

from __future__ import annotations

import math

import naive_render as naive
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scopetrace.engine.render import Rendered, Transition, render_baseline, render_changes
from scopetrace.engine.sections import BASELINE_INTRO, COMPACT_INTRO, EMPTY_REPLACEMENT_INTRO, REPLACEMENT_INTRO
from scopetrace.model import Action, Change, InstructionFile, Outcome, SegmentKind

TAG = "</system-reminder>"
DISPLAY_PATHS = (
    "~/.dsh/AGENTS.md",
    "$DSH_HOME/AGENTS.md",
    "~/.agents/AGENTS.md",
    "$DSH_AGENTS_HOME/AGENTS.md",
    "AGENTS.md",
    "a/b/AGENTS.md",
    "./user-global/AGENTS.md",
    f"x{TAG}/CLAUDE.md",
    "é/路径/AGENTS.md",
    "~/.dsh/CLAUDE.md",
    f"long/{'way/' * 20}AGENTS.md",
)


def contents() -> st.SearchStrategy[str]:
    piece = st.sampled_from(
        ["a", "é", "路", "\U0001f600", TAG, "</system-remind", "er>", "\n", "<", "`", "x" * 40, TAG * 3]
    )
    return st.lists(piece, max_size=14).map("".join)


def files(shared_paths: bool) -> st.SearchStrategy[list[InstructionFile]]:
    record = st.tuples(st.integers(0, 2), st.sampled_from(DISPLAY_PATHS), contents())

    def build(rows: list[tuple[int, str, str]]) -> list[InstructionFile]:
        return [
            InstructionFile(f"/w/{number if shared_paths else place}", path, content)
            for place, (number, path, content) in enumerate(rows)
        ]

    return st.lists(record, max_size=6).map(build)


def budgets() -> st.SearchStrategy[float]:
    whole = st.integers(1, 1600)
    return st.one_of(whole, st.builds(lambda n, f: n + f, whole, st.sampled_from([0.25, 0.5, 0.75])))


def assert_same(fast: Rendered, slow: naive.Naive) -> None:
    assert fast.text == slow.text
    assert list(fast.omitted) == slow.omitted
    assert list(fast.truncated) == slow.truncated
    assert list(fast.represented) == slow.represented
    assert list(fast.sections) == slow.sections
    assert fast.intro == slow.intro


def assert_accounts(fast: Rendered, count: int, limit: float) -> None:
    assert [fate.place for fate in fast.fates] == list(range(count))
    for budget in fast.budgets:
        assert sum(segment.size for segment in budget.segments) == budget.used <= limit
    for fate in fast.fates:
        facts = fate.facts
        match fate.outcome:
            case Outcome.OMITTED:
                assert facts["needs"] > facts["left"] >= 0
            case Outcome.TRUNCATED:
                assert 0 < facts["included"] < facts["size"]
            case Outcome.HEADING_ONLY:
                assert facts["size"] > 0


@settings(max_examples=250, deadline=None)
@given(st.booleans().flatmap(files), budgets(), st.booleans(), st.booleans(), st.booleans())
def test_a_baseline_is_what_the_slow_model_renders(given_files, limit, replaces, shared, per_chain):
    fast = render_baseline(given_files, limit, replaces_previous=replaces, shared_root=shared, per_chain=per_chain)
    assert_same(fast, naive.baseline(given_files, limit, replaces, shared, per_chain))
    assert_accounts(fast, len(given_files), limit)


@settings(max_examples=250, deadline=None)
@given(
    st.booleans().flatmap(files),
    st.lists(st.tuples(st.sampled_from(Action), st.sampled_from(["p", "other/way/AGENTS.md", f"{TAG}é"])), min_size=6),
    budgets(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_an_update_is_what_the_slow_model_renders(given_files, changes, limit, sentence, shared, per_chain):
    items = [
        Transition(Change(action, "scope\0name", path), file)
        for (action, path), file in zip(changes, given_files, strict=False)
    ]
    fast = render_changes(items, limit, global_sentence=sentence, shared_root=shared, per_chain=per_chain)
    slow, carried = naive.update(items, limit, sentence, shared, per_chain)
    assert_same(fast, slow)
    assert list(fast.carried) == carried
    # A recorded path may be shorter than the display path, so an omitted file can need less than is left.
    assert [fate.place for fate in fast.fates] == list(range(len(items)))


@settings(max_examples=150, deadline=None)
@given(contents(), st.integers(300, 700), st.integers(0, 200))
@example(TAG * 40, 500, 0)
@example("x" * 99, 470, 0)
@example("é" * 500, 480, 0)
def test_the_cut_is_the_longest_that_fits(content, limit, filler):
    one = [InstructionFile("/w/AGENTS.md", "AGENTS.md", content + "x" * filler)]
    fast = render_baseline(one, limit, shared_root=True, per_chain=False)
    assert_same(
        fast, naive.single(one, limit, naive.GUIDANCE, lambda f: f"Instructions from: AGENTS.md\n\n{f.content}")
    )


def baseline(rows: list[tuple[str, str]], limit: float, **switches: bool) -> Rendered:
    listed = [InstructionFile(f"/w/{place}", path, content) for place, (path, content) in enumerate(rows)]
    return render_baseline(listed, limit, **{"shared_root": True, "per_chain": False, **switches})


@pytest.mark.parametrize("limit", [0, -1, -0.5, math.nan, math.inf, -math.inf])
def test_a_disabled_budget_renders_nothing_and_accounts_for_nothing(limit):
    rendered = baseline([("AGENTS.md", "rule")], limit, per_chain=True)
    assert (rendered.text, rendered.intro, rendered.represented) == ("", None, ())
    assert [file.display_path for file in rendered.omitted] == ["AGENTS.md"]
    assert (rendered.fates, rendered.budgets) == ((), ())


def test_an_empty_replacement_says_that_nothing_is_active():
    rendered = baseline([], 65536, replaces_previous=True)
    assert rendered.text == f"<system-reminder>\n{EMPTY_REPLACEMENT_INTRO}\n</system-reminder>"
    assert REPLACEMENT_INTRO in baseline([("AGENTS.md", "x")], 65536, replaces_previous=True).text


def test_an_empty_list_that_does_not_fit_renders_nothing():
    rendered = baseline([], 50, replaces_previous=True)
    assert (rendered.text, rendered.intro) == ("", None)


def test_exactly_the_budget_fits_and_a_fraction_less_does_not():
    rows = [("AGENTS.md", "é" * 10)]
    size = len(baseline(rows, 65536).text.encode())
    assert not baseline(rows, size).truncated
    assert baseline(rows, size - 0.25).truncated


def test_the_inserted_backslash_counts_and_a_cut_tag_stays_unescaped():
    rows = [("AGENTS.md", f"ab{TAG}{'x' * 200}")]
    text = baseline(rows, 65536).text
    assert f"ab<\\/system-reminder>{'x' * 200}\n{TAG}" in text
    assert baseline(rows, len(text)).text == text
    assert baseline(rows, len(text) - 1).truncated
    cuts = {baseline(rows, limit).sections[0].content for limit in range(400, 480)}
    inside = next(content for content in cuts if content.endswith("</system-reminder"))
    limit = next(n for n in range(400, 480) if baseline(rows, n).sections[0].content == inside)
    assert f"{inside}\n{TAG}" in baseline(rows, limit).text
    # With the last character of the tag comes the backslash: two bytes for one.
    assert baseline(rows, limit + 1).sections[0].content == inside
    assert baseline(rows, limit + 2).sections[0].content == f"ab{TAG}"


def test_a_bare_heading_represents_an_empty_file_only():
    def at_heading(content: str) -> Rendered:
        rows = [("AGENTS.md", content)]
        return next(r for limit in range(250, 0, -1) if (r := baseline(rows, limit)).intro is None and r.sections)

    assert [file.content for file in at_heading("").represented] == [""]
    assert at_heading("").fates[0].outcome is Outcome.WHOLE
    assert at_heading("rule").represented == ()
    assert at_heading("rule").fates[0].outcome is Outcome.HEADING_ONLY


def test_the_compact_intro_can_make_room_for_the_whole_file():
    rows = [("AGENTS.md", "rule")]
    rendered = next(r for limit in range(330, 0, -1) if (r := baseline(rows, limit)).intro == COMPACT_INTRO)
    assert "truncated AGENTS.md from 4 to 4 bytes" in rendered.text
    assert rendered.fates[0].outcome is Outcome.WHOLE


def test_fates_name_the_bytes_that_decided():
    rows = [("AGENTS.md", "a" * 500), ("a/AGENTS.md", "b" * 300), ("a/b/AGENTS.md", "c" * 20)]
    rendered = baseline(rows, 800)
    first, second, third = rendered.fates
    assert [fate.outcome for fate in rendered.fates] == [Outcome.OMITTED, Outcome.WHOLE, Outcome.WHOLE]
    left = 800 - len(rendered.text)
    assert first.facts == {
        "needs": 500 + len("Instructions from: AGENTS.md\n\n") + 2,
        "left": left,
        "limit": 800,
        "chain": "all",
    }
    assert second.facts == {"size": 300, "left": left, "limit": 800, "chain": "all"}
    decision = third.decision("a/b\0AGENTS.md", 3)
    assert (decision.path, decision.absolute_path, decision.pass_index) == ("a/b/AGENTS.md", "/w/2", 3)
    assert (decision.directory, decision.name) == ("a/b", "AGENTS.md")


def test_a_file_behind_an_omitted_one_had_nothing_left():
    rows = [("AGENTS.md", "a"), ("a/AGENTS.md", "b" * 900), ("a/b/AGENTS.md", "c")]
    broad, big, specific = baseline(rows, 600).fates
    assert (broad.outcome, broad.facts["left"]) == (Outcome.OMITTED, 0)
    assert big.facts["needs"] > big.facts["left"] > 0
    assert specific.outcome is Outcome.WHOLE


def test_segments_follow_the_text():
    rendered = baseline([("AGENTS.md", "a" * 900), ("a/AGENTS.md", "é")], 500)
    (budget,) = rendered.budgets
    kinds = [segment.kind for segment in budget.segments]
    assert kinds == [SegmentKind.FRAME, SegmentKind.NOTICE, SegmentKind.INTRO, SegmentKind.FILE, SegmentKind.FRAME]
    data = rendered.text.encode()
    parts, at = [], 0
    for segment in budget.segments:
        parts.append(data[at : at + segment.size].decode())
        at += segment.size
    assert parts[0] == "<system-reminder>\n"
    assert parts[1].startswith("Workspace instruction budget 500 bytes: omitted AGENTS.md")
    assert parts[2] == f"\n\n{BASELINE_INTRO}"
    assert parts[3] == "\n\nInstructions from: a/AGENTS.md\n\né"
    assert parts[4] == "\n</system-reminder>"
    assert budget.omitted == (("AGENTS.md", 900),)


def test_each_chain_has_the_whole_budget_and_its_own_account():
    rows = [("~/.dsh/AGENTS.md", "g" * 300), ("AGENTS.md", "p" * 300)]
    rendered = baseline(rows, 700, per_chain=True)
    assert 700 < len(rendered.text) <= 1400
    assert "budget" not in rendered.text
    assert [(budget.chain, budget.limit) for budget in rendered.budgets] == [("user-global", 700), ("project", 700)]
    assert all(budget.used <= 700 for budget in rendered.budgets)
    assert [fate.facts["chain"] for fate in rendered.fates] == ["user-global", "project"]


def test_one_chain_alone_has_one_budget():
    rendered = baseline([("AGENTS.md", "p" * 900), ("a/AGENTS.md", "q")], 700, per_chain=True)
    assert [budget.chain for budget in rendered.budgets] == ["all"]
    assert len(rendered.text) <= 700


def test_without_an_explanation_the_text_is_the_same():
    rows = [("~/.dsh/AGENTS.md", "g" * 300), ("AGENTS.md", "p" * 900)]
    listed = [InstructionFile(f"/w/{place}", path, content) for place, (path, content) in enumerate(rows)]
    silent = render_baseline(listed, 700, shared_root=True, per_chain=True, explain=False)
    assert (silent.fates, silent.budgets) == ((), ())
    assert silent.text == baseline(rows, 700, per_chain=True).text


def test_the_content_of_omitted_files_is_not_looked_at():
    class Untouchable(str):
        def encode(self, *args, **kwargs):
            raise AssertionError("encoded")

        def count(self, *args, **kwargs):
            raise AssertionError("searched")

        def replace(self, *args, **kwargs):
            raise AssertionError("escaped")

    listed = [
        InstructionFile("/w/AGENTS.md", "AGENTS.md", Untouchable("é" * 9000)),
        InstructionFile("/w/a/AGENTS.md", "a/AGENTS.md", "x"),
    ]
    rendered = render_baseline(listed, 600, shared_root=True, per_chain=False, explain=False)
    assert "omitted AGENTS.md" in rendered.text
