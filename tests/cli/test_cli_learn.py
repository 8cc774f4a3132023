"""``scopetrace learn``: the list, a lesson as text and as JSON, a file of one's own, the way to the screen."""

from __future__ import annotations

import json
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import scopetrace.cli.commands.learn as learn
from scopetrace.cli import main
from scopetrace.replay.claims import KINDS
from scopetrace.replay.lesson_shape import _OPS
from scopetrace.replay.lessons import Lesson, lesson_dir, lessons
from scopetrace.report.schema import parse

Captured = pytest.CaptureFixture[str]
DOCS = Path(__file__).parents[2] / "docs" / "lessons.md"


def own(tmp_path: Path, **changes: Any) -> Path:
    """The lesson that docs/lessons.md shows, with changes."""
    text = re.search(r"```json\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    file = tmp_path / "our-rules.json"
    file.write_text(json.dumps({**json.loads(text[1]), **changes}), encoding="utf-8")
    return file


def test_without_a_name_the_lessons_are_listed(capsys: Captured) -> None:
    assert main(["learn"]) == 0
    shown = capsys.readouterr().out
    names = re.findall(r"^ \d ([a-z]+) ", shown, re.MULTILINE)
    assert names == ["chain", "siblings", "budget", "nested", "changes", "compaction", "resume"]
    assert "The budget  9 pages · rules next" in shown


def test_the_list_as_json(capsys: Captured) -> None:
    assert main(["learn", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    parse(document)
    assert document["lessons"][3]["name"] == "nested"
    assert document["lessons"][3]["pages"] == 9


def test_a_lesson_as_text(capsys: Captured) -> None:
    assert main(["learn", "compaction", "--text"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Compaction  8 pages · rules 0.2\n")
    page = shown.partition("3/8  ")[2].partition("4/8  ")[0]
    assert page == (
        "compaction: one summary takes the place of messages 1 to 3\n"
        "  A second one summarises everything so far. The messages with the instructions are shadowed: at\n"
        "  this moment the model has none of the three files.\n"
        "  ○ in force: nothing\n"
        "  · the model is told nothing new\n"
        "  ? The next step begins. Which of the three files come back?\n"
        "  → The two of the baseline. The nested file needs a new touch.\n"
        "\n"
    )


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_every_lesson_is_told_in_full(lesson: Lesson, capsys: Captured) -> None:
    assert main(["learn", lesson.name]) == 0
    shown = capsys.readouterr().out
    assert "✖ captions" not in shown
    assert max(map(len, shown.splitlines())) <= 100
    words = " ".join(shown.split())
    for page in lesson.pages:
        for text in (page.caption, page.question, page.answer, *page.happened):
            assert text in words
    assert main(["learn", lesson.name, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    parse(document)
    assert document["holds"] is True
    assert [page["caption"] for page in document["pages"]] == [page.caption for page in lesson.pages]


def test_a_lesson_of_ones_own(tmp_path: Path, capsys: Captured) -> None:
    assert main(["learn", str(own(tmp_path))]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Our payment rules  2 pages · rules 0.2\n")
    assert "  ● the model gets an update, 315 B: set payments/AGENTS.md\n" in shown


def test_a_claim_that_does_not_hold_is_marked_and_is_exit_code_1(tmp_path: Path, capsys: Captured) -> None:
    captions = [{"at": 0, "text": "Wrong.", "claims": [{"nothing": False}, {"in_force": ["payments/AGENTS.md"]}]}]
    file = own(tmp_path, captions=captions)
    assert main(["learn", str(file)]) == 1
    assert "  ✖ captions[0].claims[1] does not hold: in force: AGENTS.md\n" in capsys.readouterr().out
    assert main(["learn", str(file), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["holds"] is False
    assert [claim["holds"] for claim in document["pages"][0]["claims"]] == [True, False]


def test_an_observation_that_is_not_met_is_exit_code_1(tmp_path: Path, capsys: Captured) -> None:
    row = json.loads((lesson_dir() / "nested.json").read_text(encoding="utf-8"))
    row["expect"][10]["inbox"] = []
    file = tmp_path / "own.json"
    file.write_text(json.dumps(row), encoding="utf-8")
    assert main(["learn", str(file)]) == 1
    assert "✖ expect[10].inbox: the engine observes something else\n" in capsys.readouterr().out


def test_errors_say_where_and_what_to_do(tmp_path: Path, capsys: Captured) -> None:
    file = own(tmp_path, captions=[{"at": 0, "text": "t", "claims": [{"outcome": "duplicat"}]}])
    assert main(["learn", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"scopetrace: {file}, captions[0].claims[0].outcome: not an outcome code: 'duplicat' [bad-lesson]\n"
        "  did you mean duplicate or removed-duplicate?\n"
    )
    assert main(["learn", str(file), "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    parse(document)
    assert (document["code"], document["place"]) == ("bad-lesson", "captions[0].claims[0].outcome")


@pytest.mark.parametrize("name", ["chian", "", "9"])
def test_an_unknown_lesson(name: str, capsys: Captured) -> None:
    assert main(["learn", name]) == 2
    shown = capsys.readouterr().err
    assert f"no lesson is called {name!r}" in shown
    assert "lessons are chain, siblings," in shown


def test_a_file_that_is_not_there(tmp_path: Path, capsys: Captured) -> None:
    assert main(["learn", str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file or directory" in capsys.readouterr().err


def test_what_a_file_says_is_made_safe(tmp_path: Path, capsys: Captured) -> None:
    assert main(["learn", str(own(tmp_path, title="\x1b[2Jtitle", teaches="\u202eevil"))]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "␛[2Jtitle" in shown


# -- the screen


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> list[Lesson]:
    """An inspector with a lesson screen, and a terminal to show it on."""
    drawn: list[Lesson] = []

    def run_lesson(lesson: Lesson) -> int:
        drawn.append(lesson)
        return 7

    module = types.ModuleType("lesson_screen_for_tests")
    module.run_lesson = run_lesson  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(learn, "SCREEN", module.__name__)
    monkeypatch.setattr("scopetrace.cli.console.interactive", lambda: True)
    return drawn


def test_on_a_terminal_the_screen_draws_the_lesson(screen: list[Lesson], capsys: Captured) -> None:
    assert main(["learn", "budget"]) == 7
    assert [lesson.name for lesson in screen] == ["budget"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("option", ["--text", "--json"])
def test_options_keep_the_screen_away(option: str, screen: list[Lesson], capsys: Captured) -> None:
    assert main(["learn", "budget", option]) == 0
    assert screen == []
    assert "Whole files are dropped" in capsys.readouterr().out


def test_an_inspector_without_a_lesson_screen_leaves_the_text(
    screen: list[Lesson], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.delattr(sys.modules["lesson_screen_for_tests"], "run_lesson")
    assert main(["learn", "budget"]) == 0
    assert screen == []
    assert "1/9  step 1" in capsys.readouterr().out


# -- the text for those who write lessons


def test_every_lesson_operation_and_claim_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for lesson in lessons():
        assert f"| `{lesson.name}` | {lesson.profile} |" in text
    assert all(f"`{kind}`" in text for kind in _OPS)
    assert set(re.findall(r'^\| `\{"(\w+)":', text, re.MULTILINE)) == set(KINDS)
    for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", text):
        assert (DOCS.parent / target).exists()
