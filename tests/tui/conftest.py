"""Inspector tests run the same everywhere: no colour or theme from the environment, a known theme, no clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_timeline import FakeTimeline

from scopetrace.tui.app import InspectorApp


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_COLOR_SYSTEM", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def make_app() -> Callable[..., InspectorApp]:
    """An app on the hand-made timeline, at its update (event 30) unless told otherwise."""

    def make(timeline: Any = None, **options: Any) -> InspectorApp:
        options.setdefault("start", 20)
        return InspectorApp(timeline if timeline is not None else FakeTimeline(), **options)

    return make
