"""``--follow``: a session printed while it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from scopetrace.cli import main
from scopetrace.cli.following import follow
from scopetrace.cli.opening import prepare_living
from scopetrace.cli.options import Rules
from scopetrace.sessions import Bundle

Captured = pytest.CaptureFixture[str]
DEMO = Path(__file__).parents[1] / "recordings" / "demo-monorepo"


class Enough(Exception):
    """The test has seen what it wanted."""


@pytest.fixture
def lines() -> list[bytes]:
    return zstd.decompress(Bundle.open(DEMO).main.read_bytes()).splitlines(keepends=True)


@pytest.fixture
def log(tmp_path: Path, lines: list[bytes]) -> Path:
    (tmp_path / "workspace" / ".git").mkdir(parents=True)
    path = tmp_path / "log" / "session.v3.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"".join(lines[:21]))
    return path


def watched(log: Path, steps: list[Any], *, as_json: bool = False) -> None:
    """Follow a log; between two looks the steps happen, after the last one it ends."""
    rules = Rules(workspace=str(log.parents[1] / "workspace"), home=str(log.parent))

    def wait(_: float) -> None:
        if not steps:
            raise Enough
        step = steps.pop(0)
        if step is not None:
            step()

    with pytest.raises(Enough):
        follow(
            lambda path: prepare_living(path, rules),
            str(log),
            decisions=False,
            every=True,
            as_json=as_json,
            wait=wait,
        )


def append(log: Path, *lines: bytes) -> None:
    with log.open("ab") as file:
        file.write(b"".join(lines))


def numbers(text: str) -> list[int]:
    return [int(row[:7]) for row in text.splitlines() if row[:7].strip().isdigit()]


def test_each_event_is_printed_once_when_its_line_is_whole(log: Path, lines: list[bytes], capsys: Captured) -> None:
    seen: list[list[int]] = []

    def look() -> None:
        seen.append(numbers(capsys.readouterr().out))

    def write(*more: bytes) -> Any:
        def step() -> None:
            look()
            append(log, *more)

        return step

    watched(log, [None, write(*lines[21:30], lines[30][:-3]), None, write(lines[30][-3:]), None, None, look])
    assert seen == [list(range(20)), list(range(20, 29)), [29]]


def test_the_log_that_takes_the_place_is_gone_over_to(log: Path, lines: list[bytes], capsys: Captured) -> None:
    newer = log.with_name("session.v4.jsonl")
    watched(log, [lambda: newer.write_bytes(b"".join(lines[:11])), None, newer.unlink, None, None])
    told = capsys.readouterr()
    assert numbers(told.out) == [*range(20), *range(10)]
    assert told.err.splitlines() == [
        f"scopetrace: the session goes on in {newer}",
        "scopetrace: the log is no longer there",
    ]


def test_as_json_it_is_one_object_a_line(log: Path, lines: list[bytes], capsys: Captured) -> None:
    watched(log, [None, lambda: append(log, *lines[21:]), None], as_json=True)
    said = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert said[0]["info"]["session_id"]
    rows = [item["row"]["seq"] for item in said[1:] if not item["again"]]
    assert rows == list(range(len(rows)))
    assert len(rows) == len(lines) - 1


@pytest.mark.parametrize("command", ["replay", "open"])
def test_what_cannot_grow_is_said_not_to(command: str, tmp_path: Path, capsys: Captured) -> None:
    assert main([command, str(tmp_path), "--follow"]) == 2
    assert "nothing-to-follow" in capsys.readouterr().err
    assert main([command, f"{DEMO}@9", "--follow"]) == 2
    assert "leave the @SEQ out" in capsys.readouterr().err
