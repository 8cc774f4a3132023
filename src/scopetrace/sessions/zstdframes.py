"""Independent zstd frames in a row: unpack, verify, and find the way again after damage.

Source: ``formats/session-log.md`` section 2, RFC 8878 (frame magics, skippable frames). Lines of a frame are handed out
only after its checksum proved right, unless the frame is larger than :attr:`Limits.held`.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from .frames import CHUNK, ZSTD_MAGIC, Batch, Gap, GapKind, Limits, LineCutter

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

_SKIPPABLE = b"\x2a\x4d\x18"
_OUTPUT = 1 << 20
_BLOCK = 1 << 20
_FIRST_INPUT = 1 << 12


def is_zstd(head: bytes) -> bool:
    """Whether these first bytes of a file start a zstd frame."""
    return head[:4] == ZSTD_MAGIC or _is_skippable(head)


def _is_skippable(head: bytes) -> bool:
    return len(head) >= 4 and head[1:4] == _SKIPPABLE and 0x50 <= head[0] <= 0x5F


@dataclass(slots=True)
class _Outcome:
    """How a frame ended: ``whole``, ``torn`` (the file ended first) or ``bad``; ``end`` is the byte after it."""

    state: str = "torn"
    end: int = 0
    reason: str = ""
    kind: GapKind = GapKind.CORRUPT_FRAME


class FrameReader:
    """Reads the frames of one file, front to back. ``frames`` counts the whole ones so far."""

    def __init__(self, file: BinaryIO, size: int, limits: Limits) -> None:
        self._file, self._size, self._limits = file, size, limits
        self._block, self._block_start = b"", 0
        self._rescan_left = limits.rescan_ratio * size + (16 << 20)
        self.frames = 0

    def batches(self, start: int = 0) -> Iterator[Batch | Gap]:
        """Complete lines from the frame at byte ``start`` on, with a :class:`Gap` for all that is lost."""
        at = start
        while at < self._size:
            head = self._read(at, 8)
            if _is_skippable(head):
                at = yield from self._skippable(at, head)
            elif head[:4] == ZSTD_MAGIC:
                at = yield from self._frame(at)
            elif len(head) < 4 and ZSTD_MAGIC.startswith(head):
                yield Gap(GapKind.TORN_TAIL, at, "the last frame is cut off in its first bytes", self._size - at)
                return
            else:
                at = yield from self._lost(at, at, GapKind.GARBAGE, "bytes that are no zstd frame")

    def _skippable(self, at: int, head: bytes) -> Generator[Gap, None, int]:
        end = at + 8 + int.from_bytes(head[4:8], "little")
        if len(head) < 8 or end > self._size:
            yield Gap(GapKind.TORN_TAIL, at, "the last (skippable) frame is cut off", self._size - at)
            return self._size
        return end

    def _frame(self, at: int) -> Generator[Batch | Gap, None, int]:
        cutter = LineCutter(at, True, self._limits)
        outcome = _Outcome()
        held: list[Batch | Gap] = []
        size = 0
        for chunk in self._unpack(at, outcome):
            size += len(chunk)
            held.extend(cutter.feed(chunk))
            if size > self._limits.held:
                yield from held
                held.clear()
        if outcome.state == "whole":
            self.frames += 1
            yield from held
            yield from cutter.end("a frame ends inside a line; the rest of the line is lost", GapKind.CORRUPT_FRAME)
            return outcome.end
        if outcome.state == "torn":
            after = self._next_whole(at + 4)
            if after is None:
                yield from held
                offset, inner = cutter.rest_place
                reason = "the last frame is cut off; its complete lines were kept"
                yield Gap(GapKind.TORN_TAIL, offset, reason, self._size - at, inner)
                return self._size
            outcome.reason = "a frame is cut off and others follow it"
        if size > self._limits.held:
            outcome.reason += f"; {size} unpacked bytes of it were handed out unverified"
        return (yield from self._lost(at, at + 4, outcome.kind, outcome.reason))

    def _lost(self, at: int, search: int, kind: GapKind, reason: str) -> Generator[Gap, None, int]:
        """Report what lies between ``at`` and the next whole frame, and go on there."""
        found = self._next_whole(search)
        end = self._size if found is None else found
        if kind is GapKind.GARBAGE and self._only_zeros(at, end):
            kind = GapKind.PADDING if found is None else kind
            reason = "zero bytes"
        where = "up to the end of the file" if found is None else f"up to the frame at byte {end}"
        yield Gap(kind, at, f"{reason}; {end - at} bytes passed over, {where}", end - at)
        return end

    def _next_whole(self, start: int) -> int | None:
        """Where the next frame starts that is whole, or at least starts well and runs to the end of the file."""
        torn: int | None = None
        for candidate in self._magics(start):
            outcome = _Outcome()
            unpacked = 0
            for chunk in self._unpack(candidate, outcome):
                unpacked += len(chunk)
                self._rescan_left -= len(chunk)
                if self._rescan_left < 0:
                    return None
                if unpacked > self._limits.held:
                    return candidate
            self._rescan_left -= max(outcome.end - candidate, 1 << 14)
            if outcome.state == "whole":
                return candidate
            if outcome.state == "torn" and torn is None and unpacked:
                torn = candidate
        return torn

    def _magics(self, start: int) -> Iterator[int]:
        at, keep = start, b""
        while chunk := self._read(at, CHUNK):
            data = keep + chunk
            found = data.find(ZSTD_MAGIC)
            while found >= 0:
                yield at - len(keep) + found
                found = data.find(ZSTD_MAGIC, found + 1)
            at += len(chunk)
            keep = data[-3:]

    def _unpack(self, start: int, outcome: _Outcome) -> Iterator[bytes]:
        """Unpack the frame at ``start`` piece by piece; ``outcome`` is filled in when the pieces end."""
        decompressor = ZstdDecompressor()
        # What is fed beyond the end of a frame is copied by the decompressor, so small frames get small pieces.
        at, unpacked, count = start, 0, _FIRST_INPUT
        try:
            while not decompressor.eof:
                data = b""
                if decompressor.needs_input:
                    data = self._read(at, count)
                    at += len(data)
                    count = min(count * 4, CHUNK)
                    if not data:
                        outcome.state, outcome.end = "torn", at
                        return
                piece = decompressor.decompress(data, max_length=_OUTPUT)
                unpacked += len(piece)
                if unpacked > self._limits.bomb_size and unpacked > self._limits.bomb_ratio * (at - start):
                    outcome.state, outcome.end, outcome.kind = "bad", at, GapKind.TOO_LARGE
                    outcome.reason = f"a frame of few bytes unpacks to more than {unpacked} and was given up"
                    return
                if piece:
                    yield piece
        except ZstdError as error:
            outcome.state, outcome.end = "bad", at
            outcome.reason = f"a frame is damaged ({str(error).rpartition(': ')[2].rstrip('.').lower()})"
            return
        outcome.state, outcome.end = "whole", at - len(decompressor.unused_data)

    def _only_zeros(self, start: int, end: int) -> bool:
        at = start
        while at < end:
            chunk = self._read(at, min(CHUNK, end - at))
            if not chunk or chunk.strip(b"\0"):
                return False
            at += len(chunk)
        return True

    def _read(self, at: int, count: int) -> bytes:
        """At most ``count`` bytes from ``at``; fewer only at the end of the file."""
        begin = at - self._block_start
        if begin < 0 or begin + count > len(self._block):
            self._file.seek(at)
            parts, wanted = [], max(count, _BLOCK)
            while wanted and (part := self._file.read(wanted)):
                parts.append(part)
                wanted -= len(part)
            self._block, self._block_start, begin = b"".join(parts), at, 0
        return self._block[begin : begin + count]
