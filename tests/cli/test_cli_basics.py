"""The command line without any session: help, codes, errors, and what it must not import."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import scopetrace
from scopetrace.cli import main
from scopetrace.cli.group import COMMANDS, ROOT
from scopetrace.model import Outcome
from scopetrace.report.schema import parse
from scopetrace.sessions.errors import ErrorCode

Captured = pytest.CaptureFixture[str]


def modules_after(*arguments: str) -> set[str]:
    """Modules that a run of the command line leaves imported."""
    program = "import sys; from scopetrace.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_version_is_that_of_the_project(capsys: Captured) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"scopetrace {project['project']['version']}\n"
    assert scopetrace.__version__ == project["project"]["version"]


def test_version_imports_next_to_nothing() -> None:
    ours = {name for name in modules_after("--version") if name.startswith("scopetrace")}
    assert ours == {"scopetrace", "scopetrace.cli"}
    assert not modules_after("--version") & {"click", "rich", "textual", "pydantic", "msgspec"}


@pytest.mark.parametrize(
    "arguments", [("--help",), ("explain",), ("explain", "held-back", "--json"), ("sessions", "--help")]
)
def test_light_commands_stay_light(arguments: tuple[str, ...]) -> None:
    assert not modules_after(*arguments) & {"rich", "textual", "pydantic", "msgspec"}


def test_help_lists_every_command(capsys: Captured) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert f"  {name}" in shown
        assert summary in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_name_it_is_listed_under(name: str, capsys: Captured) -> None:
    command = ROOT.get_command(ROOT.make_context("scopetrace", ["--help"], resilient_parsing=True), name)
    assert command is not None
    assert command.name == name
    assert main([name, "--help"]) == 0
    assert "Usage: scopetrace" in capsys.readouterr().out


def test_explain_lists_all_codes(capsys: Captured) -> None:
    assert main(["explain"]) == 0
    shown = capsys.readouterr().out.split()
    assert all(outcome.value in shown for outcome in Outcome)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_explain_has_a_page_for_every_outcome(outcome: Outcome, capsys: Captured) -> None:
    assert main(["explain", outcome.value]) == 0
    text = capsys.readouterr().out
    assert main(["explain", outcome.value, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    parse(document)
    assert " ".join(text.split()).endswith(document["outcomes"][0]["page"])


def test_explain_knows_every_error(capsys: Captured) -> None:
    sources = (Path(__file__).parents[2] / "src" / "scopetrace" / "cli").rglob("*.py")
    raised = {
        code for path in sources for code in re.findall(r"fail\(\s*\"([a-z-]+)\"", path.read_text(encoding="utf-8"))
    }
    assert raised
    for code in (*ErrorCode, *sorted(raised), "os-error", "bad-config"):
        assert main(["explain", code]) == 0
        assert capsys.readouterr().out.startswith(f"✖ {code} · error")


def test_unknown_code_names_near_ones(capsys: Captured) -> None:
    assert main(["explain", "heldback"]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err == "scopetrace: no outcome is called 'heldback' [no-such-code]\n  did you mean held-back?\n"


def test_error_as_json(capsys: Captured) -> None:
    assert main(["explain", "zzz", "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "scopetrace/error/1"
    assert document["code"] == "no-such-code"
    parse(document)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["explain", "--nope"], "No such option '--nope'"),
        (["schema", "a", "b"], "unexpected extra argument"),
        (["sessions", "-n", "0"], "0 is not in the range"),
    ],
)
def test_wrong_use_is_exit_code_2(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr().err
    assert told in shown
    assert "Help: scopetrace" in shown
    assert "Traceback" not in shown


def test_schema_lists_and_prints(capsys: Captured) -> None:
    assert main(["schema"]) == 0
    names = [text.split()[0] for text in capsys.readouterr().out.splitlines()]
    for name in names:
        assert main(["schema", name]) == 0
        assert json.loads(capsys.readouterr().out)["$id"] == f"scopetrace/{name}/1"
    assert main(["schema", "nope"]) == 2


def test_closed_pipe_ends_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    program = "import sys; from scopetrace.cli import main; sys.exit(main(['explain'] ))"
    done = subprocess.run([sys.executable, "-c", program], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert done.returncode == 141
    assert done.stderr == ""


def test_ascii_terminal_gets_question_marks() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    program = "import sys; from scopetrace.cli import main; sys.exit(main(['explain'] ))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert b"  ? loaded" in done.stdout


def test_completion_is_offered() -> None:
    environment = {
        **os.environ,
        "_SCOPETRACE_COMPLETE": "bash_complete",
        "COMP_WORDS": "scopetrace sc",
        "COMP_CWORD": "1",
    }
    program = "import sys; from scopetrace.cli import main; sys.exit(main([]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert "plain,schema" in done.stdout
