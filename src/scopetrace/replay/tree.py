"""The scope tree at a step: every directory that the loader looked into, and what its candidates are now.

Directories that hold candidates but were not reached yet are listed too, as the workspace has them at that step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scopetrace.engine.discovery import baseline_candidates
from scopetrace.engine.passes import Pass
from scopetrace.engine.paths import is_user_global_directory, relative_scope, user_global_directories
from scopetrace.model import ScopeNode
from scopetrace.workspace.fs import FileSystem

from .replayed import Replayed
from .scopes import ScopeStates

WALK_LIMIT = 4000
"""Directories listed, at most, in the search for what was not reached yet."""
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__", ".hg", ".svn"})


def build_tree(timeline: Replayed, index: int) -> tuple[ScopeNode, ...]:
    """Scopes after the row at ``index``, user-global roots first."""
    return _Builder(ScopeStates(timeline, index)).build(timeline.files_at(index))


class _Builder:
    def __init__(self, states: ScopeStates) -> None:
        self.states = states
        self.run = states.run

    def build(self, fs: FileSystem | None) -> tuple[ScopeNode, ...]:
        states = self.states
        scopes: dict[str, dict[str, None]] = {}
        own = (scope for scope, _ in baseline_candidates(self.run))
        for scope in (*own, *states.known, *states.in_force, *states.told):
            directory, _, name = scope.partition("\0")
            if name:
                scopes.setdefault(directory, {})[name] = None
        reached = set(scopes)
        if fs is not None:
            for directory, names in unreached(self.run, fs, self.run.cwd):
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
        candidates = tuple(self.states.candidate(f"{directory}\0{name}") for name in ordered)
        return ScopeNode(directory, label, note, reached, candidates, children)


def unreached(run: Pass, fs: FileSystem, top: str) -> Iterator[tuple[str, list[str]]]:
    """Scope directories from ``top`` (absolute) downwards that hold candidates, as the files are, and those names."""
    names = set(run.names)
    flavour = run.env.flavour
    waiting = [top]
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
                run.root,
                directory,
                reserved_escape=run.profile.reserved_escape,
                flavour=flavour,
            )
            yield scope, found
        waiting.extend(reversed(below))


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
