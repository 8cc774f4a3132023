"""The lessons are true: what the captions claim is what the engine does, and a wrong claim is found out."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scopetrace.model import Outcome
from scopetrace.replay.claims import KINDS
from scopetrace.replay.lesson_shape import MAX_TEXT, LessonError
from scopetrace.replay.lessons import ORDER, Lesson, find_lesson, lesson_dir, lesson_from, lessons, load_lesson
from scopetrace.replay.op_words import operation_words
from scopetrace.replay.scenario import run_scenario

ALL = lessons()
BY_NAME = {lesson.name: lesson for lesson in ALL}
CLAIMS = [
    pytest.param(lesson, page, number, id=f"{lesson.name}-{page}-{number}")
    for lesson in ALL
    for page, caption in enumerate(lesson.captions)
    for number in range(len(caption.claims))
]


def row_of(name: str) -> dict[str, Any]:
    row: dict[str, Any] = json.loads((lesson_dir() / f"{name}.json").read_text(encoding="utf-8"))
    return row


def small(**changes: Any) -> dict[str, Any]:
    """A lesson of three operations: baseline, touch, the step after it."""
    row: dict[str, Any] = {
        "title": "t",
        "teaches": "t",
        "profile": "0.2",
        "home": "/h",
        "cwd": "/w",
        "config": {"maxBytes": 65536},
        "files": {
            "/w/.git": {"dir": True},
            "/w/AGENTS.md": {"text": "root\n"},
            "/w/CLAUDE.md": {"text": "\nroot"},
            "/w/p/AGENTS.md": {"text": "nested\n"},
        },
        "ops": [
            {"op": "preStep", "step": 1, "messages": [{"id": "u1", "text": "go"}]},
            {"op": "tool", "name": "read", "file_path": "p/x"},
            {"op": "preStep", "step": 2, "messages": []},
        ],
        "captions": [{"at": 0, "text": "t", "claims": [{"nothing": False}]}],
    }
    return {**row, **changes}


def claiming(at: int, claim: dict[str, Any]) -> Lesson:
    return lesson_from(small(captions=[{"at": at, "text": "t", "claims": [claim]}]))


# -- the lessons that come with the program


def test_the_seven_lessons_are_there_in_teaching_order() -> None:
    assert [lesson.name for lesson in ALL] == list(ORDER)
    assert len(ALL) == 7


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_every_observation_is_the_expected_one(lesson: Lesson) -> None:
    expected = lesson.row["expect"]
    assert len(expected) == len(lesson.row["ops"])
    assert [moment.observed for moment in lesson.moments] == expected


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_nobody_looking_on_changes_nothing(lesson: Lesson) -> None:
    """Without a reporter the loader may spare probes (FORMAT.md 1.5), and nothing else."""
    observed = run_scenario(lesson.row, lesson.profile)
    for mine, wanted in zip(observed, lesson.row["expect"], strict=True):
        assert mine.pop("stats") <= wanted["stats"]
        assert mine == {name: value for name, value in wanted.items() if name != "stats"}


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_every_claim_holds(lesson: Lesson) -> None:
    assert lesson.wrong == ()
    lesson.verify()


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_pages_are_short_and_ask_something(lesson: Lesson) -> None:
    assert 5 <= len(lesson.pages) <= 10
    assert 1 <= sum(1 for page in lesson.pages if page.question) <= 2
    for page in lesson.pages:
        assert all(len(text) <= MAX_TEXT for text in (page.caption, page.question, page.answer))
        assert page.findings
    assert all(finding.said and "?" not in finding.said for page in lesson.pages for finding in page.findings)


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_pages_tell_every_operation_once(lesson: Lesson) -> None:
    told = [text for page in lesson.pages for text in page.happened]
    ops = lesson.row["ops"]
    assert told == [operation_words(op, lesson.row["home"]) for op in ops]
    assert lesson.captions[-1].at == len(ops) - 1


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_lesson_plays_as_a_timeline_that_agrees_with_itself(lesson: Lesson) -> None:
    timeline = lesson.timeline()
    assert len(timeline) == len(lesson.row["ops"])
    assert {comparison.verdict.value for comparison in timeline.comparisons} == {"equal"}
    assert timeline.info.profile == lesson.profile


def test_lessons_use_every_kind_of_claim() -> None:
    used = {kind for lesson in ALL for caption in lesson.captions for claim in caption.claims for kind in claim}
    assert set(KINDS) <= used


def spoiled(claim: dict[str, Any]) -> dict[str, Any]:
    """The claim turned into one that is false wherever it was true."""
    kind = next(name for name in claim if name in KINDS)
    value = claim[kind]
    match kind:
        case "nothing":
            return {**claim, kind: not value}
        case "outcome":
            return {**claim, "path": "no/such/AGENTS.md"}
        case "no_outcome":
            return {**claim, kind: Outcome.MARKER_FOUND.value, "path": ""}
        case "message":
            return {**claim, kind: {**value, "bytes": 1}}
        case "budget":
            return {**claim, kind: {**value, "used": -1}}
        case "waiting":
            return {**claim, kind: [*value, ["set", "no/such/AGENTS.md"]]}
        case "truncated":
            return {**claim, kind: [*value, ["no/such/AGENTS.md", 2, 1]]}
    return {**claim, kind: [*value, "no/such/AGENTS.md"]}


@pytest.mark.parametrize(("lesson", "page", "number"), CLAIMS)
def test_the_opposite_of_every_claim_is_found_out(lesson: Lesson, page: int, number: int) -> None:
    row = copy.deepcopy(dict(lesson.row))
    row["captions"][page]["claims"][number] = spoiled(row["captions"][page]["claims"][number])
    wrong = lesson_from(row, "f.json", lesson.name)
    assert [place for place, _ in wrong.wrong] == [f"captions[{page}].claims[{number}]"]
    with pytest.raises(LessonError, match="does not hold") as caught:
        wrong.verify()
    assert caught.value.field == f"captions[{page}].claims[{number}]"


# -- claims


@pytest.mark.parametrize(
    ("at", "claim"),
    [
        (0, {"outcome": "duplicate", "path": "CLAUDE.md", "facts": {"of": "AGENTS.md"}}),
        (0, {"outcome": "marker-found"}),
        (0, {"no_outcome": "duplicate", "path": "AGENTS.md"}),
        (0, {"in_force": ["AGENTS.md"]}),
        (2, {"in_force": ["p/AGENTS.md", "AGENTS.md"]}),
        (0, {"message": {"changes": [["set", "AGENTS.md"]], "baseline": True, "blocks": 1, "silent": ["nested"]}}),
        (2, {"message": {"says": ["work under `p`", "nested"], "baseline": False}}),
        (1, {"waiting": [["set", "p/AGENTS.md"]]}),
        (2, {"waiting": []}),
        (1, {"nothing": False}),
        (1, {"reads": ["/w/CLAUDE.md", "/w/p/AGENTS.md"]}),
        (1, {"reads": ["/w/p/AGENTS.md"], "under": "0.1"}),
        (0, {"omitted": []}),
        (0, {"truncated": []}),
        (0, {"budget": {"block": "baseline", "chain": "all", "limit": 65536}}),
    ],
)
def test_true_claims_hold(at: int, claim: dict[str, Any]) -> None:
    assert claiming(at, claim).wrong == ()


@pytest.mark.parametrize(
    ("at", "claim", "said"),
    [
        (0, {"outcome": "duplicate", "path": "AGENTS.md"}, "set: AGENTS.md is announced"),
        (0, {"outcome": "duplicate", "facts": {"of": "CLAUDE.md"}}, "decided here: marker-found"),
        (0, {"no_outcome": "duplicate"}, "CLAUDE.md is left out: it says the same as AGENTS.md"),
        (0, {"in_force": []}, "in force: AGENTS.md"),
        (0, {"in_force": ["AGENTS.md", "CLAUDE.md"]}, "in force: AGENTS.md"),
        (2, {"in_force": ["AGENTS.md"], "under": "next"}, "under rules next: in force: AGENTS.md, p/AGENTS.md"),
        (0, {"message": {"changes": [["replace", "AGENTS.md"]]}}, "the model gets a complete baseline"),
        (1, {"message": {"changes": [["set", "p/AGENTS.md"]]}}, "the model gets no instruction message"),
        (0, {"message": {"says": ["nested"]}}, "the model gets a complete baseline"),
        (0, {"message": {"silent": ["root"]}}, "the model gets a complete baseline"),
        (0, {"message": {"blocks": 2}}, "the model gets a complete baseline"),
        (1, {"waiting": []}, "waits for the next step: set p/AGENTS.md"),
        (1, {"nothing": True}, "waiting: set p/AGENTS.md"),
        (2, {"nothing": True}, "the model gets an update"),
        (1, {"reads": []}, "files read: /w/CLAUDE.md, /w/p/AGENTS.md"),
        (0, {"omitted": ["AGENTS.md"]}, "left out for the budget: nothing"),
        (0, {"truncated": [["AGENTS.md", 5, 1]]}, "cut: nothing"),
        (0, {"budget": {"chain": "project"}}, "baseline: "),
        (2, {"budget": {"chain": "all"}}, "nothing was rendered"),
    ],
)
def test_false_claims_do_not_hold_and_say_what_is_true(at: int, claim: dict[str, Any], said: str) -> None:
    ((place, finding),) = claiming(at, claim).wrong
    assert place == "captions[0].claims[0]"
    assert said in finding.said


# -- files that are no lessons


def replaced(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(row: dict[str, Any]) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
        place: Any = row
        for part in way:
            place = place[part]
        if value is None:
            del place[last]
        else:
            place[last] = value

    return change


CAPTION = {"at": 0, "text": "t", "claims": [{"nothing": False}]}
BAD = [
    ("title", None, "title", "is missing"),
    ("title", " ", "title", "not a text"),
    ("teaches", "x" * 241, "teaches", "241 characters"),
    ("profile", "0.3", "profile", "no such profile: '0.3'"),
    ("captoins", [], "captoins", "there is no such field"),
    ("home", "h", "home", "not an absolute path"),
    ("config/maxBytes", None, "config.maxBytes", "is required"),
    ("config/maxByte", 3, "config.maxByte", "is not a setting"),
    ("env", ["x"], "env", "not an object of texts"),
    ("files", [], "files", "not an object"),
    ("files", {"AGENTS.md": {"text": ""}}, "files['AGENTS.md']", "not an absolute path"),
    ("files", {"/w/A": {"txt": ""}}, "files['/w/A']", "not a file"),
    ("files", {"/w/A": {"text": 3}}, "files['/w/A'].text", "not a text"),
    ("files", {"/w/A": {"base64": "%"}}, "files['/w/A'].base64", "not base64"),
    ("ops", [], "ops", "not a list of operations"),
    ("ops", [{"op": "turnStart"}], "ops", "no step begins"),
    ("ops/1", "tool", "ops[1]", "not an operation"),
    ("ops/1/op", "tol", "ops[1].op", "no such operation: 'tol'"),
    ("ops/1/filepath", "x", "ops[1].filepath", "there is no such field"),
    ("ops/1/name", None, "ops[1].name", "is missing"),
    ("ops/1/name", 3, "ops[1].name", "not a text"),
    ("ops/1", {"op": "write", "path": "w", "text": ""}, "ops[1].path", "not an absolute path"),
    ("ops/1", {"op": "write", "path": "/w/A"}, "ops[1]", "not a file"),
    ("ops/1", {"op": "fail", "path": "/w/A", "how": "no"}, "ops[1].how", "not a way to fail"),
    ("ops/1", {"op": "compact", "id": "s", "range": [1]}, "ops[1].range", "not two positions"),
    ("ops/1", {"op": "queue", "id": "q"}, "ops[1]", "neither a message nor a copy"),
    ("ops/1", {"op": "queue", "id": "q", "copyOf": "nobody"}, "ops", "cannot be played"),
    ("ops/0/step", "1", "ops[0].step", "not a number"),
    ("ops/0/messages", [{"id": "u"}], "ops[0].messages[0]", "not a message"),
    ("ops/0/messages", "hello", "ops[0].messages", "not a list"),
    ("ops/1", {"op": "reconfigure", "config": {"maxBytes": "x"}}, "ops[1].config.maxBytes", "must be a number"),
    ("expect", [{}], "expect", "not one observation an operation"),
    ("captions", [], "captions", "not a list of captions"),
    ("captions/0", 3, "captions[0]", "not a caption"),
    ("captions/0/at", 3, "captions[0].at", "no operation 3"),
    ("captions/0/at", True, "captions[0].at", "no operation True"),
    ("captions", [{**CAPTION, "at": 2}, CAPTION], "captions[1].at", "0 comes after 2"),
    ("captions/0/text", "x" * 241, "captions[0].text", "241 characters"),
    ("captions/0/question", "why?", "captions[0].answer", "is missing"),
    ("captions/0/answer", "so", "captions[0].question", "is missing"),
    ("captions/0/note", "so", "captions[0].note", "there is no such field"),
    ("captions/0/claims", [], "captions[0].claims", "not a list of claims"),
    ("captions/0/claims/0", "nothing", "captions[0].claims[0]", "a claim is a JSON object"),
    ("captions/0/claims/0", {}, "captions[0].claims[0]", "it has none of them"),
    ("captions/0/claims/0", {"reads": [], "omitted": []}, "captions[0].claims[0]", "it has reads and omitted"),
    ("captions/0/claims/0", {"outcome": "duplicat"}, "captions[0].claims[0].outcome", "not an outcome code"),
    ("captions/0/claims/0", {"nothing": True, "path": "A"}, "captions[0].claims[0].path", "has no such field"),
    ("captions/0/claims/0", {"nothing": 1}, "captions[0].claims[0].nothing", "not true or false"),
    ("captions/0/claims/0", {"outcome": "set", "path": 3}, "captions[0].claims[0].path", "not a display path"),
    ("captions/0/claims/0", {"outcome": "set", "facts": 3}, "captions[0].claims[0].facts", "not an object"),
    ("captions/0/claims/0", {"in_force": "A"}, "captions[0].claims[0].in_force", "not a list of display paths"),
    ("captions/0/claims/0", {"waiting": [["add", "A"]]}, "captions[0].claims[0].waiting", "not a list of changes"),
    ("captions/0/claims/0", {"message": {}}, "captions[0].claims[0].message", "not an object"),
    ("captions/0/claims/0", {"message": {"say": ["x"]}}, "captions[0].claims[0].message", "not an object"),
    ("captions/0/claims/0", {"truncated": [["A", 1]]}, "captions[0].claims[0].truncated", "not a list of cuts"),
    ("captions/0/claims/0", {"budget": {"size": 1}}, "captions[0].claims[0].budget", "not an object"),
    ("captions/0/claims/0", {"nothing": True, "under": "0.9"}, "captions[0].claims[0].under", "no such profile"),
]


@pytest.mark.parametrize(("path", "value", "field", "message"), BAD)
def test_errors_name_file_field_and_remedy(path: str, value: Any, field: str, message: str, tmp_path: Path) -> None:
    row = small()
    replaced(path, value)(row)
    file = tmp_path / "own.json"
    file.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        load_lesson(file).verify()
    error = caught.value
    assert (error.path, error.field) == (str(file), field)
    assert message in error.message
    assert error.remedy
    assert str(error) == f"{file}, {field}: {error.message}; {error.remedy}"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"title": 1}', "\ufeff{}", "[" * 100_000])
def test_what_is_no_lesson_at_all_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        load_lesson(file)
    assert caught.value.path == str(file)
    assert caught.value.remedy


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_lesson(tmp_path / "own.json")


def test_a_wrong_expectation_is_named() -> None:
    row = row_of("compaction")
    row["expect"][4]["surface"] = []
    row["expect"][6]["stats"] += 1
    lesson = lesson_from(row, "f.json")
    assert lesson.unexpected() == ("expect[4].surface", "expect[6].stats")
    with pytest.raises(LessonError, match="observes something else"):
        lesson.verify()


def test_expect_is_optional() -> None:
    row = row_of("compaction")
    del row["expect"]
    lesson = lesson_from(row)
    assert lesson.unexpected() == ()
    lesson.verify()


# -- finding, words


@pytest.mark.parametrize(
    ("name", "found"),
    [("chain", "chain"), ("3", "budget"), ("nes", "nested"), ("c", None), ("0", None), ("8", None), ("", None)],
)
def test_lessons_are_found_by_name_number_or_beginning(name: str, found: str | None) -> None:
    lesson = find_lesson(name)
    assert (lesson.name if lesson else None) == found


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ({"op": "preStep", "step": 2, "messages": []}, "step 2 is about to begin"),
        (
            {"op": "preStep", "step": 1, "messages": [{"id": "u", "text": "go"}], "decision": "reject"},
            "step 1 is about to begin with “go”, but is rejected",
        ),
        ({"op": "tool", "name": "edit", "file_path": "a/b.py"}, "the agent edits a/b.py"),
        ({"op": "tool", "name": "bash", "args": {"command": "ls"}}, "the agent runs ls"),
        ({"op": "tool", "name": "grep", "args": {"pattern": "x"}}, "the agent calls grep"),
        ({"op": "tool", "name": "grep", "args": "x"}, "the agent calls grep"),
        ({"op": "tool", "name": "read", "file_path": "x", "aborted": True}, "the agent reads x: the call is aborted"),
        ({"op": "write", "path": "/h/w/A", "base64": "AAEC"}, "~/w/A is written, 3 B"),
        ({"op": "symlink", "path": "/x/A", "target": "B"}, "/x/A becomes a symlink to B"),
        ({"op": "compact", "id": "s", "range": [1, 3]}, "compaction: one summary takes the place of messages 2 to 4"),
        ({"op": "reconfigure", "config": {"maxBytes": 9}}, "the session is resumed with maxBytes 9"),
        ({"op": "chdir", "cwd": "/h/w"}, "the working directory is ~/w from now on"),
        ({"op": "provider", "available": False}, "the file system is gone"),
        ({"op": "queue", "message": {"id": "u", "text": "x"}}, "a message is put in the inbox"),
    ],
)
def test_operations_in_words(op: dict[str, Any], words: str) -> None:
    assert operation_words(op, "/h") == words


def test_operations_of_the_whole_format_have_words() -> None:
    from scopetrace.replay.lesson_shape import _OPS

    full = {
        "step": 1, "messages": [], "name": "read", "file_path": "x", "path": "/p", "text": "", "target": "t",
        "how": "stat", "id": "s", "range": [0, 0], "message": {"id": "u", "text": "x"}, "config": {"maxBytes": 1},
        "cwd": "/w", "available": True,
    }  # fmt: skip
    for kind in _OPS:
        assert operation_words({"op": kind, **full}) != kind
