"""What a replay knows beyond a :class:`~scopetrace.model.TimelineView`: states, rules and files at every row.

Sessions, scenarios and plain workspaces all answer this, so the scope tree and ``explain`` work on any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from scopetrace.engine.config import Config
from scopetrace.engine.flavour import PathFlavour
from scopetrace.engine.passes import Pass
from scopetrace.engine.profile import Profile
from scopetrace.engine.state import Env, LoaderState
from scopetrace.model import TimelineView
from scopetrace.workspace.fs import FileSystem, FsError


class StateView(Protocol):
    """The session around the loader after some row. ``told`` maps each scope to the seq of its last message."""

    @property
    def loader(self) -> LoaderState: ...

    @property
    def cwd(self) -> str: ...

    @property
    def run(self) -> int: ...

    @property
    def told(self) -> Mapping[str, int]: ...


class RulesView(Protocol):
    """What does not change while a session is replayed."""

    @property
    def profile(self) -> Profile: ...

    @property
    def home(self) -> str: ...

    @property
    def environ(self) -> Mapping[str, str]: ...

    @property
    def flavour(self) -> PathFlavour: ...

    @property
    def origin_cwd(self) -> str: ...

    def config(self, run: int) -> Config:
        """Configuration of a run."""
        ...


class Replayed(TimelineView, Protocol):
    """A timeline together with what the loader was given at every row."""

    @property
    def passes(self) -> Sequence[int]:
        """Indices, ascending, of the rows at which the loader looked at files."""
        ...

    @property
    def setting(self) -> RulesView:
        """Rules and configurations of this replay."""
        ...

    def state(self, index: int) -> StateView:
        """The session around the loader after the row at ``index``."""
        ...

    def files_at(self, index: int) -> FileSystem | None:
        """Files as they are after the row at ``index``."""
        ...


class NoFiles:
    """A provider of nothing, for sessions replayed without files."""

    def stat(self, path: str, cancel: object = None) -> None:
        """Nothing is there."""

    def read(self, path: str, limit: int, cancel: object = None) -> bytes:
        """Nothing can be read: raises :class:`~scopetrace.workspace.fs.FsError`."""
        raise FsError(path, "no files")

    def listdir(self, path: str) -> tuple[()]:
        """Nothing is listed."""
        return ()

    def generation(self) -> int:
        """Nothing ever changes."""
        return 0


def env_at(timeline: Replayed, index: int) -> Env:
    """The loader's surroundings after the row at ``index``."""
    state, setting = timeline.state(index), timeline.setting
    return Env(
        fs=timeline.files_at(index),
        config=setting.config(state.run),
        profile=setting.profile,
        home=setting.home,
        cwd=state.cwd,
        origin_cwd=setting.origin_cwd,
        environ=setting.environ,
        flavour=setting.flavour,
    )


def pass_at(timeline: Replayed, index: int) -> Pass:
    """The fixed points of a pass after the row at ``index``, for the arithmetic of paths and scopes."""
    env = env_at(timeline, index)
    run = Pass(env, env.fs or NoFiles(), None, 0)
    run.root = timeline.state(index).loader.root or run.root
    return run
