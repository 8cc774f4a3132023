"""What several of these tests need: the helpers beside them, and a copied session."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A project with a marker; ``outside`` lies beside it."""
    (tmp_path / "ws" / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "outside" / "sub").mkdir(parents=True)
    (tmp_path / "outside" / "AGENTS.md").write_text("# from outside\n")
    (tmp_path / "outside" / "sub" / "AGENTS.md").write_text("# from further outside\n")
    return tmp_path / "ws"
