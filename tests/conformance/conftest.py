"""Collects conformance vectors as tests, without a test function and its fixtures for each of 22,000 rows."""

from __future__ import annotations

import os
import tomllib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance_paths import check_paths
from conformance_render import check_render
from conformance_scenarios import check_scenario
from conformance_vectors import Mismatch, VectorFile, vector_files

CHECKS = {"paths": check_paths, "render": check_render, "scenarios": check_scenario}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name == "suite.toml" and file_path.parent == Path(__file__).parent:
        return Suite.from_parent(parent, path=file_path)
    return None


class Suite(pytest.File):
    """The vectors of one folder."""

    def collect(self) -> Iterator[pytest.Item]:
        settings = tomllib.loads(self.path.read_text(encoding="utf-8"))
        folder = Path(os.environ.get("SCOPETRACE_VECTORS") or self.path.parent / settings["folder"])
        files = vector_files(folder)
        if not files:
            raise self.CollectError(f"{folder}: holds no PROFILE/*.jsonl.gz")
        for file in files:
            check = CHECKS.get(file.kind)
            if check is None:
                raise self.CollectError(f"{file.path}: nothing here knows how to check {file.kind!r} vectors")
            for identity, line in file.lines():
                yield VectorItem.from_parent(self, name=f"{file.name}/{identity}", file=file, line=line, check=check)


class VectorItem(pytest.Item):
    """One vector."""

    def __init__(self, *, file: VectorFile, line: bytes, check: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.file = file
        self.line = line
        self.check = check

    def runtest(self) -> None:
        self.check(self.file.row(self.line), self.file.profile)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        # Pytest's own tracebacks take a tenth of a second each, which is hours when a whole file of vectors fails.
        if isinstance(excinfo.value, Mismatch):
            return f"{self.name}\n{excinfo.value}"
        return "".join([self.name, "\n", *traceback.format_exception(excinfo.value)[-6:]])

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.file.path, None, self.name
