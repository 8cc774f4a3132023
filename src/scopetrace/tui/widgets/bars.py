"""One-line bars: title, status, footer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from scopetrace.tui.actions import fitting_items, footer_items
from scopetrace.tui.keymap import keys_in_force
from scopetrace.tui.present.spans import EMPTY, Line, Span, clip

from .paint import COMPONENTS, Painter


class Bar(Painter, Widget):
    """A line across the screen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENTS
    DEFAULT_CSS = """
    Bar { height: 1; width: 1fr; background: $st-bar; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._line: Line = EMPTY

    def show(self, line: Line) -> None:
        """Show another line; cut at the right edge."""
        if line != self._line:
            self._line = line
            self.refresh()

    def line_for(self, width: int) -> Line:
        """What is drawn at a width."""
        return clip(self._line, width)

    def render_line(self, y: int) -> Strip:
        """The line, padded."""
        width = self.size.width
        line = self.line_for(width) if y == 0 else EMPTY
        return self.strip_of(line).crop_extend(0, width, self.cell_style(""))


class KeyBar(Bar):
    """The footer: the keys that work here, from the table of actions. A click does what the key does."""

    def __init__(
        self,
        *,
        id: str | None = None,
        targets: Sequence[str] = ("main",),
        instead: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """``targets`` belong to the screen; ``instead`` maps panes to the target whose actions count for them."""
        super().__init__(id=id)
        self._targets = tuple(targets)
        self._instead = instead
        self._focused = ""
        self._places: list[tuple[int, int, str]] = []

    def show_keys(self, focused: str) -> None:
        """Show the keys of the pane that has the focus."""
        if focused != self._focused:
            self._focused = focused
            self.refresh()

    def line_for(self, width: int) -> Line:
        """As many keys as fit; what the focused pane adds, help and quit stay longest."""
        focused = self._instead.get(self._focused, self._focused)
        items, gap = fitting_items(footer_items(focused, self._targets, keys_in_force(self.app)), width)
        out: list[Span] = []
        self._places = []
        at = 0
        for number, item in enumerate(items, 1):
            spans = (
                Span(f" {item.keys}", "key"),
                Span(f" {item.word}{' ' * gap if number < len(items) else ''}", "dim"),
            )
            size = sum(cell_len(span.text) for span in spans)
            self._places.append((at, at + size, item.action))
            out.extend(spans)
            at += size
        return clip(tuple(out), width)

    async def on_click(self, event: events.Click) -> None:
        """Run the action whose key stands there."""
        for start, end, action in self._places:
            if start <= event.x < end:
                await self.screen.run_action(action)
                return
