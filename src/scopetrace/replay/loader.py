"""The seam between replay and a loader: other agents' loaders can stand beside the engine one day."""

from __future__ import annotations

from typing import Protocol

from scopetrace.engine.lifecycle import StepResult, step
from scopetrace.engine.operations import Operation
from scopetrace.engine.state import Env, LoaderState
from scopetrace.model import Reporter


class Loader(Protocol):
    """State, operation and surroundings in; state, messages and (through the reporter) decisions out."""

    def initial(self) -> LoaderState:
        """The state of a new session."""
        ...

    def step(self, state: LoaderState, operation: Operation, env: Env, reporter: Reporter | None) -> StepResult:
        """Apply one operation."""
        ...


class EngineLoader:
    """The loader that the seeds describe."""

    def initial(self) -> LoaderState:
        """See :class:`Loader`."""
        return LoaderState()

    def step(self, state: LoaderState, operation: Operation, env: Env, reporter: Reporter | None = None) -> StepResult:
        """See :class:`Loader`."""
        return step(state, operation, env, reporter)
