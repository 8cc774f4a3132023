"""Playing a scenario of the conformance format against the loader.

Source: ``conformance/FORMAT.md`` section 1. The host around the loader (surface, claims, decisions of listeners) is
played here as the format describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scopetrace.engine.config import Config
from scopetrace.engine.lifecycle import StepResult, step
from scopetrace.engine.operations import (
    Appended,
    Boundary,
    InboxSet,
    Operation,
    PreStep,
    Reshaped,
    Resume,
    Settle,
    ToolResult,
)
from scopetrace.engine.profile import PROFILES, Profile
from scopetrace.engine.state import Env, LoaderState
from scopetrace.model import Message, Reporter, Source
from scopetrace.sessions.messages import parse_source
from scopetrace.workspace.memory import MemoryFs

_BOUNDARIES = {"turnStart": "turn-start", "turnEnd": "turn-end", "stepStart": "step-start", "stepEnd": "step-end"}
_FILE_OPS = {"write", "touchFile", "delete", "symlink", "mkdir", "fail", "heal"}


class ScenarioHost:
    """A session in memory that performs operations one by one. ``observe`` after each gives its observation."""

    def __init__(self, row: Mapping[str, Any], profile: Profile) -> None:
        self.profile = profile
        self.fs = MemoryFs(row["files"])
        self.home: str = row["home"]
        self.environ: dict[str, str] = dict(row.get("env") or {})
        self.origin: str = row["cwd"]
        self.cwd: str = row["cwd"]
        self.config = Config.from_mapping(row["config"], strict=False)
        self.provider = True
        self.state = LoaderState()
        self.surface: list[Message] = []
        self.messages: dict[str, Message] = {}
        self.names: dict[int, str] = {}
        self.tokens = 0
        self.known: list[Message] = []

    def env(self) -> Env:
        """The loader's surroundings now."""
        return Env(
            fs=self.fs if self.provider else None,
            config=self.config,
            profile=self.profile,
            home=self.home,
            cwd=self.cwd,
            origin_cwd=self.origin,
            environ=self.environ,
        )

    def perform(self, op: Mapping[str, Any], reporter: Reporter | None = None) -> dict[str, Any]:
        """Perform one operation with its settling; returns the observation of FORMAT.md 1.5."""
        before_stats, before_reads = self.fs.stats, len(self.fs.reads)
        seen: dict[str, Any] = {}
        warnings = 0
        for operation in self._operations(op):
            result = step(self.state, operation, self.env(), reporter)
            self.state = result.state
            warnings += len(result.warnings)
            if isinstance(operation, PreStep):
                self._entered(operation, result, seen)
        if op.get("settle", True):
            result = step(self.state, Settle(), self.env(), reporter)
            self.state = result.state
            warnings += len(result.warnings)
        self._observe(seen)
        seen["reads"] = self.fs.reads[before_reads:]
        seen["stats"] = self.fs.stats - before_stats
        if warnings:
            seen["warnings"] = warnings
        return seen

    def _operations(self, op: Mapping[str, Any]) -> list[Operation]:
        kind = op["op"]
        if kind in _FILE_OPS:
            self._change_files(op)
            return []
        if kind in _BOUNDARIES:
            return [Boundary(_BOUNDARIES[kind])]  # type: ignore[arg-type]
        match kind:
            case "preStep":
                return [self._pre_step(op)]
            case "tool":
                return [self._tool(op)]
            case "compact":
                return [self._compact(op)]
            case "append":
                message = self._message(op["message"])
                self.surface.append(message)
                return [Appended(message)]
            case "queue":
                return [InboxSet((*self.state.inbox, self._queued(op)))]
            case "resume" | "reconfigure":
                if "config" in op:
                    self.config = Config.from_mapping(op["config"], strict=False)
                return [Resume()]
            case "chdir":
                self.cwd = op["cwd"]
            case "provider":
                self.provider = op["available"]
            case _:
                raise ValueError(f"unknown operation {kind!r}")
        return []

    def _change_files(self, op: Mapping[str, Any]) -> None:
        path = op["path"]
        match op["op"]:
            case "write":
                self.fs.put(path, op)
            case "touchFile":
                self.fs.touch(path)
            case "delete":
                self.fs.delete(path)
            case "symlink":
                self.fs.symlink(path, op["target"])
            case "mkdir":
                self.fs.mkdir(path)
            case "fail":
                self.fs.fail(path, op["how"])
            case "heal":
                self.fs.heal(path)

    def _message(self, raw: Mapping[str, Any]) -> Message:
        message = Message(raw["id"], (raw["text"],), parse_source(raw.get("source", {"kind": "user"})))
        self.messages[message.id] = message
        self.names[id(message)] = message.id
        self.known.append(message)
        return message

    def _queued(self, op: Mapping[str, Any]) -> Message:
        if "copyOf" not in op:
            return self._message(op["message"])
        original = self.messages[op["copyOf"]]
        return self._adopt(op["id"], original.blocks, original.source)

    def _adopt(self, name: str, blocks: tuple[str, ...], source: Source) -> Message:
        message = Message(name, blocks, source)
        self.messages[name] = message
        self.names[id(message)] = name
        self.known.append(message)
        return message

    def _pre_step(self, op: Mapping[str, Any]) -> PreStep:
        claim = op.get("claim", True)
        claimed = self.state.inbox if claim else ()
        proposed = (*claimed, *(self._message(raw) for raw in op["messages"]))
        decision = op.get("decision", "enter")
        batch: tuple[Message, ...] | None
        if decision == "enter":
            batch = proposed
        elif decision == "reject":
            batch = None
        elif decision == "empty":
            batch = ()
        else:
            batch = tuple(message for item in decision["enter"] for message in self._chosen(item, proposed))
        return PreStep(op["step"], proposed, batch, claim=claim, aborted=bool(op.get("aborted")))

    def _chosen(self, item: Any, proposed: tuple[Message, ...]) -> tuple[Message, ...]:
        if item == "*":
            return proposed
        if isinstance(item, str):
            return (self.messages[item],)
        if "copy" in item:
            original = self.messages[item["copy"]]
            return (self._adopt(original.id, original.blocks, original.source),)
        return (self._message(item),)

    def _tool(self, op: Mapping[str, Any]) -> ToolResult:
        self.tokens += 1
        return ToolResult(
            op["name"],
            op["args"] if "args" in op else {"file_path": op.get("file_path")},
            is_error=bool(op.get("isError")),
            aborted=bool(op.get("aborted")),
            agentless=bool(op.get("agentless")),
            token=op.get("token", f"\0{self.tokens}"),
            parent=op.get("parent"),
        )

    def _compact(self, op: Mapping[str, Any]) -> Reshaped:
        first, last = op["range"]
        source = parse_source({"kind": "plugin", "plugin": "compact"})
        self.surface[first : last + 1] = [self._adopt(op["id"], (op.get("text", ""),), source)]
        return Reshaped(tuple(message for message in self.surface if message.source.is_instructions))

    def _entered(self, operation: PreStep, result: StepResult, seen: dict[str, Any]) -> None:
        if result.error:
            seen["error"] = True
            return
        seen["decision"] = "reject" if operation.batch is None else "enter"
        if result.entered is not None:
            self.surface.extend(result.entered)
            seen["entered"] = result.entered

    def _observe(self, seen: dict[str, Any]) -> None:
        new: list[Message] = []
        for message in (*seen.get("entered", ()), *self.state.inbox, *self.surface):
            if id(message) not in self.names:
                name = f"ctx-{sum(1 for known in self.names.values() if known.startswith('ctx-')) + 1}"
                self.names[id(message)] = name
                self.messages[name] = message
                self.known.append(message)
                new.append(message)
        if new:
            seen["new"] = [
                {"id": self.names[id(m)], "blocks": list(m.blocks), "source": m.source.as_json()} for m in new
            ]
        if "entered" in seen:
            seen["entered"] = [self.names[id(message)] for message in seen["entered"]]
        seen["inbox"] = [self.names[id(message)] for message in self.state.inbox]
        seen["surface"] = [self.names[id(message)] for message in self.surface]


def run_scenario(row: Mapping[str, Any], profile: str) -> list[dict[str, Any]]:
    """Play a whole scenario under a profile's rules; one observation an operation."""
    host = ScenarioHost(row, PROFILES[profile])
    return [host.perform(op) for op in row["ops"]]
