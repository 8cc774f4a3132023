"""The tree behind a history: one node a path, each with a timeline of states.

A node's timeline holds its *effective* state: what was put at that path, or a directory while anything lies below it.
So one bisection answers a probe. Nodes are never removed; a probed absent path gets a node without states.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, Literal, NamedTuple

from .fs import Stat

DIRECTORY_STAT: Final = Stat("directory")


class State:
    """What is at a path. ``stat`` is the probe's answer where no link is involved."""

    __slots__ = ("stat",)
    kind: Literal["file", "directory", "link", "absent"] = "absent"

    def __init__(self, stat: Stat | None) -> None:
        self.stat = stat


class FileState(State):
    """A regular file. ``mode`` is the last recorded mode, ``None`` when none was."""

    __slots__ = ("data", "mode", "no_size", "version")
    kind = "file"

    def __init__(self, data: bytes, version: int, no_size: bool = False, mode: int | None = None) -> None:
        super().__init__(Stat("file", version, None if no_size else len(data)))
        self.data = data
        self.version = version
        self.no_size = no_size
        self.mode = mode


class LinkState(State):
    """A symbolic link. ``steps`` are the target's components in reverse order, ready to be pushed on a stack."""

    __slots__ = ("absolute", "steps", "target")
    kind = "link"

    def __init__(self, target: str) -> None:
        super().__init__(None)
        self.target = target
        self.absolute = target.startswith("/")
        self.steps = [part for part in reversed(target.split("/")) if part not in ("", ".")]


class DirState(State):
    """A directory, explicit or because something lies below."""

    __slots__ = ()
    kind = "directory"


ABSENT: Final = State(None)
DIRECTORY: Final = DirState(DIRECTORY_STAT)


class Failure(NamedTuple):
    """Injected failures of a requested path."""

    probe: Literal["stat", "notFound"] | None = None
    read: bool = False


NO_FAILURE: Final = Failure()
START: Final = -(1 << 62)
"""Before every recorded time."""


class Node:
    """One path. ``slow`` says that a probe has to look closer: a link here or above, a file above, or failures."""

    __slots__ = (
        "blocked",
        "children",
        "explicit",
        "fail_times",
        "failures",
        "kids",
        "name",
        "parent",
        "path",
        "slow",
        "states",
        "times",
    )

    def __init__(self, name: str, parent: Node | None) -> None:
        self.name = name
        self.parent = parent
        self.path: str = "/" if parent is None else f"/{name}" if parent.parent is None else f"{parent.path}/{name}"
        self.children: dict[str, Node] = {}
        self.explicit: State = ABSENT
        self.kids = 0
        """How many children exist now."""
        self.times: list[int] = []
        self.states: list[State] = []
        self.fail_times: list[int] = []
        self.failures: list[Failure] = []
        self.blocked = False
        """A file or link was at this path at some time, or above it: children cannot be answered without a walk."""
        self.slow = False
        if parent is None:
            self.explicit = DIRECTORY
            self.times.append(START)
            self.states.append(DIRECTORY)
        elif parent.blocked:
            self.blocked = self.slow = True

    @property
    def current(self) -> State:
        """State after the last change."""
        return self.states[-1] if self.states else ABSENT

    def state_at(self, time: int) -> State:
        """State after all changes up to ``time``."""
        times = self.times
        if not times:
            return ABSENT
        if times[-1] <= time:
            return self.states[-1]
        index = bisect_right(times, time)
        return self.states[index - 1] if index else ABSENT

    def failure_at(self, time: int) -> Failure:
        """Failures injected for this path at ``time``."""
        index = bisect_right(self.fail_times, time)
        return self.failures[index - 1] if index else NO_FAILURE

    def child(self, name: str) -> Node:
        """The node of a name below, made when missing."""
        node = self.children.get(name)
        if node is None:
            node = Node(name, self)
            self.children[name] = node
        return node

    def put(self, time: int, explicit: State) -> None:
        """Record what is put at exactly this path (:data:`ABSENT` takes it away); ancestors follow."""
        self.explicit = explicit
        if explicit.kind in ("file", "link"):
            self._block(itself=explicit.kind == "link")
        self._settle(time)

    def fail(self, time: int, failure: Failure) -> None:
        """Record the failures of this path from ``time`` on."""
        self.slow = True
        if not self.fail_times:
            self.failures.append(failure)
            self.fail_times.append(time)
        elif self.fail_times[-1] == time:
            self.failures[-1] = failure
        else:
            self.fail_times.append(time)
            self.failures.append(failure)

    def _settle(self, time: int) -> None:
        node: Node | None = self
        while node is not None:
            before = node.current
            after = node.explicit
            if after is ABSENT and node.kids:
                after = DIRECTORY
            if after is not before:
                # Readers take the times first: a state must never be newer than the time that guards it.
                if not node.times:
                    node.states.append(after)
                    node.times.append(time)
                elif node.times[-1] == time:
                    node.states[-1] = after
                else:
                    node.times.append(time)
                    node.states.append(after)
            if (before is ABSENT) == (after is ABSENT) or node.parent is None:
                return
            node = node.parent
            node.kids += 1 if before is ABSENT else -1

    def _block(self, itself: bool) -> None:
        self.slow = self.slow or itself
        if self.blocked:
            return
        self.blocked = True
        waiting = list(self.children.values())
        while waiting:
            node = waiting.pop()
            node.slow = True
            if not node.blocked:
                node.blocked = True
                waiting.extend(node.children.values())
