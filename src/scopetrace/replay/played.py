"""A scenario of the conformance format as a timeline: one row an operation, observed against expected.

Source: ``conformance/FORMAT.md`` section 1. A scenario file may carry a ``profile`` of its own.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from scopetrace.engine.config import ConfigError
from scopetrace.engine.profile import DEFAULT_PROFILE, PROFILES
from scopetrace.model import Comparison, Message, Recorder, Row, RowKind, RunInfo, Verdict
from scopetrace.sessions.messages import parse_source

from .compare import compare
from .moves import moves
from .scenario import ScenarioHost
from .steps import Step, StepRules, StepTimeline

LIMIT = 64 << 20
"""Bytes of a scenario file that are read, at most."""
_KINDS = {
    "preStep": RowKind.STEP,
    "tool": RowKind.TOOL,
    "compact": RowKind.COMPACTION,
    "resume": RowKind.RESUME,
    "reconfigure": RowKind.RESUME,
    "chdir": RowKind.DIRECTORY,
    "append": RowKind.PROMPT,
    "queue": RowKind.INBOX,
    "turnStart": RowKind.TURN,
    "turnEnd": RowKind.TURN,
    "stepStart": RowKind.STEP,
    "stepEnd": RowKind.STEP,
}
_LABELS = {"turnStart": "turn/start", "turnEnd": "turn/end", "stepStart": "step/start", "stepEnd": "step/end"}


class ScenarioError(ValueError):
    """A scenario cannot be read or played. ``path`` and ``place`` say where."""

    def __init__(self, path: str, place: str, message: str) -> None:
        super().__init__(f"{path}, {place}: {message}" if place else f"{path}: {message}")
        self.path = path
        self.place = place
        self.message = message


def open_scenario(scenario: str | os.PathLike[str] | Mapping[str, Any], profile: str | None = None) -> StepTimeline:
    """Play a scenario: a decoded row, or a file with one (``.json``, or the first line of ``.jsonl``, also gzipped).

    ``profile`` goes before the scenario's own, that before the default ``next``. With an ``expect``, every message is
    compared with the expected one; without, nothing is comparable. Raises :class:`ScenarioError`.
    """
    path = ""
    if not isinstance(scenario, Mapping):
        path = os.fspath(scenario)
        scenario = read_scenario(path)
    name = profile or scenario.get("profile") or DEFAULT_PROFILE.name
    if name not in PROFILES:
        raise ScenarioError(path, "profile", f"no such profile: {name!r}; known are {', '.join(PROFILES)}")
    try:
        return _Play(scenario, str(name), path).timeline()
    except ConfigError as error:
        raise ScenarioError(path, f"config.{error.key}", str(error)) from error
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError(path, "", f"not a scenario: {error!r}") from error


def read_scenario(path: str) -> Mapping[str, Any]:
    """The scenario in a file. Raises :class:`ScenarioError` and :class:`OSError`."""
    opener = gzip.open if path.endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            data = file.read(LIMIT + 1)
    except EOFError as error:
        raise ScenarioError(path, "", f"damaged gzip file: {error}") from None
    if len(data) > LIMIT:
        raise ScenarioError(path, "", f"larger than {LIMIT} bytes")
    if path.removesuffix(".gz").endswith(".jsonl"):
        data = data.partition(b"\n")[0]
    try:
        row = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ScenarioError(path, "", f"not JSON: {error}") from None
    if not isinstance(row, dict) or not isinstance(row.get("ops"), list):
        raise ScenarioError(path, "", "not a scenario: no object with a list of ops")
    return row


class _Play:
    def __init__(self, row: Mapping[str, Any], profile: str, path: str) -> None:
        self.row = row
        self.path = path
        self.host = ScenarioHost(row, PROFILES[profile])
        self.configs = [self.host.config]
        self.run = 0
        self.turn = 0
        self.pre_steps = 0
        self.expected: dict[str, Message] = {}
        self.steps: list[Step] = []

    def timeline(self) -> StepTimeline:
        expect: Sequence[Any] = self.row.get("expect") or ()
        host = self.host
        for number, op in enumerate(self.row["ops"]):
            recorder = Recorder()
            try:
                observed = host.perform(op, recorder)
            except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
                raise ScenarioError(self.path, f"ops[{number}]", f"cannot be played: {error!r}") from error
            self._take(number, op, observed, expect[number] if number < len(expect) else None, recorder)
        rules = StepRules(host.profile, tuple(self.configs), host.home, host.environ, host.origin)
        info = RunInfo(
            title=str(self.row.get("name") or self.row.get("id") or os.path.basename(self.path) or "scenario"),
            session_id=str(self.row.get("id", "")),
            format="scenario",
            cwd=host.origin,
            home=host.home,
            profile=host.profile.name,
            budget=self.configs[0].max_bytes,
            config_source="given by the scenario",
            workspace_source="given by the scenario",
            log_path=self.path,
            notes=(str(self.row["about"]),) if self.row.get("about") else (),
        )
        return StepTimeline(info, rules, self.steps)

    def _take(
        self, number: int, op: Mapping[str, Any], observed: Mapping[str, Any], expected: Any, recorder: Recorder
    ) -> None:
        host, kind = self.host, str(op["op"])
        if kind in ("resume", "reconfigure"):
            self.run += 1
            self.configs.append(host.config)
        self.turn += kind == "turnStart"
        entered = [host.messages[name] for name in observed.get("entered", ())]
        mine = [message for message in entered if message.source.is_instructions]
        operations: tuple[str, ...] = ({"preStep": "pre-step", "tool": "tool-result"}.get(kind, kind),)
        if any(decision.stage.value != "lifecycle" for decision in recorder.decisions) and kind != "preStep":
            operations = (*operations, "projection")
        comparisons = tuple(self._compare(number, mine, observed, expected))
        row = self._row(number, op, observed, mine, entered)
        self.steps.append(
            Step.take(
                row, op, operations, recorder, entered, comparisons, host.surface, host.state, host.cwd, self.run,
                host.fs.view if host.provider else None,
            )
        )  # fmt: skip

    def _row(
        self,
        number: int,
        op: Mapping[str, Any],
        observed: Mapping[str, Any],
        mine: Sequence[Message],
        entered: Sequence[Message],
    ) -> Row:
        kind = str(op["op"])
        failed = bool(observed.get("error")) or bool(op.get("isError"))
        label, text = _LABELS.get(kind, kind), str(op.get("path") or op.get("cwd") or op.get("id") or "")
        row_kind = _KINDS.get(kind, RowKind.OTHER)
        step, touch = 0, ""
        if kind == "preStep":
            self.pre_steps += 1
            step = int(op["step"])
            label = f"step {step}"
            text = " · ".join(moves(m.source.baseline, m.source.changes or ()) for m in mine) or "nothing new"
            text = "the step failed" if observed.get("error") else text
            row_kind = RowKind.INSTRUCTIONS if mine else RowKind.STEP
        elif kind == "tool":
            label = str(op["name"])
            arguments = op["args"] if "args" in op else {"file_path": op.get("file_path")}
            path = arguments.get("file_path") if isinstance(arguments, Mapping) else None
            text = path if isinstance(path, str) else json.dumps(arguments, ensure_ascii=False)
            touch = text if label in ("read", "write", "edit") and not failed and isinstance(path, str) else ""
        return Row(
            number, number, row_kind, label, text, turn=self.turn, step=step, error=failed, touch=touch,
            on_surface=bool(entered),
        )  # fmt: skip

    def _compare(
        self, number: int, mine: Sequence[Message], observed: Mapping[str, Any], expected: Any
    ) -> list[Comparison]:
        """Messages that entered here, by name, against the expected ones; ``place`` when the order around differs."""
        if not isinstance(expected, Mapping):
            reason = "the scenario expects nothing here"
            return [Comparison(Verdict.NOT_COMPARABLE, number, None, m, (), reason) for m in mine]
        for raw in expected.get("new", ()):
            source = parse_source(raw["source"])
            self.expected[raw["id"]] = Message(raw["id"], tuple(raw["blocks"]), source)
        theirs = [self.expected[name] for name in expected.get("entered", ()) if name in self.expected]
        around = [
            part for part in ("decision", "entered", "inbox", "surface") if expected.get(part) != observed.get(part)
        ]
        found: list[Comparison] = []
        for at in range(max(len(mine), len(theirs))):
            computed = mine[at] if at < len(mine) else None
            recorded = theirs[at] if at < len(theirs) else None
            found.append(compare(number, recorded, computed, in_place=not around))
        if around and not found:
            reason = f"differs in {', '.join(around)}"
            found.append(Comparison(Verdict.DIFFERENT, number, None, None, ("place",), reason))
        return found
