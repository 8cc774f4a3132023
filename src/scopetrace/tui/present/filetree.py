"""The tree of all files of a workspace, candidates with their present state among them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scopetrace.model import CandidateState, Decision, Outcome, ScopeNode, Stage
from scopetrace.report.display import safe_line
from scopetrace.tui.actions import DEFAULT_KEYS, KeysInForce
from scopetrace.workspace.fs import Entry, FileSystem, FsError

from .outcomes import MOVES
from .scopes import ScopeLines, ScopeRow
from .spans import Cell, Line, Span, columns

SHOWN = 400
"""Names of one directory that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class FileRow(ScopeRow):
    """A line of the tree of files. ``path`` is absolute, empty for a row that only counts; ``touched`` names the tools
    that touched it."""

    path: str = ""
    touched: str = ""
    file: bool = False


class FileTree:
    """Lists directories when they are opened, through the provider that the loader looks at."""

    def __init__(self, fs: FileSystem, root: str, cwd: str) -> None:
        self._fs = fs
        self.root = root
        self.cwd = cwd
        self.opened: set[str] = set(_way(root, cwd))

    def toggle(self, directory: str) -> None:
        """Open a directory, or close it."""
        self.opened ^= {directory}

    def look_at(self, fs: FileSystem, root: str) -> None:
        """List through another provider from now on; opened directories stay open."""
        self._fs = fs
        if root != self.root:
            self.root = root
            self.opened |= set(_way(root, self.cwd))

    def rows(
        self, scopes: Sequence[ScopeNode], decisions: Sequence[Decision], touched: Mapping[str, str]
    ) -> tuple[ScopeRow, ...]:
        """User-global candidates first, then the project. ``touched`` maps absolute paths to tools."""
        moves = [item for item in decisions if item.stage is Stage.RECONCILE and item.outcome in MOVES]
        walk = _Walk({item.scope: item.outcome for item in moves}, touched)
        for node in _nodes(scopes):
            walk.learn(node)
        for node in scopes[:-1]:
            for state in node.candidates:
                walk.add(state.absolute_path, "", safe_line(state.path), node, file=False)
        self._walk(walk, self.root, "", "", safe_line(os.path.basename(self.root) or self.root))
        return tuple(walk.out)

    def _walk(self, walk: _Walk, directory: str, own: str, below: str, label: str) -> None:
        closed = directory not in self.opened
        note = "working directory" if directory == self.cwd else "project root" if directory == self.root else ""
        node = ScopeNode(directory, label, note, directory in walk.reached or not own)
        walk.out.append(FileRow(f"{directory}/", own, label, node, collapsed=closed, path=directory))
        if closed:
            return
        entries = self._entries(directory, walk.states)
        names = {entry.name for entry, _ in entries}
        gone = [state for state in walk.withdrawn(directory) if state.name not in names]
        rows: list[tuple[str, bool]] = [(entry.name, is_directory) for entry, is_directory in entries[:SHOWN]]
        rows += [(state.name, False) for state in gone]
        last = len(rows) - (len(entries) <= SHOWN)
        for number, (name, is_directory) in enumerate(rows):
            branch, rest = ("└ ", "  ") if number == last else ("├ ", "│ ")
            path = os.path.join(directory, name)
            if is_directory:
                self._walk(walk, path, below + branch, below + rest, safe_line(name))
            else:
                walk.add(path, below + branch, safe_line(name), node, file=name in names)
        if len(entries) > SHOWN:
            walk.out.append(FileRow(f"{directory}/…", below + "└ ", f"… {len(entries) - SHOWN} more", node))

    def _entries(self, directory: str, states: Mapping[str, CandidateState]) -> list[tuple[Entry, bool]]:
        """Candidates, then directories, then the other files, each by name."""
        found = [(entry, self._is_directory(directory, entry)) for entry in self._fs.listdir(directory)]
        return sorted(
            found, key=lambda item: (os.path.join(directory, item[0].name) not in states, not item[1], item[0].name)
        )

    def _is_directory(self, directory: str, entry: Entry) -> bool:
        if entry.kind != "link":
            return entry.kind == "directory"
        try:
            status = self._fs.stat(os.path.join(directory, entry.name))
        except FsError:
            return False
        return status is not None and status.kind == "directory"


class _Walk:
    """What is known of candidates by absolute path, and the rows so far."""

    def __init__(self, moved: Mapping[str, Outcome], touched: Mapping[str, str]) -> None:
        self.states: dict[str, CandidateState] = {}
        self.reached: set[str] = set()
        self.out: list[ScopeRow] = []
        self._moved = moved
        self._touched = touched

    def learn(self, node: ScopeNode) -> None:
        for state in node.candidates:
            self.states.setdefault(state.absolute_path, state)
            if node.reached:
                self.reached.add(os.path.dirname(state.absolute_path))

    def withdrawn(self, directory: str) -> Iterator[CandidateState]:
        """Candidates that the model still knows of, or that could not be looked at."""
        for path, state in self.states.items():
            if os.path.dirname(path) == directory and state.outcome not in (Outcome.ABSENT, Outcome.NOT_REACHED):
                yield state

    def add(self, path: str, guides: str, label: str, node: ScopeNode, *, file: bool) -> None:
        state = self.states.get(path)
        key = path if state is None else state.scope or state.path
        moved = None if state is None else self._moved.get(state.scope)
        touched = self._touched.get(path, "")
        self.out.append(FileRow(key, guides, label, node, state, moved=moved, path=path, touched=touched, file=file))


def _nodes(nodes: Sequence[ScopeNode]) -> Iterator[ScopeNode]:
    for node in nodes:
        yield node
        yield from _nodes(node.children)


def _way(root: str, cwd: str) -> Iterator[str]:
    """The directories from ``root`` to ``cwd``."""
    yield root
    here = root
    inside = os.path.relpath(cwd, root)
    for part in inside.split(os.sep) if inside not in (".", "") and not inside.startswith("..") else ():
        here = os.path.join(here, part)
        yield here


class FileLines(ScopeLines):
    """The tree as lines; plain files are quiet, touched ones say by which tool."""

    def line(self, index: int, width: int) -> Line:
        row = self.rows[index]
        if not isinstance(row, FileRow) or row.is_directory or (row.candidate is not None and not row.touched):
            return super().line(index, width)
        if row.candidate is not None:
            note = f"⟲ {row.touched}"
            inner = super().line(index, max(10, width - len(note) - 1))
            return (*inner, Span(" "), Span(note, "info"))
        note = f"⟲ {row.touched}" if row.touched else ""
        return (
            Span(row.guides, "guide"),
            *columns(
                width - len(row.guides),
                [
                    Cell("", "dim", 1),
                    Cell(row.label, "plain" if row.touched else "dim", cut="middle"),
                    Cell(note, "info", len(note), "right"),
                ],
            ),
        )


def describe_file(row: FileRow, cwd: str, keys: KeysInForce = DEFAULT_KEYS) -> str:
    """The status line's words for a file that is no candidate, or a directory; empty for others."""
    if row.candidate is not None:
        return ""
    choose, touch = keys.first("files.choose"), keys.first("plain.touch")
    if row.is_directory:
        where = "working directory" if row.path == cwd else f"{safe_line(shortest(row.path, cwd))}: directory"
        return f"{where} · {choose} {'opens' if row.collapsed else 'closes'} it"
    if not row.path:
        return f"more names than are shown here; {touch} touches any path"
    touched = f" · touched by {row.touched}" if row.touched else ""
    return f"{safe_line(shortest(row.path, cwd))}{touched} · {choose} reads it, {touch} touches it otherwise"


def shortest(path: str, cwd: str) -> str:
    """A path as a tool would name it: relative to the working directory where it lies below it."""
    inside = os.path.relpath(path, cwd)
    return path if inside.startswith("..") else inside
