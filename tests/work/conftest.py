"""A generated log, and a count of the rows that are decoded from it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from scopetrace.sessions import LogIndex

EVENTS = 6000


@pytest.fixture(scope="session")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare log of :data:`EVENTS` events beside a workspace, made by the generator of the benchmarks."""
    generator = Path(__file__).resolve().parents[2] / "benchmarks" / "make_log.py"
    spec = importlib.util.spec_from_file_location("make_log", generator)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    place = tmp_path_factory.mktemp("long")
    (place / "workspace" / ".git").mkdir(parents=True)
    (place / "workspace" / "AGENTS.md").write_text("# Root\n", encoding="utf-8")
    path: Path = place / "session.v4.jsonl"
    module.write_log(path, EVENTS, 1)
    return path


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows decoded since the test began, in order."""
    rows: list[int] = []
    decode = LogIndex._event

    def counting(self: LogIndex, row: int) -> object:
        rows.append(row)
        return decode(self, row)

    monkeypatch.setattr(LogIndex, "_event", counting)
    return rows
