"""A machine for the open screen: an agent home with sessions, a directory, and a clock that stands still."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from scopetrace.tui.screens.open import Surroundings

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
NOW_MS = 1_800_000_000_000
AGES = (("demo-monorepo", 5), ("compaction", 3 * 60), ("budget-small", 26 * 60))
"""Samples whose logs lie there as sessions, and how many minutes ago they were written."""


def make_machine(place: Path, *, sessions: bool = True) -> Surroundings:
    """Sessions below ``place/home/.dsh``, the working directory ``place/shop``."""
    home, shop = place / "home", place / "shop"
    shop.mkdir(parents=True)
    (shop / ".git").mkdir()
    (shop / "AGENTS.md").write_text("# Shop\n\n- Use pnpm.\n")
    (shop / "app").mkdir()
    (shop / "app" / "AGENTS.md").write_text("# App\n\n- Typed.\n")
    (shop / "app" / "main.py").write_text("print()\n")
    (home / ".dsh").mkdir(parents=True)
    if sessions:
        for number, (name, minutes) in enumerate(AGES):
            directory = home / ".dsh" / "sessions" / "home-dev" / f"2026-06-0{number + 1}_session-{number}"
            directory.mkdir(parents=True)
            log = directory / "session.v4.jsonl.zstd"
            shutil.copy(SAMPLES / name / "session.v4.jsonl.zstd", log)
            _written(log, minutes)
        broken = home / ".dsh" / "sessions" / "home-dev" / "2026-05-01_broken"
        broken.mkdir()
        (broken / "session.v4.jsonl").write_text("no log\n")
        _written(broken / "session.v4.jsonl", 60 * 24 * 40)
    return Surroundings(str(shop), {"DSH_HOME": str(home / ".dsh"), "HOME": str(home)}, str(home), lambda: NOW_MS)


def _written(path: Path, minutes: int) -> None:
    seconds = NOW_MS / 1000 - minutes * 60
    os.utime(path, (seconds, seconds))
