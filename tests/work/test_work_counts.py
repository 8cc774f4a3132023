"""Work, counted instead of timed: probes, reads and rendered bytes must not grow with what is merely visible."""

from __future__ import annotations

from typing import Any

import pytest

from scopetrace.engine.profile import PROFILES
from scopetrace.model import InstructionFile, Recorder
from scopetrace.replay.scenario import ScenarioHost


def session(directories: int) -> ScenarioHost:
    """A session in which that many nested directories are announced and visible."""
    files: dict[str, Any] = {"/w/.git": {"dir": True}, "/w/AGENTS.md": {"text": "root"}}
    files |= {f"/w/d{number}/AGENTS.md": {"text": f"rule {number}"} for number in range(directories)}
    host = ScenarioHost({"home": "/h", "cwd": "/w", "config": {"maxBytes": 65536}, "files": files}, PROFILES["0.2"])
    host.perform({"op": "preStep", "step": 1, "messages": [{"id": "u", "text": "go"}]})
    for number in range(directories):
        host.perform({"op": "tool", "name": "read", "file_path": f"d{number}/f"})
        host.perform({"op": "preStep", "step": 2, "messages": []})
    host.perform({"op": "preStep", "step": 2, "messages": []})
    return host


def touch(host: ScenarioHost, path: str) -> dict[str, Any]:
    return host.perform({"op": "tool", "name": "read", "file_path": path})


@pytest.mark.parametrize("directories", [5, 40])
def test_a_touch_with_nothing_changed_costs_the_root_marker_alone(directories: int) -> None:
    host = session(directories)
    seen = touch(host, "d0/f")
    assert (seen["stats"], seen["reads"]) == (1, [])


@pytest.mark.parametrize("directories", [5, 40])
def test_a_changed_file_costs_its_own_group(directories: int) -> None:
    host = session(directories)
    host.perform({"op": "write", "path": "/w/d1/AGENTS.md", "text": "new rule"})
    seen = touch(host, "d0/f")
    assert seen["stats"] == 1 + 4
    assert seen["reads"] == ["/w/d1/AGENTS.md"]
    (message,) = seen["new"]
    assert [change["path"] for change in message["source"]["changes"]] == ["d1/AGENTS.md"]


def test_a_new_directory_costs_its_own_group() -> None:
    host = session(20)
    host.perform({"op": "write", "path": "/w/fresh/AGENTS.md", "text": "fresh"})
    seen = touch(host, "fresh/f")
    assert seen["stats"] == 1 + 4


def test_a_deleted_tree_is_noticed_below_its_top() -> None:
    host = session(3)
    host.perform({"op": "write", "path": "/w/top/deep/AGENTS.md", "text": "deep"})
    touch(host, "top/deep/f")
    host.perform({"op": "preStep", "step": 2, "messages": []})
    host.perform({"op": "preStep", "step": 2, "messages": []})
    host.perform({"op": "delete", "path": "/w/top"})
    seen = touch(host, "d0/f")
    (message,) = seen["new"]
    assert [change["action"] for change in message["source"]["changes"]] == ["remove"]


def test_a_link_in_the_tree_makes_the_loader_look_everywhere_again() -> None:
    host = session(4)
    host.perform({"op": "symlink", "path": "/w/d3/AGENTS.md", "target": "../d0/AGENTS.md"})
    touch(host, "d0/f")
    host.perform({"op": "preStep", "step": 2, "messages": []})
    host.perform({"op": "write", "path": "/w/d0/AGENTS.md", "text": "behind the link as well"})
    seen = touch(host, "x")
    (message,) = seen["new"]
    assert [change["path"] for change in message["source"]["changes"]] == ["d0/AGENTS.md", "d3/AGENTS.md"]


def test_with_a_reporter_every_candidate_is_looked_at_and_the_outcome_is_the_same() -> None:
    quiet, told = session(6), session(6)
    for host in (quiet, told):
        host.perform({"op": "write", "path": "/w/d2/AGENTS.md", "text": "other"})
    recorder = Recorder()
    op = {"op": "tool", "name": "read", "file_path": "d0/f"}
    one, other = quiet.perform(op), told.perform(op, recorder)
    assert one["new"] == other["new"]
    assert one["reads"] == other["reads"]
    probed = {decision.absolute_path for decision in recorder.decisions if decision.stage == "probe"}
    assert {f"/w/d{number}/AGENTS.md" for number in range(6)} <= probed


class CountedText(str):
    """Text that counts how often it is encoded."""

    encoded = 0

    def encode(self, *args: Any, **kwargs: Any) -> bytes:
        type(self).encoded += 1
        return super().encode(*args, **kwargs)


def test_the_renderer_does_not_encode_what_it_leaves_out() -> None:
    from scopetrace.engine.render import render_baseline

    CountedText.encoded = 0
    files = [InstructionFile(f"/w/{n}", f"{n}/AGENTS.md", CountedText("é" * 400)) for n in range(200)]
    rendered = render_baseline(files, 4000, shared_root=True, per_chain=False, explain=False)
    assert len(rendered.omitted) > 150
    assert CountedText.encoded <= 40
