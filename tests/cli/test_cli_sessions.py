"""Commands about sessions: what they ask for, what they print, how they end."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scopetrace.cli import main
from scopetrace.cli.options import split_target
from scopetrace.report.schema import parse
from scopetrace.sessions.samples import sample_dir

Captured = pytest.CaptureFixture[str]


def test_a_session_without_command_prints_its_timeline(opened: Any, capsys: Captured) -> None:
    assert main(["some/log"]) == 0
    alone = capsys.readouterr().out
    assert main(["replay", "some/log"]) == 0
    assert capsys.readouterr().out == alone
    assert "baseline: 1 change" in alone
    assert "\x1b" not in alone
    assert [call["path"] for call in opened.calls] == ["some/log", "some/log"]


def test_nothing_at_all_opens_a_sample(opened: Any, capsys: Captured) -> None:
    assert main([]) == 0
    assert opened.calls[0]["path"] == os.path.join(sample_dir(), "demo-monorepo")


def test_an_option_first_belongs_to_open(opened: Any, capsys: Captured) -> None:
    assert main(["--profile", "0.1", "some/log"]) == 0
    assert opened.calls[0]["profile"] == "0.1"


def test_common_options_are_handed_on(opened: Any, capsys: Captured, tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text('{"maxBytes": 600}', encoding="utf-8")
    arguments = ["replay", "log", "--home", "/h", "--workspace", "/w", "--profile", "next", "--config", str(settings)]
    assert main(arguments) == 0
    call = opened.calls[0]
    assert (call["home"], call["workspace"], call["profile"]) == ("/h", "/w", "next")
    assert call["config"].max_bytes == 600


@pytest.mark.parametrize(
    ("content", "place", "told"),
    [
        ("{", "line 1, column 2", "not JSON"),
        ("[]", "", "not a JSON object"),
        ("{}", "maxBytes", "maxBytes: is required"),
        ('{"maxBytes": 1, "maxByte": 1}', "maxByte", "is not a setting"),
        ('{"maxBytes": 1, "maxSourceBytes": 0}', "maxSourceBytes", "must be a positive whole number"),
    ],
)
def test_bad_settings_name_file_place_and_remedy(
    content: str, place: str, told: str, opened: Any, capsys: Captured, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(content, encoding="utf-8")
    assert main(["replay", "log", "--config", str(settings), "--json"]) == 2
    seen = capsys.readouterr()
    document = json.loads(seen.out)
    assert document["code"] == "bad-config"
    assert document["path"] == str(settings)
    assert document["place"] == place
    assert told in document["message"]
    assert document["remedy"]
    assert str(settings) in seen.err
    assert "Traceback" not in seen.err


@pytest.mark.parametrize("command", [["replay"], ["open"], [], ["export"], ["message"]])
def test_a_missing_log_is_exit_code_2(command: list[str], opened: Any, capsys: Captured) -> None:
    target = "missing/log@3" if command == ["message"] else "missing/log"
    assert main([*command, target]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err == "scopetrace: missing/log: no such session log [no-such-log]\n  check the path\n"


def test_json_timeline_is_a_document(opened: Any, capsys: Captured) -> None:
    assert main(["replay", "log", "--json", "--decisions", "--all"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert [row.seq for row in document.rows] == [0, 4, 5, 9, 12]
    assert [decision.outcome for decision in document.rows[2].decisions] == ["marker-found", "truncated", "unavailable"]


def test_text_and_json_agree(opened: Any, capsys: Captured) -> None:
    assert main(["replay", "log", "--decisions"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert main(["replay", "log", "--decisions", "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    numbered = [text.split()[0] for text in shown if text[:7].strip().isdigit()]
    assert numbered == [str(row.seq) for row in document.rows]
    assert sum(len(row.decisions or ()) for row in document.rows) == sum(
        text.startswith(" " * 21) and text[21] in "▸✂✖" for text in shown
    )


def test_one_event_in_full(opened: Any, capsys: Captured) -> None:
    assert main(["replay", "log@5"]) == 0
    shown = capsys.readouterr().out
    assert "Budget · baseline   598 B of 600 B" in shown
    assert main(["replay", "log@5", "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert document.row.seq == 5
    assert document.budgets[0].used == 598


def test_an_event_that_is_not_there(opened: Any, capsys: Captured) -> None:
    assert main(["replay", "log@77"]) == 2
    told = "scopetrace: log, event 77: no event 77 in this log [no-such-event]\n  events run up to 12\n"
    assert capsys.readouterr().err == told


def test_a_path_with_an_at_sign_that_exists_is_a_path(tmp_path: Path) -> None:
    there = tmp_path / "log@5"
    there.touch()
    assert split_target(str(there)) == (str(there), None)
    assert split_target(str(tmp_path / "other@5")) == (str(tmp_path / "other"), 5)
    assert split_target("log@x") == ("log@x", None)
    assert split_target("@5") == ("@5", None)


def test_message_is_exact(opened: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["message", "log@5"]) == 0
    assert capfdbinary.readouterr().out == "<system-reminder>\nRoot rules é\n</system-reminder>".encode()
    assert main(["message", "log@12"]) == 0
    out = capfdbinary.readouterr().out
    assert out.startswith(b"nested \x1b]52;c;eA==\x07")
    assert b"\xed\xa0\x80" in out
    assert main(["message", "log@12", "--computed"]) == 0
    assert capfdbinary.readouterr().out == b"nested"


def test_message_as_json(opened: Any, capsys: Captured) -> None:
    assert main(["message", "log@12", "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert (document.seq, document.origin) == (12, "recorded")
    assert document.message.blocks[0].startswith("nested \x1b")
    assert document.message.changes[0].action == "remove"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["log"], "which message?"),
        (["log@9"], "there are some at 5, 12"),
        (["log@5", "--block", "2"], "the message has 1 block"),
    ],
)
def test_messages_that_are_not_there(arguments: list[str], told: str, opened: Any, capsys: Captured) -> None:
    assert main(["message", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_audit_exit_codes(opened: Any, capsys: Captured) -> None:
    assert main(["audit", "equal/a", "equal/b"]) == 0
    assert main(["audit", "equal/a", "log"]) == 1
    assert main(["audit", "log", "missing/c"]) == 2
    shown = capsys.readouterr().out
    assert "the record fits the rules 0.1" in shown
    assert "no such session log" in shown


def test_audit_as_json(opened: Any, capsys: Captured) -> None:
    assert main(["audit", "equal/a", "log", "missing/c", "--json"]) == 2
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert document.verdict == "unreadable"
    assert [log.totals and log.totals.equal for log in document.logs] == [1, 1, None]
    assert document.logs[1].fits == ("0.1",)
    assert document.logs[2].error.code == "no-such-log"


@pytest.mark.parametrize(
    ("name", "start"), [("a.json", "{"), ("a.md", "# fix"), ("a.html", "<!DOCTYPE html>"), ("a", "{")]
)
def test_export_by_name(name: str, start: str, opened: Any, capsys: Captured, tmp_path: Path) -> None:
    target = tmp_path / name
    assert main(["export", "log", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert capsys.readouterr().out == ""


def test_export_holds_exact_texts(opened: Any, capsys: Captured) -> None:
    assert main(["export", "log"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    recorded = [row.recorded.blocks[0] for row in document.rows if row.recorded]
    assert recorded[0] == "<system-reminder>\nRoot rules é\n</system-reminder>"
    assert recorded[1].startswith("nested \x1b")
    assert [row.computed is not None for row in document.rows if row.recorded] == [False, True]


def test_export_never_overwrites_unasked(opened: Any, capsys: Captured, tmp_path: Path) -> None:
    target = tmp_path / "a.html"
    target.write_text("mine", encoding="utf-8")
    assert main(["export", "log", "-o", str(target)]) == 2
    assert target.read_text(encoding="utf-8") == "mine"
    assert "add --force" in capsys.readouterr().err
    assert main(["export", "log", "-o", str(target), "--force"]) == 0
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_export_into_no_directory(opened: Any, capsys: Captured, tmp_path: Path) -> None:
    assert main(["export", "log", "-o", str(tmp_path / "no" / "a.html")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_sessions_lists_newest_first(tmp_path: Path, capsys: Captured) -> None:
    sample = Path(sample_dir()) / "demo-monorepo" / "session.v4.jsonl.zstd"
    base = tmp_path / ".dsh" / "sessions" / "--home-dev-shop--"
    for name, when in (("old", 1_000_000_000), ("new", 1_700_000_000)):
        directory = base / name
        directory.mkdir(parents=True)
        (directory / sample.name).write_bytes(sample.read_bytes())
        os.utime(directory / sample.name, (when, when))
    assert main(["sessions", "--home", str(tmp_path), "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert [Path(item.path).parent.name for item in document.sessions] == ["new", "old"]
    assert document.sessions[0].size == sample.stat().st_size
    assert main(["sessions", "--home", str(tmp_path), "-n", "1"]) == 0
    shown = capsys.readouterr().out
    assert str(base / "new" / sample.name) in shown
    assert "old" not in shown


def test_sessions_without_a_home(tmp_path: Path, capsys: Captured) -> None:
    assert main(["sessions", "--home", str(tmp_path)]) == 2
    assert str(tmp_path / ".dsh" / "sessions") in capsys.readouterr().err
