"""A bounded, seeded slice of the search for input that ends in a traceback. ``make fuzz`` looks longer."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hostile import FORBIDDEN
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import SESSIONS, TEXTS, Tree, configs, json_values, mutated_log, seeds, trees

from scopetrace.cli import main

EXAMPLES = int(os.environ.get("SCOPETRACE_FUZZ", "25"))
"""Inputs a test tries; beyond the default, other ones every time."""

fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES <= 25,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
PROFILES = st.sampled_from(["0.1", "0.2", "next"])


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        yield Path(made)


def word(text: str) -> str:
    """A text as the system can hand it over: no NUL, and surrogates only for bytes that are no UTF-8."""
    return re.sub("[\0\ud800-\udc7f\udd00-\udfff]", "_", text)


def run(*line: str, judge: bool = True) -> tuple[int, str]:
    """Run the command line; whatever is printed is safe, and a failure names its code in JSON (``judge``)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([word(part) for part in line])
    assert code in (0, 1, 2), line
    assert not FORBIDDEN.search(out.getvalue() + err.getvalue())
    if judge and "--json" in line and out.getvalue():
        document = json.loads(out.getvalue())
        if "remedy" in document:
            assert run("explain", document["code"])[0] == 0
    return code, out.getvalue()


@fuzz
@given(tree=trees, home=trees, touches=st.lists(TEXTS, max_size=3), profile=PROFILES, outside=st.booleans())
def test_any_tree_is_shown(tree: Tree, home: Tree, touches: list[str], profile: str, outside: bool) -> None:
    with scratch() as top:
        for name, made in (("ws", tree), ("home/.dsh", home)):
            (top / name).mkdir(parents=True)
            made.make(top / name)
        rules = ["--home", str(top / "home"), "--profile", profile, *(() if outside else ("--no-follow-outside",))]
        assert run("show", str(top / "ws"), *rules, "--decisions")[0] == 0
        for path in (*touches, *tree.files, *tree.links):
            words = [f"--touch={touch}" for touch in touches]
            run("why", "--cwd", str(top / "ws"), *words, "--json", *rules[:4], "--", path or ".")


@fuzz
@given(tree=trees, config=configs | json_values, text=st.booleans())
def test_any_settings_are_used_or_refused(tree: Tree, config: Any, text: bool) -> None:
    with scratch() as top:
        (top / "ws").mkdir()
        tree.make(top / "ws")
        (top / "config.json").write_text(json.dumps(config) if text else repr(config), "utf-8", "surrogatepass")
        line = ["--home", str(top / "home"), "--config", str(top / "config.json")]
        run("show", str(top / "ws"), *line)
        run("show", str(top / "ws"), *line, "--json")


@fuzz
@given(name=st.sampled_from(SESSIONS), seed=seeds, tree=trees, profile=PROFILES)
def test_any_damaged_session_is_replayed(name: str, seed: int, tree: Tree, profile: str) -> None:
    with scratch() as top:
        (top / "ws").mkdir()
        tree.make(top / "ws")
        log = str(mutated_log(top / "session.v4.jsonl", name, seed))
        rules = ["--workspace", str(top / "ws"), "--home", str(top / "home"), "--profile", profile]
        run("replay", log, *rules, "--decisions", "--all")
        run("replay", log, *rules, "--json")
        run("show", log, *rules, "--decisions", "--text")
        run("audit", log, *rules, "--json")
        run("export", log, *rules, "--format", "html")


@fuzz
@given(document=json_values, name=st.sampled_from(["case.json", "scenario.json", "ops.jsonl", "recording.json"]))
def test_any_json_file_is_opened_or_refused(document: Any, name: str) -> None:
    with scratch() as top:
        (top / name).write_text(json.dumps(document) + "\n", encoding="utf-8")
        for line in (
            ["replay", str(top / name)],
            ["why", str(top / name)],
            ["show", str(top)],
            ["learn", str(top / name)],
        ):
            run(*line)
            run(*line, "--json")


@fuzz
@given(
    words=st.lists(TEXTS | st.sampled_from(["--json", "--all", "--touch", "--", "-o", "@", "@1", "x@9"]), max_size=4)
)
def test_any_words_are_a_command_or_an_error(words: list[str]) -> None:
    with scratch() as top:
        here = os.getcwd()
        os.chdir(top)
        try:
            for command in ("show", "why", "replay", "audit", "message", "explain", "schema", "learn", "sessions"):
                run(command, *words, judge=False)
            if words:
                run(*words, judge=False)
        finally:
            os.chdir(here)
