"""Links that somebody else made: out of the root, in loops, in long chains. Flagged, or refused where that is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from looked import Looked

from scopetrace.cli import main
from scopetrace.model import Outcome
from scopetrace.report import build
from scopetrace.report.json_text import to_json
from scopetrace.report.text import show_lines
from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import FsError

Captured = pytest.CaptureFixture[str]


def test_a_link_out_of_the_root_is_followed_and_flagged(ws: Path) -> None:
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    looked = Looked(ws)
    present = looked.first("AGENTS.md", Outcome.PRESENT)
    assert present.facts["crosses"] is True
    assert present.facts["link"] == str(ws.parent / "outside" / "AGENTS.md")
    state = looked.candidates["AGENTS.md"]
    assert state.outcome is Outcome.LOADED
    assert state.facts["crosses"] is True
    assert "# from outside" in looked.told


def test_a_linked_directory_out_of_the_root_is_followed_and_flagged(ws: Path) -> None:
    (ws / "lib").symlink_to("../outside/sub")
    looked = Looked(ws, "lib/x.py")
    present = looked.first("lib/AGENTS.md", Outcome.PRESENT)
    assert present.facts["crosses"] is True
    assert present.facts["link"] == str(ws.parent / "outside" / "sub" / "AGENTS.md")
    assert looked.candidates["lib/AGENTS.md"].facts["crosses"] is True
    assert "# from further outside" in looked.told


def test_a_link_that_nobody_reached_yet_is_flagged_too(ws: Path) -> None:
    (ws / "deep").mkdir()
    (ws / "deep" / "CLAUDE.md").symlink_to(ws.parent / "outside" / "AGENTS.md")
    state = Looked(ws).candidates["deep/CLAUDE.md"]
    assert state.outcome is Outcome.NOT_REACHED
    assert state.facts["crosses"] is True


def test_links_that_stay_inside_are_not_flagged(ws: Path) -> None:
    (ws / "a").mkdir()
    (ws / "a" / "AGENTS.md").write_text("# a\n")
    (ws / "b").symlink_to("a")
    (ws / "AGENTS.md").symlink_to("b/AGENTS.md")
    looked = Looked(ws, "b/x")
    for path in ("AGENTS.md", "b/AGENTS.md"):
        present = looked.first(path, Outcome.PRESENT)
        assert present.facts["crosses"] is False
        assert present.facts["link"] == str(ws / "a" / "AGENTS.md")


def test_a_root_that_is_reached_by_a_link_is_no_way_out(ws: Path) -> None:
    (ws / "AGENTS.md").write_text("# x\n")
    (ws / "CLAUDE.md").symlink_to("AGENTS.md")
    (ws / "AGENTS.local.md").symlink_to(ws / "AGENTS.md")
    alias = ws.parent / "alias"
    alias.symlink_to("ws")
    looked = Looked(alias)
    assert looked.first("AGENTS.md", Outcome.PRESENT).facts["link"] == ""
    assert looked.first("CLAUDE.md", Outcome.PRESENT).facts["crosses"] is False
    assert looked.first("AGENTS.local.md", Outcome.PRESENT).facts["crosses"] is False


def test_both_reports_flag_the_way_out(ws: Path, capsys: Captured) -> None:
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    document = build.show_doc(Looked(ws).view, 0)
    shown = "\n".join(item.text for item in show_lines(document, decisions=True))
    assert "▲ link out of the root" in shown
    assert "▲ the link leaves the project root" in shown
    assert '"crosses": true' in to_json(document) or '"crosses":true' in to_json(document)


def test_following_can_be_refused_and_the_refusal_is_said(ws: Path) -> None:
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    (ws / "lib").symlink_to("../outside/sub")
    (ws / "CLAUDE.md").write_text("# from inside\n")
    looked = Looked(ws, "lib/x", follow_outside=False)
    for path in ("AGENTS.md", "lib/AGENTS.md"):
        reason = str(looked.first(path, Outcome.UNAVAILABLE).facts["reason"])
        assert reason == f"link leaves {ws}, refused"
    assert "outside" not in looked.told
    assert "# from inside" in looked.told
    assert looked.view.info.notes == (f"links that leave {ws} are refused (--no-follow-outside)",)


def test_the_boundary_is_the_project_root_and_not_where_the_session_began(ws: Path) -> None:
    (ws / "app").mkdir()
    (ws / "RULES.md").write_text("# of the project\n")
    (ws / "app" / "AGENTS.md").symlink_to("../RULES.md")
    looked = Looked(ws / "app", follow_outside=False)
    assert "# of the project" in looked.told


def test_a_refused_link_stays_refused_below_supposed_edits(ws: Path) -> None:
    from scopetrace.workspace.overlay import Edit, Overlay

    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    (ws / "lib").symlink_to("../outside/sub")
    fs = Overlay(DiskFs(follow_outside=False, boundary=str(ws)), [Edit.write(f"{ws}/x", "y")])
    for path in ("AGENTS.md", "lib/AGENTS.md"):
        with pytest.raises(FsError, match="refused"):
            fs.stat(f"{ws}/{path}")
        with pytest.raises(FsError, match="refused"):
            fs.read(f"{ws}/{path}", 10)


@pytest.mark.parametrize("first", ["flag", "command"])
def test_the_option_is_known_to_the_command_line(first: str, tmp_path: Path, capsys: Captured, ws: Path) -> None:
    log = tmp_path / "session.v4.jsonl"
    header = {"type": "session", "version": 4, "id": "s", "createdAt": 1, "cwd": str(ws)}
    rows = [
        {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}},
        {"type": "step/start", "seq": 1, "time": 2, "data": {"turn": 1, "step": 1}},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in (header, *rows)))
    (ws / "AGENTS.md").symlink_to("../outside/AGENTS.md")
    given = ["show", f"{log}@1", "--home", str(tmp_path / "home"), "--decisions"]
    assert main(given) == 0
    followed = capsys.readouterr().out
    assert "▲ the link leaves the project root" in followed
    assert main(["--no-follow-outside", *given] if first == "flag" else [*given, "--no-follow-outside"]) == 0
    refused = capsys.readouterr().out
    assert f"link leaves {ws}, refused" in refused
    assert "--no-follow-outside" in refused


def test_a_bundle_reads_no_file_of_this_disk_so_nothing_is_refused(capsys: Captured) -> None:
    bundle = str(Path(__file__).parents[1] / "recordings" / "demo-monorepo")
    assert main(["audit", bundle, "--no-follow-outside"]) == 0
    capsys.readouterr()
    assert main(["--no-follow-outside", bundle]) == 0
    assert "nothing to refuse" in capsys.readouterr().out


def test_loops_and_long_chains(ws: Path) -> None:
    (ws / "AGENTS.md").symlink_to("AGENTS.md")
    (ws / "CLAUDE.md").symlink_to("AGENTS.local.md")
    (ws / "AGENTS.local.md").symlink_to("CLAUDE.md")
    (ws / "CLAUDE.local.md").symlink_to("nowhere")
    (ws / "loop").symlink_to(".")
    (ws / "up").symlink_to("..")
    (ws / "long").mkdir()
    (ws / "long" / "0").write_text("# end of the chain\n")
    for number in range(1, 200):
        (ws / "long" / str(number)).symlink_to(str(number - 1))
    (ws / "long" / "AGENTS.md").symlink_to("20")
    (ws / "long" / "CLAUDE.md").symlink_to("199")
    looked = Looked(ws, "long/x", "loop/loop/loop/x", "up/ws/x")
    for path in ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md"):
        assert "symbolic links" in str(looked.first(path, Outcome.UNAVAILABLE).facts["reason"])
    assert looked.outcomes("CLAUDE.local.md")[0] is Outcome.ABSENT
    assert looked.outcomes("long/AGENTS.md")[0] is Outcome.PRESENT
    assert looked.outcomes("loop/loop/loop/AGENTS.md")[0] is Outcome.UNAVAILABLE
