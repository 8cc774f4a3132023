"""``scopetrace why``, ``show`` and exports of answers, on plain workspaces and on sessions."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scopetrace.cli import main
from scopetrace.cli.quick import parse as parse_quick
from scopetrace.report.schema import parse
from scopetrace.sessions.samples import sample_dir

Captured = pytest.CaptureFixture[str]
DEMO = str(Path(sample_dir()) / "demo-monorepo")
CASES = Path(__file__).parents[1] / "cases" / "cases.jsonl.gz"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name, text in {
        "ws/AGENTS.md": "# Root\n",
        "ws/CLAUDE.md": "# Root",
        "ws/app/AGENTS.md": "# App\n",
        "ws/app/x.py": "",
        "home/.dsh/AGENTS.md": "# Ada\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "ws" / ".git").mkdir()
    return tmp_path / "ws"


def options(workspace: Path) -> list[str]:
    return ["--cwd", str(workspace), "--home", str(workspace.parent / "home")]


def test_why_of_a_plain_workspace(workspace: Path, capsys: Captured) -> None:
    assert main(["why", "app/AGENTS.md", *options(workspace)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "○ Not loaded: app/AGENTS.md waits for a read, write or edit in app"
    assert main(["why", "app/AGENTS.md", *options(workspace), "--touch", "app/x.py"]) == 0
    assert capsys.readouterr().out.startswith("● Loaded: app/AGENTS.md is in force since event 2")


@pytest.mark.parametrize("path", ["app/AGENTS.md", "CLAUDE.md", ".", "app/new.py", "/etc", "agents.md"])
def test_text_and_json_agree(path: str, workspace: Path, capsys: Captured) -> None:
    assert main(["why", path, *options(workspace)]) == 0
    shown = capsys.readouterr().out
    assert main(["why", path, *options(workspace), "--json"]) == 0
    answer: Any = parse(json.loads(capsys.readouterr().out))
    assert shown.splitlines()[0][2:] == answer.headline
    for item in (*answer.causes, *answer.evidence, *answer.when):
        assert item.sentence in shown
    for cause in answer.causes:
        assert cause.code in shown
    for one in (*answer.applies, *answer.would_load):
        assert one.path in shown


@pytest.mark.parametrize("path", ["app/AGENTS.md", "CLAUDE.md", "."])
def test_the_quick_way_says_what_the_full_command_says(
    path: str, workspace: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["why", path, *options(workspace), "--touch=app/x.py"]
    assert parse_quick(arguments[1:]) is not None
    assert main(arguments) == 0
    quick = capsys.readouterr().out
    monkeypatch.setattr("scopetrace.cli.quick.parse", lambda arguments: None)
    assert main(arguments) == 0
    assert capsys.readouterr().out == quick


def test_what_the_quick_way_leaves_alone() -> None:
    for arguments in ([], ["a", "b"], ["--json", "a"], ["a", "--cwd"], ["case.json"], ["a", "--help"], ["a", "--x=1"]):
        assert parse_quick(arguments) is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["why"], "Missing argument"),
        (["why", "a", "--cwd", "/nowhere/at/all"], "no such directory"),
        (["why", "a", "--profile", "7"], "'7' is not one of"),
        (["why", "a", "b", "c"], "one PATH at a time"),
        (["why", DEMO, "AGENTS.md", "--cwd", "/"], "has its own"),
        (["why", f"{DEMO}@9999", "AGENTS.md"], "no event 9999"),
        (["why", "/nowhere/log.jsonl", "AGENTS.md"], "log.jsonl"),
    ],
)
def test_wrong_questions_are_exit_code_2(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(arguments) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert told in seen.err
    assert "Traceback" not in seen.err


def test_why_of_a_session(capsys: Captured) -> None:
    assert main(["why", f"{DEMO}@30", "CLAUDE.md", "--json"]) == 0
    answer: Any = parse(json.loads(capsys.readouterr().out))
    assert (answer.standing, answer.code, answer.seq) == ("not-loaded", "duplicate", 30)
    assert answer.profile == "0.2"
    assert main(["why", f"{DEMO}@30", "CLAUDE.md", "--profile", "0.1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["profile"] == "0.1"


def test_why_of_a_case_answers_its_question(tmp_path: Path, capsys: Captured) -> None:
    with gzip.open(CASES, "rb") as file:
        case = next(row for row in map(json.loads, file) if row["id"].startswith("13-"))
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    assert main(["why", str(path)]) == 0
    assert capsys.readouterr().out.startswith("≈ Not loaded: agents.md is not AGENTS.md: letter case counts\n")
    assert main(["replay", str(path)]) == 0
    path.write_text(json.dumps({**case, "steps": [{"op": "fly"}]}), encoding="utf-8")
    assert main(["why", str(path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]) or "{}")["code"] == "bad-scenario"


def test_show_of_a_directory(workspace: Path, capsys: Captured) -> None:
    home = ["--home", str(workspace.parent / "home")]
    assert main(["show", str(workspace), *home, "--text"]) == 0
    shown = capsys.readouterr().out
    assert "not reached" in shown
    assert "Budget · baseline" in shown
    assert "Instructions from: ~/.dsh/AGENTS.md" in shown
    assert main(["show", str(workspace), *home, "--touch", "app/x.py", "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    states = {c.path: c.outcome for scope in document.scopes for c in scope.candidates}
    assert states["app/AGENTS.md"] == "loaded"
    assert states["CLAUDE.md"] == "duplicate"


def test_exports_of_an_answer(tmp_path: Path, capsys: Captured) -> None:
    for name in ("a.json", "a.md", "a.html"):
        target = tmp_path / name
        assert main(["export", f"{DEMO}@30", "--why", "CLAUDE.md", "-o", str(target)]) == 0
        text = target.read_text(encoding="utf-8")
        assert "AGENTS" in text
        assert main(["export", f"{DEMO}@30", "--why", "CLAUDE.md", "-o", str(target)]) == 2
        assert "--force" in capsys.readouterr().err
        assert target.read_text(encoding="utf-8") == text
    parse(json.loads((tmp_path / "a.json").read_text(encoding="utf-8")))
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in html
    assert "<script" not in html
    assert not list(tmp_path.glob(".scopetrace-*"))


def test_a_plain_directory_has_nothing_to_audit(workspace: Path, capsys: Captured) -> None:
    assert main(["audit", str(workspace)]) == 2
    assert "recording.json" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [("--help",), ("why", "AGENTS.md"), ("why", "."), ("show",)])
def test_small_questions_import_no_textual(arguments: tuple[str, ...], workspace: Path) -> None:
    program = "import sys; from scopetrace.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True, cwd=workspace
    )
    loaded = set(done.stderr.split())
    assert not loaded & {"textual", "rich", "pydantic", "msgspec", "watchfiles"}
    if arguments[0] == "why":
        assert not loaded & {"click", "scopetrace.sessions", "scopetrace.report.documents"}
