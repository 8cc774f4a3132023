"""One pass of the loader over files: where it looks, under which names, and whom it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scopetrace.model import Decision, Fact, Outcome, Reporter, Stage
from scopetrace.workspace.fs import FileSystem

from .config import Config
from .paths import (
    USER_GLOBAL_DIRECTORY,
    USER_GLOBAL_FILE,
    Homes,
    candidate_group,
    candidate_scope_key,
    decode_scope_key,
    escape_project_display_path,
    is_user_global_directory,
    relative_scope,
)
from .profile import Profile
from .state import Env


@dataclass(frozen=True, slots=True)
class Place:
    """Where a scope's file is: the path the provider is asked for and the path the model sees."""

    absolute: str
    display: str


class Pass:
    """The fixed points of one pass: environment, project root, homes, candidate names, reporter.

    ``spent`` counts the bytes of text read so far, by the baseline or by the batch, against the aggregate cap.
    """

    def __init__(self, env: Env, fs: FileSystem, reporter: Reporter | None, index: int) -> None:
        self.env = env
        self.fs = fs
        self.reporter = reporter
        self.index = index
        self.profile: Profile = env.profile
        self.config: Config = env.config
        self.homes: Homes = env.homes()
        self.names = env.candidate_names()
        self.cwd = env.flavour.resolve(env.effective_cwd)
        self.root = self.cwd
        self.spent = 0

    def note(
        self,
        stage: Stage,
        outcome: Outcome,
        scope: str = "",
        place: Place | None = None,
        facts: Mapping[str, Fact] | None = None,
    ) -> None:
        """Report a decision, if anybody listens."""
        if self.reporter is not None:
            self.reporter.decide(
                Decision(
                    stage,
                    outcome,
                    self.index,
                    scope,
                    place.display if place else "",
                    place.absolute if place else "",
                    MappingProxyType(dict(facts or {})),
                )
            )

    def group(self, directory: str) -> str:
        """Candidate group of a scope directory."""
        return candidate_group(directory, shared_root=self.profile.shared_root)

    def names_in(self, directory: str) -> tuple[str, ...]:
        """Candidate names looked for in a scope directory."""
        if is_user_global_directory(directory, shared_root=self.profile.shared_root):
            return (USER_GLOBAL_FILE,)
        return self.names

    def scopes_in(self, directory: str) -> list[str]:
        """Scope keys of a directory's candidates, in configured order."""
        return [candidate_scope_key(directory, name) for name in self.names_in(directory)]

    def scope_directory(self, directory: str) -> str:
        """Scope directory of an absolute project directory."""
        return relative_scope(
            self.root, directory, reserved_escape=self.profile.reserved_escape, flavour=self.env.flavour
        )

    def locate(self, scope: str) -> Place:
        """Place of a scope's file in a reconciliation."""
        directory, name = decode_scope_key(scope)
        flavour = self.env.flavour
        if is_user_global_directory(directory, shared_root=self.profile.shared_root):
            own = directory == USER_GLOBAL_DIRECTORY
            home, label = (
                (self.homes.dsh, self.homes.dsh_label) if own else (self.homes.agents, self.homes.agents_label)
            )
            shown = name if self.profile.label_keeps_name else USER_GLOBAL_FILE
            return Place(flavour.join(home, name), f"{label}/{shown}")
        absolute = flavour.join(self.root, directory, name)
        relative = flavour.relative(self.root, absolute)
        display = escape_project_display_path(relative, reserved_escape=self.profile.reserved_escape, flavour=flavour)
        return Place(absolute, display)
