"""A whole session as a file, in the format asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scopetrace.model import TimelineView

FORMATS = ("json", "md", "html")
_OTHER_SUFFIXES = {"markdown": "md", "htm": "html"}


def format_for(name: str, default: str = "json") -> str:
    """The format that a file name asks for."""
    suffix = name.rpartition(".")[2].lower()
    return _OTHER_SUFFIXES.get(suffix, suffix if suffix in FORMATS else default)


def exported(view: TimelineView, form: str) -> Iterator[str]:
    """The text of an export, piece by piece."""
    from scopetrace.report import build
    from scopetrace.report.parts import info_doc

    info, totals = info_doc(view.info), build.totals_doc(view)
    if form == "json":
        from scopetrace.report.json_text import timeline_json

        return timeline_json(info, build.row_docs(view, decisions=True, messages=True, every=True), totals)
    frames = build.telling_frames(view)
    if form == "md":
        from scopetrace.report.markdown import timeline_markdown

        return timeline_markdown(info, frames, totals)
    from scopetrace.report.html import timeline_html

    return timeline_html(info, frames, totals)
