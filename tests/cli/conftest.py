"""A command line whose sessions are made up, so that commands are tested apart from log, files and engine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import scopetrace.replay
import scopetrace.replay.fit
from scopetrace.sessions.errors import ErrorCode, LogError

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

from report_fake import FakeTimeline


class Opener:
    """Stands in for ``replay.prepare_session``: opens the fake, fails where the name says so, keeps what was asked."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def __call__(self, path: str, **options: Any) -> FakeTimeline:
        self.calls.append({"path": path, **options})
        if "missing" in path:
            raise LogError(ErrorCode.NO_SUCH_LOG, path, "", "no such session log", "check the path")
        view = FakeTimeline()
        if "equal" in path or options.get("profile") == "0.1":
            view.comparisons = view.comparisons[:1]
        return view


def fitting(view: FakeTimeline) -> tuple[str, ...]:
    """Stands in for ``replay.fit.fitting_profiles``: what differs fits the older rules."""
    return () if len(view.comparisons) == 1 else ("0.1",)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opener:
    opener = Opener()
    monkeypatch.setattr(scopetrace.replay, "prepare_session", opener)
    monkeypatch.setattr(scopetrace.replay.fit, "fitting_profiles", fitting)
    return opener
