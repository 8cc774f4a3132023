"""What the loader remembers, and what it is given: everything explicit, nothing global.

The durable part of a state comes back from the session log after a resume; the volatile part lives as long as the
loader instance. Source: README seed "State And Refresh".
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from scopetrace.model import Change, Message
from scopetrace.workspace.fs import Cancel, FileSystem

from .config import Config
from .flavour import POSIX, PathFlavour
from .paths import AGENTS_HOME_ENV, DSH_HOME_ENV, Homes, filter_candidates, resolve_homes
from .profile import Profile

if TYPE_CHECKING:
    from .rest import Rest

EMPTY: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class Env:
    """The loader's surroundings at one operation. ``fs`` is ``None`` while no provider is there.

    ``cwd`` is the working directory in force and ``origin_cwd`` that of the session header. ``environ`` was read once
    at the edge. ``cancel`` reaches probes and reads.
    """

    fs: FileSystem | None
    config: Config
    profile: Profile
    home: str
    cwd: str
    origin_cwd: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)
    flavour: PathFlavour = POSIX
    cancel: Cancel | None = None

    @property
    def effective_cwd(self) -> str:
        """The working directory that the rules of the profile look at."""
        return self.cwd if self.profile.follow_cwd else (self.origin_cwd or self.cwd)

    def homes(self) -> Homes:
        """User-global roots under these settings."""
        setting = self.profile.home_setting
        return _homes(
            self.home,
            self.environ.get(DSH_HOME_ENV),
            self.environ.get(AGENTS_HOME_ENV),
            self.config.dsh_home if setting else None,
            self.config.agents_home if setting else None,
            self.flavour,
        )

    def candidate_names(self) -> tuple[str, ...]:
        """Project candidates of one directory in order: base names, then overlays, each name once."""
        return _names(self.config.instruction_file_candidates, self.config.local_instruction_file_candidates)


@lru_cache(maxsize=64)
def _homes(
    home: str,
    dsh: str | None,
    agents: str | None,
    dsh_setting: str | None,
    agents_setting: str | None,
    flavour: PathFlavour,
) -> Homes:
    environ = {name: value for name, value in ((DSH_HOME_ENV, dsh), (AGENTS_HOME_ENV, agents)) if value is not None}
    return resolve_homes(home, environ, dsh_setting, agents_setting, flavour=flavour)


@lru_cache(maxsize=64)
def _names(base: tuple[str, ...], local: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter_candidates((*base, *local))))


class CacheEntry(NamedTuple):
    """The version cache's note of one scope. ``path`` is the display path; digests are SHA-1 hex."""

    path: str
    version: Hashable
    digest: str
    trimmed_digest: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a loader instance knows of its baseline: the identity and the scopes kept out of reconciliation."""

    identity: str
    excluded: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fold:
    """The newest visible change of each scope, in the order in which scopes first appeared, and the last baseline.

    ``positions`` numbers the scope directories in that order and ``parents`` holds every directory above one of them.
    ``tangled`` tells that a directory is spelt in an unusual way, so that two scopes might be one file.
    """

    changes: Mapping[str, Change]
    baseline: Message | None
    positions: Mapping[str, int] = field(default_factory=dict)
    parents: frozenset[str] = frozenset()
    tangled: bool = False

    @classmethod
    def of(cls, messages: tuple[Message, ...]) -> Fold:
        """Fold ``messages`` in surface order."""
        return cls(MappingProxyType({}), None).then(messages)

    def then(self, messages: tuple[Message, ...]) -> Fold:
        """This fold with more messages at its end."""
        if not messages:
            return self
        changes = dict(self.changes)
        baseline = self.baseline
        positions, parents, tangled = self.positions, self.parents, self.tangled
        for message in messages:
            for change in message.source.changes or ():
                changes[change.scope] = change
                directory = change.scope.partition("\0")[0]
                if directory not in positions:
                    positions = {**positions, directory: len(positions)}
                    parents = parents | _above(directory)
                    tangled = tangled or _unusual(directory)
            if message.source.baseline:
                baseline = message
        return Fold(changes, baseline, positions, parents, tangled)


def _above(directory: str) -> set[str]:
    parts = directory.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts))}


def _unusual(directory: str) -> bool:
    """Whether a recorded scope directory is not spelt as the loader spells it."""
    plain = directory[2:] if directory.startswith(("./user-global", "./agents-global")) else directory
    return plain != "." and any(part in ("", ".", "..") for part in plain.replace("\\", "/").split("/"))


NOTHING_VISIBLE = Fold(MappingProxyType({}), None)

Touches = tuple[str, ...]
"""Touched tool paths, in order, as the tools were given them. Each is a projection of its own (cur-116, cur-125)."""


@dataclass(frozen=True, slots=True)
class LoaderState:
    """Everything the loader remembers.

    Durable: ``visible`` (instruction messages of the surface, in surface order), ``inbox``, the boundary flags.
    Volatile: ``prepared``, ``versions``, ``staged`` (touches held for a step end), ``bubbling`` (touches of children
    whose parent has not settled), ``queue`` (projections not yet run). ``fold`` follows from ``visible``; ``counter``
    numbers the messages composed so far; ``root`` is the project root of the latest pass.
    """

    visible: tuple[Message, ...] = ()
    fold: Fold = NOTHING_VISIBLE
    inbox: tuple[Message, ...] = ()
    turn_open: bool = False
    step_started: bool = False
    prepared: Prepared | None = None
    versions: Mapping[str, CacheEntry] = field(default_factory=lambda: MappingProxyType({}))
    staged: Touches = ()
    bubbling: Mapping[str, Touches] = field(default_factory=lambda: MappingProxyType({}))
    queue: Touches = ()
    counter: int = 0
    root: str = ""
    rest: Rest | None = field(default=None, compare=False)

    @property
    def step_open(self) -> bool:
        """A turn is open and the latest step boundary is a start newer than the turn start."""
        return self.turn_open and self.step_started

    @property
    def pending(self) -> tuple[Message, ...]:
        """Instruction messages waiting in the inbox."""
        return tuple(message for message in self.inbox if message.source.is_instructions)
