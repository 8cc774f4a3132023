"""From complete lines to the columns of an index: most lines in bulk, whatever is odd the reader's own way.

In bulk only the head of a row is decoded, its payload is passed over in one sweep that checks the syntax. That is done
for stretches whose lines are all usual: known types, numbers that follow, ``append`` or nothing as surface operation.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from itertools import accumulate, chain, compress, repeat
from operator import add

import msgspec

from .columns import APPENDS, FLAGS, MESSAGES, PASSED, SHOWN, Columns, Flag
from .frames import Batch, Gap, Line, split
from .rows import UnknownTypes, place
from .schema import NO_SEQS, Head, decode_head, parse_sources, parse_surface_op
from .sequence import Placed, Sequencer
from .surface import Surface
from .vocabulary import INSTRUCTIONS, KNOWN_TYPES, MATTERING_TYPES, MESSAGE_TYPES, PACKED_TYPES

_UNUSUAL: dict[str, int] = {}
_WORD = INSTRUCTIONS.encode()
_FEW = 8
_AT_FIRST = 1 << 15
"""Bytes taken at once at the beginning of a log, so that its first rows are there soon."""
_BULK = 1 << 17
"""Bytes taken at once later: on frames of 8 KiB a quarter of this costs a tenth more time, twice saves nothing."""


class Indexer:
    """Takes the stretches of one log, in order, into ``columns`` and ``surface``.

    ``decoded`` counts the lines that were decoded whole.
    """

    def __init__(self, columns: Columns, counted: bool) -> None:
        self.columns = columns
        self.surface = Surface()
        self.unknown = UnknownTypes()
        self._sequencer = Sequencer(counted)
        self._header_seen = False
        self._held: list[Batch] = []
        self._size = 0
        self._enough = _AT_FIRST
        self.last_gap: Gap | None = None
        self.decoded = 0

    def take(self, batch: Batch) -> None:
        """The next complete lines; the first of all is the header. They count from the next :meth:`flush` on."""
        if not self._header_seen:
            self._header_seen = True
            start = batch.data.index(b"\n") + 1
            if start == len(batch.data):
                return
            batch = _moved(batch, start, batch.data[start:])
        self._held.append(batch)
        self._size += len(batch.data)
        if self._size >= self._enough:
            self.flush()
            self._enough = min(2 * self._enough, _BULK)

    def flush(self) -> None:
        """Put into the columns what was held back: frames are small, and many together go faster."""
        held, self._held, self._size = self._held, [], 0
        if len(held) > 1 and self._bulk(held):
            return
        for batch in held:
            self._stretch(batch)

    def end(self) -> None:
        """Nothing follows."""
        self.flush()
        for item in self._sequencer.flush():
            self.add(item)

    def _stretch(self, batch: Batch) -> None:
        """Lines in bulk, if they are usual; else by halves, so that one odd line costs its neighbours little."""
        if self._bulk([batch]):
            return
        count = batch.data.count(b"\n")
        if count > _FEW:
            lines = batch.data.split(b"\n", count // 2)
            cut = len(batch.data) - len(lines[-1])
            self._stretch(batch._replace(data=batch.data[:cut]))
            self._stretch(_moved(batch, cut, batch.data[cut:]))
            return
        for line in split(batch):
            self._slowly(line)

    def _bulk(self, batches: list[Batch]) -> bool:
        """Take lines whose numbers follow and whose types and operations are usual; do nothing if one is not."""
        text = batches[0].data if len(batches) == 1 else b"".join([batch.data for batch in batches])
        lines = BytesIO(text).readlines()
        heads = _heads(text, lines)
        first = self._sequencer.expected
        if heads is None or self._sequencer.waits:
            return False
        count = len(heads)
        if [head.seq for head in heads] != list(range(first, first + count)):
            return False
        kinds = [
            (PASSED if head.surface_op is None else SHOWN if head.surface_op == "append" else _UNUSUAL).get(
                head.type, 0
            )
            for head in heads
        ]
        if 0 in kinds or True in [head.ignorable for head in heads]:
            return False
        codes = bytes(kinds)
        flags = bytearray(codes.translate(FLAGS))
        for row in compress(range(count), codes.translate(MESSAGES)):
            if _speaks(lines[row]):
                flags[row] |= Flag.SPEAKS
        self.columns.extend(first, kinds, flags, *_places(batches, lines))
        shown = compress(range(first, first + count), flags.translate(APPENDS))
        if len(self.surface):
            self.surface.extend(shown)
        else:
            for seq in shown:
                self.surface.append(seq, heads[seq - first].type == "system/message")
        self._sequencer.expected = first + count
        return True

    def _slowly(self, line: Line) -> None:
        """The reader's way of taking a line."""
        self.decoded += 1
        for item in place(line, self._sequencer):
            self.add(item)

    def add(self, item: Placed | Gap) -> None:
        """The next row, or rows when it is a packed one."""
        if isinstance(item, Gap):
            self.last_gap = item
            self.columns.add_gap(item)
            return
        columns, placed, row, line = self.columns, item, item.row, item.line
        if row.type in PACKED_TYPES:
            kind = columns.kind_names.code("assistant/chunk")
            for nth in range(placed.length):
                columns.add(placed.first + nth, kind, Flag.EXPANDED, line.offset, line.inner)
            return
        if row.type not in KNOWN_TYPES and not row.ignorable:
            self.unknown.note(row.type)
        op = parse_surface_op(row.surface_op)
        flags = Flag.IGNORABLE if row.ignorable else Flag(0)
        if row.type in MATTERING_TYPES or (op is not None and op.op != "append"):
            flags |= Flag.MATTERS
        sources = NO_SEQS
        if row.type in MESSAGE_TYPES and _speaks(line.data):
            flags |= Flag.SPEAKS
        if op is not None:
            flags |= {"append": Flag.APPEND, "replace": Flag.REPLACE, "invalid": Flag.INVALID_OP}[op.op]
            sources = parse_sources(row.source_event_seqs)
        self.surface.note(placed.first, row.type, op, sources)
        columns.add(placed.first, columns.kind_names.code(row.type), flags, line.offset, line.inner)


def _speaks(line: bytes) -> bool:
    """Whether a row may hold instructions: written with escapes the word does not look like itself."""
    return _WORD in line or b"\\u" in line


def _heads(text: bytes, lines: list[bytes]) -> list[Head] | None:
    """The heads of all lines, ``None`` when one needs a closer look (or is blank); nothing else may be concluded."""
    if not _is_utf8(text):
        return None
    try:
        return list(map(decode_head, lines))
    except (msgspec.DecodeError, RecursionError):
        return None


def _places(batches: list[Batch], lines: list[bytes]) -> tuple[Iterable[int], Iterable[int]]:
    """Offset and inner byte of each line (given with line ends); nothing but C walks over the lines."""
    starts = accumulate(map(len, lines), initial=0)
    if not batches[0].zstd:
        # Batches of a plain log follow each other.
        return map(batches[0].offset.__add__, starts), ()
    counts = [batch.data.count(b"\n") for batch in batches]
    ends = accumulate([len(batch.data) for batch in batches], initial=0)
    bases = [batch.inner - end for batch, end in zip(batches, ends, strict=False)]
    offsets = chain.from_iterable(map(repeat, [batch.offset for batch in batches], counts))
    return offsets, map(add, starts, chain.from_iterable(map(repeat, bases, counts)))


def _moved(batch: Batch, by: int, data: bytes) -> Batch:
    """The rest of a batch, ``by`` bytes into it."""
    if batch.zstd:
        return Batch(batch.offset, batch.inner + by, data, True)
    return Batch(batch.offset + by, 0, data, False)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
