"""The harness itself: it has to see differences, and read rows as FORMAT.md says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from conformance_scenarios import check_observations
from conformance_vectors import Mismatch, compare, vector_files

ROW = {
    "name": "two-steps",
    "ops": [{"op": "preStep", "step": 1, "messages": []}, {"op": "turnEnd"}],
    "expect": [
        {"decision": "enter", "entered": ["u1"], "inbox": [], "surface": ["u1"], "reads": ["/w/AGENTS.md"], "stats": 7},
        {"inbox": [], "surface": ["u1"], "reads": [], "stats": 0, "warnings": 1},
    ],
}


def observed(**second: object) -> list[dict[str, object]]:
    first = {"decision": "enter", "entered": ["u1"], "inbox": [], "surface": ["u1"], "reads": ["/w/AGENTS.md"]}
    return [first, {"inbox": [], "surface": ["u1"], "reads": [], "warnings": 1, **second}]


def test_equal_observations_pass_whatever_the_number_of_probes():
    check_observations(ROW, observed(stats=99))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("error", True),
        ("decision", "enter"),
        ("entered", []),
        ("new", [{"id": "ctx-1", "blocks": ["x"], "source": {"kind": "agent-instructions"}}]),
        ("inbox", ["ctx-1"]),
        ("surface", []),
        ("reads", ["/w/CLAUDE.md"]),
        ("warnings", 0),
    ],
)
def test_every_field_counts_and_the_failure_names_operation_and_field(field, value):
    with pytest.raises(Mismatch) as failure:
        check_observations(ROW, observed(**{field: value}))
    message = str(failure.value)
    assert 'two-steps 1: {"op": "turnEnd"}' in message
    assert f"\n{field}:\n" in message


def test_a_missing_observation_fails():
    with pytest.raises(Mismatch, match="1 observations of 2 operations"):
        check_observations(ROW, observed()[:1])


def test_a_difference_in_text_is_shown_line_by_line():
    with pytest.raises(Mismatch) as failure:
        compare({"text": "one\ntwo\u00a0\nthree"}, {"text": "one\ntwo \nthree"})
    assert "- 'two\\xa0'" in str(failure.value)
    assert "+ 'two '" in str(failure.value)


def test_rows_end_at_line_feeds_only(tmp_path: Path):
    rows = [{"id": "a", "text": "x\u2028y\u0085z"}, {"text": "id comes last", "id": "b"}]
    (tmp_path / "0.2").mkdir()
    data = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n"
    (tmp_path / "0.2" / "render-odd.jsonl.gz").write_bytes(gzip.compress(data.encode()))
    (file,) = vector_files(tmp_path)
    assert (file.name, file.kind, file.profile) == ("0.2/render-odd", "render", "0.2")
    assert [(identity, file.row(line)) for identity, line in file.lines()] == [("a", rows[0]), ("b", rows[1])]
