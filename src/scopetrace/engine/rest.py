"""Knowing what is at rest: groups that need no look because nothing about them can have changed.

A pass over hundreds of visible directories would ask for thousands of files after every touch. When the provider can
say which paths changed since a mark, and no message spoke of a group since a pass found it at rest, looking again
gives the same answer: no transition, no read. Only the probes are saved; decisions, reads and messages stay the same
(``stats`` of the conformance vectors is informative for this reason). With a reporter every group is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scopetrace.model import Message
from scopetrace.workspace.fs import change_teller

from .config import Config
from .paths import Homes, decode_scope_key

if TYPE_CHECKING:
    from .passes import Pass
    from .state import CacheEntry, LoaderState, Prepared


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What the latest complete pass left behind: every visible or baseline group but ``restless`` is at rest.

    It holds for the provider's ``mark``, the first ``count`` visible messages, and the same surroundings.
    """

    mark: object
    count: int
    restless: frozenset[str]
    prepared: Prepared
    root: str
    cwd: str
    config: Config
    homes: Homes


def groups_of(run: Pass, messages: Iterable[Message]) -> Iterator[str]:
    """Groups that instruction messages speak of."""
    for message in messages:
        for change in message.source.changes or ():
            yield run.group(decode_scope_key(change.scope)[0])


def restless_groups(run: Pass, state: LoaderState, prepared: Prepared, claimed: tuple[Message, ...]) -> set[str] | None:
    """Groups that must be looked at in this pass; ``None`` for all of them."""
    rest = state.rest
    teller = change_teller(run.fs)
    if run.reporter is not None or rest is None or teller is None or state.fold.tangled:
        return None
    same = (
        rest.prepared is prepared
        and rest.root == run.root
        and rest.cwd == run.cwd
        and rest.config is run.config
        and rest.homes == run.homes
    )
    if not same or homes_inside(run):
        return None
    changed = teller.changed_since(rest.mark)
    if changed is None:
        return None
    found = set(rest.restless)
    found.update(groups_of(run, state.visible[rest.count :]))
    found.update(groups_of(run, claimed))
    for path in changed:
        found.update(_groups_near(run, path, state))
    return found


def homes_inside(run: Pass) -> bool:
    """Whether a user-global root lies in the project: then one file has two scopes, and groups depend on each other."""
    flavour = run.env.flavour
    homes = (run.homes.dsh, run.homes.agents) if run.profile.shared_root else (run.homes.dsh,)
    inside = run.root.rstrip(flavour.sep) + flavour.sep
    return any(home == run.root or home.startswith(inside) for home in homes)


def _groups_near(run: Pass, path: str, state: LoaderState) -> Iterator[str]:
    """Groups whose candidates a change at ``path`` may touch: its directory, itself, and what lies below it."""
    flavour = run.env.flavour
    for home in (run.homes.dsh, run.homes.agents):
        if home == path or home.startswith(path.rstrip(flavour.sep) + flavour.sep) or flavour.dirname(path) == home:
            yield run.group("user-global")
    for place in (flavour.dirname(path), path):
        relative = flavour.relative(run.root, place)
        if relative == "" or not relative.startswith(".."):
            yield run.scope_directory(place)
    below = run.scope_directory(path)
    if below in state.fold.parents:
        prefix = below + "/"
        yield from (directory for directory in state.fold.positions if directory.startswith(prefix))


class Versions:
    """The version cache of one pass: reads through to the state's, keeps changes apart until they are merged."""

    __slots__ = ("_base", "_drafts")

    def __init__(self, base: Mapping[str, CacheEntry]) -> None:
        self._base = base
        self._drafts: dict[str, CacheEntry | None] = {}

    def get(self, scope: str) -> CacheEntry | None:
        """The entry of a scope."""
        if scope in self._drafts:
            return self._drafts[scope]
        return self._base.get(scope)

    def put(self, scope: str, entry: CacheEntry | None) -> bool:
        """Set (or forget) the entry of a scope; false when nothing changes."""
        if self.get(scope) == entry:
            return False
        self._drafts[scope] = entry
        return True

    def merged(self) -> Mapping[str, CacheEntry]:
        """The cache after the pass: the very mapping it started from when nothing changed."""
        real = {scope: entry for scope, entry in self._drafts.items() if self._base.get(scope) != entry}
        if not real:
            return self._base
        merged = dict(self._base)
        for scope, entry in real.items():
            if entry is None:
                merged.pop(scope, None)
            else:
                merged[scope] = entry
        return merged
