"""The visible surface: the ordered messages the model sees, at every event of a session.

Source: ``formats/session-log.md`` section 5. A replacement takes the place of the nodes *between the positions* of two
visible nodes, so surface order is not the order of event numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from .schema import Event
from .vocabulary import SURFACE_TYPES


@dataclass(frozen=True, slots=True)
class SurfaceProblem:
    """A surface operation that was passed over or looks wrong; ``applied`` tells which."""

    seq: int
    reason: str
    applied: bool


class Surface:
    """Grows with the events of one log, in order; answers for its present and for any earlier event.

    Every node keeps a place key: an append takes the next one, a replacement takes over the key of its first replaced
    node. Nodes alive at a moment, sorted by key, are the surface of that moment, so nothing is copied on a change.
    """

    def __init__(self) -> None:
        self._births: list[int] = []
        self._keys: list[int] = []
        self._killers: list[int] = []
        self._node: dict[int, int] = {}
        self._removed: dict[int, tuple[int, ...]] = {}
        self._live_keys: list[int] = []
        self._live: list[int] = []
        self._next_key = 0
        self._visible: tuple[int, ...] | None = ()
        self._asked: tuple[int, tuple[int, ...]] = (0, ())
        self._system: int | None = None
        self.problems: list[SurfaceProblem] = []

    def apply(self, event: Event) -> bool:
        """Take note of the next event. True when it changed the surface; trouble goes to :attr:`problems`."""
        op = event.surface_op
        if op is None:
            if event.type in SURFACE_TYPES:
                self._problem(event, f"a {event.type} without a surface operation", False)
            return False
        if op.op == "invalid":
            self._problem(event, "a surface operation of unknown shape", False)
            return False
        if event.seq in self._node or (self._births and event.seq < self._births[-1]):
            self._problem(event, "a surface operation out of order", False)
            return False
        if event.type not in SURFACE_TYPES:
            self._problem(event, f"a surface operation on a {event.type}", True)
        if op.op == "append":
            self._append(event)
            return True
        return self._replace(event, op.start, op.end)

    def _append(self, event: Event) -> None:
        if event.type == "system/message" and not self._live:
            self._system = event.seq
        self._birth(event.seq, self._next_key)
        self._live_keys.append(self._next_key)
        self._live.append(event.seq)
        self._next_key += 1

    def _replace(self, event: Event, start: int, end: int) -> bool:
        begin, last = self._position(start), self._position(end)
        hidden = [str(seq) for seq, at in ((start, begin), (end, last)) if at is None]
        if begin is None or last is None:
            self._problem(event, f"replaces {' and '.join(dict.fromkeys(hidden))}, not visible here", False)
            return False
        if last < begin:
            self._problem(event, f"replaces from {start} to {end}, which stands before it", False)
            return False
        gone = tuple(self._live[begin : last + 1])
        if self._system in gone:
            if event.type == "system/message":
                self._system = event.seq
            else:
                self._problem(event, "takes the place of the system prompt", True)
        if any(seq not in event.sources for seq in gone):
            self._problem(event, "does not cite all events it replaces", True)
        key = self._live_keys[begin]
        for seq in gone:
            self._killers[self._node[seq]] = event.seq
        self._removed[event.seq] = gone
        self._birth(event.seq, key)
        self._live_keys[begin : last + 1] = [key]
        self._live[begin : last + 1] = [event.seq]
        return True

    def _birth(self, seq: int, key: int) -> None:
        self._node[seq] = len(self._births)
        self._births.append(seq)
        self._keys.append(key)
        self._killers.append(-1)
        self._visible = None

    def _position(self, seq: int) -> int | None:
        node = self._node.get(seq)
        if node is None or self._killers[node] >= 0:
            return None
        return bisect_left(self._live_keys, self._keys[node])

    def _problem(self, event: Event, reason: str, applied: bool) -> None:
        self.problems.append(SurfaceProblem(event.seq, reason, applied))

    @property
    def visible(self) -> tuple[int, ...]:
        """Event numbers of the visible nodes now, in surface order."""
        if self._visible is None:
            self._visible = tuple(self._live)
        return self._visible

    def at(self, seq: int) -> tuple[int, ...]:
        """The visible nodes after event ``seq``, in surface order. Linear in the nodes so far, and cached."""
        count = bisect_right(self._births, seq)
        if count == len(self._births):
            return self.visible
        if self._asked[0] != count:
            born, killers = self._births, self._killers
            alive = [i for i in range(count) if killers[i] < 0 or killers[i] > seq]
            alive.sort(key=self._keys.__getitem__)
            self._asked = (count, tuple(born[i] for i in alive))
        return self._asked[1]

    def is_visible(self, seq: int, at: int) -> bool:
        """Whether event ``seq`` stands on the surface after event ``at``."""
        node = self._node.get(seq)
        return node is not None and seq <= at and (self._killers[node] < 0 or self._killers[node] > at)

    def shadowed_by(self, seq: int, at: int | None = None) -> int | None:
        """The event that took ``seq`` off the surface (by event ``at``, if given); ``None`` when none did."""
        node = self._node.get(seq)
        if node is None or self._killers[node] < 0 or (at is not None and self._killers[node] > at):
            return None
        return self._killers[node]

    def replaced(self, seq: int) -> tuple[int, ...]:
        """The events, in surface order, whose place event ``seq`` took; empty for an append."""
        return self._removed.get(seq, ())
