"""An agent with one session around the loader, for tests that drive the engine directly."""

from __future__ import annotations

from typing import Any

from scopetrace.engine.config import Config
from scopetrace.engine.lifecycle import StepResult, step
from scopetrace.engine.operations import Boundary, Operation, PreStep, Settle, ToolResult
from scopetrace.engine.profile import PROFILE_0_2, Profile
from scopetrace.engine.state import Env, LoaderState
from scopetrace.model import Decision, Message, Outcome, Recorder, Source
from scopetrace.workspace.fs import Cancel, FileSystem
from scopetrace.workspace.memory import MemoryFs

BOM = b"\xef\xbb\xbf"


def prompt(text: str = "prompt") -> Message:
    return Message(text, (text,), Source("user"))


class Agent:
    """``files`` are texts or bytes by path. ``decisions`` are those of the latest call."""

    def __init__(
        self,
        files: dict[str, str | bytes] | None = None,
        *,
        fs: FileSystem | None = None,
        profile: Profile = PROFILE_0_2,
        cwd: str = "/w",
        home: str = "/h",
        environ: dict[str, str] | None = None,
        **settings: Any,
    ) -> None:
        self.memory = MemoryFs({"/w/.git": {"dir": True}})
        for path, data in (files or {}).items():
            self.memory.write(path, data)
        self.fs: FileSystem | None = fs if fs is not None else self.memory
        self.profile = profile
        self.cwd = cwd
        self.origin = cwd
        self.home = home
        self.environ = environ or {}
        self.config = Config.from_mapping({"maxBytes": 65536, **settings})
        self.cancel: Cancel | None = None
        self.state = LoaderState()
        self.decisions: list[Decision] = []

    def configure(self, **settings: Any) -> None:
        self.config = Config.from_mapping({"maxBytes": 65536, **settings})

    def env(self) -> Env:
        return Env(
            fs=self.fs,
            config=self.config,
            profile=self.profile,
            home=self.home,
            cwd=self.cwd,
            origin_cwd=self.origin,
            environ=self.environ,
            cancel=self.cancel,
        )

    def do(self, *operations: Operation) -> StepResult:
        """Apply operations; the last one's result."""
        recorder = Recorder()
        result = StepResult(self.state)
        for operation in operations:
            result = step(self.state, operation, self.env(), recorder)
            self.state = result.state
        self.decisions = recorder.decisions
        return result

    def enter(self, number: int = 1, **more: Any) -> StepResult:
        """A pre-step that claims the inbox, adds a prompt, and enters all of it."""
        proposed = (*self.state.inbox, prompt())
        return self.do(PreStep(number, proposed, proposed, **more))

    def context(self, number: int = 1) -> Message | None:
        """Enter a step; the message that the loader put into the batch."""
        result = self.enter(number)
        assert not result.error, result.error
        return result.context

    def touch(self, path: str, tool: str = "read", **more: Any) -> StepResult:
        """A tool result outside of any step, and the projection it leads to."""
        return self.do(ToolResult(tool, {"file_path": path}, **more), Settle())

    def announced(self, path: str) -> Message | None:
        """Touch a path; the message that waits afterwards."""
        assert not self.touch(path).warnings
        return self.state.pending[0] if self.state.pending else None

    def boundary(self, *kinds: Any) -> StepResult:
        return self.do(*(Boundary(kind) for kind in kinds))

    def outcomes(self, path: str) -> list[Outcome]:
        """What was decided about a display path in the latest call, in order."""
        return [decision.outcome for decision in self.decisions if decision.path == path]

    def decision(self, outcome: Outcome, path: str = "") -> Decision:
        """The only decision of that outcome (about that path) in the latest call."""
        found = [d for d in self.decisions if d.outcome is outcome and (not path or d.path == path)]
        assert len(found) == 1, f"{len(found)} of {outcome} in {[(d.outcome.value, d.path) for d in self.decisions]}"
        return found[0]


def paths(message: Message | None) -> list[str]:
    """Paths that a message's changes name, in order."""
    assert message is not None, "no message"
    return [change.path for change in message.source.changes or ()]


def moves(message: Message | None) -> list[tuple[str, str]]:
    """Action and path of a message's changes, in order."""
    assert message is not None, "no message"
    return [(change.action.value, change.path) for change in message.source.changes or ()]


def text(message: Message | None) -> str:
    assert message is not None, "no message"
    return "\n\n".join(message.blocks)
