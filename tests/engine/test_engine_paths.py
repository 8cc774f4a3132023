"""Homes, scopes, groups and touched paths: what the ``paths`` vectors leave out."""

from __future__ import annotations

import json
from itertools import pairwise
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopetrace.engine import paths
from scopetrace.engine.windows import WINDOWS

NAMES = st.sampled_from(["a", "..k", "...", "user-global", "é", "my dir", "a\\b"])
DIRECTORIES = st.lists(NAMES, max_size=5).map(lambda names: "/" + "/".join(names))


@given(DIRECTORIES, st.lists(NAMES, max_size=4))
def test_the_chain_goes_from_the_root_down_to_the_directory(root, below):
    cwd = "/".join([root.rstrip("/"), *below]) or "/"
    chain = paths.ancestor_chain(root, cwd)
    assert (chain[0], chain[-1]) == (root, cwd)
    assert len(chain) == len(below) + 1
    assert all(lower.startswith(upper) for upper, lower in pairwise(chain))


@given(DIRECTORIES, st.lists(NAMES, max_size=4))
def test_descendants_end_at_the_parent_of_what_was_touched(root, below):
    found = paths.descendant_dirs_between(root, "/".join([root.rstrip("/"), *below, "f"]))
    if below and below[0].startswith(".."):
        assert found == []
    else:
        assert found == ["/".join([root.rstrip("/"), *below[:depth]]) for depth in range(1, len(below) + 1)]


@pytest.mark.parametrize(
    ("path", "outside"),
    [("/w", False), ("/w/a", False), ("/w/..k", True), ("/w/a/..k", False), ("/wa", True), ("/", True), ("/x/w", True)],
)
def test_outside_is_decided_by_two_dots_not_by_a_parent_component(path, outside):
    assert paths.is_outside("/w", path) is outside


def test_homes_by_setting_environment_and_default():
    default = paths.resolve_homes("/h", {})
    assert (default.dsh, default.agents) == ("/h/.dsh", "/h/.agents")
    assert (default.dsh_label, default.agents_label) == ("~/.dsh", "~/.agents")
    moved = paths.resolve_homes("/h", {"DSH_HOME": "~\\d", "DSH_AGENTS_HOME": "/agents/"})
    assert (moved.dsh, moved.agents) == ("/h/d", "/agents")
    assert (moved.dsh_label, moved.agents_label) == ("$DSH_HOME", "$DSH_AGENTS_HOME")
    back = paths.resolve_homes("/h", {"DSH_HOME": "/elsewhere", "DSH_AGENTS_HOME": "\ufeff "}, "~/.dsh")
    assert (back.dsh_label, back.agents_label) == ("~/.dsh", "~/.agents")


def test_a_relative_home_starts_where_the_agent_did():
    assert paths.resolve_homes("/h", {"DSH_HOME": "conf"}, base="/w/app").dsh == "/w/app/conf"
    assert paths.resolve_homes("/h", {"DSH_HOME": "conf"}).dsh == "/h/conf"


def test_without_the_shared_root_its_names_are_ordinary():
    label = "$DSH_AGENTS_HOME/AGENTS.md"
    assert paths.scope_for_display_path(label, shared_root=True) == "agents-global"
    assert paths.scope_for_display_path(label, shared_root=False) == "$DSH_AGENTS_HOME"
    assert not paths.is_user_global_path(label, shared_root=False)
    assert paths.is_user_global_path("~/.dsh/AGENTS.md", shared_root=False)
    assert paths.user_global_directories(shared_root=False) == ("user-global",)
    assert paths.user_global_directories(shared_root=True) == ("user-global", "agents-global")
    assert not paths.is_user_global_directory("agents-global", shared_root=False)
    assert paths.candidate_group("agents-global", shared_root=True) == "user-global"
    assert paths.candidate_group("agents-global", shared_root=False) == "agents-global"


@pytest.mark.parametrize(
    "path", ["~/.dsh/CLAUDE.md", "~/.dsh/x/AGENTS.md", "$DSH_HOME", "./~/.dsh/AGENTS.md", "./user-global/AGENTS.md"]
)
def test_only_the_labels_own_files_are_user_global(path):
    assert not paths.is_user_global_path(path, shared_root=True)


def test_a_scope_without_a_name_is_a_directory():
    assert paths.decode_scope_key("packages/app") == ("packages/app", "")
    assert paths.decode_scope_key(paths.candidate_scope_key(".", "AGENTS.md")) == (".", "AGENTS.md")


def test_reserved_names_are_escaped_only_where_the_rules_do():
    assert paths.relative_display("/w", "/w/user-global/A.md", reserved_escape=True) == "./user-global/A.md"
    assert paths.relative_display("/w", "/w/user-global/A.md", reserved_escape=False) == "user-global/A.md"
    assert paths.relative_scope("/w", "/w", reserved_escape=True) == "."


def test_a_touch_reads_any_mapping_and_trims_like_ecmascript():
    args = MappingProxyType({"file_path": "\ufeff a\x85 "})
    assert paths.touched_path("edit", args) == "a\x85"
    assert paths.touched_path("grep", args) is None
    assert paths.touched_path("read", [("file_path", "a")]) is None


def identity(**more: object) -> str:
    settings = {
        "cwd": "/w/é",
        "project_root": "/w",
        "project_root_markers": [".git"],
        "max_bytes": 300.0,
        "max_source_bytes": 7,
        "instruction_file_candidates": ["A.md", "a/b"],
        "local_instruction_file_candidates": [],
    }
    return paths.baseline_identity(**(settings | more))


def test_the_identity_names_the_aggregate_cap_last_and_only_when_given():
    plain = identity()
    assert plain == (
        '{"projectRoot":"..","projectRootMarkers":[".git"],"maxBytes":300,"maxSourceBytes":7,'
        '"instructionFileCandidates":["A.md"],"localInstructionFileCandidates":[]}'
    )
    assert list(json.loads(identity(max_total_source_bytes=9)).items())[-1] == ("maxTotalSourceBytes", 9)


def test_another_project_of_the_same_shape_has_the_same_identity():
    assert identity() == identity(cwd="/elsewhere/x", project_root="/elsewhere")


def test_windows_paths_go_through_the_same_functions():
    homes = paths.resolve_homes("C:\\Users\\me", {"DSH_HOME": "~\\.dsh"}, flavour=WINDOWS)
    assert (homes.dsh, homes.dsh_label) == ("C:\\Users\\me\\.dsh", "~/.dsh")
    root, cwd = "C:\\w", "C:\\w\\packages\\app"
    assert paths.ancestor_chain(root, cwd, flavour=WINDOWS) == ["C:\\w", "C:\\w\\packages", "C:\\w\\packages\\app"]
    touched = "c:/W/packages/app/src/f.ts"
    assert paths.descendant_dirs_between(cwd, touched, flavour=WINDOWS) == ["C:\\w\\packages\\app\\src"]
    assert paths.is_outside(cwd, "D:\\w\\packages\\app", flavour=WINDOWS)
    display = paths.relative_display(root, "C:\\w\\user-global\\AGENTS.md", reserved_escape=True, flavour=WINDOWS)
    assert display == ".\\user-global\\AGENTS.md"
    key = paths.instruction_scope_key("packages\\app\\AGENTS.md", shared_root=True, flavour=WINDOWS)
    assert key == "packages\\app\0AGENTS.md"
