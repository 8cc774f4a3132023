"""The one value that the main screen hands to its panes."""

from __future__ import annotations

from dataclasses import dataclass

from scopetrace.model import Frame, ScopeNode, TimelineView

from .timeline import TimelineMarks


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything a pane may draw of one step. ``error`` says why the step could not be computed."""

    timeline: TimelineView
    marks: TimelineMarks
    index: int
    frame: Frame
    tree: tuple[ScopeNode, ...]
    error: str = ""


def shown_at(timeline: TimelineView, marks: TimelineMarks, index: int) -> Shown:
    """The step at an index. A step that cannot be computed is empty and carries the error; others still work."""
    try:
        return Shown(timeline, marks, index, marks.frame(index), timeline.tree(index))
    except Exception as error:
        seq = timeline.row(index).seq
        frame = Frame(index, seq, (), (), (), (), (), (), (), "", "", agrees_so_far=False)
        return Shown(timeline, marks, index, frame, (), error=str(error) or type(error).__name__)
