"""docs/security.md names a test for every promise, and each of them exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)


def test_every_named_test_exists() -> None:
    assert len(NAMED) > 25
    for path, name in NAMED:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert name in found, f"{path}::{name}"


def test_every_promise_names_a_test() -> None:
    table = TEXT.partition("## What is promised")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) > 20
    assert all("`tests/" in row for row in rows)
