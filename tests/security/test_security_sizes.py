"""Sizes that no honest log has: work grows with what is there and not with its square, and the full sizes pass.

The full sizes take minutes and gigabytes: ``make long`` runs them.
"""

from __future__ import annotations

import contextlib
import cProfile
import json
import os
from pathlib import Path
from typing import Any

import pytest

from scopetrace.cli import main

LONG = os.environ.get("SCOPETRACE_LONG") == "1"
Captured = pytest.CaptureFixture[str]


def log_of(target: Path, rows: list[dict[str, Any]]) -> Path:
    """A log of one turn and two steps with these messages and events in the first."""
    stored: list[dict[str, Any]] = [
        {"type": "turn/start", "data": {"turn": 1}},
        {"type": "step/start", "data": {"turn": 1, "step": 1}},
        *rows,
        {"type": "step/end", "data": {"turn": 1, "step": 1}},
        {"type": "step/start", "data": {"turn": 1, "step": 2}},
        {"type": "step/end", "data": {"turn": 1, "step": 2}},
    ]
    header = {"type": "session", "version": 4, "id": "s", "createdAt": 1, "cwd": str(target.parent / "ws")}
    with target.open("w", encoding="utf-8") as file:
        for row in (header, *({"seq": seq, "time": 1, **row} for seq, row in enumerate(stored))):
            file.write(json.dumps(row) + "\n")
    return target


def message(seq: str, text: str, changes: list[dict[str, str]], **more: Any) -> dict[str, Any]:
    source = {"kind": "agent-instructions", "form": "instructions", "changes": changes, **more}
    data = {"id": seq, "role": "user", "content": [{"type": "text", "text": text}], "source": source}
    return {"type": "user/message", "surfaceOp": "append", "data": data}


def changes(count: int) -> list[dict[str, Any]]:
    """One message that announces ``count`` files in directories of their own."""
    made = [
        {"action": "set", "scope": f"d{n}\0AGENTS.md", "path": f"d{n}/AGENTS.md", "digest": f"{n:040x}"}
        for n in range(count)
    ]
    return [message("m", "x", made)]


def sections(count: int) -> list[dict[str, Any]]:
    """One message whose text holds ``count`` sections, none of which is what its digest says."""
    made = [{"action": "set", "scope": "d\0AGENTS.md", "path": "AGENTS.md", "digest": "0" * 40}]
    return [message("m", "Instructions from: AGENTS.md\n\nx\n\n" * count, made)]


def line(count: int) -> list[dict[str, Any]]:
    """One line of ``count`` bytes and more."""
    return [message("m", "Instructions from: AGENTS.md\n\n" + "0123456789abcde\n" * (count // 16), [])]


def again(count: int) -> list[dict[str, Any]]:
    """``count`` messages about one file."""
    made = {"action": "set", "scope": ".\0AGENTS.md", "path": "AGENTS.md", "digest": "0" * 40}
    return [message(f"m{n}", f"Updated instructions from: AGENTS.md\n\n{n}\n", [made]) for n in range(count)]


def touches(count: int) -> list[dict[str, Any]]:
    """``count`` reads in directories that are not there."""
    rows: list[dict[str, Any]] = []
    for n in range(count):
        call = {
            "turn": 1,
            "step": 1,
            "callId": f"c{n}",
            "name": "read",
            "arguments": json.dumps({"file_path": f"d{n}/x"}),
        }
        result = {"role": "tool", "toolCallId": f"c{n}", "content": [], "isError": False, "id": f"r{n}"}
        rows.append({"type": "tool/call", "data": call})
        rows.append({"type": "tool/result", "surfaceOp": "append", "data": {"turn": 1, "step": 1, "message": result}})
    return rows


def calls(line: list[str]) -> int:
    """How many functions a command calls: work that does not depend on the machine."""
    profile = cProfile.Profile()
    code = profile.runcall(main, line)
    assert code in (0, 1)
    return sum(entry.callcount for entry in profile.getstats())


def words(log: Path, command: str, *more: str) -> list[str]:
    (log.parent / "ws" / ".git").mkdir(parents=True, exist_ok=True)
    return [command, str(log), "--workspace", str(log.parent / "ws"), "--home", str(log.parent / "home"), *more]


COMMANDS = [("show", "--decisions", "--text"), ("replay", "--json"), ("audit",), ("export", "--format", "html")]


@pytest.mark.parametrize(("rows", "count"), [(changes, 500), (sections, 50), (again, 50), (touches, 20)])
def test_work_grows_with_what_a_log_says(rows: Any, count: int, tmp_path: Path, capsys: Captured) -> None:
    for command in COMMANDS[2:3] if rows is changes else COMMANDS[::2]:
        main(words(log_of(tmp_path / "first.jsonl", rows(1)), *command))  # imports what it needs
        counts = []
        for size in (count, 2 * count, 4 * count):
            counts.append(calls(words(log_of(tmp_path / f"{size}.jsonl", rows(size)), *command)))
            capsys.readouterr()
        once, twice = counts[1] - counts[0], counts[2] - counts[1]
        assert twice < 2.5 * once, (command, counts)


@pytest.mark.skipif(not LONG, reason="minutes and gigabytes: make long")
@pytest.mark.parametrize(
    ("rows", "count"),
    [(changes, 1_000_000), (touches, 50_000), (again, 50_000), (sections, 1_000_000), (line, 50 << 20)],
)
def test_the_full_size_passes(rows: Any, count: int, tmp_path: Path) -> None:
    log = log_of(tmp_path / "log", rows(count))
    for command in COMMANDS:
        with (tmp_path / "shown").open("w") as shown, contextlib.redirect_stdout(shown):
            assert main(words(log, *command)) in (0, 1)
        assert (tmp_path / "shown").stat().st_size > 100
