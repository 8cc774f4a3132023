"""Sessions under a home, names of their directories, and the samples."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sessions_helpers import RECORDINGS, frame, header, lines, row

from scopetrace.sessions import LogError, current_log, default_dsh_home, find_session_logs
from scopetrace.sessions.naming import generation, project_key, session_directory, session_id
from scopetrace.sessions.samples import sample_dir, samples


def session(home: Path, name: str, file: str = "session.v4.jsonl", age: int = 0, version: int = 4) -> Path:
    directory = home / "sessions" / "--home-dev-p--" / session_directory(name)
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / file
    data = lines(header(version, id=name)), lines(row(0))
    path.write_bytes(frame(data[0]) + frame(data[1]) if file.endswith(".zstd") else b"".join(data))
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_newest_first(tmp_path: Path) -> None:
    old, new = session(tmp_path, "old", age=100), session(tmp_path, "new")
    middle = session(tmp_path, "mid:dle", "session.v3.jsonl.zstd", age=50, version=3)
    found = find_session_logs(tmp_path)
    assert [log.path for log in found] == [str(new), str(middle), str(old)]
    assert [log.session_id for log in found] == ["new", "mid:dle", "old"]
    assert [log.generation for log in found] == [4, 3, 4]
    assert {log.project for log in found} == {"--home-dev-p--"}
    assert found[0].modified_ms == 1_000_000_000
    assert found[0].size == new.stat().st_size
    assert found[0].header is not None
    assert found[0].header.cwd == "/home/dev/p"
    assert [log.path for log in find_session_logs(tmp_path, limit=1)] == [str(new)]


def test_the_highest_generation_is_current(tmp_path: Path) -> None:
    session(tmp_path, "s", "session.jsonl.zstd", version=0)
    session(tmp_path, "s", "session.v3.jsonl", version=3)
    path = session(tmp_path, "s", "session.v4.jsonl.zstd", age=9)
    for stranger in (
        "session.v04.jsonl",
        "session.v0.jsonl",
        "SESSION.V5.JSONL",
        "session.v5.jsonl.gz",
        "session.lock",
    ):
        (path.parent / stranger).touch()
    (found,) = find_session_logs(tmp_path)
    assert found.path == str(path)
    assert [os.path.basename(older) for older in found.older] == ["session.v3.jsonl", "session.jsonl.zstd"]
    assert current_log(path.parent) == str(path)


def test_broken_and_foreign_things_do_not_stop_the_search(tmp_path: Path) -> None:
    session(tmp_path, "good")
    session(tmp_path, "bad", age=1).write_bytes(b"noise")
    os.mkfifo(tmp_path / "sessions" / "--home-dev-p--" / "good" / "session.v9.jsonl")
    (tmp_path / "sessions" / "file").touch()
    (tmp_path / "sessions" / "--home-dev-p--" / "empty").mkdir()
    found = find_session_logs(tmp_path)
    assert [(log.session_id, log.header is None) for log in found] == [("bad", True)]
    assert found[0].error is not None
    assert found[0].error.code == "not-a-log"


def test_homes_without_sessions(tmp_path: Path) -> None:
    with pytest.raises(LogError) as caught:
        find_session_logs(tmp_path)
    assert caught.value.code == "no-such-log"
    with pytest.raises(LogError) as caught:
        current_log(tmp_path)
    assert caught.value.code == "no-such-log"
    with pytest.raises(LogError) as caught:
        current_log(tmp_path / "nowhere")
    assert caught.value.code == "no-such-log"
    assert find_session_logs(_with_sessions(tmp_path)) == []


def _with_sessions(home: Path) -> Path:
    (home / "sessions").mkdir()
    return home


def test_default_home() -> None:
    assert default_dsh_home({}, "/home/dev") == "/home/dev/.dsh"
    assert default_dsh_home({"DSH_HOME": "  "}, "/home/dev") == "/home/dev/.dsh"
    assert default_dsh_home({"DSH_HOME": "/x"}, "/home/dev") == "/x"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("session.jsonl", 0),
        ("session.jsonl.zstd", 0),
        ("session.v3.jsonl", 3),
        ("session.v12.jsonl.zstd", 12),
        ("session.v0.jsonl", None),
        ("session.v04.jsonl", None),
        ("Session.v4.jsonl", None),
        ("killed.session.v4.jsonl", None),
        ("session.v4.jsonl.zst", None),
        ("session.v4.jsonl\n", None),
    ],
)
def test_generations(name: str, number: int | None) -> None:
    assert generation(name) == number


@pytest.mark.parametrize(
    ("cwd", "key"),
    [
        ("/home/dev/demo", "--home-dev-demo--"),
        ("C:\\Users\\dev", "--C-Users-dev--"),
        ("/a//b", "--a-b--"),
        ("/", "--root--"),
        ("", "--root--"),
        (None, "_no-cwd"),
        ("/a b/ü", "--a~0020b-~00FC--"),
        ("/😀", "--~D83D~DE00--"),
        ("/" + "x" * 400, "--" + "x" * 251 + "--"),
    ],
)
def test_project_keys(cwd: str | None, key: str) -> None:
    assert project_key(cwd) == key


@pytest.mark.parametrize("name", ["plain", "a/b", ".", "..", "x:y z", "😀", "~", "~0041", "a.b_c-d", "\ud800"])
def test_session_directories_are_reversible(name: str) -> None:
    directory = session_directory(name)
    assert session_id(directory) == name
    assert directory.isascii()
    assert "/" not in directory
    assert directory not in (".", "..")


def test_samples() -> None:
    found = samples()
    assert [sample.name for sample in found] == [
        "demo-monorepo", "nested-discovery", "duplicate-sibling", "budget-small", "compaction", "resume-offline-edits",
    ]  # fmt: skip
    assert all(sample.about and sample.path.parent == sample_dir() for sample in found)


def test_samples_are_fresh_copies_of_the_recordings() -> None:
    script = RECORDINGS.parent.parent / "scripts" / "make_samples.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
