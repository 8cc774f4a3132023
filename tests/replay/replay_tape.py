"""A recording of what the loader was asked and what it answered, while a scenario is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from scopetrace.engine.lifecycle import StepResult, step
from scopetrace.engine.operations import Operation
from scopetrace.engine.profile import PROFILES
from scopetrace.engine.state import Env, LoaderState
from scopetrace.model import BudgetReport, Decision, Message, Recorder, Reporter
from scopetrace.replay import scenario
from scopetrace.workspace.fs import Cancel, Entry, FileSystem, Stat
from scopetrace.workspace.memory import MemoryFs


class Watched:
    """A provider that keeps what it is asked. It cannot say what changed, so nothing is taken to be at rest."""

    def __init__(self, fs: FileSystem) -> None:
        self.fs = fs
        self.probes: list[str] = []
        self.reads: list[str] = []

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        self.probes.append(path)
        return self.fs.stat(path, cancel)

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        self.reads.append(path)
        return self.fs.read(path, limit, cancel)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        return self.fs.listdir(path)

    def generation(self) -> int | None:
        return self.fs.generation()


class Telling(Watched):
    """The same, and it can say what changed."""

    def mark(self) -> object:
        return self.fs.mark()  # type: ignore[attr-defined]

    def changed_since(self, mark: object) -> frozenset[str] | None:
        return self.fs.changed_since(mark)  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True)
class Take:
    """One operation. ``env.fs`` is the tree as it was then, and stays so."""

    before: LoaderState
    operation: Operation
    env: Env
    result: StepResult
    decisions: tuple[Decision, ...]
    budgets: tuple[BudgetReport, ...]
    probes: tuple[str, ...]
    reads: tuple[str, ...]

    def again(self, state: LoaderState, watch: type[Watched], reporter: Reporter | None) -> tuple[StepResult, Watched]:
        """Apply the operation to another state, under the same surroundings."""
        watched = watch(self.env.fs) if self.env.fs is not None else Watched(MemoryFs())
        env = replace(self.env, fs=watched) if self.env.fs is not None else self.env
        return step(state, self.operation, env, reporter), watched


def play(row: Mapping[str, Any], profile: str) -> list[Take]:
    """Play a row; every operation the loader was given."""
    takes: list[Take] = []

    def taking(state: LoaderState, operation: Operation, env: Env, _: Reporter | None = None) -> StepResult:
        recorder = Recorder()
        if isinstance(env.fs, MemoryFs):
            env = replace(env, fs=env.fs.view)
        watched = Watched(env.fs) if env.fs is not None else None
        result = step(state, operation, replace(env, fs=watched), recorder)
        takes.append(
            Take(
                state,
                operation,
                env,
                result,
                tuple(recorder.decisions),
                tuple(recorder.budgets),
                tuple(watched.probes if watched else ()),
                tuple(watched.reads if watched else ()),
            )
        )
        return result

    with patch.object(scenario, "step", taking):
        host = scenario.ScenarioHost(row, PROFILES[profile])
        for op in row["ops"]:
            host.perform(op)
    return takes


def said(message: Message) -> tuple[Any, ...]:
    """A message by what it says."""
    return (message.id, message.blocks, message.source)


def plain(state: LoaderState) -> dict[str, Any]:
    """A state by its values: messages compare by identity otherwise."""
    return {
        "visible": [said(message) for message in state.visible],
        "changes": dict(state.fold.changes),
        "positions": dict(state.fold.positions),
        "baseline": state.fold.baseline and said(state.fold.baseline),
        "inbox": [said(message) for message in state.inbox],
        "boundaries": (state.turn_open, state.step_started),
        "prepared": state.prepared,
        "versions": dict(state.versions),
        "staged": state.staged,
        "bubbling": dict(state.bubbling),
        "queue": state.queue,
        "counter": state.counter,
        "root": state.root,
    }


def told(result: StepResult) -> dict[str, Any]:
    """A result by its values."""
    return {
        **plain(result.state),
        "entered": result.entered and [said(message) for message in result.entered],
        "context": result.context and said(result.context),
        "error": result.error,
        "warnings": result.warnings,
    }
