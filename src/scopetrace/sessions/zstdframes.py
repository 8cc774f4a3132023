"""Independent zstd frames in a row: unpack, verify, and find the way again after damage.

Source: ``formats/session-log.md`` section 2, RFC 8878 (frame magics, skippable frames). Lines of a frame are handed out
only after its checksum proved right, unless the frame is larger than :attr:`Limits.held`.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from .frames import CHUNK, ZSTD_MAGIC, Batch, Gap, GapKind, Limits, LineCutter, Pause, read_full

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, get_frame_size
else:
    from backports.zstd import ZstdDecompressor, ZstdError, get_frame_size

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
    """Reads the frames of one file, front to back. ``frames`` counts the whole ones so far.

    ``live`` says that the file may grow: at the end of what is there a pass pauses, and the complete lines of an
    unfinished frame are handed out before its checksum is known. ``safe`` is the start of the frame that is not yet
    whole, ``handed`` how many unpacked bytes of it were handed out. While a pass stands still, :meth:`refresh` tells it
    of a file opened anew.
    """

    def __init__(self, file: BinaryIO, size: int, limits: Limits, live: bool = False) -> None:
        self._file, self._limits, self._live = file, limits, live
        self._block, self._block_start = b"", 0
        self._size, self._rescan_left = 0, 0
        self.frames, self.safe, self.handed = 0, 0, 0
        self.refresh(file, size)

    def refresh(self, file: BinaryIO, size: int) -> None:
        """Go on with this opening of the same file, which has ``size`` bytes now."""
        if size != self._size:
            self._block = b""
        self._file, self._size = file, size
        self._rescan_left = self._limits.rescan_ratio * size + (16 << 20)

    def batches(self, start: int = 0) -> Iterator[Batch | Gap | Pause]:
        """Complete lines from the frame at byte ``start`` on, with a :class:`Gap` for all that is lost."""
        at = start
        while True:
            self.safe, self.handed = at, 0
            head = self._read(at, 8) if at < self._size else b""
            if not head:
                if not self._live:
                    return
                yield Pause.END
            elif _is_skippable(head):
                at = yield from self._skippable(at, head)
            elif head[:4] == ZSTD_MAGIC:
                data, end = self._small(at)
                if end:
                    self.frames += 1
                    at = end
                    yield Batch(self.safe, 0, data, True)
                else:
                    at = yield from self._frame(at)
            elif len(head) < 4 and self._live:
                yield Pause.END
            elif len(head) < 4 and ZSTD_MAGIC.startswith(head):
                yield Gap(GapKind.TORN_TAIL, at, "the last frame is cut off in its first bytes", self._size - at)
                return
            else:
                at = yield from self._lost(at, at, GapKind.GARBAGE, "bytes that are no zstd frame")

    def _small(self, at: int) -> tuple[bytes, int]:
        """A whole frame of whole lines that is in memory, in one go, and where it ends; 0 for all others."""
        begin = at - self._block_start
        try:
            end = begin + get_frame_size(memoryview(self._block)[begin:])
            if end - begin > CHUNK:
                return b"", 0
            decompressor = ZstdDecompressor()
            data = decompressor.decompress(self._block[begin:end], max_length=_OUTPUT)
        except ZstdError:
            return b"", 0
        usual = decompressor.eof and data.endswith(b"\n") and len(data) <= self._limits.line
        return (data, end + self._block_start) if usual else (b"", 0)

    def pieces(self, start: int) -> Iterator[bytes]:
        """What the frame at ``start`` unpacks to, as far as it goes."""
        return self._unpack(start, _Outcome())

    def _skippable(self, at: int, head: bytes) -> Generator[Gap | Pause, None, int]:
        end = at + 8 + int.from_bytes(head[4:8], "little")
        while self._live and (len(head) < 8 or end > self._size):
            yield Pause.END
            head = self._read(at, 8)
            end = at + 8 + int.from_bytes(head[4:8], "little")
        if len(head) < 8 or end > self._size:
            yield Gap(GapKind.TORN_TAIL, at, "the last (skippable) frame is cut off", self._size - at)
            return self._size
        return end

    def _frame(self, at: int) -> Generator[Batch | Gap | Pause, None, int]:
        cutter = LineCutter(at, True, self._limits)
        outcome = _Outcome()
        held: list[Batch | Gap] = []
        size, search = 0, at + 4
        for chunk in self._unpack(at, outcome, self._live):
            size += len(chunk)
            held.extend(cutter.feed(chunk))
            if size > self._limits.held or not chunk:
                yield from held
                held.clear()
                self.handed = size
            if not chunk:
                found, search = self._next_whole(search)
                if found is not None:
                    outcome.state, outcome.end = "torn", found
                    break
                yield Pause.END
        if outcome.state == "whole":
            self.frames += 1
            yield from held
            yield from cutter.end("a frame ends inside a line; the rest of the line is lost", GapKind.CORRUPT_FRAME)
            return outcome.end
        if outcome.state == "torn":
            after = outcome.end if self._live else self._next_whole(at + 4)[0]
            if after is None:
                yield from held
                offset, inner = cutter.rest_place
                reason = "the last frame is cut off; its complete lines were kept"
                yield Gap(GapKind.TORN_TAIL, offset, reason, self._size - at, inner)
                return self._size
            outcome.reason = "a frame is cut off and others follow it"
        if self.handed:
            outcome.reason += f"; {self.handed} unpacked bytes of it were handed out unverified"
        return (yield from self._lost(at, at + 4, outcome.kind, outcome.reason))

    def _lost(self, at: int, search: int, kind: GapKind, reason: str) -> Generator[Gap | Pause, None, int]:
        """Report what lies between ``at`` and the next whole frame, and go on there."""
        found, search = self._next_whole(search)
        while found is None and self._live:
            yield Pause.END
            found, search = self._next_whole(search)
        end = self._size if found is None else found
        if kind is GapKind.GARBAGE and self._only_zeros(at, end):
            kind = GapKind.PADDING if found is None else kind
            reason = "zero bytes"
        where = "up to the end of the file" if found is None else f"up to the frame at byte {end}"
        yield Gap(kind, at, f"{reason}; {end - at} bytes passed over, {where}", end - at)
        return end

    def _next_whole(self, start: int) -> tuple[int | None, int]:
        """Where the next frame starts that is whole, or at least starts well and runs to the end of the file.

        The second number is where to search on when the file has grown; in a living file only whole frames count.
        """
        torn: int | None = None
        again: int | None = None
        for candidate in self._magics(start):
            outcome = _Outcome()
            unpacked = 0
            for chunk in self._unpack(candidate, outcome):
                unpacked += len(chunk)
                self._rescan_left -= len(chunk)
                if self._rescan_left < 0:
                    return None, candidate
                if unpacked > self._limits.held:
                    return candidate, candidate
            self._rescan_left -= max(outcome.end - candidate, 1 << 14)
            if outcome.state == "whole":
                return candidate, candidate
            if outcome.state == "torn":
                again = candidate if again is None else again
                torn = candidate if torn is None and unpacked and not self._live else torn
        return torn, max(start, self._size - 3) if again is None else again

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

    def _unpack(self, start: int, outcome: _Outcome, wait: bool = False) -> Iterator[bytes]:
        """Unpack the frame at ``start`` piece by piece; ``outcome`` is filled in when the pieces end.

        With ``wait`` an empty piece says that the file ends here, and the next piece is what has been written since.
        """
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
                    if not data and wait:
                        yield b""
                        continue
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
            block = read_full(self._file, max(count, _BLOCK))
            self._block, self._block_start, begin = block, at, 0
        return self._block[begin : begin + count]
