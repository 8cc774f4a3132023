"""Copy the recordings that make good samples from tests/recordings to sample_sessions.

Run from a checkout: ``python scripts/make_samples.py`` refreshes, with ``--check`` it only compares (exit 1: stale).
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "demo-monorepo",
    "nested-discovery",
    "duplicate-sibling",
    "budget-small",
    "compaction",
    "resume-offline-edits",
)
ONLY_FOR_TESTS = frozenset({"expected.json", "workspace-after.tar.gz"})


def wanted(name: str) -> list[Path]:
    """The files of a recording that a sample consists of."""
    return sorted(path for path in (ROOT / "tests/recordings" / name).iterdir() if path.name not in ONLY_FOR_TESTS)


def stale(name: str) -> bool:
    """Whether the sample differs from its recording."""
    target = ROOT / "sample_sessions" / name
    files = wanted(name)
    if not target.is_dir() or {path.name for path in target.iterdir()} != {path.name for path in files}:
        return True
    return any(not filecmp.cmp(path, target / path.name, shallow=False) for path in files)


def refresh(name: str) -> None:
    """Make the sample anew from its recording."""
    target = ROOT / "sample_sessions" / name
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    for path in wanted(name):
        shutil.copyfile(path, target / path.name)


def main() -> int:
    """Refresh or check the samples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 when a sample is stale")
    check = parser.parse_args().check
    names = [name for name in NAMES if stale(name)]
    for name in names:
        print(f"{name}: {'stale; run scripts/make_samples.py' if check else 'refreshed'}")
        if not check:
            refresh(name)
    return 1 if check and names else 0


if __name__ == "__main__":
    sys.exit(main())
