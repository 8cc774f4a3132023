"""A file tree over time: changes are recorded once, and the tree of any moment is a cheap view.

Semantics of every change and of failures: ``conformance/FORMAT.md`` sections 1.2 and 1.4.
"""

from __future__ import annotations

from bisect import bisect_right
from threading import RLock
from typing import Literal

from .fs import Cancel, Cancelled, Entry, FsError, FsNotFound, Stat, head
from .nodes import ABSENT, DIRECTORY, NO_FAILURE, DirState, FileState, LinkState, Node, State
from .paths import normalise

MAX_LINKS = 40
"""Symbolic links followed in one look-up; one more is an error."""

FailHow = Literal["stat", "notFound", "read"]


class History:
    """Changes of a file tree at ascending integer times (equal times are allowed).

    Paths are absolute POSIX strings and are normalised lexically. Changes may be added while views are read, also
    from another thread; a view stays what it was unless a change is added at or before its time. Every change
    raises :class:`ValueError` when its time lies before the latest one.
    """

    def __init__(self) -> None:
        self.linked = False
        self._root = Node("", None)
        self._nodes: dict[str, Node] = {"/": self._root}
        self._lock = RLock()
        self._versions = 0
        self._log_times: list[int] = []
        self._log_paths: list[str] = []

    # -- recording

    def write(self, t: int, path: str, data: bytes, *, no_size: bool = False, keep_version: bool = False) -> None:
        """Put a regular file at exactly this path; a link there is replaced, everything below a directory goes.

        A new version, unless ``keep_version`` finds a regular file there. ``no_size``: probes report no size.
        """
        with self._lock:
            node = self._changing(t, path)
            before = node.explicit
            if keep_version and isinstance(before, FileState):
                version = before.version
            else:
                version = self._next_version()
            self._clear_below(t, node)
            node.put(t, FileState(bytes(data), version, no_size))
            self._note(t, node)

    def touch(self, t: int, path: str) -> None:
        """A new version of a regular file with the same content; nothing happens to anything else."""
        with self._lock:
            node = self._changing(t, path)
            before = node.explicit
            if isinstance(before, FileState):
                node.put(t, FileState(before.data, self._next_version(), before.no_size, before.mode))
                self._note(t, node)

    def delete(self, t: int, path: str) -> None:
        """Take the path and everything below it away; nothing happens when it is absent. ``/`` itself stays."""
        with self._lock:
            node = self._changing(t, path)
            if node.current is ABSENT:
                return
            self._clear_below(t, node)
            if node.parent is not None:
                node.put(t, ABSENT)
            self._note(t, node)

    def symlink(self, t: int, path: str, target: str) -> None:
        """Put a link at exactly this path. A relative target counts from the link's directory."""
        with self._lock:
            node = self._changing(t, path)
            self._clear_below(t, node)
            node.put(t, LinkState(target))
            self.linked = True
            self._note(t, node)

    def mkdir(self, t: int, path: str) -> None:
        """Put an explicit directory at exactly this path; what lies below a directory stays."""
        with self._lock:
            node = self._changing(t, path)
            before = node.current
            node.put(t, DIRECTORY)
            if node.current is not before:
                self._note(t, node)

    def fail(self, t: int, path: str, how: FailHow) -> None:
        """Make probes (``stat``, ``notFound``) or reads (``read``) of this requested path fail, links not followed.

        One probe failure and one read failure can hold at a time; a new probe failure replaces the other.
        """
        with self._lock:
            node = self._changing(t, path)
            now = node.failures[-1] if node.failures else NO_FAILURE
            node.fail(t, now._replace(read=True) if how == "read" else now._replace(probe=how))
            self._note(t, node)

    def heal(self, t: int, path: str) -> None:
        """Lift all failures of the path."""
        with self._lock:
            node = self._changing(t, path)
            if node.failures and node.failures[-1] != NO_FAILURE:
                node.fail(t, NO_FAILURE)
                self._note(t, node)

    def chmod(self, t: int, path: str, mode: int) -> None:
        """Record the mode of a regular file, version unchanged. Without any read bit its reads fail."""
        with self._lock:
            node = self._changing(t, path)
            before = node.explicit
            if isinstance(before, FileState):
                node.put(t, FileState(before.data, before.version, before.no_size, mode))
                self._note(t, node)

    # -- asking

    @property
    def latest(self) -> int | None:
        """Time of the last change; ``None`` before the first."""
        return self._log_times[-1] if self._log_times else None

    def at(self, t: int) -> HistoryView:
        """The tree after all changes with time <= ``t``."""
        return HistoryView(self, t)

    def changed_between(self, t0: int, t1: int) -> frozenset[str]:
        """Normalised paths changed in ``(t0, t1]``: put, touched, failed, healed, and every path that went away.

        Directories that came or went only because of something below them are not listed.
        """
        low, high = bisect_right(self._log_times, t0), bisect_right(self._log_times, t1)
        return frozenset(self._log_paths[low:high])

    # -- inside

    def _changing(self, t: int, path: str) -> Node:
        if self._log_times and t < self._log_times[-1]:
            raise ValueError(f"change at {t} after a change at {self._log_times[-1]}: times must ascend ({path})")
        return self._node(path)

    def _node(self, path: str) -> Node:
        node = self._nodes.get(path)
        if node is not None:
            return node
        with self._lock:
            plain = normalise(path)
            node = self._nodes.get(plain)
            if node is None:
                node = self._root
                for name in plain.split("/")[1:]:
                    node = node.child(name)
                self._nodes[plain] = node
            self._nodes[path] = node
            return node

    def _next_version(self) -> int:
        self._versions += 1
        return self._versions

    def _note(self, t: int, node: Node) -> None:
        self._log_paths.append(node.path)
        self._log_times.append(t)

    def _clear_below(self, t: int, top: Node) -> None:
        if not top.kids:
            return
        doomed: list[Node] = []
        waiting = [top]
        while waiting:
            found = [child for child in waiting.pop().children.values() if child.current is not ABSENT]
            doomed.extend(found)
            waiting.extend(found)
        for node in reversed(doomed):
            if node.explicit is not ABSENT:
                node.put(t, ABSENT)
            self._note(t, node)


class HistoryView:
    """A history's tree at one moment; a :class:`~scopetrace.workspace.fs.FileSystem`."""

    __slots__ = ("_history", "_nodes", "time")

    def __init__(self, history: History, time: int) -> None:
        self._history = history
        self._nodes = history._nodes
        self.time = time

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        node = self._nodes.get(path)
        if node is None:
            node = self._history._node(path)
        if node.slow:
            return self._stat_slow(path, node)
        times = node.times
        if not times:
            return None
        if times[-1] <= self.time:
            return node.states[-1].stat
        index = bisect_right(times, self.time)
        return node.states[index - 1].stat if index else None

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`; bytes are raw."""
        if cancel is not None and cancel():
            raise Cancelled
        node = self._history._node(path)
        if node.fail_times and node.failure_at(self.time).read:
            raise FsError(path, "read failed")
        state = self._follow(path, node)[1] if node.slow else node.state_at(self.time)
        if not isinstance(state, FileState):
            raise FsError(path, "no such file" if state is ABSENT else "not a regular file")
        if state.mode is not None and not state.mode & 0o444:
            raise FsError(path, f"permission denied (mode {state.mode & 0o7777:04o})")
        return head(state.data, limit)

    def mark(self) -> object:
        """See :meth:`ChangeTeller.mark`."""
        return (self._history, self.time)

    def changed_since(self, mark: object) -> frozenset[str] | None:
        """See :meth:`ChangeTeller.changed_since`; with links in the tree a change may show elsewhere, so ``None``."""
        match mark:
            case (History() as history, int(time)) if history is self._history and time <= self.time:
                changed = self._history.changed_between(time, self.time)
                return None if changed and self._history.linked else changed
        return None

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`; links in ``path`` itself are followed, those among the names are not."""
        node = self._history._node(path)
        try:
            node, state, _ = self._follow(path, node)
        except FsError:
            return ()
        if not isinstance(state, DirState):
            return ()
        found = []
        for name, child in sorted(node.children.items()):
            kind = child.state_at(self.time).kind
            if kind != "absent":
                found.append(Entry(name, kind))
        return tuple(found)

    def generation(self) -> int:
        """How many changes the history has up to this view's time."""
        times = self._history._log_times
        if not times or times[-1] <= self.time:
            return len(times)
        return bisect_right(times, self.time)

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        node = self._history._node(path)
        if not node.slow or node.parent is None:
            return None
        above, state, _ = self._follow(path, node.parent)
        child = above.children.get(node.name) if isinstance(state, DirState) else None
        found = child.state_at(self.time) if child is not None else None
        return found.target if isinstance(found, LinkState) else None

    def _stat_slow(self, path: str, node: Node) -> Stat | None:
        if node.fail_times:
            probe = node.failure_at(self.time).probe
            if probe == "stat":
                raise FsError(path, "probe failed")
            if probe == "notFound":
                raise FsNotFound(path, "not found")
        final, state, linked = self._follow(path, node)
        found = state.stat
        if not linked or found is None:
            return found
        return Stat(found.kind, found.version, found.size, final.path)

    def _follow(self, path: str, start: Node) -> tuple[Node, State, bool]:
        """Walk to a requested path through links.

        The node reached, its state (``ABSENT`` when there is none), and whether the last component was a link.
        """
        steps = [part for part in reversed(start.path.split("/")) if part]
        here: Node = self._history._root
        state: State = here.state_at(self.time)
        followed = 0
        linked = False
        while steps:
            if not isinstance(state, DirState):
                return here, ABSENT, linked
            name = steps.pop()
            if name == "..":
                here = here.parent or here
                state = here.state_at(self.time)
                continue
            child = here.children.get(name)
            if child is None:
                return here, ABSENT, linked
            state = child.state_at(self.time)
            if not isinstance(state, LinkState):
                here = child
                continue
            followed += 1
            linked = linked or not steps
            if followed > MAX_LINKS:
                raise FsError(path, f"more than {MAX_LINKS} symbolic links")
            if not state.target:
                return child, ABSENT, linked
            steps.extend(state.steps)
            if state.absolute:
                here = self._history._root
            state = here.state_at(self.time)
        return here, state, linked
