"""The bordered place that every pane of the main screen stands in."""

from __future__ import annotations

from textual import events
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from scopetrace.tui.present.layout import Pane, Shape, tab_at, tab_titles
from scopetrace.tui.present.spans import Line


def title_content(line: Line) -> Content:
    """A line as the title of a border; its text was made safe and is never markup."""
    return Content.assemble(*((text, f"$st-{role}" + (" bold" if role == "strong" else "")) for text, role in line))


class PaneBox(Vertical):
    """A bordered place with a title, a summary below and one content."""

    pane: Pane

    class Switch(Message):
        """Another pane of the same place was asked for by a click on its name."""

        def __init__(self, pane: Pane) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, pane: Pane) -> None:
        super().__init__(id=pane.value, classes="pane")
        self.pane = pane
        self._shape = Shape.WIDE
        self._summary = ("", "")

    def on_mount(self) -> None:
        """Titles show from the start."""
        self.reshape(self._shape)

    def reshape(self, shape: Shape) -> None:
        """Take the title for a shape of the screen."""
        self._shape = shape
        self.border_title = title_content(tab_titles(self.pane, shape))

    def summarise(self, text: str, role: str = "dim") -> None:
        """The words in the lower border, safe already."""
        if (text, role) == self._summary:
            return  # else the whole pane would be painted again
        self._summary = (text, role)
        self.border_subtitle = Content.styled(text, f"$st-{role}") if text else None

    def on_click(self, event: events.Click) -> None:
        """A click on a name in the title brings that pane to the front."""
        if event.y == 0 and event.widget is self:
            wanted = tab_at(self.pane, self._shape, event.x - 2)
            if wanted is not None:
                self.post_message(self.Switch(wanted))
