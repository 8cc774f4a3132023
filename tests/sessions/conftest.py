"""Logs made by the generator of the benchmarks."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def make_log() -> Callable[[Path, int, int], int]:
    """``write_log`` of ``benchmarks/make_log.py``."""
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "make_log.py"
    spec = importlib.util.spec_from_file_location("make_log", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written: Callable[[Path, int, int], int] = module.write_log
    return written


@pytest.fixture(scope="session")
def generated_log(make_log: Callable[[Path, int, int], int], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 5,000 events."""
    path = tmp_path_factory.mktemp("generated") / "session.v4.jsonl"
    make_log(path, 5000, 1)
    return path
