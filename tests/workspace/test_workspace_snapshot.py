"""A snapshot asks once and keeps the answer until it is told to look again."""

from __future__ import annotations

import pytest

from scopetrace.workspace.fs import ChangeTeller, FsError
from scopetrace.workspace.memory import MemoryFs
from scopetrace.workspace.snapshot import Snapshot


def test_an_answer_is_asked_for_once_and_kept_over_a_change() -> None:
    fs = MemoryFs({"/w/a": {"text": "one"}})
    snapshot = Snapshot(fs)
    first = snapshot.stat("/w/a")
    fs.write("/w/a", "two, longer")
    fs.write("/w/b", "new")
    asked = fs.stats
    assert snapshot.stat("/w/a") == first
    assert fs.stats == asked
    assert [entry.name for entry in snapshot.listdir("/w")] == ["a", "b"]
    snapshot.fresh()
    assert snapshot.stat("/w/a") != first


def test_an_error_is_kept_like_an_answer() -> None:
    fs = MemoryFs({"/w/a": {"text": "one"}})
    fs.fail("/w/a", "stat")
    snapshot = Snapshot(fs)
    for _ in range(2):
        with pytest.raises(FsError, match="/w/a"):
            snapshot.stat("/w/a")
    assert fs.stats == 1


def test_nothing_changes_within_a_snapshot_and_anything_may_after_it() -> None:
    snapshot = Snapshot(MemoryFs())
    assert isinstance(snapshot, ChangeTeller)
    mark = snapshot.mark()
    assert snapshot.changed_since(mark) == frozenset()
    snapshot.fresh()
    assert snapshot.changed_since(mark) is None
