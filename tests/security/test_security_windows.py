"""A log recorded on Windows is replayed on any system by the path rules of Windows, and says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from windows_recording import unpacked, windows_bundle

from scopetrace.cli import main
from scopetrace.engine.flavour import POSIX
from scopetrace.engine.windows import WINDOWS
from scopetrace.model import CandidateState, Outcome, Verdict
from scopetrace.replay import open_session
from scopetrace.replay.places import flavour_of
from scopetrace.replay.whatif import Variation, candidates, suppose
from scopetrace.sessions import Bundle, ErrorCode, LogError
from scopetrace.workspace.fs import Entry, FsError, Stat
from scopetrace.workspace.memory import MemoryFs
from scopetrace.workspace.overlay import Edit
from scopetrace.workspace.windows import WindowsFs, edited, home_of, is_windows_path, to_posix, to_windows

ROOTS = ["C:\\Users\\dev\\shop", "\\\\server\\share\\x"]
SESSIONS = [
    "nested-discovery",
    "demo-monorepo",
    "working-directory",
    "removal",
    "compaction",
    "resume-offline-edits",
    "custom-homes",
]


def states(session: object, index: int) -> dict[str, CandidateState]:
    return {state.path: state for state in candidates(session.tree(index))}  # type: ignore[attr-defined]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("name", SESSIONS)
def test_a_bundle_from_windows_agrees_with_its_record(name: str, root: str, tmp_path: Path) -> None:
    session = open_session(windows_bundle(name, tmp_path / "bundle", root))
    assert session.comparisons
    assert {one.verdict for one in session.comparisons} == {Verdict.EQUAL}
    assert any("recorded on Windows" in note for note in session.info.notes)


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("name", ["nested-discovery", "demo-monorepo", "removal"])
def test_a_bare_log_is_replayed_against_a_copy_of_its_workspace(name: str, root: str, tmp_path: Path) -> None:
    bundle = windows_bundle(name, tmp_path / "bundle", root)
    log = tmp_path / "session.v4.jsonl"
    shutil.copyfile(bundle / log.name, log)
    workspace, home = unpacked(bundle, tmp_path)
    session = open_session(log, workspace=str(workspace), home=str(home), environ={"DSH_HOME": f"{home}/.dsh"})
    assert {one.verdict for one in session.comparisons} == {Verdict.EQUAL}
    notes = "\n".join(session.info.notes)
    assert "recorded on Windows" in notes
    assert f"paths below {root} are looked up below {workspace}" in notes
    assert "taken to be C:\\Users\\" in notes
    assert session.info.cwd == root


def test_a_log_from_another_machine_of_this_kind_is_mapped_and_says_so(tmp_path: Path) -> None:
    bundle = windows_bundle("removal", tmp_path / "bundle", "/home/somebody/else", home="/home/somebody")
    log = tmp_path / "session.v4.jsonl"
    text = (bundle / log.name).read_text().replace("\\\\", "/")
    log.write_text(text)
    workspace, home = unpacked(bundle, tmp_path)
    with pytest.raises(LogError) as caught:
        open_session(log)
    assert caught.value.code is ErrorCode.WORKSPACE_MISSING
    session = open_session(log, workspace=str(workspace), home=str(home), environ={"DSH_HOME": f"{home}/.dsh"})
    assert f"paths below /home/somebody/else are looked up below {workspace}" in session.info.notes
    assert not any("Windows" in note for note in session.info.notes)
    assert {one.verdict for one in session.comparisons} == {Verdict.EQUAL}


def test_the_scope_tree_speaks_windows_paths(tmp_path: Path) -> None:
    session = open_session(windows_bundle("nested-discovery", tmp_path / "bundle", ROOTS[0]))
    last = len(session) - 1
    found = states(session, last)
    assert found["packages\\app\\CLAUDE.md"].outcome is Outcome.LOADED
    assert found["packages\\app\\CLAUDE.md"].absolute_path == "C:\\Users\\dev\\shop\\packages\\app\\CLAUDE.md"
    project = session.tree(last)[-1]
    assert [child.label for child in project.children] == ["docs", "packages"]
    assert [child.label for child in project.children[1].children] == ["app", "lib"]
    text = session.file_text("c:\\users\\DEV\\shop\\packages\\app\\claude.md", last)
    assert text is not None
    assert text == session.file_text("C:\\Users\\dev\\shop\\packages\\app\\CLAUDE.md", last)


def test_supposed_edits_and_touches_name_windows_paths(tmp_path: Path) -> None:
    session = open_session(windows_bundle("nested-discovery", tmp_path / "bundle", ROOTS[0]))
    last = len(session) - 1
    edit = Edit.write("C:\\Users\\dev\\shop\\packages\\new\\AGENTS.md", "# supposed\n")
    other = suppose(session, Variation(edits=(edit,), touches=((last, "read", "packages\\new\\x.py"),)))
    assert states(other, last)["packages\\new\\AGENTS.md"].outcome is Outcome.CONTEXT_QUEUED


def test_without_a_workspace_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = windows_bundle("removal", tmp_path / "bundle", ROOTS[0])
    log = tmp_path / "session.v4.jsonl"
    shutil.copyfile(bundle / log.name, log)
    (tmp_path / ROOTS[0]).mkdir()  # a directory of that very name, here
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LogError) as caught:
        open_session(log)
    assert caught.value.code is ErrorCode.WORKSPACE_MISSING
    assert "recorded on Windows" in caught.value.message
    assert "--workspace" in caught.value.remedy


def test_the_command_line_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = windows_bundle("nested-discovery", tmp_path / "bundle", ROOTS[1])
    assert main(["audit", str(bundle)]) == 0
    assert main(["show", str(bundle)]) == 0
    shown = capsys.readouterr().out
    assert "recorded on Windows" in shown
    assert ROOTS[1] in shown


@pytest.mark.parametrize("cwd", ["shop", "./shop", "..", ""])
def test_a_relative_directory_in_a_header_is_not_looked_up_here(
    cwd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop").mkdir()
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "session.v4.jsonl"
    header = {"type": "session", "version": 4, "id": "s", "createdAt": 1, "cwd": cwd}
    row = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
    log.write_text(json.dumps(header) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(LogError) as caught:
        open_session(log)
    assert caught.value.code is ErrorCode.WORKSPACE_MISSING


@pytest.mark.parametrize(
    ("path", "windows"),
    [
        ("C:\\Users", True),
        ("c:/Users", True),
        ("\\\\server\\share", True),
        ("\\\\server\\share\\x", True),
        ("/home/dev", False),
        ("//server/share", False),
        ("C:", False),
        ("C:relative", False),
        ("\\\\?\\C:\\x", False),
        ("\\\\server", False),
        ("/C:\\x", False),
        ("", False),
    ],
)
def test_flavour_is_told_by_the_working_directory(path: str, windows: bool) -> None:
    assert is_windows_path(path) is windows
    assert flavour_of(path) is (WINDOWS if windows else POSIX)


@pytest.mark.parametrize(
    ("windows", "posix", "back"),
    [
        ("C:\\Users\\dev", "/C:/Users/dev", "C:\\Users\\dev"),
        ("c:\\a\\..\\b/./c\\", "/C:/b/c", "C:\\b\\c"),
        ("C:\\", "/C:", "C:\\"),
        ("C:\\..\\..\\x", "/C:/x", "C:\\x"),
        ("\\\\server\\share\\x\\y", "/\\\\server\\share/x/y", "\\\\server\\share\\x\\y"),
        ("\\\\server\\share", "/\\\\server\\share", "\\\\server\\share\\"),
        ("\\x\\y", "/x/y", "/x/y"),
    ],
)
def test_every_windows_path_has_one_posix_spelling(windows: str, posix: str, back: str) -> None:
    assert to_posix(windows) == posix
    assert to_windows(posix) == back


def test_homes() -> None:
    assert home_of("C:\\Users\\dev\\shop") == "C:\\Users\\dev"
    assert home_of("d:/users/x") == "C:\\Users\\user"
    assert home_of("\\\\server\\share\\x") == "C:\\Users\\user"


def test_a_provider_of_posix_paths_answers_windows_paths() -> None:
    inner = MemoryFs({"/C:/w/Docs/AGENTS.md": {"text": "x"}, "/etc/f": {"text": "out"}})
    inner.symlink("/C:/w/near", "Docs/AGENTS.md")
    inner.symlink("/C:/w/far", "/etc/f")
    inner.write("/C:/w/back\\slash", "y")
    inner.fail("/C:/w/bad", "stat")
    fs = WindowsFs(inner)
    upper, lower = fs.stat("C:\\w\\Docs\\AGENTS.md"), fs.stat("c:\\W\\docs/agents.MD")
    assert upper is not None
    assert upper == lower
    assert fs.read("C:\\W\\DOCS\\Agents.md", 9) == b"x"
    assert fs.stat("C:\\w\\none") is None
    assert fs.stat("C:\\w") == Stat("directory")
    assert fs.listdir("c:\\W") == (Entry("Docs", "directory"), Entry("far", "link"), Entry("near", "link"))
    assert fs.readlink("C:\\w\\near") == "Docs\\AGENTS.md"
    assert fs.readlink("C:\\w\\far") == "/etc/f"
    near = fs.stat("C:\\w\\NEAR")
    assert near is not None
    assert near.link_target == "C:\\w\\Docs\\AGENTS.md"
    with pytest.raises(FsError, match=r"^C:\\w\\bad"):
        fs.stat("C:\\w\\bad")
    with pytest.raises(FsError, match=r"^C:\\w\\none"):
        fs.read("C:\\w\\none", 1)


def test_the_same_one_of_several_twins_is_found() -> None:
    inner = MemoryFs({"/C:/w/agents.md": {"text": "small"}, "/C:/w/Agents.md": {"text": "first"}})
    fs = WindowsFs(inner)
    assert fs.read("C:\\w\\AGENTS.md", 9) == b"first"
    assert fs.read("C:\\w\\agents.md", 9) == b"small"
    inner.delete("/C:/w/Agents.md")
    assert fs.read("C:\\w\\AGENTS.md", 9) == b"small"


def test_edits_lie_under_the_translation() -> None:
    fs = edited(WindowsFs(MemoryFs({"/C:/w/a": {"text": "old"}})), [Edit.write("c:\\w\\a", "new")])
    assert fs.read("C:\\w\\A", 9) == b"new"


def test_a_manifest_may_hold_windows_paths_and_no_others(tmp_path: Path) -> None:
    bundle = windows_bundle("removal", tmp_path / "bundle", ROOTS[0])
    assert Bundle.open(bundle).cwd == ROOTS[0]
    manifest = json.loads((bundle / "recording.json").read_text())
    (bundle / "recording.json").write_text(json.dumps({**manifest, "cwd": "C:shop"}))
    with pytest.raises(LogError) as caught:
        Bundle.open(bundle)
    assert caught.value.code is ErrorCode.BAD_MANIFEST
