"""A line to type into that shows foreign text as safely as everything else does."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input

from scopetrace.report.display import same_length


class SafeInput(Input):
    """An :class:`Input` whose value may come from a file name or the clipboard: it is kept exact and shown safe."""

    @property
    def _value(self) -> Text:
        return Text(same_length(self.value), no_wrap=True, overflow="ignore", end="")
