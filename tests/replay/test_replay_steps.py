"""Timelines without a session log: plain workspaces and scenarios."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scopetrace.engine.config import Config
from scopetrace.model import Outcome, RowKind, Verdict
from scopetrace.replay import open_any, open_scenario, open_workspace
from scopetrace.replay.anything import kind_of
from scopetrace.replay.played import ScenarioError

VECTORS = Path(__file__).parents[1] / "conformance" / "vectors"


def vectors(profile: str, name: str, count: int) -> list[dict[str, Any]]:
    with gzip.open(VECTORS / profile / name, "rb") as file:
        return [json.loads(text) for _, text in zip(range(count), file, strict=False)]


@pytest.mark.parametrize("profile", ["0.1", "0.2", "next"])
def test_scenarios_equal_what_they_expect(profile: str) -> None:
    for row in vectors(profile, "scenarios-curated.jsonl.gz", 60):
        timeline = open_scenario(row, profile)
        assert len(timeline) == len(row["ops"])
        for comparison in timeline.comparisons:
            assert comparison.verdict is Verdict.EQUAL, (row["id"], comparison)
        for index in range(len(timeline)):
            assert timeline.frame(index).agrees_so_far
            timeline.tree(index)


def test_a_scenario_without_expectation_is_not_comparable() -> None:
    row = vectors("0.2", "scenarios-curated.jsonl.gz", 1)[0]
    del row["expect"]
    timeline = open_scenario({**row, "profile": "0.2"})
    assert timeline.info.profile == "0.2"
    assert {c.verdict for c in timeline.comparisons} == {Verdict.NOT_COMPARABLE}


def test_a_wrong_expectation_shows() -> None:
    row = next(r for r in vectors("0.2", "scenarios-curated.jsonl.gz", 5) if any(e.get("new") for e in r["expect"]))
    spot = next(index for index, seen in enumerate(row["expect"]) if seen.get("new"))
    row["expect"][spot]["new"][0]["blocks"][0] += "x"
    timeline = open_scenario(row, "0.2")
    wrong = [c for c in timeline.comparisons if c.verdict is Verdict.DIFFERENT]
    assert [c.differs for c in wrong] == [("blocks",)]
    assert not timeline.frame(wrong[0].seq).agrees_so_far


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("nonsense", ""),
        ('{"ops": 3}', ""),
        ('{"ops": [{"op": "fly"}]}', ""),
        ('{"profile": "9", "ops": []}', "profile"),
    ],
)
def test_unreadable_scenarios_say_where(text: str, place: str, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        open_scenario(path)
    assert caught.value.path == str(path)
    assert caught.value.place == place


def make(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "ws" / ".git").mkdir(parents=True, exist_ok=True)
    return root / "ws"


def test_a_plain_workspace_has_a_step_and_one_more_for_every_touch(tmp_path: Path) -> None:
    ws = make(tmp_path, {"ws/AGENTS.md": "# Root\n", "ws/app/AGENTS.md": "# App\n", "ws/app/x.py": "", "home/x": ""})
    timeline = open_workspace(ws, home=str(tmp_path / "home"), environ={}, touches=["app/x.py", "app/new.py"])
    assert [(r.kind, r.label) for r in map(timeline.row, range(len(timeline)))] == [
        (RowKind.INSTRUCTIONS, "step 1"),
        (RowKind.TOOL, "read"),
        (RowKind.INSTRUCTIONS, "step 2"),
        (RowKind.TOOL, "write"),
        (RowKind.STEP, "step 3"),
    ]
    changes = [[c.path for c in timeline.frame(i).messages[0].source.changes or ()] for i in (0, 2)]
    assert changes == [["AGENTS.md"], ["app/AGENTS.md"]]
    decided = {d.outcome for d in timeline.frame(2).decisions}
    assert {Outcome.SET, Outcome.CONTEXT_QUEUED} <= decided
    states = {c.path: c.outcome for node in timeline.tree(0) for c in _all(node)}
    assert states["app/AGENTS.md"] is Outcome.NOT_REACHED
    assert timeline.info.profile == "next"
    assert timeline.file_text(str(ws / "AGENTS.md"), 0) == "# Root\n"


def _all(node: Any) -> list[Any]:
    return [*node.candidates, *(item for child in node.children for item in _all(child))]


def test_settings_and_rules_of_a_plain_workspace(tmp_path: Path) -> None:
    ws = make(tmp_path, {"ws/AGENTS.md": "# Root\n" * 100})
    small = open_workspace(ws, home=str(tmp_path), environ={}, profile="0.2", config=Config(400))
    assert small.info.budget == 400
    assert Outcome.TRUNCATED in {d.outcome for d in small.frame(0).decisions}
    with pytest.raises(FileNotFoundError):
        open_workspace(ws / "nowhere")
    with pytest.raises(NotADirectoryError):
        open_workspace(ws / "AGENTS.md")


def test_a_truncated_file_stays_cut_at_later_steps(tmp_path: Path) -> None:
    ws = make(tmp_path, {"ws/AGENTS.md": "# Root\n" * 100, "ws/a.txt": ""})
    timeline = open_workspace(ws, home=str(tmp_path), environ={}, config=Config(400), touches=["a.txt"])
    for index in range(len(timeline)):
        states = {c.path: c.outcome for node in timeline.tree(index) for c in _all(node)}
        assert states["AGENTS.md"] is Outcome.LOADED_CUT


def test_what_a_path_names(tmp_path: Path) -> None:
    row = vectors("0.2", "scenarios-curated.jsonl.gz", 1)[0]
    (tmp_path / "one.json").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "many.jsonl").write_text(json.dumps(row) + "\n{}\n", encoding="utf-8")
    recording = Path(__file__).parents[1] / "recordings" / "plain-jsonl"
    assert kind_of(tmp_path) == "workspace"
    assert kind_of(tmp_path / "one.json") == "scenario"
    assert kind_of(tmp_path / "many.jsonl") == "scenario"
    assert kind_of(recording) == "bundle"
    assert kind_of(recording / "session.v4.jsonl") == "log"
    assert kind_of(tmp_path / "missing") == "log"
    for path in (tmp_path / "one.json", tmp_path / "many.jsonl", recording, tmp_path):
        assert len(open_any(path, home=str(tmp_path), environ={})) > 0
