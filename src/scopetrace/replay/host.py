"""What a replay holds around the loader: its setting, the session's state beside the loader's, an event's effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from scopetrace.engine.config import Config
from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.profile import Profile
from scopetrace.engine.state import LoaderState
from scopetrace.model import Comparison, Message
from scopetrace.workspace.fs import Cancel

from .files import Doubting, Files
from .loader import Loader
from .runs import RunPlan


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change while a session is replayed. ``configs`` holds one configuration a run.

    ``not_comparable`` is the reason why no message of this replay can be compared, if there is one. A ``supposed``
    replay departs from the record (what-if): the loader's own messages alone count, nothing is compared. ``touches``
    are supposed touches (tool, path) right after the row of an index.
    """

    loader: Loader
    profile: Profile
    configs: tuple[Config, ...]
    plan: RunPlan
    files: Files
    home: str
    environ: Mapping[str, str]
    origin_cwd: str
    not_comparable: str = ""
    flavour: PathFlavour = POSIX
    cancel: Cancel | None = None
    supposed: bool = False
    touches: Mapping[int, tuple[tuple[str, str], ...]] = field(default_factory=lambda: MappingProxyType({}))

    def doubt(self, seq: int, recorded: Message) -> str:
        """Why a difference at a recorded message proves nothing, if so."""
        if isinstance(self.files, Doubting):
            return self.files.doubt(recorded, seq)
        return ""

    def config(self, run: int) -> Config:
        """Configuration of a run; the last known one for runs beyond."""
        return self.configs[min(run, len(self.configs) - 1)]


_NONE: Mapping[Any, Any] = MappingProxyType({})


class HostState(NamedTuple):
    """The session around the loader after some event. A tuple, because one is made for every row of a long log.

    ``next_turn`` and ``next_step`` are the recorded inbox queues; ``claimed`` the ids taken out of them for the step to
    come. ``calls`` are the open tool calls. ``placed`` maps the seq of a recorded instruction message to what stands in
    its place; ``strays`` are computed messages that the log does not have, with the seq they follow. ``told`` maps each
    scope to the seq of the last message that set it.
    """

    loader: LoaderState
    cwd: str
    run: int = 0
    next_turn: tuple[Message, ...] = ()
    next_step: tuple[Message, ...] = ()
    claimed: frozenset[str] = frozenset()
    calls: Mapping[str, tuple[str, Any]] = _NONE
    placed: Mapping[int, Message] = _NONE
    strays: tuple[tuple[int, Message], ...] = ()
    told: Mapping[str, int] = _NONE


@dataclass(slots=True)
class Effect:
    """What one event led to. ``comparisons`` belong to the rows of their ``seq``; warnings are failed projections."""

    operations: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
