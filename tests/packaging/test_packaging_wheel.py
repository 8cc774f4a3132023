"""An installed wheel is whole: it carries the samples, so the program has something to open anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROBE = """
import json, sys
import scopetrace
from scopetrace.sessions.samples import samples
from scopetrace.replay import open_session
found = samples()
timeline = open_session(next(sample.path for sample in found if sample.name == "demo-monorepo"))
json.dump({
    "package": scopetrace.__file__,
    "samples": [sample.name for sample in found],
    "path": str(found[0].path),
    "verdicts": [comparison.verdict.value for comparison in timeline.comparisons],
}, sys.stdout)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built offline and unpacked."""
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    site = place / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run(site: Path, cwd: Path, *arguments: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_sample_opens_from_the_installed_wheel(site: Path, tmp_path: Path) -> None:
    found = json.loads(run(site, tmp_path, "-c", PROBE))
    assert found["package"].startswith(str(site))
    assert found["path"].startswith(str(site))
    assert {
        "demo-monorepo",
        "nested-discovery",
        "duplicate-sibling",
        "budget-small",
        "compaction",
        "resume-offline-edits",
    } <= set(found["samples"])
    assert found["verdicts"] == ["equal"] * 8


def test_the_command_without_arguments_has_something_to_show_anywhere(site: Path, tmp_path: Path) -> None:
    code = "import sys; from scopetrace.cli import main; sys.exit(main([]))"
    assert "8 equal" in run(site, tmp_path, "-c", code)


def test_the_lessons_come_along(site: Path, tmp_path: Path) -> None:
    code = "import sys; from scopetrace.cli import main; sys.exit(main(['learn', 'chain', '--json']))"
    lesson = json.loads(run(site, tmp_path, "-c", code))
    assert lesson["path"].startswith(str(site))
    assert lesson["holds"]


def test_the_wheel_is_typed(site: Path) -> None:
    assert (site / "scopetrace" / "py.typed").is_file()
