"""Printing a session while it is written, until the user stops it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from scopetrace.report import build
from scopetrace.report.display import safe_line
from scopetrace.report.json_text import plain
from scopetrace.report.lines import line
from scopetrace.report.parts import info_doc
from scopetrace.report.text import row_lines, title_lines
from scopetrace.sessions.follow import RotationKind

from .console import print_lines, width

if TYPE_CHECKING:
    from scopetrace.replay import Timeline
    from scopetrace.report.documents import RowDoc
    from scopetrace.sessions import Rotation

POLL_SECONDS = 0.25


class Follower:
    """What was printed of one log, so that only what is new or has changed is printed next."""

    def __init__(self, view: Timeline, *, decisions: bool, every: bool, as_json: bool) -> None:
        self.view = view
        self._decisions, self._every, self._as_json = decisions, every, as_json
        self._rows = 0
        self._verdicts: dict[int, str] = {}
        self._told: Rotation | None = None

    def begin(self) -> None:
        """What is replayed."""
        info = info_doc(self.view.info)
        if self._as_json:
            self._json({"info": plain(info)})
        else:
            print_lines([*title_lines(info), line("")])

    def look(self) -> str | None:
        """Print what has been written since; the path of the log that has taken this one's place, if one has.

        Raises :class:`~scopetrace.sessions.LogError`.
        """
        view = self.view
        view.advance()
        known, self._rows = self._rows, len(view)
        self._print(self._settled_otherwise(known), again=True)
        self._print(range(known, len(view)), again=False)
        sys.stdout.flush()
        return self._turned(view.rotation)

    def _settled_otherwise(self, known: int) -> list[int]:
        """Rows printed already whose messages compare otherwise, now that more of the log is known."""
        view, found = self.view, []
        for one in build.shown_comparisons(view).values():
            row = view.index_of(one.seq)
            if row is not None and row < known and self._verdicts.get(one.seq) != one.verdict.value:
                found.append(row)
        return found

    def _print(self, rows: Iterable[int], *, again: bool) -> None:
        for row in build.row_docs(self.view, decisions=self._decisions, every=self._every, rows=rows):
            if row.verdict is not None:
                self._verdicts[row.seq] = row.verdict
            self._say(row, again=again)

    def _say(self, row: RowDoc, *, again: bool) -> None:
        if self._as_json:
            self._json({"row": plain(row), "again": again})
            return
        if again:
            print_lines([line((f"{' ' * 9}again, now that more of the log is known:", "dim"))])
        print_lines(row_lines(row, width=width()))

    @staticmethod
    def _json(value: object) -> None:
        sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")

    def _turned(self, rotation: Rotation | None) -> str | None:
        told, self._told = self._told, rotation
        if rotation is None:
            return None
        if rotation.error is None and rotation.kind is not RotationKind.GONE:
            return rotation.path
        if told is None or told.kind is not rotation.kind:
            said = f"{rotation.reason}{f', but it cannot be read: {rotation.error}' if rotation.error else ''}"
            sys.stderr.write(f"scopetrace: {safe_line(said)}\n")
        return None


def follow(
    prepare: Callable[[str], Timeline],
    path: str,
    *,
    decisions: bool,
    every: bool,
    as_json: bool,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Print a session and go on while it is written; ends with the interrupt. Raises ``LogError``."""
    printed = Follower(prepare(path), decisions=decisions, every=every, as_json=as_json)
    printed.begin()
    while True:
        turned = printed.look()
        if turned is not None:
            sys.stderr.write(f"scopetrace: the session goes on in {safe_line(turned)}\n")
            printed = Follower(prepare(turned), decisions=decisions, every=every, as_json=as_json)
            printed.begin()
        wait(POLL_SECONDS)
