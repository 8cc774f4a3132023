"""Exports: whole or not at all, and never over a file that is there without ``--force``."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scopetrace.cli import main
from scopetrace.report import writing
from scopetrace.report.writing import write_whole

BUNDLE = str(Path(__file__).parents[1] / "recordings" / "removal")


def broken(error: BaseException) -> Iterator[str]:
    yield "half of it"
    raise error


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), ValueError("x"), KeyboardInterrupt()])
def test_what_fails_on_the_way_leaves_nothing(error: BaseException, force: bool, tmp_path: Path) -> None:
    with pytest.raises(type(error)):
        write_whole(str(tmp_path / "out"), broken(error), force=force)
    assert names(tmp_path) == []


def test_an_old_file_survives_a_failure(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    with pytest.raises(OSError, match="full"):
        write_whole(str(tmp_path / "out"), broken(OSError(errno.ENOSPC, "full")), force=True)
    assert (tmp_path / "out").read_text() == "old"
    assert names(tmp_path) == ["out"]


def test_an_existing_name_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("file", "link", "dangling"):
        with pytest.raises(FileExistsError):
            write_whole(str(tmp_path / name), ["new"], force=False)
    assert (tmp_path / "file").read_text() == "old"
    assert names(tmp_path) == ["dangling", "file", "link"]


def test_a_file_that_appears_while_writing_wins(tmp_path: Path) -> None:
    def pieces() -> Iterator[str]:
        yield "new"
        (tmp_path / "out").write_text("somebody else")

    with pytest.raises(FileExistsError):
        write_whole(str(tmp_path / "out"), pieces(), force=False)
    assert (tmp_path / "out").read_text() == "somebody else"
    assert names(tmp_path) == ["out"]


def test_force_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("old")
    (tmp_path / "link").symlink_to("precious")
    write_whole(str(tmp_path / "link"), ["new"], force=True)
    assert (tmp_path / "precious").read_text() == "old"
    assert not (tmp_path / "link").is_symlink()


def test_the_new_file_is_seen_whole_or_not(tmp_path: Path) -> None:
    def pieces() -> Iterator[str]:
        for number in range(3):
            yield f"{number}\n"
            assert not (tmp_path / "out").exists()

    write_whole(str(tmp_path / "out"), pieces(), force=False)
    assert (tmp_path / "out").read_text() == "0\n1\n2\n"


@pytest.mark.parametrize("form", ["json", "md", "html"])
def test_a_full_disk_is_an_error_with_a_code(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writing.os, "chmod", full)
    assert main(["export", BUNDLE, "-o", str(tmp_path / f"out.{form}")]) == 2
    told = capsys.readouterr().err
    assert "No space left" in told
    assert "make room on the disk" in told
    assert names(tmp_path) == []


def test_the_command_refuses_and_then_obeys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.md"
    target.write_text("old")
    assert main(["export", BUNDLE, "-o", str(target)]) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_text() == "old"
    assert main(["export", BUNDLE, "-o", str(target), "--force"]) == 0
    assert target.read_text().startswith("# ")
