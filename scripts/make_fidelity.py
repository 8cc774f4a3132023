"""Write docs/fidelity.md: what is checked against what, with counts.

Every conformance vector is run and every recording replayed while the page is made; a vector that fails is told and no
page is written. ``--check`` only says whether the committed page is current, vectors counted but not run (the test
suite runs them).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

from scopetrace.model import Verdict
from scopetrace.replay import Timeline, open_session
from scopetrace.sessions import Bundle

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
WIDTH = 130
PAGE = ROOT / "docs" / "fidelity.md"
sys.path[:0] = [str(Path(__file__).parent), str(TESTS / "conformance")]
VECTORS = import_module("conformance_vectors")
RULES = import_module("fidelity_rules").RULES
CHECKS = {"scenarios": "scenario"}
Check = Callable[[dict[str, Any], str], None]
LAW_FILES = ("replay/test_replay_laws.py", "engine/test_engine_laws.py", "engine/test_engine_render.py")
MODEL_FILES = (
    ("the renderer", "engine/test_engine_render.py", "a renderer that rebuilds the whole text for every candidate cut"),
    ("files in time", "workspace/test_workspace_history_model.py", "a dictionary copied at every change"),
    ("edits over files", "workspace/test_workspace_overlay.py", "a history in which the same edits really happened"),
)
WHAT = {
    "scenarios-curated": "sessions by hand, one behaviour each",
    "scenarios-fuzz": "random sessions",
    "scenarios-extra": "sessions aimed at what sets the profile apart",
    "render-baseline": "a baseline under a budget",
    "render-single": "one budget for all, plain style",
    "render-changes": "an update under a budget",
    "render-chains": "baselines with both chains present",
    "render-chain-changes": "updates with both chains present",
    "paths": "names, scopes, roots, digests, cuts",
}


def main(arguments: list[str]) -> int:
    """Write or check the page; returns the exit code."""
    check = "--check" in arguments
    try:
        text = page(run=not check)
    except VECTORS.Mismatch as failure:
        print(failure, file=sys.stderr)
        return 1
    if not check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/fidelity.md is not current; run: make fidelity", file=sys.stderr)
    return 1


def page(*, run: bool) -> str:
    """The whole page; with ``run`` every vector is checked, and ``Mismatch`` raised for the first that fails."""
    parts = [HEAD, *vectors(run), "", *recordings(), "", *rules(), "", *laws(), "", *models(), "", LIMITS]
    return "\n".join(parts)


HEAD = "\n".join(
    [
        "# Fidelity: what is checked against what",
        "",
        "<!-- Written by scripts/make_fidelity.py (make fidelity). Do not edit. -->",
        "",
        *wrap(
            "An explanation is worth what the engine behind it is worth. The engine is held against the loader it "
            "stands for in four ways: observations of the real loader (conformance vectors), sessions that the "
            "real agents wrote (recordings), rules that only the loader's README states, and laws that hold "
            "whatever the files are. The test suite runs all of it; `make fidelity` runs vectors and recordings "
            "while this page is made.",
            WIDTH,
        ),
        "",
    ]
)


def vectors(run: bool) -> Iterator[str]:
    """The table of conformance vectors."""
    files = VECTORS.vector_files(TESTS / "conformance" / "vectors")
    counts = {file.name: count(file, run) for file in files}
    yield f"## Conformance vectors: {sum(counts.values()):,}"
    yield ""
    yield from wrap(
        "Of a scenario, after every operation: decision, entered batch, new messages (texts, changes, "
        "source), inbox, surface, content reads in order, and warnings are compared exactly. The number of "
        "metadata probes is not: probing less is welcome.",
        WIDTH,
    )
    yield ""
    yield "| rules | file | rows | equal | what |"
    yield "|---|---|---:|---:|---|"
    for file in files:
        kind = file.name.partition("/")[2]
        rows = f"{counts[file.name]:,}"
        yield f"| {file.profile} | `{kind}` | {rows} | {rows} | {WHAT[kind]} |"


def count(file: Any, run: bool) -> int:
    """Rows of a file; checked as well with ``run``."""
    module = import_module(f"conformance_{file.kind}")
    check: Check = getattr(module, f"check_{CHECKS.get(file.kind, file.kind)}")
    number = 0
    for identity, line in file.lines():
        number += 1
        if run:
            try:
                check(file.row(line), file.profile)
            except VECTORS.Mismatch as failure:
                raise VECTORS.Mismatch(f"{file.name}/{identity}\n{failure}") from None
    return number


def recordings() -> Iterator[str]:
    """The table of recorded sessions, all replayed."""
    rows = list(recording_rows())
    recorded, computed, equal = (sum(int(row[at]) for row in rows) for at in (4, 5, 6))
    yield f"## Recorded sessions: {len(rows)} logs, {recorded} instruction messages"
    yield ""
    yield from wrap(
        "Each log is replayed under the rules of its format. *Recorded* are the instruction messages in the "
        "log, *computed* those that the engine composes from files and events, *equal* agree in text, "
        "changes, identity and place. History that a fork copied from its parent is counted apart. The last "
        "column opens the same log under the rules `0.2`: where older logs differ there, it is in their "
        "baselines, and `scopetrace audit` names the rules that fit.",
        WIDTH,
    )
    yield ""
    yield "| recording | log | rules | events | recorded | computed | equal | copied | equal under 0.2 |"
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|"
    for name, log, rules_name, events, *numbers in rows:
        yield f"| {name} | {log} | {rules_name} | {events} | {' | '.join(numbers)} |"
    yield f"| **all** | | | | {recorded} | {computed} | {equal} | | |"


def recording_rows() -> Iterator[list[str]]:
    """Name, role, rules, events, recorded, computed, equal, copied, equal under 0.2."""
    for manifest in sorted((TESTS / "recordings").glob("*/recording.json")):
        bundle = Bundle.open(manifest.parent)
        for path in (bundle.main, *bundle.children, *bundle.earlier):
            own = open_session(path)
            found = tally(own)
            other = found if own.info.profile == "0.2" else tally(open_session(path, profile="0.2"))
            record = bundle.log_record(path)
            role = record.role if record is not None else "main"
            yield [bundle.name, role, own.info.profile, str(len(own)), *map(str, found), str(other[2])]


def tally(timeline: Timeline) -> tuple[int, int, int, int]:
    """Recorded, computed, equal, copied messages."""
    own = [one for one in timeline.comparisons if one.verdict is not Verdict.NOT_COMPARABLE]
    return (
        sum(one.recorded is not None for one in own),
        sum(one.computed is not None for one in own),
        sum(one.verdict is Verdict.EQUAL for one in own),
        len(timeline.comparisons) - len(own),
    )


def functions(file: str) -> dict[str, ast.FunctionDef]:
    """Test functions of a file below ``tests/``, by name, in order."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {
        node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def rules() -> Iterator[str]:
    """README-only rules with their tests."""
    yield f"## Rules that only the README states: {len(RULES)}"
    yield ""
    yield "| rule | tests |"
    yield "|---|---|"
    for rule in RULES:
        known = functions(rule.file)
        for name in rule.tests:
            if name not in known:
                raise SystemExit(f"scripts/fidelity_rules.py: tests/{rule.file} has no {name}")
        names = ", ".join(f"`{name}`" for name in rule.tests)
        yield f"| {rule.subject} | `tests/{rule.file}`: {names} |"
    yield ""
    yield from wrap(
        "Every difference between the rules `0.1`, `0.2` and `next` is shown alone in "
        "`tests/engine/test_engine_profiles.py`; see [profiles](profiles.md).",
        WIDTH,
    )


def laws() -> Iterator[str]:
    """Laws, by the names of the tests that try them."""
    found = [(file, node) for file in LAW_FILES for node in functions(file).values() if is_law(node)]
    yield f"## Laws: {len(found)}"
    yield ""
    yield from wrap(
        "Tried on trees, operations, files and budgets that hypothesis makes up; those of whole sessions "
        "under each of the three generations of rules. The suite tries a few examples of each, `make laws` "
        "many.",
        WIDTH,
    )
    yield ""
    yield "| law | tried in |"
    yield "|---|---|"
    for file, node in found:
        said = node.name.removeprefix("test_").replace("_", " ")
        yield f"| {said} | `tests/{file}` |"


def is_law(node: ast.FunctionDef) -> bool:
    """Whether a test is one over generated values."""
    return any(isinstance(mark, ast.Call) and ast.unparse(mark.func) == "given" for mark in node.decorator_list)


def models() -> Iterator[str]:
    """Two ways to the same answer."""
    yield "## Two ways to the same answer"
    yield ""
    yield "| what | tests | compared with |"
    yield "|---|---|---|"
    for what, file, other in MODEL_FILES:
        functions(file)
        yield f"| {what} | `tests/{file}` | {other} |"


LIMITS = """## What is not checked

* The number of metadata probes. Groups of which a provider can tell that nothing changed are left alone; a law holds
  reads, messages and states to be the same either way.
* 0.1.1 and 0.1.2 where they differ from 0.1.5: they have no profile of their own (see [profiles](profiles.md)).
* Clocks: a child session's file changes are placed by the time stamps of its parent's log.
"""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
