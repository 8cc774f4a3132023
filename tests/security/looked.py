"""A workspace opened and looked at from every side, so that what cannot be shown safely fails any test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scopetrace.model import CandidateState, Decision, Outcome
from scopetrace.replay.plain import open_workspace
from scopetrace.replay.whatif import candidates
from scopetrace.report import build
from scopetrace.report.html import timeline_html
from scopetrace.report.json_text import to_json
from scopetrace.report.parts import info_doc
from scopetrace.report.text import show_lines


class Looked:
    """A workspace opened, with one touch or more, looked at from every side."""

    def __init__(self, ws: Path, *touches: str, fs: Any = None, follow_outside: bool = True) -> None:
        home = str(ws.parent / "home")
        self.view = open_workspace(ws, home=home, environ={}, touches=touches, fs=fs, follow_outside=follow_outside)
        self.last = len(self.view) - 1
        for index in range(len(self.view)):
            document = build.show_doc(self.view, index)
            to_json(document).encode("ascii")
            for item in show_lines(document, decisions=True, text=True):
                assert item.text.isprintable() or item.text == "", item.text
        "".join(
            timeline_html(info_doc(self.view.info), build.telling_frames(self.view), build.totals_doc(self.view))
        ).encode()
        self.decisions: list[Decision] = [
            one for index in range(len(self.view)) for one in self.view.frame(index).decisions
        ]

    @property
    def candidates(self) -> dict[str, CandidateState]:
        return {one.path: one for one in candidates(self.view.tree(self.last))}

    def outcomes(self, path: str) -> list[Outcome]:
        return [one.outcome for one in self.decisions if one.path == path]

    def first(self, path: str, outcome: Outcome) -> Decision:
        return next(one for one in self.decisions if one.path == path and one.outcome is outcome)

    @property
    def told(self) -> str:
        """All text that the model would be given."""
        return "\n".join(
            block for i in range(len(self.view)) for one in self.view.frame(i).messages for block in one.blocks
        )
