"""The scope tree at a step: every directory that the loader looked into, and what its candidates are now.

Directories that hold candidates but were not reached yet are listed too, as the workspace has them at that step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scopetrace.engine.discovery import baseline_candidates
from scopetrace.engine.passes import Pass
from scopetrace.engine.paths import is_user_global_directory, user_global_directories
from scopetrace.model import ScopeNode
from scopetrace.model.sizes import grouped
from scopetrace.workspace.fs import FileSystem

from .replayed import Replayed
from .scopes import ScopeStates

WALK_LIMIT = 4000
"""Directories listed, at most, in the search for what was not reached yet."""
ENTRY_LIMIT = 400_000
"""Names looked at, about at most, in the same search: the directory that exceeds it is the last."""
MAX_NESTING = 64
"""Levels of the tree; directories below them stand side by side. A path may have two thousand components."""
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__", ".hg", ".svn"})


def build_tree(timeline: Replayed, index: int) -> tuple[ScopeNode, ...]:
    """Scopes after the row at ``index``, user-global roots first."""
    return _Builder(ScopeStates(timeline, index)).build(timeline.files_at(index))


class _Builder:
    def __init__(self, states: ScopeStates) -> None:
        self.states = states
        self.run = states.run
        self.sep = states.run.env.flavour.sep
        self.note = ""

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
            walk = Walk(self.run, fs)
            for directory, names in walk.unreached(self.run.cwd):
                for name in names:
                    scopes.setdefault(directory, {}).setdefault(name, None)
            if walk.left:
                self.note = f" · searched {grouped(walk.searched)} directories, {grouped(walk.left)} or more are left"
        shared = self.run.profile.shared_root
        homes = [
            self._node(directory, scopes.get(directory, {}), True, ())
            for directory in user_global_directories(shared_root=shared)
        ]
        projects = sorted((d for d in scopes if not is_user_global_directory(d, shared_root=shared)), key=self._by_path)
        return (*homes, self._project(".", projects, scopes, reached))

    def _project(
        self,
        directory: str,
        below: list[str],
        scopes: Mapping[str, Mapping[str, None]],
        reached: set[str],
        level: int = 0,
    ) -> ScopeNode:
        inside = [d for d in below if d != directory and self._is_below(d, directory)]
        children: list[ScopeNode] = []
        place = 0
        while place < len(inside):
            top = self._child_of(inside[place], directory) if level < MAX_NESTING else inside[place]
            end = place
            # Sorted by components, so what lies below one directory stands together.
            while end < len(inside) and (
                inside[end] == top or (level < MAX_NESTING and self._is_below(inside[end], top))
            ):
                end += 1
            children.append(self._project(top, inside[place:end], scopes, reached, level + 1))
            place = end
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
            label = directory.rpartition(self.sep)[2] or directory
            if directory == ".":
                note = f"project root{self.note}"
            elif run.env.flavour.join(run.root, directory) == run.cwd:
                note = "working directory"
        ordered = [name for name in run.names_in(directory) if name in names]
        ordered += [name for name in names if name not in ordered]
        candidates = tuple(self.states.candidate(f"{directory}\0{name}") for name in ordered)
        return ScopeNode(directory, label, note, reached, candidates, children)

    def _by_path(self, directory: str) -> tuple[str, ...]:
        return () if directory == "." else tuple(directory.split(self.sep))

    def _is_below(self, directory: str, top: str) -> bool:
        return top == "." or directory.startswith(f"{top}{self.sep}")

    def _child_of(self, directory: str, top: str) -> str:
        """The directory right below ``top`` on the way to ``directory``; a leading ``./`` is part of a name."""
        sep = self.sep
        if top == ".":
            head, _, rest = directory.partition(sep)
            if head in (".", "..") and rest:
                return f"{head}{sep}{rest.partition(sep)[0]}"
            return head
        return f"{top}{sep}{directory[len(top) + 1 :].partition(sep)[0]}"


class Walk:
    """A look for candidates in directories that were not reached yet; it ends after :data:`WALK_LIMIT` directories
    or :data:`ENTRY_LIMIT` names.

    Links are not followed, so it ends. ``searched`` counts the directories listed, ``left`` those seen and not listed.
    """

    def __init__(self, run: Pass, fs: FileSystem) -> None:
        self.run = run
        self.fs = fs
        self.searched = 0
        self.left = 0

    def unreached(self, top: str) -> Iterator[tuple[str, list[str]]]:
        """Scope directories from ``top`` (absolute) downwards with candidates as the files are, and those names."""
        run, flavour = self.run, self.run.env.flavour
        names = set(run.names)
        waiting = [top]
        entries = 0
        while waiting and self.searched < WALK_LIMIT and entries < ENTRY_LIMIT:
            directory = waiting.pop()
            self.searched += 1
            found = []
            below = []
            listing = self.fs.listdir(directory)
            entries += len(listing)
            for entry in listing:
                if entry.kind == "directory" and entry.name not in _SKIPPED:
                    below.append(flavour.join(directory, entry.name))
                elif entry.name in names and entry.kind in ("file", "link"):
                    found.append(entry.name)
            if found:
                yield run.scope_directory(directory), found
            waiting.extend(reversed(below))
        self.left = len(waiting)
