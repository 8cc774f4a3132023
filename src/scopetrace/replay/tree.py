"""The scope tree at a step: what every candidate is now, read off the loader's own decisions.

A candidate's state is what is in force, else the last thing that the loader decided about it. Directories that hold
candidates but were not reached yet are listed too, as the workspace has them at that step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from scopetrace.engine.discovery import baseline_candidates
from scopetrace.engine.passes import Pass
from scopetrace.engine.paths import is_user_global_directory, relative_scope, user_global_directories
from scopetrace.engine.state import Env
from scopetrace.model import Action, CandidateState, Change, Decision, Fact, Outcome, ScopeNode, Stage
from scopetrace.workspace.fs import FileSystem, FsError

if TYPE_CHECKING:
    from .timeline import Timeline

LOOK_BACK = 40
"""Passes looked back at, at most, for the last word on a candidate."""
WALK_LIMIT = 4000
"""Directories listed, at most, in the search for what was not reached yet."""
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__", ".hg", ".svn"})
_STATES = {
    Outcome.DUPLICATE: Outcome.DUPLICATE,
    Outcome.REMOVED_DUPLICATE: Outcome.DUPLICATE,
    Outcome.OMITTED: Outcome.OMITTED,
    Outcome.HEADING_ONLY: Outcome.OMITTED,
    Outcome.NOTICE_ONLY: Outcome.OMITTED,
    Outcome.EXCLUDED: Outcome.OMITTED,
    Outcome.REMOVED_BUDGET: Outcome.OMITTED,
    Outcome.NOT_REPRESENTED: Outcome.OMITTED,
    Outcome.REMOVED_ABSENT: Outcome.REMOVED,
    Outcome.REMOVED_SUPERSEDED: Outcome.REMOVED,
}
_MOVES = frozenset(
    {
        Outcome.SET,
        Outcome.REPLACE,
        Outcome.REMOVED_ABSENT,
        Outcome.REMOVED_DUPLICATE,
        Outcome.REMOVED_BUDGET,
        Outcome.REMOVED_SUPERSEDED,
    }
)
_STAGES = {stage: number for number, stage in enumerate(Stage)}


@dataclass(slots=True)
class _Known:
    """The last word on one candidate: its decisions in one pass, and the row of that pass."""

    index: int
    chain: list[Decision] = field(default_factory=list)

    @property
    def last(self) -> Decision:
        return max(enumerate(self.chain), key=lambda item: (_STAGES[item[1].stage], item[0]))[1]

    @property
    def size(self) -> int | None:
        for decision in reversed(self.chain):
            size = decision.facts.get("size")
            if isinstance(size, int):
                return size
        return None

    @property
    def link(self) -> Mapping[str, Fact]:
        for decision in self.chain:
            if decision.facts.get("link"):
                return {"link": decision.facts["link"], "crosses": decision.facts.get("crosses", False)}
        return {}


def build_tree(timeline: Timeline, index: int) -> tuple[ScopeNode, ...]:
    """Scopes after the row at ``index``, user-global roots first."""
    state = timeline.state(index)
    setting = timeline.setting
    fs = timeline.files_at(index)
    env = Env(
        fs=fs,
        config=setting.config(state.run),
        profile=setting.profile,
        home=setting.home,
        cwd=state.cwd,
        origin_cwd=setting.origin_cwd,
        environ=setting.environ,
    )
    run = Pass(env, fs or _NoFiles(), None, 0)
    run.root = state.loader.root or run.root
    known = _last_words(timeline, index)
    here = {decision.scope for decision in timeline.frame(index).decisions if decision.outcome in _MOVES}
    builder = _Builder(run, known, state.loader.fold.changes, state.told, here)
    return builder.build(fs)


def _last_words(timeline: Timeline, index: int) -> dict[str, _Known]:
    """The newest decisions about every candidate, up to ``index``; back to a pass that looked at everything."""
    known: dict[str, _Known] = {}
    passes = timeline.passes
    place = bisect_right(passes, index) - 1
    for back in range(place, max(-1, place - LOOK_BACK), -1):
        row = passes[back]
        frame = timeline.frame(row)
        seen: dict[tuple[str, int], _Known] = {}
        for decision in frame.decisions:
            if not decision.scope or decision.stage is Stage.LIFECYCLE:
                continue
            seen.setdefault((decision.scope, decision.pass_index), _Known(row)).chain.append(decision)
        for (scope, _), words in sorted(seen.items(), key=lambda item: -item[0][1]):
            known.setdefault(scope, words)
        if "pre-step" in frame.operations and any(d.stage is Stage.RECONCILE for d in frame.decisions):
            break
    return known


class _Builder:
    def __init__(
        self,
        run: Pass,
        known: Mapping[str, _Known],
        in_force: Mapping[str, Change],
        told: Mapping[str, int],
        here: set[str],
    ) -> None:
        self.run = run
        self.known = known
        self.in_force = in_force
        self.told = told
        self.here = here

    def build(self, fs: FileSystem | None) -> tuple[ScopeNode, ...]:
        scopes: dict[str, dict[str, None]] = {}
        for scope in (*(scope for scope, _ in baseline_candidates(self.run)), *self.known, *self.in_force, *self.told):
            directory, _, name = scope.partition("\0")
            if name:
                scopes.setdefault(directory, {})[name] = None
        reached = set(scopes)
        if fs is not None:
            for directory, names in self._unreached(fs):
                for name in names:
                    scopes.setdefault(directory, {}).setdefault(name, None)
        shared = self.run.profile.shared_root
        homes = [
            self._node(directory, scopes.get(directory, {}), True, ())
            for directory in user_global_directories(shared_root=shared)
        ]
        projects = sorted((d for d in scopes if not is_user_global_directory(d, shared_root=shared)), key=_by_path)
        return (*homes, self._project(".", projects, scopes, reached))

    def _project(
        self, directory: str, below: list[str], scopes: Mapping[str, Mapping[str, None]], reached: set[str]
    ) -> ScopeNode:
        inside = [d for d in below if d != directory and _is_below(d, directory)]
        children: list[ScopeNode] = []
        while inside:
            top = _child_of(inside[0], directory)
            mine = [d for d in inside if d == top or _is_below(d, top)]
            inside = [d for d in inside if d not in mine]
            children.append(self._project(top, mine, scopes, reached))
        return self._node(directory, scopes.get(directory, {}), directory in reached, tuple(children))

    def _node(
        self, directory: str, names: Mapping[str, None], reached: bool, children: tuple[ScopeNode, ...]
    ) -> ScopeNode:
        run = self.run
        note = ""
        if is_user_global_directory(directory, shared_root=run.profile.shared_root):
            own = directory == "user-global"
            label = run.homes.dsh_label if own else run.homes.agents_label
        else:
            label = directory.rpartition("/")[2] or directory
            if directory == ".":
                note = "project root"
            elif run.env.flavour.join(run.root, directory) == run.cwd:
                note = "working directory"
        ordered = [name for name in run.names_in(directory) if name in names]
        ordered += [name for name in names if name not in ordered]
        candidates = tuple(self._candidate(f"{directory}\0{name}", reached) for name in ordered)
        return ScopeNode(directory, label, note, reached, candidates, children)

    def _candidate(self, scope: str, reached: bool) -> CandidateState:
        place = self.run.locate(scope)
        known = self.known.get(scope)
        change = self.in_force.get(scope)
        outcome, facts = self._outcome(scope, change, known, reached)
        size = known.size if known is not None else None
        if size is None:
            size = self._size(place.absolute)
        if known is not None:
            facts |= known.link
        return CandidateState(
            scope,
            scope.partition("\0")[2],
            place.display if change is None else change.path,
            place.absolute,
            outcome,
            size if outcome is not Outcome.ABSENT else None,
            scope in self.here,
            MappingProxyType(facts),
        )

    def _outcome(
        self, scope: str, change: Change | None, known: _Known | None, reached: bool
    ) -> tuple[Outcome, dict[str, Fact]]:
        if change is not None and change.action is not Action.REMOVE:
            facts: dict[str, Fact] = {"digest": change.digest, "since": self.told.get(scope)}
            cut = next((d for d in known.chain if d.outcome is Outcome.TRUNCATED), None) if known else None
            if cut is not None:
                return Outcome.LOADED_CUT, {**facts, **cut.facts}
            return Outcome.LOADED, facts
        if known is None:
            if change is not None:
                return Outcome.REMOVED, {}
            if scope in self.told:
                return Outcome.SHADOWED, {"since": self.told[scope]}
            return (Outcome.NOT_REACHED, {"needs": scope.partition("\0")[0]})
        last = known.last
        if last.outcome in (Outcome.SET, Outcome.REPLACE, Outcome.UNCHANGED):
            # Decided, but not (or no longer) on the surface: waiting in the inbox, or shadowed since.
            return (Outcome.SHADOWED if scope in self.told else Outcome.CONTEXT_QUEUED), dict(last.facts)
        if last.outcome is Outcome.ABSENT and change is not None:
            return Outcome.REMOVED, dict(last.facts)
        return _STATES.get(last.outcome, last.outcome), dict(last.facts)

    def _size(self, absolute: str) -> int | None:
        try:
            stat = self.run.fs.stat(absolute)
        except FsError:
            return None
        return stat.size if stat is not None else None

    def _unreached(self, fs: FileSystem) -> Iterator[tuple[str, list[str]]]:
        """Directories below the working directory that hold candidates, as the files are now."""
        names = set(self.run.names)
        flavour = self.run.env.flavour
        waiting = [self.run.cwd]
        seen = 0
        while waiting and seen < WALK_LIMIT:
            directory = waiting.pop()
            seen += 1
            found = []
            below = []
            for entry in fs.listdir(directory):
                if entry.kind == "directory" and entry.name not in _SKIPPED:
                    below.append(flavour.join(directory, entry.name))
                elif entry.name in names and entry.kind in ("file", "link"):
                    found.append(entry.name)
            if found:
                scope = relative_scope(
                    self.run.root,
                    directory,
                    reserved_escape=self.run.profile.reserved_escape,
                    flavour=flavour,
                )
                yield scope, found
            waiting.extend(reversed(below))


class _NoFiles:
    """A provider of nothing, for sessions replayed without files."""

    def stat(self, path: str, cancel: object = None) -> None:
        return None

    def read(self, path: str, limit: int, cancel: object = None) -> bytes:
        raise FsError(path, "no files")

    def listdir(self, path: str) -> tuple[()]:
        return ()

    def generation(self) -> int:
        return 0


def _by_path(directory: str) -> tuple[str, ...]:
    return () if directory == "." else tuple(directory.split("/"))


def _is_below(directory: str, top: str) -> bool:
    return top == "." or directory.startswith(f"{top}/")


def _child_of(directory: str, top: str) -> str:
    """The directory right below ``top`` on the way to ``directory``; a leading ``./`` is part of a name."""
    if top == ".":
        head, _, rest = directory.partition("/")
        if head in (".", "..") and rest:
            return f"{head}/{rest.partition('/')[0]}"
        return head
    return f"{top}/{directory[len(top) + 1 :].partition('/')[0]}"
