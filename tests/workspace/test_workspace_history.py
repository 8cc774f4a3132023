"""A history of a tree: every change, every moment, failures and links (FORMAT.md 1.2 and 1.4)."""

from __future__ import annotations

import pytest

from scopetrace.workspace.fs import Cancelled, Entry, FileSystem, FsError, FsNotFound, Stat
from scopetrace.workspace.history import MAX_LINKS, History
from scopetrace.workspace.paths import is_below, join, normalise, parent


def test_every_moment_keeps_its_tree() -> None:
    history = History()
    history.write(10, "/w/a/AGENTS.md", b"one")
    history.write(20, "/w/a/AGENTS.md", b"second")
    history.delete(30, "/w/a")
    history.write(40, "/w/a/AGENTS.md", b"x")

    assert history.at(9).stat("/w/a/AGENTS.md") is None
    assert history.at(9).stat("/w") is None
    assert history.at(10).read("/w/a/AGENTS.md", 99) == b"one"
    assert history.at(19).read("/w/a/AGENTS.md", 99) == b"one"
    assert history.at(25).read("/w/a/AGENTS.md", 99) == b"second"
    assert history.at(30).stat("/w/a") is None
    assert history.at(30).stat("/w") is None
    assert history.at(99).stat("/w/a") == Stat("directory")
    versions = [history.at(t).stat("/w/a/AGENTS.md").version for t in (10, 20, 40)]  # type: ignore[union-attr]
    assert len(set(versions)) == 3
    assert history.latest == 40


def test_a_view_stays_what_it_was() -> None:
    history = History()
    history.write(1, "/w/AGENTS.md", b"one")
    view = history.at(1)
    history.write(2, "/w/AGENTS.md", b"two")
    history.write(2, "/w/sub/CLAUDE.md", b"two")
    assert view.read("/w/AGENTS.md", 9) == b"one"
    assert view.stat("/w/sub") is None
    assert view.generation() == 1
    assert history.at(2).generation() == 3


def test_times_must_ascend() -> None:
    history = History()
    history.write(5, "/w/f", b"")
    with pytest.raises(ValueError, match="times must ascend"):
        history.write(4, "/w/g", b"")


def test_changes_at_one_time_are_seen_together() -> None:
    history = History()
    history.write(1, "/w/f", b"a")
    history.write(1, "/w/f", b"b")
    history.delete(1, "/w/f")
    history.mkdir(1, "/w/f")
    assert history.at(1).stat("/w/f") == Stat("directory")
    assert history.at(0).stat("/w") is None


def test_keep_version_keeps_only_a_regular_files_version() -> None:
    history = History()
    history.write(1, "/w/f", b"a")
    history.write(2, "/w/f", b"longer", keep_version=True)
    first, second = history.at(1).stat("/w/f"), history.at(2).stat("/w/f")
    assert first is not None
    assert second is not None
    assert first.version == second.version
    assert (first.size, second.size) == (1, 6)
    history.symlink(3, "/w/f", "/w/g")
    history.write(4, "/w/f", b"a", keep_version=True)
    third = history.at(4).stat("/w/f")
    assert third is not None
    assert third.version != second.version


def test_touch_is_a_new_version_of_a_regular_file_only() -> None:
    history = History()
    history.write(1, "/w/f", b"a", no_size=True)
    history.symlink(2, "/w/l", "f")
    before = history.at(2).stat("/w/l")
    for path in ("/w/l", "/w", "/w/none"):
        history.touch(3, path)
    assert history.at(3).stat("/w/l") == before
    assert history.latest == 2
    history.touch(4, "/w/f")
    after = history.at(4).stat("/w/l")
    assert after is not None
    assert before is not None
    assert after.version != before.version
    assert after.size is None
    assert history.at(4).read("/w/f", 5) == b"a"


def test_an_explicit_directory_outlives_its_content() -> None:
    history = History()
    history.mkdir(1, "/w/kept")
    history.write(2, "/w/kept/f", b"")
    history.write(2, "/w/gone/f", b"")
    history.delete(3, "/w/kept/f")
    history.delete(3, "/w/gone/f")
    assert history.at(3).stat("/w/kept") == Stat("directory")
    assert history.at(3).stat("/w/gone") is None


def test_a_file_over_a_directory_takes_everything_below_away() -> None:
    history = History()
    history.write(1, "/w/d/sub/f", b"")
    history.write(2, "/w/d", b"now a file")
    history.mkdir(3, "/w/d")
    assert history.at(2).stat("/w/d/sub") is None
    assert history.at(3).stat("/w/d/sub/f") is None
    assert history.at(1).stat("/w/d/sub") == Stat("directory")


def test_what_lies_below_a_regular_file_is_absent() -> None:
    history = History()
    assert history.at(5).stat("/w/f/g") is None  # asked before the file is there: the look-up must not stick
    history.write(1, "/w/f/g", b"below")
    history.write(2, "/w/f", b"file")
    history.write(3, "/w/f/h", b"masked")
    assert history.at(1).stat("/w/f/g") is not None
    assert history.at(3).stat("/w/f/h") is None
    assert history.at(3).stat("/w/f/h/AGENTS.md") is None
    assert history.at(3).listdir("/w/f") == ()
    with pytest.raises(FsError):
        history.at(3).read("/w/f/h", 9)


def test_links_are_followed_in_every_component() -> None:
    history = History()
    history.write(1, "/real/sub/AGENTS.md", b"text")
    history.symlink(1, "/w/dir", "../real")
    history.symlink(1, "/w/file", "dir/sub/AGENTS.md")
    history.symlink(1, "/w/dangling", "/nowhere")
    history.symlink(1, "/w/empty", "")
    view = history.at(1)
    plain = view.stat("/real/sub/AGENTS.md")
    assert plain is not None
    assert view.stat("/w/dir/sub/AGENTS.md") == plain
    assert view.stat("/w/file") == Stat("file", plain.version, 4, "/real/sub/AGENTS.md")
    assert view.stat("/w/dir") == Stat("directory", link_target="/real")
    assert view.read("/w/file", 2) == b"te"
    assert view.stat("/w/dangling") is None
    assert view.stat("/w/empty") is None
    assert view.stat("/w/file/below") is None
    assert view.listdir("/w/dir") == (Entry("sub", "directory"),)
    assert view.readlink("/w/file") == "dir/sub/AGENTS.md"
    assert view.readlink("/w/dir/sub") is None
    assert view.readlink("/w/none/l") is None


def test_the_last_component_counts_behind_a_linked_directory_too() -> None:
    history = History()
    history.write(1, "/u/f", b"")
    history.symlink(1, "/t/x", "/u/f")
    history.symlink(1, "/l", "/t")
    found = history.at(1).stat("/l/x")
    assert found is not None
    assert found.link_target == "/u/f"


def test_a_parent_step_in_a_target_leaves_the_linked_directory() -> None:
    history = History()
    history.write(1, "/real/f", b"right")
    history.write(1, "/w/f", b"wrong")
    history.mkdir(1, "/real/deep")
    history.symlink(1, "/w/deep", "/real/deep")
    history.symlink(1, "/w/l", "deep/../f")
    assert history.at(1).read("/w/l", 9) == b"right"


@pytest.mark.parametrize("extra", [0, 1])
def test_forty_links_are_followed_and_no_more(extra: int) -> None:
    history = History()
    history.write(1, "/w/0", b"end")
    for number in range(1, MAX_LINKS + 1 + extra):
        history.symlink(1, f"/w/{number}", str(number - 1))
    last = f"/w/{MAX_LINKS + extra}"
    if extra:
        with pytest.raises(FsError, match="40 symbolic links"):
            history.at(1).stat(last)
        with pytest.raises(FsError, match="40 symbolic links"):
            history.at(1).read(last, 1)
    else:
        assert history.at(1).read(last, 9) == b"end"


def test_a_loop_is_an_error_and_the_links_directory_is_listed() -> None:
    history = History()
    history.symlink(1, "/w/a", "b")
    history.symlink(1, "/w/b", "a")
    with pytest.raises(FsError):
        history.at(1).stat("/w/a")
    assert history.at(1).listdir("/w") == (Entry("a", "link"), Entry("b", "link"))
    assert history.at(1).listdir("/w/a") == ()


def test_a_write_replaces_a_link_and_not_its_target() -> None:
    history = History()
    history.write(1, "/w/target", b"old")
    history.symlink(1, "/w/l", "target")
    history.write(2, "/w/l", b"new")
    assert history.at(2).read("/w/target", 9) == b"old"
    found = history.at(2).stat("/w/l")
    assert found is not None
    assert found.link_target is None


def test_failures_are_keyed_by_the_requested_path() -> None:
    history = History()
    history.write(1, "/w/f", b"text")
    history.symlink(1, "/w/l", "f")
    history.fail(2, "/w/l", "stat")
    history.fail(3, "/w/l", "read")
    history.fail(4, "/w/l", "notFound")
    history.heal(5, "/w/l")
    assert history.at(1).stat("/w/l") is not None
    with pytest.raises(FsError) as caught:
        history.at(2).stat("/w/l")
    assert not isinstance(caught.value, FsNotFound)
    assert caught.value.path == "/w/l"
    assert history.at(2).read("/w/l", 9) == b"text"
    with pytest.raises(FsError):
        history.at(3).read("/w//./l/", 9)
    with pytest.raises(FsNotFound):
        history.at(4).stat("/w/x/../l")
    with pytest.raises(FsError, match="read failed"):
        history.at(4).read("/w/l", 9)
    assert history.at(4).stat("/w/f") is not None
    assert history.at(4).read("/w/f", 9) == b"text"
    assert history.at(5).read("/w/l", 9) == b"text"


def test_failures_of_absent_paths_outlive_changes() -> None:
    history = History()
    history.fail(1, "/w/AGENTS.md", "notFound")
    history.write(2, "/w/AGENTS.md", b"")
    with pytest.raises(FsNotFound):
        history.at(2).stat("/w/AGENTS.md")
    assert history.at(0).stat("/w/AGENTS.md") is None


def test_chmod_without_a_read_bit_makes_reads_fail() -> None:
    history = History()
    history.write(1, "/w/f", b"text")
    history.chmod(2, "/w/f", 0o200)
    history.chmod(3, "/w/f", 0o640)
    history.chmod(3, "/w", 0)
    assert history.at(2).stat("/w/f") == history.at(1).stat("/w/f")
    with pytest.raises(FsError, match="permission denied"):
        history.at(2).read("/w/f", 1)
    assert history.at(3).read("/w/f", 1) == b"t"


def test_changed_between_names_every_path_that_went_away() -> None:
    history = History()
    history.write(1, "/w/a/f", b"")
    history.write(2, "/w/a/b/g", b"")
    history.write(3, "/w/other", b"")
    history.delete(4, "/w/a")
    history.delete(5, "/w/none")
    assert history.changed_between(0, 1) == {"/w/a/f"}
    assert history.changed_between(1, 3) == {"/w/a/b/g", "/w/other"}
    assert history.changed_between(3, 9) == {"/w/a", "/w/a/f", "/w/a/b", "/w/a/b/g"}
    assert history.changed_between(4, 9) == frozenset()


def test_listing_is_sorted_and_of_its_moment() -> None:
    history = History()
    history.write(1, "/w/b", b"")
    history.write(2, "/w/a/f", b"")
    history.delete(3, "/w/b")
    assert history.at(1).listdir("/w") == (Entry("b", "file"),)
    assert history.at(2).listdir("/w") == (Entry("a", "directory"), Entry("b", "file"))
    assert history.at(3).listdir("/") == (Entry("w", "directory"),)
    assert history.at(3).listdir("/w/zzz") == ()


def test_cancel_stops_probe_and_read() -> None:
    history = History()
    history.write(1, "/w/f", b"x")
    view = history.at(1)
    with pytest.raises(Cancelled):
        view.stat("/w/f", lambda: True)
    with pytest.raises(Cancelled):
        view.read("/w/f", 1, lambda: True)
    assert view.stat("/w/f", lambda: False) is not None


def test_the_root_is_always_a_directory() -> None:
    history = History()
    history.write(1, "/w/f", b"")
    history.delete(2, "/")
    view = history.at(2)
    assert view.stat("/") == Stat("directory")
    assert view.listdir("/") == ()
    assert history.at(-5).stat("/../..") == Stat("directory")
    assert isinstance(view, FileSystem)


@pytest.mark.parametrize(
    ("path", "expect"),
    [
        ("/", "/"),
        ("//a//b/", "/a/b"),
        ("/a/./b/../c", "/a/c"),
        ("/../a", "/a"),
        ("/a/..", "/"),
        ("/..k/...", "/..k/..."),
        ("/.hidden/a.", "/.hidden/a."),
        ("a/b", "/a/b"),
        ("", "/"),
        ("/a/\n \udce4", "/a/\n \udce4"),
    ],
)
def test_normalise(path: str, expect: str) -> None:
    assert normalise(path) == expect
    assert normalise(expect) == expect


def test_path_helpers() -> None:
    assert (parent("/a/b"), parent("/a"), parent("/")) == ("/a", "/", "/")
    assert (join("/", "a"), join("/a", "b")) == ("/a", "/a/b")
    assert is_below("/a/b", "/a")
    assert is_below("/a", "/a")
    assert is_below("/a", "/")
    assert not is_below("/ab", "/a")
