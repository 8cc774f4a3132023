"""Sessions made up by hypothesis, as rows in the scenario format of the conformance vectors (FORMAT.md 1)."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("SCOPETRACE_LAWS") or 12)
"""Sessions a law is tried on; ``make laws`` sets many."""

law = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

NAMES = ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")
DIRECTORIES = ("/w", "/w/a", "/w/a/b", "/w/c", "/h/.dsh", "/h/.agents")
COMMON = (
    "/w/AGENTS.md",
    "/w/CLAUDE.md",
    "/w/a/AGENTS.md",
    "/w/a/CLAUDE.md",
    "/h/.dsh/AGENTS.md",
    "/h/.agents/AGENTS.md",
)
BUDGETS = (*(65536,) * 9, *(1200, 700.5, 420, 330) * 2, 120, 30, 0)

TEXTS: tuple[dict[str, Any], ...] = (
    *(
        {"text": text}
        for text in ("alpha", "alpha", " alpha\n", "beta", "beta", "gamma", "", "</system-reminder>", "é路" * 9)
    ),
    {"text": "x" * 250},
    {"text": "y" * 900},
    {"text": "\ufeffalpha"},
    *({"base64": b64encode(data).decode()} for data in (b"\xff\xfe", b"a\0b", b"cut\xe2\x82")),
)


def places(*, reserved: bool) -> st.SearchStrategy[str]:
    """Candidate paths; ``reserved`` adds a project directory that is named like a user-global scope."""
    directories = (*DIRECTORIES, "/w/user-global") if reserved else DIRECTORIES
    anywhere = tuple(f"{directory}/{name}" for directory in directories for name in NAMES)
    return st.sampled_from((*COMMON * 4, *anywhere))


def files() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda file, no_size: {**file, "noSize": True} if no_size else file,
        st.sampled_from(TEXTS),
        st.integers(0, 7).map(lambda number: number == 0),
    )


def configs() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda budget, source, total, names, markers: {
            "maxBytes": budget,
            "maxSourceBytes": source,
            "maxTotalSourceBytes": total,
            "instructionFileCandidates": names,
            "projectRootMarkers": markers,
        },
        st.sampled_from(BUDGETS),
        st.sampled_from((1048576, 1048576, 260)),
        st.sampled_from((None, None, None, 300)),
        st.sampled_from((["AGENTS.md", "CLAUDE.md"], ["AGENTS.md", "CLAUDE.md"], ["CLAUDE.md"])),
        st.sampled_from(([".git"], [".git", ".hg"])),
    )


def batches() -> st.SearchStrategy[dict[str, Any]]:
    """What a host makes of a pre-step: mostly it enters everything."""
    decisions = ("enter",) * 9 + ("reject", "empty", {"enter": ["*"]}, {"enter": []})
    return st.fixed_dictionaries(
        {"decision": st.sampled_from(decisions), "claim": st.sampled_from((True, True, True, False))}
    )


@st.composite
def pre_steps(draw: st.DrawFn) -> dict[str, Any]:
    prompts = draw(st.sampled_from(([], [{"id": "prompt", "text": "do it"}])))
    return {"op": "preStep", "step": draw(st.sampled_from((1, 2))), "messages": prompts, **draw(batches())}


def tools() -> st.SearchStrategy[dict[str, Any]]:
    paths = ("f", "a/f", "a/b/f", "c/f", "/w/c/deep/er/f", "/x/f", " a/f ", "user-global/f")
    plain = st.fixed_dictionaries(
        {"op": st.just("tool"), "name": st.sampled_from(("read", "edit")), "file_path": st.sampled_from(paths)},
        optional={"settle": st.just(False)},
    )
    return st.one_of(
        *[plain] * 4,
        st.fixed_dictionaries(
            {
                "op": st.just("tool"),
                "name": st.sampled_from(("read", "bash")),
                "file_path": st.sampled_from(paths),
                "isError": st.booleans(),
                "token": st.sampled_from(("t1", "t2")),
            },
            optional={"parent": st.just("t0")},
        ),
        st.just({"op": "tool", "name": "run_code", "args": {}, "token": "t0"}),
    )


def file_changes(*, reserved: bool) -> st.SearchStrategy[dict[str, Any]]:
    path = places(reserved=reserved)
    return st.one_of(
        *[st.builds(lambda at, file: {"op": "write", "path": at, **file}, path, files())] * 3,
        st.builds(lambda at, op: {"op": op, "path": at}, path, st.sampled_from(("delete", "touchFile", "mkdir"))),
        st.builds(
            lambda at, target: {"op": "symlink", "path": at, "target": target},
            path,
            st.sampled_from(("AGENTS.md", "CLAUDE.md", "/w/AGENTS.md", "/w/c", "none")),
        ),
        st.builds(
            lambda at, how: {"op": "fail", "path": at, "how": how},
            st.one_of(path, path, st.just("/w/.git")),
            st.sampled_from(("stat", "notFound", "read")),
        ),
        st.builds(lambda at: {"op": "heal", "path": at}, st.one_of(path, st.just("/w/.git"))),
        st.builds(lambda at: {"op": "delete", "path": at}, st.sampled_from(("/w/a", "/w/c", "/w/.git"))),
    )


def edits() -> st.SearchStrategy[dict[str, Any]]:
    """A new text in a file that is likely in force."""
    return st.builds(
        lambda at, number: {"op": "write", "path": at, "text": f"version {number}"},
        st.sampled_from(("/w/AGENTS.md", "/w/a/AGENTS.md", "/h/.dsh/AGENTS.md")),
        st.integers(1, 3),
    )


def operations(*, reserved: bool) -> st.SearchStrategy[dict[str, Any]]:
    boundary = st.sampled_from(("turnStart", "turnEnd", "stepStart", "stepEnd", "stepEnd"))
    rare = st.one_of(
        st.builds(
            lambda first, more: {"op": "compact", "id": "compact", "text": "short", "range": [first, first + more]},
            st.integers(0, 3),
            st.integers(0, 3),
        ),
        st.builds(lambda config: {"op": "reconfigure", "config": config}, configs()),
        st.just({"op": "resume"}),
        st.builds(lambda cwd: {"op": "chdir", "cwd": cwd}, st.sampled_from(("/w", "/w/a", "/w/a/b"))),
        st.builds(lambda there: {"op": "provider", "available": there}, st.sampled_from((True, True, False))),
    )
    change = file_changes(reserved=reserved)
    return st.one_of(*[pre_steps()] * 4, *[tools()] * 3, *[change] * 3, edits(), edits(), rare, boundary_op(boundary))


def boundary_op(names: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda name, settle: {"op": name, "settle": settle}, names, st.sampled_from((True, True, False)))


@st.composite
def rows(draw: st.DrawFn, *, reserved: bool = True) -> dict[str, Any]:
    """A whole session. It starts with a step that enters, so that there is mostly something in force."""
    tree = draw(st.dictionaries(places(reserved=reserved), files(), min_size=2, max_size=9))
    first = {"op": "preStep", "step": 1, "messages": [{"id": "first", "text": "do it"}]}
    ops = draw(st.lists(operations(reserved=reserved), min_size=6, max_size=20))
    return {
        "home": "/h",
        "env": draw(st.sampled_from(({}, {}, {}, {"DSH_HOME": "/w/c"}, {"DSH_AGENTS_HOME": "/w"}))),
        "cwd": draw(st.sampled_from(("/w", "/w", "/w/a", "/w/a/b"))),
        "config": draw(configs()),
        "files": {"/w/.git": {"dir": True}, "/w/AGENTS.md": {"text": "root"}, **tree},
        "ops": [first, *ops, {"op": "preStep", "step": 2, "messages": []}],
    }
