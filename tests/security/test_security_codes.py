"""Every error has a code, and ``scopetrace explain`` has a page for it; no page is about what cannot happen."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import scopetrace
from scopetrace.cli import main
from scopetrace.model import Outcome
from scopetrace.report.error_pages import error_pages
from scopetrace.sessions.errors import ErrorCode

Captured = pytest.CaptureFixture[str]
SOURCE = Path(scopetrace.__file__).parent
MAKERS = {"fail", "ErrorDoc", "_doc"}
"""Calls that make an error document; the code is their first argument or ``code=``."""


def codes_in_source() -> set[str]:
    """Codes of errors that the program can make."""
    found = {code.value for code in ErrorCode}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in MAKERS:
                continue
            given = [word.value for word in node.keywords if word.arg == "code"] or node.args[:1]
            found |= {one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return found


CODES = sorted(codes_in_source())


def test_the_walk_finds_codes_of_every_kind() -> None:
    assert {"no-such-log", "file-exists", "os-error", "usage", "bad-config", "no-block"} <= set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_explain_knows_the_code(code: str, capsys: Captured) -> None:
    assert main(["explain", code]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"✖ {code}")
    assert len(shown.split()) > 10


def test_no_page_is_about_nothing() -> None:
    pages = [page.code for page in error_pages()]
    assert sorted(pages) == CODES
    assert not set(pages) & {outcome.value for outcome in Outcome}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_explain_knows_the_outcome(outcome: Outcome, capsys: Captured) -> None:
    assert main(["explain", outcome.value]) == 0
    assert outcome.value in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (["replay", "/nowhere/log"], "no-such-log"),
        (["show", "--nope"], "usage"),
        (["nope", "nope"], "usage"),
        (["explain", "heldback"], "no-such-code"),
        (["schema", "x"], "no-such-schema"),
        (["message", "x"], "no-event-named"),
        (["replay", "/dev/null"], "not-regular-file"),
        (["show", "--config", "/dev/null", "."], "bad-config"),
    ],
)
def test_failures_tell_their_code(line: list[str], code: str, capsys: Captured) -> None:
    assert main(line) == 2
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert re.search(r"\n  \S", told)  # and what to do
    if line[0] in ("replay", "message", "show", "explain"):
        assert main([*line, "--json"]) == 2
        document = json.loads(capsys.readouterr().out)
        assert document["code"] == code
        assert document["remedy"]
