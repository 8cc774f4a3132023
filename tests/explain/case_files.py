"""Instruction cases on disk, and what the engine makes of one in the words of its ``expected.trace``.

``SCOPETRACE_CASES=DIR`` names another folder: ``DIR/NAME/case.json`` each, with an ``ask.json`` beside it or a
``DIR/NAME.ask.json``.
"""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import Any

from scopetrace.model import Message
from scopetrace.replay.anything import open_case
from scopetrace.replay.replayed import Replayed

OWN = Path(__file__).parents[1] / "cases"
PROFILES = ("next", "0.2", "0.1")
NOTICE = "Workspace instruction budget "


@dataclass(frozen=True)
class Case:
    name: str
    row: dict[str, Any]
    ask: dict[str, Any]

    def play(self, profile: str) -> Replayed:
        return open_case(self.row, profile)


def _ask(*places: Path) -> dict[str, Any]:
    found = next((place for place in places if place.is_file()), None)
    return {} if found is None else json.loads(found.read_text(encoding="utf-8"))


@cache
def cases() -> tuple[Case, ...]:
    """The cases to run: ours, or those of the folder that the environment names."""
    other = os.environ.get("SCOPETRACE_CASES")
    if other:
        folder = Path(other)
        paths = sorted(folder.glob("*/case.json"))
        assert paths, f"no */case.json below SCOPETRACE_CASES={other}"
        rows = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}
        return tuple(
            Case(name, row, _ask(folder / name / "ask.json", folder / f"{name}.ask.json", OWN / f"{name}.ask.json"))
            for name, row in rows.items()
        )
    with gzip.open(OWN / "cases.jsonl.gz", "rb") as file:
        rows = {row["id"]: row for row in map(json.loads, file)}
    return tuple(Case(name, row, _ask(OWN / f"{name}.ask.json")) for name, row in rows.items())


@cache
def profile() -> str:
    """The rules under which a folder was made: those that reproduce most of it, the newest first."""
    return max(PROFILES, key=lambda name: sum(trace(case, name) == case.row["expected"]["trace"] for case in cases()))


def first_row(case: Case, timeline: Replayed) -> int:
    """Row of the case's first step; before it stand failures that were set up."""
    return len(timeline) - len(case.row["steps"])


def row_of_step(case: Case, timeline: Replayed, number: int) -> int:
    """Row of the step that the trace calls ``number``."""
    steps = [at for at, step in enumerate(case.row["steps"]) if step["op"] in ("prompt", "step")]
    return first_row(case, timeline) + steps[number - 1]


def trace(case: Case, rules: str) -> list[dict[str, Any]]:
    """The case played, as its ``expected.trace`` tells it."""
    timeline = case.play(rules)
    first = first_row(case, timeline)
    seen: list[dict[str, Any]] = []
    number = 0
    for at, step in enumerate(case.row["steps"]):
        frame = timeline.frame(first + at)
        kind = step["op"]
        if kind in ("prompt", "step"):
            number += 1
            seen.append({"at": "pre-step", "step": number, "messages": [_message(m) for m in frame.messages]})
            continue
        label = f"{kind} {step['tool']} {step['path']}" if kind == "touch" else f"{kind} {step.get('path', '')}".strip()
        entry: dict[str, Any] = {"at": f"{label} (error)" if step.get("error") else label}
        if kind == "touch":
            entry["queued"] = [
                [{"action": c.action.value, "path": c.path} for c in m.source.changes or ()]
                for m in frame.inbox
                if m.source.is_instructions
            ]
        seen.append(entry)
    return seen


def _message(message: Message) -> dict[str, Any]:
    changes = []
    for change in message.source.changes or ():
        directory, _, name = change.scope.partition("\0")
        row = {"action": change.action.value, "directory": directory, "candidate": name, "path": change.path}
        changes.append(row if change.digest is None else {**row, "digest": change.digest})
    notices = [line for block in message.blocks for line in block.split("\n") if line.startswith(NOTICE)]
    return {
        "baseline": message.source.baseline,
        "changes": changes,
        "part_bytes": [len(block.encode()) for block in message.blocks],
        "part_sha1": [sha1(block.encode()).hexdigest() for block in message.blocks],
        "budget_notice": notices[0] if notices else None,
    }
