"""Paths that are no candidates: names, places, links, imports."""

from __future__ import annotations

from typing import Any

import pytest
from explain_world import HOME, WS, ask, codes, plain

from scopetrace.explain import why
from scopetrace.explain.names import near_miss, other_agent
from scopetrace.explain.questions import understand

NAMES = ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")


@pytest.mark.parametrize(
    ("path", "code", "wanted"),
    [
        ("agents.md", "other-case", "AGENTS.md"),
        ("Claude.md", "other-case", "CLAUDE.md"),
        ("app/Agents.Local.md", "other-case", "AGENTS.local.md"),
        ("AGENT.md", "similar-name", "AGENTS.md"),
        ("AGENTS.txt", "similar-name", "AGENTS.md"),
        ("claude.mdx", "similar-name", "CLAUDE.md"),
        ("AGENTS-local.md", "similar-name", "AGENTS.local.md"),
    ],
)
def test_near_misses(path: str, code: str, wanted: str) -> None:
    answer = ask({path: "x\n"}, path)
    assert (answer.standing, answer.code) == ("not-loaded", code)
    assert answer.causes[0].facts["wanted"] == wanted
    assert answer.evidence[0].facts["size"] == 2


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        (".cursorrules", "another agent"),
        (".claude/rules/style.md", "another agent"),
        (".github/copilot-instructions.md", "another agent"),
        ("sub/GEMINI.md", "another agent"),
    ],
)
def test_files_of_other_agents(path: str, agent: str) -> None:
    answer = ask({path: "x\n"}, path)
    assert (answer.code, answer.causes[0].facts["agent"]) == ("other-agent", agent)


def test_names_that_are_plain_files() -> None:
    for name in ("README.md", "agenda.md", "src/claudette.py", "AGENTS.md.bak", "main.py"):
        assert near_miss(name, NAMES) is None, name
        assert other_agent(f"/w/{name}") is None


def test_a_directory_answer_names_what_looks_like_a_candidate() -> None:
    answer = ask({"agents.md": "x\n", ".cursorrules": "y\n", ".claude/rules/a.md": "z\n"}, ".")
    assert answer.standing == "nothing-applies"
    assert {"other-case", "other-agent"} <= set(codes(answer))
    assert {e.facts["path"] for e in answer.evidence if e.kind == "near"} == {"agents.md", ".cursorrules", ".claude"}


def test_a_missing_candidate_names_its_near_miss_first() -> None:
    answer = ask({"agents.md": "x\n", "Claude.md": "y\n"}, "AGENTS.md")
    assert codes(answer) == ["absent", "other-case", "other-case"]
    assert answer.causes[1].facts["wanted"] == "AGENTS.md"
    assert answer.headline == "Not loaded: AGENTS.md does not exist; agents.md is not AGENTS.md: letter case counts"


def test_settings_may_leave_a_name_out() -> None:
    answer = ask({"CLAUDE.md": "x\n"}, "CLAUDE.md", instructionFileCandidates=["RULES.md"])
    assert answer.code == "not-configured"
    assert "RULES.md" in answer.causes[0].facts["names"]  # type: ignore[operator]


def test_a_home_root_has_one_candidate() -> None:
    files = {f"{HOME}/.dsh/CLAUDE.md": "x\n", f"{HOME}/.dsh/AGENTS.md": "y\n"}
    answer = ask(files, "~/.dsh/CLAUDE.md")
    assert (answer.code, answer.causes[0].facts["wanted"]) == ("home-name", "AGENTS.md")
    loaded = ask(files, "~/.dsh/AGENTS.md")
    assert (loaded.standing, codes(loaded)) == ("loaded", ["loaded", "from-home"])
    assert loaded.path == "~/.dsh/AGENTS.md"


def test_outside_of_the_root_with_and_without_a_marker() -> None:
    files = {"/w/AGENTS.md": "x\n", "AGENTS.md": "y\n"}
    answer = ask(files, "../AGENTS.md")
    assert codes(answer) == ["outside-root", "marker-found"]
    root = next(e for e in answer.evidence if e.kind == "root")
    assert (root.facts["root"], root.facts["marker"], root.facts["kind"]) == (WS, ".git", "directory")
    bare = ask(files, "/w/AGENTS.md", projectRootMarkers=["nothing"])
    assert codes(bare) == ["outside-root", "no-marker"]
    missing = ask(files, "/elsewhere/CLAUDE.md")
    assert codes(missing)[0] == "outside-root"
    assert "no-such-path" in codes(missing)


def test_a_directory_below_root_and_beside_the_working_directory() -> None:
    files = {"a/x.py": "", "b/AGENTS.md": "b\n", "..b/AGENTS.md": "c\n"}
    timeline = plain(files, cwd=f"{WS}/a", touches=(f"{WS}/b/x.py",))
    answer = why(timeline, "b/AGENTS.md")
    assert codes(answer) == ["outside-cwd", "touch-outside"]
    assert [m.kind for m in answer.when] == ["never"]
    assert why(timeline, f"{WS}/..b/AGENTS.md").code == "outside-cwd"
    place = why(timeline, f"{WS}/b")
    assert (place.standing, place.code) == ("nothing-applies", "outside-cwd")


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"CLAUDE.md": {"symlink": "nowhere.md"}}, "link-dangling"),
        ({"CLAUDE.md": {"symlink": "docs"}, "docs/a.txt": ""}, "link-to-other"),
        ({"CLAUDE.md": {"dir": True}}, "not-a-file"),
    ],
)
def test_links_and_directories_in_the_place_of_a_file(files: dict[str, Any], code: str) -> None:
    answer = ask(files, "CLAUDE.md")
    assert (answer.standing, answer.code, answer.subject) == ("not-loaded", code, "candidate")


def test_a_link_that_leaves_the_project_is_flagged() -> None:
    answer = ask({"AGENTS.md": {"symlink": "/etc/rules.md"}, "/etc/rules.md": "x\n"}, "AGENTS.md")
    assert (answer.standing, codes(answer)[-1]) == ("loaded", "link-leaves-root")
    link = next(e for e in answer.evidence if e.kind == "link")
    assert (link.facts["target"], link.facts["crosses"]) == ("/etc/rules.md", True)


def test_a_link_checked_out_as_text() -> None:
    answer = ask({"AGENTS.md": "# Rules\n", "CLAUDE.md": "AGENTS.md"}, "CLAUDE.md")
    assert (answer.standing, answer.code) == ("loaded", "link-as-text")
    assert answer.causes[0].facts["size"] == 9
    assert ask({"AGENTS.md": "Be kind", "kind": ""}, "AGENTS.md").code == "loaded"


def test_imports_are_plain_text() -> None:
    files = {
        "CLAUDE.md": "# Rules\n\n@docs/style.md\n```\n@not/this.md\n```\nmail me@x.org\n",
        "docs/style.md": "short lines\n",
        "not/this.md": "",
    }
    loaded = ask(files, "CLAUDE.md")
    assert codes(loaded)[:2] == ["loaded", "import-line"]
    assert [e.facts["line"] for e in loaded.evidence if e.kind == "line"] == [3]
    answer = ask(files, "docs/style.md")
    assert (answer.standing, answer.code) == ("not-loaded", "mentioned-only")
    assert (answer.causes[0].facts["by"], answer.causes[0].facts["line"]) == ("CLAUDE.md", 3)
    assert ask(files, "not/this.md").subject == "file"


@pytest.mark.parametrize(
    ("question", "path", "at"),
    [
        ("Why is app/AGENTS.md missing at the start?", "app/AGENTS.md", 0),
        ("Did anything load?", ".", 2),
        ("Which AGENTS.md wins? Both say something else.", ".", 2),
        ("Why is the AGENTS.md in the parent folder ignored?", "../AGENTS.md", 2),
        ("Is my AGENT.md read?", "AGENT.md", 2),
        ("Cursor had .cursorrules, does dsh read it?", ".cursorrules", 2),
        ("The agent read app/x.py (twice). Why no rules?", "app/x.py", 2),
        ("Where is CLAUDE.md?", f"{WS}/app/CLAUDE.md", 2),
    ],
)
def test_questions_in_words(question: str, path: str, at: int) -> None:
    timeline = plain({"AGENTS.md": "r\n", "app/CLAUDE.md": "a\n", "app/x.py": ""}, touches=("app/x.py",))
    assert understand(timeline, question) == (path, at)


def test_paths_are_understood_as_people_write_them() -> None:
    timeline = plain({"packages/app/AGENTS.md": "x\n", "AGENTS.md": "y\n"}, cwd=f"{WS}/packages/app")
    for asked, meant in {
        "AGENTS.md": f"{WS}/packages/app/AGENTS.md",
        "packages/app/AGENTS.md": f"{WS}/packages/app/AGENTS.md",
        "shop/AGENTS.md": f"{WS}/AGENTS.md",
        "../../AGENTS.md": f"{WS}/AGENTS.md",
        "~": HOME,
        "~/x": f"{HOME}/x",
        "CLAUDE.md": f"{WS}/packages/app/CLAUDE.md",
        "~/.agents/AGENTS.md": f"{HOME}/.agents/AGENTS.md",
    }.items():
        assert why(timeline, asked).absolute_path == meant, asked
