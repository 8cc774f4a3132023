"""The table of actions and everything that is made from it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scopetrace.tui.actions import ACTIONS, FOOTER_DROPS, FOOTER_PAIRS, fitting_items, footer_items, keymap_markdown
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.screens.lesson import LessonScreen
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.screens.open import OpenScreen
from scopetrace.tui.screens.plain import PlainScreen
from scopetrace.tui.screens.whatif import EditsRow, WhatIfScreen
from scopetrace.tui.screens.why import WhyScreen
from scopetrace.tui.widgets.files import FileList
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.scopes import ScopeList
from scopetrace.tui.widgets.timeline import EventList

ROOT = Path(__file__).resolve().parents[2]
HOLDERS = {
    "main": MainScreen,
    "lines": LineList,
    "scopes": ScopeList,
    "timeline": EventList,
    "plain": PlainScreen,
    "files": FileList,
    "edits": EditsRow,
}
SCREENS = {"why": WhyScreen, "open": OpenScreen, "whatif": WhatIfScreen, "lesson": LessonScreen}
"""Screens of their own: the keys of the main screen do not reach them."""


@pytest.mark.parametrize("spec", ACTIONS, ids=lambda spec: spec.id)
def test_every_action_exists_where_it_is_bound(spec) -> None:  # type: ignore[no-untyped-def]
    namespace, _, name = spec.action.partition("(")[0].rpartition(".")
    holder = {"app": InspectorApp, "screen": WhatIfScreen}.get(namespace) or (HOLDERS | SCREENS)[spec.target]
    assert hasattr(holder, f"action_{name}")


def test_ids_and_keys_are_unique() -> None:
    assert not [name for name, count in Counter(spec.id for spec in ACTIONS).items() if count > 1]
    for target in HOLDERS:
        keys = Counter(key for spec in ACTIONS if spec.target in ("main", "lines", target) for key in spec.keys)
        assert [key for key, count in keys.items() if count > 1] == []
    for target in SCREENS:
        keys = Counter(key for spec in ACTIONS if spec.target == target for key in spec.keys)
        assert [key for key, count in keys.items() if count > 1] == []


def test_the_footer_shows_what_works_here() -> None:
    assert "fold" in [item.word for item in footer_items(Pane.SCOPES)]
    assert "fold" not in [item.word for item in footer_items(Pane.TIMELINE)]


@pytest.mark.parametrize(
    ("width", "focused", "words"),
    [
        (80, "timeline", "step change why find filter diff what if help quit"),
        (80, "scopes", "step change why find filter what if help quit"),
        (60, "timeline", "step why find filter help quit"),
        (60, "scopes", "step why find filter help quit"),
    ],
)
def test_the_most_useful_keys_stay_on_a_narrow_footer(width: int, focused: str, words: str) -> None:
    items, gap = fitting_items(footer_items(focused), width)
    assert " ".join(item.word for item in items) == words
    assert sum(len(f" {item.keys} {item.word}") + gap for item in items) - gap <= width


def test_every_action_that_leaves_a_narrow_footer_is_one_of_the_footer() -> None:
    offered = {spec.id for spec in ACTIONS if spec.footer} | {name for pair in FOOTER_PAIRS for name in pair.ids}
    assert set(FOOTER_DROPS) <= offered
    assert {name for pair in FOOTER_PAIRS for name in pair.ids} <= {spec.id for spec in ACTIONS}


def test_the_docs_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == keymap_markdown()
    script = ROOT / "scripts" / "make_keymap.py"
    assert subprocess.run([sys.executable, str(script), "--check"], check=False).returncode == 0
