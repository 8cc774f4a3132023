"""Writing a session, or one event of it, to stdout; shared by ``replay`` and by ``open`` without a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scopetrace.report import build
from scopetrace.report.json_text import timeline_json
from scopetrace.report.parts import info_doc
from scopetrace.report.text import frame_lines, timeline_lines

from .console import print_json, print_lines, width
from .opening import index_at

if TYPE_CHECKING:
    from scopetrace.model import TimelineView


def print_timeline(view: TimelineView, *, decisions: bool = False, every: bool = False, as_json: bool = False) -> None:
    """The whole session, piece by piece."""
    info, rows, totals = (
        info_doc(view.info),
        build.row_docs(view, decisions=decisions, every=every),
        build.totals_doc(view),
    )
    if as_json:
        for piece in timeline_json(info, rows, totals):
            sys.stdout.write(piece)
    else:
        print_lines(timeline_lines(info, rows, totals, width=width()))


def print_event(view: TimelineView, path: str, seq: int, *, as_json: bool = False) -> None:
    """One event in full. Raises ``CliError`` when the log has no such event."""
    frame = build.frame_doc(view, index_at(view, path, seq))
    if as_json:
        print_json(frame)
    else:
        print_lines(frame_lines(frame, width=width()))
