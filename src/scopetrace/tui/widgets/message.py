"""The Message pane."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content

from scopetrace.tui.present.diff import CONTEXT
from scopetrace.tui.present.layout import Pane
from scopetrace.tui.present.message import DIFFS, MessageView, message_lines
from scopetrace.tui.present.shown import Shown

from .lines import LineList
from .panes import PaneBox

CONTEXTS = (0, 1, 3, 6, 12, 25, 50, 100, 1000)
"""Lines around differences, step by step."""


class MessagePane(PaneBox):
    """What the model got, in five views. The content is made only while the pane is on the screen."""

    def __init__(self) -> None:
        super().__init__(Pane.MESSAGE)
        self.view = MessageView.TEXT
        self.wrap_text = True
        self.context = CONTEXT
        self._shown: Shown | None = None
        self._drawn: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """One list without a cursor."""
        yield LineList(id="message-list", has_cursor=False)

    @property
    def list(self) -> LineList:
        """The list inside."""
        return self.query_one(LineList)

    def on_mount(self) -> None:
        """Name the views."""
        super().on_mount()
        self._name_views()

    def show(self, shown: Shown) -> None:
        """Draw the present view of a step."""
        self._shown = shown
        self._draw()

    def turn(self) -> MessageView:
        """Go to the next view."""
        self.turn_to(self.view.next())
        return self.view

    def turn_to(self, view: MessageView) -> None:
        """Go to a view."""
        self.view = view
        self._name_views()
        self._draw()

    def widen_context(self, steps: int) -> None:
        """Show more or fewer lines around differences, in the views that compare."""
        place = next((n for n, lines in enumerate(CONTEXTS) if lines >= self.context), len(CONTEXTS) - 1)
        self.context = CONTEXTS[max(0, min(len(CONTEXTS) - 1, place + steps))]
        self._name_views()
        self._draw()

    def set_wrap(self, on: bool) -> None:
        """Wrap long lines, or let them be scrolled sideways."""
        self.wrap_text = on
        self._draw()

    def on_show(self) -> None:
        """Catch up with steps made while hidden."""
        self._draw()

    def on_resize(self) -> None:
        """Some views are laid out for the width."""
        self._draw()

    def _draw(self) -> None:
        width = self.list.row_width
        if self._shown is None or not self.display or width <= 0:
            return
        state = (id(self._shown.frame), self._shown.index, self.view, self.wrap_text, width, self.context)
        if state == self._drawn:
            return
        moved = self._drawn[1:3] != state[1:3]
        self._drawn = state
        lines = message_lines(self._shown, self.view, wrap_text=self.wrap_text, width=width, context=self.context)
        self.list.show(lines, top=moved)

    def _name_views(self) -> None:
        parts: list[tuple[str, str] | str] = []
        for view in MessageView:
            if parts:
                parts.append((" · ", "$st-guide"))
            name = f"{view.value} ±{self.context}" if view is self.view and view in DIFFS else view.value
            parts.append((name, "$st-accent bold" if view is self.view else "$st-dim"))
        self.border_subtitle = Content.assemble(*parts)
