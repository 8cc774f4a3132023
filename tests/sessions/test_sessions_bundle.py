"""Recording bundles: manifest, archives, changes over time."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from sessions_helpers import NAMES, RECORDINGS, header, lines, manifest, row

from scopetrace.sessions import Bundle, BundleError, LogError, read_log, time_after, time_before
from scopetrace.sessions import bundle as bundle_module
from scopetrace.sessions.archive import members
from scopetrace.workspace.history import HistoryView

BASE: dict[str, Any] = {
    "name": "b",
    "cwd": "/home/dev/p",
    "workspace": "/home/dev/p",
    "home": "/home/dev",
    "config": {"maxBytes": 600},
    "logs": [{"file": "session.v4.jsonl", "role": "main"}],
}


def make(tmp_path: Path, change: dict[str, Any] | None = None, changes: Any = None) -> Path:
    (tmp_path / "session.v4.jsonl").write_bytes(lines(header(), row(0)))
    (tmp_path / "recording.json").write_text(json.dumps({**BASE, **(change or {})}))
    if changes is not None:
        (tmp_path / "changes.jsonl").write_bytes(lines(*changes))
    return tmp_path


def archive(path: Path, *entries: tuple[str, bytes | str | None], mode: str = "w:gz") -> None:
    """Entries by content: bytes a file, a string a link's target, ``None`` a directory."""
    with tarfile.open(path, mode) as made:  # type: ignore[call-overload]
        for name, content in entries:
            info = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                info.size = len(content)
                made.addfile(info, io.BytesIO(content))
                continue
            info.type = tarfile.DIRTYPE if content is None else tarfile.SYMTYPE
            info.linkname = content or ""
            made.addfile(info)


def failure(path: Path) -> LogError:
    with pytest.raises(LogError) as caught:
        Bundle.open(path).history()
    assert caught.value.remedy
    return caught.value


def files(view: HistoryView, root: str) -> dict[str, bytes | str]:
    """Everything below a directory that is no directory."""
    found: dict[str, bytes | str] = {}
    for entry in view.listdir(root):
        path = f"{root.rstrip('/')}/{entry.name}"
        if entry.kind == "directory":
            found |= files(view, path)
        else:
            found[path] = (view.readlink(path) or "") if entry.kind == "link" else view.read(path, 1 << 30)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_before_and_changes_give_after(name: str) -> None:
    bundle = Bundle.open(RECORDINGS / name)
    history = bundle.history()
    last = len(read_log(bundle.main).events)
    root = bundle.workspace
    want: dict[str, bytes | str] = {}
    for member in members(str(RECORDINGS / name / "workspace-after.tar.gz")):
        if member.kind != "directory":
            want[f"{root}/{member.name}"] = member.target if member.kind == "link" else member.data
    assert files(history.at(last), root) == want
    assert (history.latest or 0) <= last
    assert files(history.at(0), bundle.home)


@pytest.mark.parametrize("name", NAMES)
def test_manifests_are_understood(name: str) -> None:
    bundle, raw = Bundle.open(RECORDINGS / name), manifest(name)
    assert (bundle.name, bundle.cwd, bundle.home, bundle.env) == (name, raw["cwd"], raw["home"], raw["env"])
    assert bundle.config.max_bytes == raw["config"]["maxBytes"]
    assert isinstance(bundle.config.max_bytes, int)
    assert bundle.main.name == next(log["file"] for log in raw["logs"] if log["role"] == "main")
    assert len(bundle.children) + len(bundle.earlier) + 1 == len(raw["logs"])


def test_a_change_stands_between_two_events() -> None:
    bundle = Bundle.open(RECORDINGS / "demo-monorepo")
    history, path = bundle.history(), "/home/dev/demo-monorepo/AGENTS.md"
    assert b"Use spaces everywhere" not in history.at(time_before(135)).read(path, 1000)
    assert b"Use spaces everywhere" not in history.at(time_after(134)).read(path, 1000)
    assert b"Use spaces everywhere" in history.at(time_after(135)).read(path, 1000)
    assert b"Use spaces everywhere" in history.at(time_before(136)).read(path, 1000)
    assert (time_before(0), time_after(0)) == (0, 1)


def test_configuration_follows_the_runs() -> None:
    bundle = Bundle.open(RECORDINGS / "resume-superseded")
    assert [bundle.config_at(seq).candidates for seq in (0, 26, 27, 38)] == [
        ("AGENTS.md", "CLAUDE.md"), ("AGENTS.md", "CLAUDE.md"), ("AGENTS.md",), ("AGENTS.md",),
    ]  # fmt: skip
    assert [bundle.config_at(seq).max_bytes for seq in (38, 39, 999)] == [65536, 65535, 65535]


def test_logs_have_roles() -> None:
    fork = Bundle.open(RECORDINGS / "subagent-fork")
    record = fork.log_record(fork.children[0])
    assert record is not None
    assert record.inherited_through == 27
    assert [path.name for path in Bundle.open(RECORDINGS / "torn-tail").earlier] == ["torn.session.v4.jsonl.zstd"]
    assert fork.log_record("nothing") is None


def test_a_bundle_needs_little(tmp_path: Path) -> None:
    bundle = Bundle.open(make(tmp_path, {"extra": {"kept": True}}))
    assert list(bundle.changes()) == []
    assert files(bundle.history().at(0), "/") == {}
    assert bundle.runs == ()


def test_contents(tmp_path: Path) -> None:
    changes = [
        {"afterSeq": 4, "op": "write", "path": "/w/b", "text": "late"},
        {"afterSeq": -1, "op": "write", "path": "/w/a", "repeat": {"head": "é", "unit": "ab", "count": 3, "tail": "."}},
        {"afterSeq": 2, "op": "chmod", "path": "/w/a", "mode": "0000", "by": "bash"},
        {"afterSeq": 3, "op": "delete", "path": "/w"},
    ]
    history = Bundle.open(make(tmp_path, changes=changes)).history()
    assert history.at(0).read("/w/a", 100) == "éababab.".encode()
    assert history.at(4).stat("/w/a") is None
    assert files(history.at(5), "/w") == {"/w/b": b"late"}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"cwd": "relative"}, "field cwd"),
        ({"home": 5}, "field home"),
        ({"workspace": None}, "field workspace"),
        ({"config": {}}, "field config.maxBytes"),
        ({"config": {"maxBytes": "many"}}, "field config.maxBytes"),
        ({"logs": []}, ""),
        ({"logs": [{"file": "a"}, {"file": "b"}]}, ""),
        ({"logs": [{"file": "../x"}]}, "field logs[0].file"),
        ({"logs": [{"file": "absent.jsonl"}]}, "field logs[0].file"),
        ({"logs": [{"file": ".."}]}, "field logs[0].file"),
        ({"runs": [{"firstSeq": "x"}]}, "field runs[0].firstSeq"),
        ({"env": {"DSH_HOME": 5}}, "field env.DSH_HOME"),
    ],
)
def test_bad_manifests_name_the_field(tmp_path: Path, change: dict[str, Any], place: str) -> None:
    error = failure(make(tmp_path, change))
    assert error.code == "bad-manifest"
    assert place in error.place
    assert error.path.endswith("recording.json")


@pytest.mark.parametrize("text", ["", "{", "[]", "5", '{"cwd": "\\ud800"}', "\x00"])
def test_manifests_that_are_no_manifests(tmp_path: Path, text: str) -> None:
    make(tmp_path)
    (tmp_path / "recording.json").write_text(text)
    assert failure(tmp_path).code == "bad-manifest"


def test_what_is_no_bundle(tmp_path: Path) -> None:
    assert failure(tmp_path).code == "not-a-bundle"
    assert failure(tmp_path / "nowhere").code == "no-such-log"
    (tmp_path / "file").touch()
    assert failure(tmp_path / "file").code == "not-a-bundle"
    (tmp_path / "recording.json").write_bytes(b" " * ((4 << 20) + 1))
    assert failure(tmp_path).code == "too-large"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "not JSON"),
        ({"afterSeq": 1, "op": "write", "path": "/w/a"}, "text or repeat"),
        ({"afterSeq": 1, "op": "write", "path": "w/a", "text": ""}, "field path"),
        ({"afterSeq": 1, "op": "rename", "path": "/w/a"}, "field op"),
        ({"afterSeq": "1", "op": "delete", "path": "/w/a"}, "field afterSeq"),
        ({"afterSeq": 1, "op": "chmod", "path": "/w/a"}, "needs mode"),
        ({"afterSeq": 1, "op": "chmod", "path": "/w/a", "mode": "rwx"}, "field mode"),
        ({"afterSeq": 1, "op": "write", "path": "/w/a", "repeat": {"unit": "x", "count": -1}}, "field repeat.count"),
    ],
)
def test_bad_changes_name_the_line(tmp_path: Path, line: Any, words: str) -> None:
    good = {"afterSeq": 0, "op": "delete", "path": "/w/a"}
    error = failure(make(tmp_path, changes=[good, line]))
    assert error.code == "bad-manifest"
    assert error.place.startswith("line 2")
    assert words in str(error)


def test_repeated_contents_are_bounded_before_they_are_made(tmp_path: Path) -> None:
    huge = {"afterSeq": 0, "op": "write", "path": "/w/a", "repeat": {"unit": "x", "count": 10**15}}
    assert failure(make(tmp_path, changes=[huge])).code == "too-large"


def test_changes_without_a_last_line_end_are_refused(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "changes.jsonl").write_bytes(b'{"afterSeq": 0')
    assert failure(tmp_path).code == "corrupt"


def test_archives_are_placed_at_their_roots(tmp_path: Path) -> None:
    make(tmp_path)
    archive(tmp_path / "home.tar.gz", (".dsh", None), (".dsh/AGENTS.md", b"home"))
    archive(
        tmp_path / "workspace-before.tar.gz",
        ("./", None), ("./a", b"1"), ("./b", "a"), ("c", "/etc/passwd"), ("d/e/f", b"2"), ("a", b"3"), mode="w",
    )  # fmt: skip
    assert files(Bundle.open(tmp_path).history().at(0), "/home/dev") == {
        "/home/dev/.dsh/AGENTS.md": b"home",
        "/home/dev/p/a": b"3",
        "/home/dev/p/b": "a",
        "/home/dev/p/c": "/etc/passwd",
        "/home/dev/p/d/e/f": b"2",
    }


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", "a/.."])
def test_entries_that_leave_are_refused(tmp_path: Path, name: str) -> None:
    make(tmp_path)
    archive(tmp_path / "home.tar.gz", ("good", b""), (name, b"x"))
    error = failure(tmp_path)
    assert error.code == "corrupt"
    assert repr(name) in error.place


def test_devices_and_stray_hard_links_are_refused(tmp_path: Path) -> None:
    make(tmp_path)
    for kind in (tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.LNKTYPE):
        with tarfile.open(tmp_path / "home.tar.gz", "w:gz") as made:
            info = tarfile.TarInfo("x")
            info.type, info.linkname = kind, "absent"
            made.addfile(info)
        assert failure(tmp_path).code == "corrupt"


def test_hard_links_share_their_content(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as made:
        info = tarfile.TarInfo("a")
        info.size = 3
        made.addfile(info, io.BytesIO(b"abc"))
        info = tarfile.TarInfo("b")
        info.type, info.linkname = tarfile.LNKTYPE, "a"
        made.addfile(info)
    assert [(member.name, member.data) for member in members(str(tmp_path / "x.tar"))] == [("a", b"abc"), ("b", b"abc")]


def test_archives_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "big.tar.gz"
    archive(path, *((f"f{n}", b"\0" * 100_000) for n in range(50)))
    assert sum(1 for _ in members(str(path))) == 50
    for bounds in ({"limit": 1_000_000}, {"count": 49}):
        with pytest.raises(BundleError) as caught:
            list(members(str(path), **bounds))
        assert caught.value.code == "too-large"


def test_broken_archives(tmp_path: Path) -> None:
    make(tmp_path)
    archive(tmp_path / "home.tar.gz", *((f"f{n}", bytes(range(256)) * 40) for n in range(20)))
    whole = (tmp_path / "home.tar.gz").read_bytes()
    for data in (whole[: len(whole) // 2], b"\x1f\x8b garbage", b"not a tar at all" * 100, whole[:-4] + b"!!!!"):
        (tmp_path / "home.tar.gz").write_bytes(data)
        assert failure(tmp_path).code == "corrupt"


def test_a_bundle_can_lie_anywhere(tmp_path: Path) -> None:
    copy = tmp_path / "moved elsewhere"
    shutil.copytree(RECORDINGS / "baseline", copy)
    assert Bundle.open(copy).history().at(0).read("/home/dev/baseline/services/AGENTS.md", 10)
    assert bundle_module.MANIFEST == "recording.json"
