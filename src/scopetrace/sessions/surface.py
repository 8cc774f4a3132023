"""The visible surface: the ordered messages the model sees, at every event of a session.

Source: ``formats/session-log.md`` section 5. A replacement takes the place of the nodes *between the positions* of two
visible nodes, so surface order is not the order of event numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat

from .schema import NO_SEQS, Event, SeqRanges, SurfaceOp
from .vocabulary import SURFACE_TYPES

PROBLEMS_KEPT = 1000
"""Problems kept in words; more are only counted, so that a hostile log cannot fill the memory with them."""


@dataclass(frozen=True, slots=True)
class SurfaceProblem:
    """A surface operation that was passed over or looks wrong; ``applied`` tells which."""

    seq: int
    reason: str
    applied: bool


class Surface:
    """Grows with the events of one log, in order; answers for its present and for any earlier event.

    Nodes are numbered by birth and take 20 bytes each. A node's key is the node whose place it stands in: itself for an
    append, the key of its first replaced node for a replacement, so living nodes sorted by key are the surface. Earlier
    moments are worked out from the replacements since a copy of the surface, kept now and then.
    """

    def __init__(self) -> None:
        self._births = array("q")
        self._keys = array("I")
        self._killers = array("i")
        self._live = array("I")
        self._ops: list[tuple[int, int, int]] = []
        self._removed: dict[int, array[int]] = {}
        self._copies: list[tuple[int, int, array[int]]] = [(0, 0, array("I"))]
        self._visible: tuple[int, ...] | None = ()
        self._cursor: tuple[int, int, array[int]] = self._copies[0]
        self._asked: tuple[int, tuple[int, ...]] = (0, ())
        self._system: int | None = None
        self.problems: list[SurfaceProblem] = []
        self.problem_count = 0

    def __len__(self) -> int:
        """How many nodes were ever placed."""
        return len(self._births)

    @property
    def memory(self) -> int:
        """Bytes taken by the nodes, without the replacements."""
        arrays = (self._births, self._keys, self._killers, self._live)
        return sum(one.buffer_info()[1] * one.itemsize for one in arrays)

    def apply(self, event: Event) -> bool:
        """Take note of the next event. True when it changed the surface; trouble goes to :attr:`problems`."""
        return self.note(event.seq, event.type, event.surface_op, event.sources)

    def note(self, seq: int, kind: str, op: SurfaceOp | None, sources: SeqRanges = NO_SEQS) -> bool:
        """As :meth:`apply`, for an event of which only these are known."""
        if op is None:
            if kind in SURFACE_TYPES:
                self._problem(seq, f"a {kind} without a surface operation", False)
            return False
        if op.op == "invalid":
            self._problem(seq, "a surface operation of unknown shape", False)
            return False
        if self._births and seq <= self._births[-1]:
            self._problem(seq, "a surface operation out of order", False)
            return False
        if kind not in SURFACE_TYPES:
            self._problem(seq, f"a surface operation on a {kind}", True)
        if op.op == "append":
            self.append(seq, kind == "system/message")
            return True
        return self._replace(seq, kind, op, sources)

    def append(self, seq: int, system: bool = False) -> None:
        """Put an event of a surface type at the end; ``seq`` must be greater than all before it."""
        node = len(self._births)
        if system and not self._live:
            self._system = node
        self._births.append(seq)
        self._keys.append(node)
        self._killers.append(-1)
        self._live.append(node)
        self._visible = None

    def extend(self, seqs: Iterable[int]) -> None:
        """As many appends, none of them the first."""
        node = len(self._births)
        self._births.extend(seqs)
        fresh = range(node, len(self._births))
        self._keys.extend(fresh)
        self._killers.extend(repeat(-1, len(fresh)))
        self._live.extend(fresh)
        self._visible = None

    def _replace(self, seq: int, kind: str, op: SurfaceOp, sources: SeqRanges) -> bool:
        begin, last = self._position(op.start), self._position(op.end)
        if begin is None or last is None:
            hidden = [str(number) for number, at in ((op.start, begin), (op.end, last)) if at is None]
            self._problem(seq, f"replaces {' and '.join(dict.fromkeys(hidden))}, not visible here", False)
            return False
        if last < begin:
            self._problem(seq, f"replaces from {op.start} to {op.end}, which stands before it", False)
            return False
        nodes = self._live[begin : last + 1]
        gone = array("q", map(self._births.__getitem__, nodes))
        node = len(self._births)
        if self._system is not None and self._system in nodes:
            if kind == "system/message":
                self._system = node
            else:
                self._problem(seq, "takes the place of the system prompt", True)
        if not sources.covers(gone):
            self._problem(seq, "does not cite all events it replaces", True)
        for one in nodes:
            self._killers[one] = node
        self._removed[seq] = gone
        self._births.append(seq)
        self._keys.append(self._keys[nodes[0]])
        self._killers.append(-1)
        self._live[begin : last + 1] = array("I", (node,))
        self._ops.append((begin, last, node))
        self._visible = None
        if len(self._ops) - self._copies[-1][1] > 16 + len(self._live) // 64:
            self._copies.append((node + 1, len(self._ops), self._live[:]))
        return True

    def _node(self, seq: int) -> int | None:
        at = bisect_left(self._births, seq)
        return at if at < len(self._births) and self._births[at] == seq else None

    def _position(self, seq: int) -> int | None:
        node = self._node(seq)
        if node is None or self._killers[node] >= 0:
            return None
        return bisect_left(self._live, self._keys[node], key=self._keys.__getitem__)

    def _problem(self, seq: int, reason: str, applied: bool) -> None:
        self.problem_count += 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(SurfaceProblem(seq, reason, applied))

    @property
    def visible(self) -> tuple[int, ...]:
        """Event numbers of the visible nodes now, in surface order."""
        if self._visible is None:
            self._visible = tuple(map(self._births.__getitem__, self._live))
        return self._visible

    def at(self, seq: int) -> tuple[int, ...]:
        """The visible nodes after event ``seq``, in surface order. Linear in their number when asked in order."""
        count = bisect_right(self._births, seq)
        if count == len(self._births):
            return self.visible
        if self._asked[0] != count:
            self._asked = (count, tuple(map(self._births.__getitem__, self._live_after(count))))
        return self._asked[1]

    def _live_after(self, count: int) -> array[int]:
        """The living nodes when ``count`` had been born."""
        at = bisect_right(self._copies, count, key=lambda copy: copy[0]) - 1
        start = max((self._copies[at], self._cursor), key=lambda one: one[0] if one[0] <= count else -1)
        born, done, live = start[0], start[1], start[2][:]
        while done < len(self._ops) and self._ops[done][2] < count:
            begin, last, node = self._ops[done]
            live.extend(range(born, node))
            live[begin : last + 1] = array("I", (node,))
            born, done = node + 1, done + 1
        live.extend(range(born, count))
        self._cursor = (count, done, live)
        return live

    def is_visible(self, seq: int, at: int) -> bool:
        """Whether event ``seq`` stands on the surface after event ``at``."""
        return seq <= at and self._node(seq) is not None and self.shadowed_by(seq, at) is None

    def shadowed_by(self, seq: int, at: int | None = None) -> int | None:
        """The event that took ``seq`` off the surface (by event ``at``, if given); ``None`` when none did."""
        node = self._node(seq)
        if node is None or self._killers[node] < 0:
            return None
        killer = self._births[self._killers[node]]
        return None if at is not None and killer > at else killer

    def replaced(self, seq: int) -> tuple[int, ...]:
        """The events, in surface order, whose place event ``seq`` took; empty for an append."""
        return tuple(self._removed.get(seq, ()))
