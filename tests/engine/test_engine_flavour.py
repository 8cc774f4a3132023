"""Path arithmetic, with the answers of Node 20's ``path.posix`` and ``path.win32``."""

from __future__ import annotations

import pytest

from scopetrace.engine.flavour import POSIX
from scopetrace.engine.windows import WINDOWS


@pytest.mark.parametrize(
    ("path", "dirname", "basename", "joined", "resolved"),
    [
        ("", ".", "", ".", "/w/x"),
        (".", ".", ".", ".", "/w/x"),
        ("..", ".", "..", "..", "/w"),
        ("a", ".", "a", "a", "/w/x/a"),
        ("a/", ".", "a", "a/", "/w/x/a"),
        ("a//b", "a/", "b", "a/b", "/w/x/a/b"),
        ("a/b//", "a", "b", "a/b/", "/w/x/a/b"),
        ("a/..", "a", "..", ".", "/w/x"),
        ("a/../", "a", "..", "./", "/w/x"),
        ("../../..", "../..", "..", "../../..", "/"),
        ("./a", ".", "a", "a", "/w/x/a"),
        ("/", "/", "", "/", "/"),
        ("//", "/", "", "/", "/"),
        ("//a", "//", "a", "/a", "/a"),
        ("///a", "//", "a", "/a", "/a"),
        ("/a", "/", "a", "/a", "/a"),
        ("/../a/", "/..", "a", "/a/", "/a"),
        ("a\\b", ".", "a\\b", "a\\b", "/w/x/a\\b"),
    ],
)
def test_posix_paths(path, dirname, basename, joined, resolved):
    assert (POSIX.dirname(path), POSIX.basename(path)) == (dirname, basename)
    assert (POSIX.join(path), POSIX.resolve("/w/x", path)) == (joined, resolved)


@pytest.mark.parametrize(
    ("start", "to", "way"),
    [
        ("/", "/", ""),
        ("/w", "/w/", ""),
        ("/w", "/w/a/b", "a/b"),
        ("/w/a", "/w", ".."),
        ("/w/a", "/w/ab", "../ab"),
        ("/", "/w", "w"),
        ("/w/a", "/", "../.."),
        ("/w/a", "/x/..k", "../../x/..k"),
    ],
)
def test_posix_ways(start, to, way):
    assert POSIX.relative(start, to) == way


def test_posix_joins_skip_empty_parts_and_resolve_restarts_at_a_root():
    assert POSIX.join("/h/", "", "../x") == "/x"
    assert POSIX.join("", "") == "."
    assert POSIX.resolve("/w", "a", "/b", "../c") == "/c"


@pytest.mark.parametrize(
    ("path", "absolute", "dirname", "basename", "joined", "resolved"),
    [
        ("", False, ".", "", ".", "C:\\w\\x"),
        ("a", False, ".", "a", "a", "C:\\w\\x\\a"),
        ("a/b\\", False, "a", "b", "a\\b\\", "C:\\w\\x\\a\\b"),
        ("a//b", False, "a/", "b", "a\\b", "C:\\w\\x\\a\\b"),
        ("..\\a", False, "..", "a", "..\\a", "C:\\w\\a"),
        ("\\", True, "\\", "", "\\", "C:\\"),
        ("/a", True, "/", "a", "\\a", "C:\\a"),
        ("C:", False, "C:", "", "C:.", "C:\\w\\x"),
        ("C:a", False, "C:", "a", "C:a", "C:\\w\\x\\a"),
        ("C:\\", True, "C:\\", "", "C:\\", "C:\\"),
        ("C:/a/..\\b", True, "C:/a/..", "b", "C:\\b", "C:\\b"),
        ("D:\\..\\a", True, "D:\\..", "a", "D:\\a", "D:\\a"),
        ("\\\\srv\\sh", True, "\\\\srv\\sh", "sh", "\\\\srv\\sh\\", "\\\\srv\\sh\\"),
        ("\\\\srv\\sh\\a", True, "\\\\srv\\sh\\", "a", "\\\\srv\\sh\\a", "\\\\srv\\sh\\a"),
        ("//srv/sh/a/..", True, "//srv/sh/a", "..", "\\\\srv\\sh\\", "\\\\srv\\sh\\"),
    ],
)
def test_windows_paths(path, absolute, dirname, basename, joined, resolved):
    assert WINDOWS.is_absolute(path) is absolute
    assert (WINDOWS.dirname(path), WINDOWS.basename(path)) == (dirname, basename)
    assert (WINDOWS.join(path), WINDOWS.resolve("C:\\w\\x", path)) == (joined, resolved)


@pytest.mark.parametrize(
    ("start", "to", "way"),
    [
        ("C:\\w", "c:\\W\\", ""),
        ("C:\\w", "C:\\W\\a\\B", "a\\B"),
        ("C:\\w\\a", "C:\\", "..\\.."),
        ("C:\\w", "D:\\w", "D:\\w"),
        ("\\\\srv\\sh\\a", "\\\\srv\\sh\\b", "..\\b"),
        ("\\\\srv\\sh\\a", "C:\\a", "C:\\a"),
    ],
)
def test_windows_ways(start, to, way):
    assert WINDOWS.relative(start, to) == way


def test_windows_joins_do_not_make_a_share_of_rooted_parts():
    assert WINDOWS.join("\\", "\\srv\\sh") == "\\srv\\sh"
    assert WINDOWS.join("\\\\srv", "sh", "a") == "\\\\srv\\sh\\a"
    assert WINDOWS.resolve("C:\\w", "D:\\x", "\\y", "z") == "D:\\y\\z"
