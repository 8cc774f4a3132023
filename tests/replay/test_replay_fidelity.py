"""The page about fidelity says what the tests hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_current() -> None:
    """Vectors are counted, recordings replayed, every named test looked up; on a difference: ``make fidelity``."""
    found = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_fidelity.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (found.returncode, found.stderr) == (0, "")
