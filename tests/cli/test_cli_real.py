"""The command line on real recordings: what a user gets from start to end."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from scopetrace.cli import main
from scopetrace.model.catalog import describe
from scopetrace.replay import open_session
from scopetrace.report.schema import parse
from scopetrace.sessions import read_log
from scopetrace.sessions.samples import sample_dir

Captured = pytest.CaptureFixture[str]
RECORDINGS = Path(__file__).parents[1] / "recordings"
BUNDLES = sorted(path.parent for path in RECORDINGS.glob("*/recording.json"))
DEMO = str(Path(sample_dir()) / "demo-monorepo")


def test_demo_agrees_with_its_record(capsys: Captured) -> None:
    assert main([DEMO]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith("✔ 154 events · 8 instruction messages recorded · 8 equal\n")
    assert re.search(
        r"\n +9 .*⊕ baseline: 4 changes, 783 B +recorded = computed ✔\n +⊕ set +~/\.dsh/AGENTS\.md\n", shown
    )
    assert "⟲ resume" in shown


def test_all_samples_are_equal(capsys: Captured) -> None:
    paths = sorted(str(path.parent) for path in Path(sample_dir()).glob("*/recording.json"))
    assert len(paths) >= 6
    assert main(["audit", *paths, "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert document.verdict == "equal"
    assert [log.path for log in document.logs] == paths
    assert all(log.totals.equal == log.totals.recorded for log in document.logs)


def test_audit_takes_child_logs_along(capsys: Captured) -> None:
    assert main(["audit", str(RECORDINGS / "subagent"), "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert [log.totals.equal for log in document.logs] == [1, 2]


def test_audit_under_other_rules_names_those_that_fit(capsys: Captured) -> None:
    assert main(["audit", DEMO, "--profile", "0.1", "--json"]) == 1
    document: Any = parse(json.loads(capsys.readouterr().out))
    assert document.logs[0].profile == "0.1"
    assert "0.2" in document.logs[0].fits


def test_recorded_and_computed_text_are_the_same_bytes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    log = next(Path(DEMO).glob("session*.zstd"))
    texts = {event.seq: event.data["content"] for event in read_log(log).events if event.seq in (9, 30)}
    for seq, content in texts.items():
        exact = "".join(block["text"] for block in content).encode()
        for arguments in ([], ["--computed"]):
            assert main(["message", f"{DEMO}@{seq}", *arguments]) == 0
            assert hashlib.sha1(capfdbinary.readouterr().out).digest() == hashlib.sha1(exact).digest()


def test_show_tells_the_state_of_candidates(capsys: Captured) -> None:
    assert main(["show", f"{DEMO}@9", "--decisions", "--text"]) == 0
    shown = capsys.readouterr().out
    assert "CLAUDE.md is left out: it says the same as AGENTS.md" in shown
    assert "Instructions from: AGENTS.local.md" in shown
    assert main(["show", f"{DEMO}@9", "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    states = {item.path: item.outcome for scope in document.scopes for item in scope.candidates}
    assert states["AGENTS.md"] == "loaded"
    assert states["CLAUDE.md"] == "duplicate"
    assert states["web/AGENTS.md"] == "not-reached"


def test_decisions_are_told_once(capsys: Captured) -> None:
    assert main(["replay", DEMO, "--decisions", "--json"]) == 0
    document: Any = parse(json.loads(capsys.readouterr().out))
    rows = {row.seq: row for row in document.rows}
    assert rows[9].decisions == ()
    assert rows[9].decided_at == 6
    assert rows[6].decisions[-1].outcome == "context-folded"
    assert main(["replay", DEMO, "--decisions"]) == 0
    assert capsys.readouterr().out.count("a complete baseline was composed") == 1


def test_export_of_a_real_session(tmp_path: Path) -> None:
    for name in ("demo.json", "demo.md", "demo.html"):
        assert main(["export", DEMO, "-o", str(tmp_path / name)]) == 0
    document: Any = parse(json.loads((tmp_path / "demo.json").read_text(encoding="utf-8")))
    assert len(document.rows) == document.totals.events == 154
    assert "Additional instructions from: web/AGENTS.md" in (tmp_path / "demo.html").read_text(encoding="utf-8")
    assert "Additional instructions from: web/AGENTS.md" in (tmp_path / "demo.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name)
def test_every_sentence_has_its_facts(bundle: Path) -> None:
    view = open_session(bundle)
    bare = re.compile(r"(^|[\s(])\?([\s,;:)]|$)")
    for index in range(len(view)):
        for decision in view.frame(index).decisions:
            assert not bare.search(describe(decision)), decision


def bare_log(tmp_path: Path) -> Path:
    """The demo's log alone, away from its bundle."""
    log = next(Path(DEMO).glob("session*.zstd"))
    return Path(shutil.copy(log, tmp_path / log.name))


def test_a_bare_log_needs_its_workspace(tmp_path: Path, capsys: Captured) -> None:
    log = bare_log(tmp_path)
    assert main(["replay", str(log), "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["code"] == "workspace-missing"
    assert "--workspace" in document["remedy"]


def test_a_bare_log_with_a_workspace_says_what_it_used(tmp_path: Path, capsys: Captured) -> None:
    log = bare_log(tmp_path)
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "AGENTS.md").write_text("# Of today\n", encoding="utf-8")
    assert main(["replay", str(log), "--workspace", str(tmp_path / "ws"), "--home", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert str(tmp_path / "ws") in shown
    assert "▲" in shown


def make(directory: Path, content: bytes | None) -> Path:
    path = directory / "session.v4.jsonl"
    if content is not None:
        path.write_bytes(content)
    return path


HEADER = b'{"type":"session","version":%d,"id":"s","createdAt":1,"cwd":"/","isSeeded":false,"delegationDepth":0}\n'


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "no-such-log"),
        (b"", "empty-log"),
        (b"hello\n", "not-a-log"),
        (HEADER % 99, "newer-format"),
        (HEADER % 4, "header-only"),
    ],
)
def test_logs_that_cannot_be_replayed(content: bytes | None, code: str, tmp_path: Path, capsys: Captured) -> None:
    path = make(tmp_path, content)
    assert main(["replay", str(path)]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert str(path) in seen.err
    assert "Traceback" not in seen.err
    assert len(seen.err.splitlines()) >= 2
    assert main(["replay", str(path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["code"] == code
