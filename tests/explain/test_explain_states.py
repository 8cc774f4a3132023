"""Candidates in every state: what is loaded, cut, left out, hidden, stale; and what applies to a place."""

from __future__ import annotations

from typing import Any

import pytest
from explain_world import HOME, WS, ask, codes, plain, read, session, step

from scopetrace.explain import why


def test_loaded_on_the_way_and_by_a_touch() -> None:
    files = {"AGENTS.md": "# Root\n", "app/AGENTS.md": "# App\n", "app/x.py": ""}
    timeline = plain(files, touches=("app/x.py",))
    root = why(timeline, "AGENTS.md")
    assert codes(root) == ["loaded", "from-chain", "marker-found"]
    nested = why(timeline, "app/AGENTS.md")
    assert codes(nested) == ["loaded", "from-touch"]
    assert nested.causes[0].seq == 2
    assert nested.causes[1].facts["touched"] == "app/x.py"
    before = why(timeline, "app/AGENTS.md", at=0)
    assert (before.standing, before.code) == ("not-loaded", "not-reached")
    assert [(m.kind, m.seq, m.later) for m in before.when] == [("announced", 2, True), ("next-touch", None, False)]
    waiting = why(timeline, "app/AGENTS.md", at=1)
    assert (waiting.standing, waiting.code) == ("waiting", "context-queued")


@pytest.mark.parametrize(
    ("files", "config", "code", "facts"),
    [
        ({"AGENTS.md": {"base64": "YWL/"}}, {}, "invalid-utf8", {"at": 2}),
        ({"AGENTS.md": {"base64": "YQBi"}}, {}, "binary", {"at": 1}),
        ({"AGENTS.md": "x" * 50}, {"maxSourceBytes": 40}, "oversize", {"size": 50, "limit": 40}),
        ({"AGENTS.md": "a\n", "CLAUDE.md": " a"}, {}, "", {}),
        ({"AGENTS.md": "x" * 900, "app/x": ""}, {"maxBytes": 120}, "heading-only", {"size": 900, "limit": 120}),
        ({"AGENTS.md": "x"}, {"maxBytes": 0}, "budget-disabled", {}),
        ({f"{HOME}/.dsh/AGENTS.md": "y"}, {}, "absent", {}),
    ],
)
def test_what_keeps_a_file_out(files: dict[str, Any], config: dict[str, Any], code: str, facts: dict[str, Any]) -> None:
    answer = ask(files, "AGENTS.md", **config)
    assert answer.standing == ("not-loaded" if code else "loaded")
    if code:
        assert answer.code == code
        assert {key: answer.causes[0].facts.get(key) for key in facts} == facts


def test_the_budget_shows_its_arithmetic() -> None:
    files = {"AGENTS.md": "r" * 300, "app/AGENTS.md": "a" * 300}
    timeline = plain(files, cwd=f"{WS}/app", maxBytes=700)
    answer = why(timeline, f"{WS}/AGENTS.md")
    assert (answer.standing, answer.code) == ("not-loaded", "omitted")
    budget = next(e for e in answer.evidence if e.kind == "budget")
    assert budget.facts["limit"] == 700
    assert budget.facts["needs"] > budget.facts["left"]  # type: ignore[operator]
    cut = ask({"AGENTS.md": "line one\n" * 100}, "AGENTS.md", maxBytes=600)
    assert (cut.standing, cut.code) == ("loaded-cut", "truncated")
    where = next(e for e in cut.evidence if e.kind == "cut").facts
    assert where["included"] + where["lost"] == where["size"] == 900  # type: ignore[operator]


def test_duplicates_name_their_sibling() -> None:
    answer = ask({"AGENTS.md": "a\n", "CLAUDE.md": "\n a\n"}, "CLAUDE.md")
    assert (answer.code, answer.causes[0].facts["of"]) == ("duplicate", "AGENTS.md")
    sibling = next(e for e in answer.evidence if e.kind == "sibling")
    assert (sibling.facts["path"], sibling.facts["state"], sibling.absolute_path) == (
        "AGENTS.md",
        "loaded",
        f"{WS}/AGENTS.md",
    )


def test_the_same_text_in_two_directories_is_said() -> None:
    answer = why(plain({"AGENTS.md": "a\n", "app/AGENTS.md": "a\n"}, cwd=f"{WS}/app"), "AGENTS.md")
    assert "same-text" in codes(answer)


def test_an_unreadable_sibling_holds_a_group_back() -> None:
    ops = (step(1, "go"), {"op": "fail", "path": f"{WS}/AGENTS.md", "how": "read"})
    touch = {"op": "touchFile", "path": f"{WS}/AGENTS.md"}
    write = {"op": "write", "path": f"{WS}/CLAUDE.md", "text": "new\n"}
    timeline = session({"AGENTS.md": "a\n"}, *ops, touch, write, step(2))
    answer = why(timeline, "CLAUDE.md")
    assert codes(answer)[:2] == ["unreached-in-group", "read-failed"]
    assert answer.causes[0].facts["because"] == "AGENTS.md"
    earlier = why(timeline, "CLAUDE.md", at=3)
    assert earlier.code == "appeared-since"


def test_stale_gone_and_replaced() -> None:
    files = {"AGENTS.md": "old\n"}
    write = {"op": "write", "path": f"{WS}/AGENTS.md", "text": "new\n"}
    timeline = session(files, step(1, "go"), write, step(2), {"op": "delete", "path": f"{WS}/AGENTS.md"}, step(3))
    stale = why(timeline, "AGENTS.md", at=1)
    assert (stale.standing, codes(stale)[:2]) == ("loaded", ["changed-since", "loaded"])
    assert [(m.kind, m.seq) for m in stale.when if m.seq in (1, None)] == [("file-changed", 1), ("next-step", None)]
    assert why(timeline, "AGENTS.md", at=2).code == "replace"
    assert why(timeline, "AGENTS.md", at=3).code == "gone-since"
    gone = why(timeline, "AGENTS.md")
    assert (gone.standing, gone.code) == ("withdrawn", "removed-absent")
    kinds = [(m.kind, m.seq) for m in gone.when]
    assert kinds == [("announced", 0), ("file-changed", 1), ("replaced", 2), ("was-withdrawn", 4)]


def test_compaction_hides_and_brings_back() -> None:
    files = {"AGENTS.md": "r\n", "app/AGENTS.md": "a\n"}
    compact = {"op": "compact", "id": "c", "text": "", "range": [0, 99]}
    timeline = session(files, step(1, "go"), read("app/x.py"), step(2), compact, step(3), read("app/x.py"), step(4))
    hidden = why(timeline, "app/AGENTS.md", at=4)
    assert (hidden.standing, hidden.code, hidden.causes[0].seq) == ("shadowed", "shadowed", 3)
    assert [m.kind for m in hidden.when if m.seq is None] == ["next-touch"]
    back = why(timeline, "app/AGENTS.md")
    found = next(c for c in back.causes if c.code == "came-back")
    assert (found.facts["by"], found.facts["since"], found.facts["touched"]) == (3, 6, True)
    assert why(timeline, "AGENTS.md", at=3).standing == "shadowed"
    assert [m.kind for m in why(timeline, "AGENTS.md", at=3).when if m.seq is None] == ["next-step"]


@pytest.mark.parametrize(
    ("op", "code"),
    [
        (read("app/x.py", isError=True), "touch-error"),
        (read("app/x.py", aborted=True), "touch-aborted"),
        ({"op": "tool", "name": "bash", "args": {"command": "cat app/x.py"}}, "touch-other-tool"),
    ],
)
def test_calls_that_are_no_touches(op: dict[str, Any], code: str) -> None:
    timeline = session({"app/AGENTS.md": "a\n", "app/x.py": ""}, step(1, "go"), op, step(2))
    answer = why(timeline, "app/AGENTS.md")
    assert codes(answer) == ["not-reached", code]
    assert answer.causes[1].seq == 1
    assert any(e.kind == "touch" and e.seq == 1 for e in answer.evidence)


def test_a_touch_that_brought_nothing_is_remembered_by_the_answer() -> None:
    files = {"app/AGENTS.md": "x" * 50, "app/x.py": ""}
    timeline = session(files, step(1, "go"), read("app/x.py"), step(2), step(3), maxSourceBytes=40)
    assert codes(why(timeline, "app/AGENTS.md"))[0] == "oversize"


def test_before_the_first_step() -> None:
    timeline = session({"AGENTS.md": "a\n"}, {"op": "turnStart"}, step(1, "go"))
    assert why(timeline, "AGENTS.md", at=0).code == "not-looked-yet"
    assert why(timeline, ".", at=0).code == "not-looked-yet"
    with pytest.raises(IndexError):
        why(timeline, "AGENTS.md", at=7)


def test_a_superseded_baseline_says_what_changed() -> None:
    remove = {"op": "delete", "path": f"{WS}/AGENTS.md"}
    again = {"op": "reconfigure", "config": {"maxBytes": 500}}
    timeline = session({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, step(1, "go"), remove, again, step(2))
    answer = why(timeline, "AGENTS.md")
    assert codes(answer)[:3] == ["absent", "removed-superseded", "baseline-superseded"]
    setting = next(e for e in answer.evidence if e.kind == "setting")
    assert (setting.facts["key"], setting.facts["before"], setting.facts["after"]) == ("maxBytes", "65536", "500")


def test_what_applies_to_a_source_file_and_what_would() -> None:
    files = {"AGENTS.md": "r\n", "app/AGENTS.md": "a\n", "app/CLAUDE.md": " a", "lib/AGENTS.md": "l\n"}
    timeline = plain({**files, f"{HOME}/.dsh/AGENTS.md": "h\n"})
    answer = why(timeline, "app/deep/new.py")
    assert answer.subject == "missing"
    assert [one.path for one in answer.applies] == ["~/.dsh/AGENTS.md", "AGENTS.md"]
    assert [one.path for one in answer.would_load] == ["app/AGENTS.md"]
    place = why(timeline, ".")
    assert [one.path for one in place.applies] == ["~/.dsh/AGENTS.md", "AGENTS.md"]
    waits = {c.path for c in place.causes if c.code == "not-reached"}
    assert waits == {"app/AGENTS.md", "app/CLAUDE.md", "lib/AGENTS.md"}
    assert why(plain({}), "x.py").code == "no-candidate"


def test_a_record_that_differs_is_said() -> None:
    timeline = session({"AGENTS.md": "a\n"}, step(1, "go"))
    assert "record-differs" not in codes(why(timeline, "AGENTS.md"))
