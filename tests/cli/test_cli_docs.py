"""The texts for users name what the program has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from scopetrace.engine.config import Config
from scopetrace.engine.profile import PROFILES

ROOT = Path(__file__).parents[2]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_switch_is_documented() -> None:
    text = read("docs/profiles.md")
    switches = next(iter(PROFILES.values())).switches()
    documented = re.findall(r"^\*\*(?:(D\d+) · )?`(\w+)` — ", text, re.MULTILINE)
    assert sorted(name for _, name in documented) == sorted(switches)
    assert sorted(number for number, _ in documented if number) == sorted(f"D{number}" for number in range(1, 15))
    assert all(f"`{name}`" in text for name in PROFILES)


def test_every_setting_is_documented() -> None:
    table = set(re.findall(r"^\| `(\w+)` \|", read("docs/config.md"), re.MULTILINE))
    of_the_user = {"theme", "budget"}
    assert table == {*Config(1.0).as_mapping(), "dshHome", "agentsHome"} | of_the_user


def test_every_dependency_is_documented() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    text = read("docs/dependencies.md")
    for requirement in wanted:
        name = re.match(r"[\w.-]+", requirement)
        assert name is not None
        assert f"| {name[0]} " in text


@pytest.mark.parametrize(
    "name", ["README.md", "docs/profiles.md", "docs/config.md", "docs/security.md", "docs/dependencies.md"]
)
def test_links_between_texts_lead_somewhere(name: str) -> None:
    for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", read(name)):
        assert ((ROOT / name).parent / target).exists(), target
