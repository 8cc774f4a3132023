"""A plain workspace as a timeline: what loads here now, and what every touch would add. No session is needed.

The files are looked at once (probes are kept), so the whole timeline shows one state of the disk.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from scopetrace.engine.config import SHIPPED_MAX_BYTES, Config
from scopetrace.engine.lifecycle import step
from scopetrace.engine.operations import Operation, PreStep, Settle, ToolResult
from scopetrace.engine.profile import DEFAULT_PROFILE, PROFILES
from scopetrace.engine.state import Env, LoaderState
from scopetrace.model import Comparison, Message, Recorder, Row, RowKind, RunInfo, Source, Verdict
from scopetrace.workspace.disk import DiskFs
from scopetrace.workspace.fs import FileSystem, FsError
from scopetrace.workspace.passcache import PassCache
from scopetrace.workspace.snapshot import Snapshot

from .moves import moves
from .steps import Step, StepRules, StepTimeline

NO_RECORD = "there is no session, so nothing was recorded"


def open_workspace(
    cwd: str | os.PathLike[str],
    *,
    home: str | None = None,
    profile: str | None = None,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
    touches: Iterable[str | tuple[str, str]] = (),
    fs: FileSystem | None = None,
    follow_outside: bool = True,
) -> StepTimeline:
    """What a session that starts in ``cwd`` now would be given: a first step, then one step after each touched file.

    ``touches`` are paths as the agent's tools would name them, relative ones from ``cwd``, or (tool, path); they need
    not exist. Without a tool it is ``read`` for what exists, else ``write``. Without ``follow_outside`` links out of
    the project are refused.
    Defaults: the rules ``next``, 65536 bytes, the user's home and environment, the disk. Raises
    :class:`NotADirectoryError` or :class:`FileNotFoundError` for ``cwd``, :class:`KeyError` for an unknown profile.
    """
    here = os.path.abspath(os.path.expanduser(cwd))
    if fs is None and not os.path.isdir(here):
        if os.path.lexists(here):
            raise NotADirectoryError(errno.ENOTDIR, "not a directory", here)
        raise FileNotFoundError(errno.ENOENT, "no such directory", here)
    settings = config or Config(SHIPPED_MAX_BYTES)
    notes: list[str] = []
    if fs is None:
        disk = DiskFs()
        if not follow_outside:
            from .places import boundary_of  # knows session logs, which a plain workspace does not need

            boundary = boundary_of(here, settings.project_root_markers)
            disk = DiskFs(follow_outside=False, boundary=boundary)
            notes.append(f"links that leave {boundary} are refused (--no-follow-outside)")
        fs = Snapshot(PassCache(disk))
    rules = StepRules(
        PROFILES[profile] if profile else DEFAULT_PROFILE,
        (settings,),
        os.path.abspath(os.path.expanduser(home or "~")),
        dict(os.environ if environ is None else environ),
        here,
    )
    walk = _Walk(Env(fs, settings, rules.profile, rules.home, here, here, rules.environ))
    walk.pre_step()
    for touched in touches:
        walk.touch(*(("", touched) if isinstance(touched, str) else touched))
        walk.pre_step()
    info = RunInfo(
        title=os.path.basename(here) or here,
        session_id="",
        format="",
        cwd=here,
        home=rules.home,
        profile=rules.profile.name,
        budget=settings.max_bytes,
        config_source="given" if config else "defaults",
        workspace_source=f"the files at {here} as they are now",
        notes=tuple(notes),
    )
    return StepTimeline(info, rules, walk.steps)


class _Walk:
    """A session in memory that does nothing but begin steps and touch files."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.state = LoaderState()
        self.surface: list[Message] = []
        self.steps: list[Step] = []
        self.number = 0

    def pre_step(self) -> None:
        self.number += 1
        first = Message("prompt", ("",), Source("user"))
        batch = (*self.state.inbox, first) if self.number == 1 else self.state.inbox
        recorder = Recorder()
        result = step(self.state, PreStep(self.number, batch, batch), self.env, recorder)
        self.state = result.state
        entered = result.entered or ()
        self.surface.extend(entered)
        context = next((message for message in entered if message.source.is_instructions), None)
        text = result.error or "nothing to load"
        if context is not None:
            text = moves(context.source.baseline, context.source.changes or ())
        elif not result.error and self.number > 1:
            text = "nothing new"
        row = Row(
            len(self.steps),
            len(self.steps),
            RowKind.STEP if context is None else RowKind.INSTRUCTIONS,
            f"step {self.number}",
            text,
            turn=1,
            step=self.number,
            error=bool(result.error),
            on_surface=context is not None,
        )
        raw = {"op": "preStep", "step": self.number, "error": result.error}
        self._take(row, raw, ("pre-step",), recorder, entered)

    def touch(self, tool: str, path: str) -> None:
        tool = tool or ("read" if self._is_file(path) else "write")
        recorder = Recorder()
        operations: list[Operation] = [ToolResult(tool, {"file_path": path}, token=f"call-{len(self.steps)}"), Settle()]
        for operation in operations:
            self.state = step(self.state, operation, self.env, recorder).state
        number = len(self.steps)
        row = Row(number, number, RowKind.TOOL, tool, path, turn=1, step=self.number, touch=path)
        self._take(row, {"op": "tool", "name": tool, "file_path": path}, ("tool-result", "projection"), recorder, ())

    def _is_file(self, path: str) -> bool:
        fs = self.env.fs
        try:
            stat = fs.stat(self.env.flavour.resolve(self.env.cwd, path)) if fs is not None else None
        except FsError:
            return True
        return stat is not None and stat.kind == "file"

    def _take(
        self,
        row: Row,
        raw: Mapping[str, object],
        operations: tuple[str, ...],
        recorder: Recorder,
        entered: tuple[Message, ...],
    ) -> None:
        compared = tuple(
            Comparison(Verdict.NOT_COMPARABLE, row.seq, None, message, (), NO_RECORD)
            for message in entered
            if message.source.is_instructions
        )
        env = self.env
        state = replace(self.state, rest=None)
        self.steps.append(
            Step.take(row, raw, operations, recorder, entered, compared, self.surface, state, env.cwd, 0, env.fs)
        )
