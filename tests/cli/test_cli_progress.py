"""Progress of long work: on a terminal, after a while, and nothing of it is left."""

from __future__ import annotations

import io
import sys

import pytest

from scopetrace.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("screen", [Terminal(), io.StringIO()])
def test_it_shows_on_a_terminal_after_a_second_and_leaves_nothing(
    screen: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen)
    times = iter([0.0, 0.5, 1.1, 1.1, 1.2, 1.4, 1.4])
    with progress("reading a.jsonl", lambda: next(times)) as tell:
        for share in (1, 2, 3, 4):
            tell(share)
    shown = screen.getvalue()
    if screen.isatty():
        assert [part for part in shown.split("\r\x1b[K") if part] == [
            "reading a.jsonl … 2 % · ctrl+c stops",
            "reading a.jsonl … 4 % · ctrl+c stops",
        ]
        assert shown.endswith("\r\x1b[K")
    else:
        assert shown == ""


def test_quick_work_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("reading a.jsonl") as tell:
        tell(1)
    assert screen.getvalue() == ""
