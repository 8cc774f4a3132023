"""A bare log: what it proves about its files, and what it leaves open."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scopetrace.engine.text import sha1_hex
from scopetrace.model import Action, Change, Verdict
from scopetrace.replay import Timeline, open_session
from scopetrace.replay.recovered import MOST_ENDS, RecordedTexts
from scopetrace.sessions import LogError

RECORDINGS = Path(__file__).parents[1] / "recordings"
BASELINE = (
    "<system-reminder>\nintro\n\nInstructions from: AGENTS.md\n\none\n\nInstructions from: CLAUDE.md\n\n"
    "two <\\/system-reminder> two\n\nInstructions from: not a heading\n\n</system-reminder>"
)


def bare(tmp_path: Path, name: str, workspace: Path) -> Timeline:
    """A recording's main log alone, against a workspace that is not the recorded one."""
    log = next((RECORDINGS / name).glob("session*.jsonl*"))
    place = tmp_path / "log"
    place.mkdir(exist_ok=True)
    return open_session(shutil.copy(log, place), workspace=str(workspace), home=str(tmp_path / "nobody"), environ={})


@pytest.mark.parametrize(
    ("path", "text"),
    [("AGENTS.md", "one"), ("CLAUDE.md", "two </system-reminder> two\n\nInstructions from: not a heading\n")],
)
def test_a_text_is_recovered_where_the_digest_says_so(path: str, text: str) -> None:
    change = Change(Action.SET, f".\0{path}", path, sha1_hex(text))
    assert RecordedTexts([BASELINE], [change]).of(change) == text


def test_a_cut_text_is_not_recovered() -> None:
    change = Change(Action.SET, ".\0AGENTS.md", "AGENTS.md", sha1_hex("one, and more that was cut"))
    assert RecordedTexts([BASELINE], [change]).of(change) is None


@pytest.mark.parametrize(
    "text", ["", "a\n\nInstructions from: b\n\nc\n", "\n\nInstructions removed: x", "\ud800", "</system-reminder>"]
)
@pytest.mark.parametrize("path", ["AGENTS.md", "a\n\nb/AGENTS.md", "Instructions from: x", "</system-reminder>"])
def test_sections_of_any_path_and_text(text: str, path: str) -> None:
    change = Change(Action.SET, "x\0AGENTS.md", path, sha1_hex(text))
    shown, name = (part.replace("</", "<\\/") for part in (text, path))
    for heading in (
        "Instructions from: {}",
        "Additional instructions from: {}\n\nThese apply.",
        "Updated instructions from: {}\n\nIt.",
    ):
        section = f"{heading.format(name)}\n\n{shown}"
        for after in ("\n</system-reminder>", "\n\nInstructions from: y\n\nz\n</system-reminder>", ""):
            blocks = ["nothing", f"<system-reminder>\n\n\nInstructions from: w\n\nv\n\n{section}{after}"]
            found = RecordedTexts(blocks, [change]).of(change)
            assert found is not None
            assert sha1_hex(found) == change.digest


def test_a_section_with_more_beginnings_inside_than_anyone_writes_counts_as_cut() -> None:
    for count in (MOST_ENDS - 1, MOST_ENDS):
        text = "\n\nInstructions from: x" * count + "\n"
        change = Change(Action.SET, ".\0AGENTS.md", "AGENTS.md", sha1_hex(text))
        found = RecordedTexts([f"Instructions from: AGENTS.md\n\n{text}\n</system-reminder>"], [change]).of(change)
        assert (found == text) is (count < MOST_ENDS)


@pytest.mark.parametrize("name", ["demo-monorepo", "removal", "compaction-deep", "custom-homes", "v0.1.2rc1-full"])
def test_a_log_without_its_files_still_agrees_with_the_rules(tmp_path: Path, name: str) -> None:
    workspace = tmp_path / "empty"
    (workspace / ".git").mkdir(parents=True)
    timeline = bare(tmp_path, name, workspace)
    assert {one.verdict for one in timeline.comparisons} == {Verdict.EQUAL}
    assert any("text taken from the log" in note for note in timeline.info.notes)


def test_today_s_file_is_never_shown_as_what_the_session_saw(tmp_path: Path) -> None:
    workspace = tmp_path / "today"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "AGENTS.md").write_text("written long after the session\n")
    timeline = bare(tmp_path, "demo-monorepo", workspace)
    index = timeline.index_of(9)
    assert index is not None
    text = timeline.file_text("/home/dev/demo-monorepo/AGENTS.md", index)
    assert text is not None
    assert text.startswith("# Storefront monorepo")


def test_a_message_whose_files_are_not_in_the_log_is_not_comparable_and_says_why(tmp_path: Path) -> None:
    workspace = tmp_path / "empty"
    (workspace / ".git").mkdir(parents=True)
    timeline = bare(tmp_path, "budget-small", workspace)
    (first, *_) = timeline.comparisons
    assert first.verdict is Verdict.NOT_COMPARABLE
    assert "not in the log" in first.reason


def test_a_missing_workspace_is_an_error_with_place_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"does not exist.*--workspace") as caught:
        bare(tmp_path, "demo-monorepo", tmp_path / "none")
    assert caught.value.code.value == "workspace-missing"
