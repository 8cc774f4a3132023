"""The whole texts of files, out of the messages that announced them.

A section ends where the next one begins, unless its text itself holds what looks like a beginning: the digest decides.
A hostile message holds a hundred thousand beginnings and as many changes, so each place is looked at a bounded number
of times. Source: ``formats/session-log.md`` section 7.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from scopetrace.engine.text import FRAME_CLOSE, FRAME_CLOSE_ESCAPED, escape_frame, utf8_bytes
from scopetrace.model import Change

_START = re.compile("(Instructions|Additional instructions|Updated instructions) from: |Instructions removed: ")
_MARK = "\n\n"
LONGEST_PATH = 8192
MOST_ENDS = 32
"""Places at which a section is supposed to end before it counts as cut."""
MOST_BEGINS = 32
"""Sections with the same heading, in one block, that are looked at."""


class RecordedTexts:
    """The texts that one message holds of the files that its changes announce."""

    def __init__(self, blocks: Sequence[str], changes: Iterable[Change]) -> None:
        self._blocks = tuple(map(_Block, blocks))
        self._wanted: dict[str, set[str]] = {}
        self._found: dict[str, dict[str, str]] = {}
        for change in changes:
            if change.digest:
                self._wanted.setdefault(change.path, set()).add(change.digest)

    def of(self, change: Change) -> str | None:
        """The whole text of the file; ``None`` when it is not there byte for byte."""
        if change.path not in self._found:
            self._found[change.path] = self._look(change.path)
        return self._found[change.path].get(change.digest or "")

    def _look(self, path: str) -> dict[str, str]:
        """The wanted texts of a path, by digest: one search for all changes that name it."""
        found: dict[str, str] = {}
        wanted = self._wanted.get(path, set())
        for block in self._blocks:
            for digest, begin, end, escaped in block.sections(escape_frame(path)):
                if digest in wanted and digest not in found:
                    found[digest] = block.cut(begin, end, escaped)
                    if len(found) == len(wanted):
                        return found
        return found


_Section = tuple[str, int, int, bool]
"""Digest, begin, end, and whether the frame's tag is escaped in it."""


class _Block:
    """One block of text; nothing is looked for before it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._begins: dict[str, list[tuple[int, bool]]] | None = None
        self._ends: list[int] = []

    def cut(self, begin: int, end: int, escaped: bool) -> str:
        """The text of a section."""
        text = self._text[begin:end]
        return text.replace(FRAME_CLOSE_ESCAPED, FRAME_CLOSE) if escaped else text

    def _index(self) -> dict[str, list[tuple[int, bool]]]:
        """Where sections begin, by the first line of their path, and (kept beside) where they may end."""
        begins: dict[str, list[tuple[int, bool]]] = {}
        for start in _START.finditer(self._text):
            if self._text.endswith(_MARK, 0, start.start()):
                self._ends.append(start.start() - len(_MARK))
            stop = self._text.find(_MARK, start.end(), start.end() + LONGEST_PATH)
            if stop >= 0 and start[1]:
                places = begins.setdefault(self._text[start.end() : stop], [])
                places.append((start.end(), start[1] != "Instructions"))
        return begins

    def sections(self, path: str) -> Iterator[_Section]:
        """Every text that the sections of a path (escaped) may have, the likeliest first."""
        if self._begins is None:
            self._begins = self._index()
        heading = path + _MARK
        places = self._begins.get(heading.partition(_MARK)[0], ())
        for at, has_sentence in places[:MOST_BEGINS]:
            if not self._text.startswith(heading, at):
                continue
            begin = at + len(heading)
            if has_sentence:
                sentence = self._text.find(_MARK, begin)
                if sentence < 0:
                    continue
                begin = sentence + len(_MARK)
            yield from self._texts(begin)

    def _texts(self, begin: int) -> Iterator[_Section]:
        first = bisect_left(self._ends, begin - len(_MARK))
        ends = self._ends[first : first + MOST_ENDS]
        if len(ends) < MOST_ENDS:
            close = self._text.rfind(f"\n{FRAME_CLOSE}", begin)
            ends = sorted({*ends, close if close >= 0 else len(self._text)})
        exact, plain = hashlib.sha1(usedforsecurity=False), hashlib.sha1(usedforsecurity=False)
        here = begin
        for end in ends:
            # The mark that parts sections holds no part of a frame's tag, so pieces can be hashed one by one.
            piece = self._text[here:end]
            exact.update(utf8_bytes(piece))
            plain.update(utf8_bytes(piece.replace(FRAME_CLOSE_ESCAPED, FRAME_CLOSE)))
            here = max(here, end)
            yield exact.hexdigest(), begin, end, False
            yield plain.hexdigest(), begin, end, True
