"""One line of a log again, by its place: a few blocks or frames are kept, so that neighbours are cheap.

Memory: at most about 32 MB, whatever the log; one line above that is held while it is returned.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import BinaryIO

from .errors import from_os_error
from .frames import Limits, open_regular, read_full
from .source import Encoding, changed
from .zstdframes import FrameReader

BLOCK = 1 << 18
FRAME_LIMIT = 8 << 20
"""A frame that unpacks to more is not kept whole; a window moves over it, and going back begins it again."""
KEPT = 32 << 20


class _Window:
    """A moving part of one large frame."""

    def __init__(self, offset: int, reader: FrameReader) -> None:
        self.offset = offset
        self.pieces: Iterator[bytes] = reader.pieces(offset)
        self.start = 0
        self.data = bytearray()


class LineFetcher:
    """Reads lines of one log file by offset; safe to use from several threads. Holds nothing open."""

    def __init__(self, path: str, encoding: Encoding, limits: Limits, identity: tuple[int, int]) -> None:
        self._path, self._encoding, self._limits, self._identity = path, encoding, limits, identity
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._size = 0
        self._large: set[int] = set()
        self._window: _Window | None = None
        self._frames: FrameReader | None = None
        self._lock = Lock()

    def line(self, offset: int, inner: int = 0) -> bytes:
        """The line at a place, without its line end.

        Raises :class:`LogError` when there is none (any more) or the file is another one.
        """
        with self._lock:
            try:
                found = self._plain(offset) if self._encoding == "plain" else self._framed(offset, inner)
            except OSError as error:
                raise from_os_error(error, self._path) from None
        if found is None:
            raise changed(self._path, f"byte {offset}")
        return found

    def stored(self, offset: int, count: int) -> bytes:
        """At most ``count`` bytes of the file as they lie there. Raises :class:`LogError`."""
        with self._open() as file:
            try:
                file.seek(offset)
                return read_full(file, count)
            except OSError as error:
                raise from_os_error(error, self._path) from None

    def _open(self) -> BinaryIO:
        file = open_regular(self._path)
        status = os.fstat(file.fileno())
        if (status.st_dev, status.st_ino) != self._identity:
            file.close()
            raise changed(self._path, "", "another file has taken the place of the log")
        return file

    def _keep(self, key: int, data: bytes) -> None:
        self._size += len(data) - len(self._kept.pop(key, b""))
        self._kept[key] = data
        while self._size > KEPT and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])

    def _plain(self, offset: int) -> bytes | None:
        parts: list[bytes] = []
        number, start, size = offset // BLOCK, offset % BLOCK, 0
        while size <= self._limits.line + BLOCK:
            block = self._kept.get(number)
            end = -1 if block is None else block.find(b"\n", start)
            if block is None or (end < 0 and len(block) < BLOCK):
                # Not read yet, or the end of the file as it was: it may have grown.
                block = self._block(number)
                end = block.find(b"\n", start)
            if end >= 0:
                parts.append(block[start:end])
                return b"".join(parts)
            if len(block) < BLOCK:
                return None
            parts.append(block[start:])
            size += len(parts[-1])
            number, start = number + 1, 0
        return None

    def _block(self, number: int) -> bytes:
        with self._open() as file:
            file.seek(number * BLOCK)
            block = read_full(file, BLOCK)
        self._keep(number, block)
        return block

    def _framed(self, offset: int, inner: int) -> bytes | None:
        text = self._kept.get(offset)
        if text is not None:
            self._kept.move_to_end(offset)
            end = text.find(b"\n", inner)
            if end >= 0:
                return text[inner:end]
        with self._open() as file:
            if offset not in self._large:
                text = self._whole(file, offset)
                if text is not None:
                    self._keep(offset, text)
                    end = text.find(b"\n", inner)
                    return text[inner:end] if end >= 0 else None
                self._large.add(offset)
            return self._from_window(file, offset, inner)

    def _reader(self, file: BinaryIO) -> FrameReader:
        size = os.fstat(file.fileno()).st_size
        if self._frames is None:
            self._frames = FrameReader(file, size, self._limits)
        else:
            self._frames.refresh(file, size)
        return self._frames

    def forget(self) -> None:
        """Drop what is kept: the file's end was written anew."""
        with self._lock:
            self._kept.clear()
            self._large.clear()
            self._size, self._window, self._frames = 0, None, None

    def _whole(self, file: BinaryIO, offset: int) -> bytes | None:
        parts: list[bytes] = []
        size = 0
        for piece in self._reader(file).pieces(offset):
            parts.append(piece)
            size += len(piece)
            if size > FRAME_LIMIT:
                return None
        return b"".join(parts)

    def _from_window(self, file: BinaryIO, offset: int, inner: int) -> bytes | None:
        window, reader = self._window, self._reader(file)
        if window is None or window.offset != offset or inner < window.start:
            window = self._window = _Window(offset, reader)
        scanned = inner
        while True:
            begin = max(scanned, window.start) - window.start
            end = window.data.find(b"\n", begin)
            if end >= 0 and inner >= window.start:
                return bytes(window.data[inner - window.start : end])
            scanned = max(scanned, window.start + len(window.data))
            spare = min(inner, window.start + len(window.data)) - window.start - FRAME_LIMIT // 2
            if spare > 0:
                del window.data[:spare]
                window.start += spare
            piece = next(window.pieces, None)
            if piece is None or scanned - inner > self._limits.line:
                self._window = None
                return None
            window.data += piece
