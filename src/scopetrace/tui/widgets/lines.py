"""The one list: virtual rows over a line source, for timeline, decisions, scopes, budget, exact text and diff.

Rows are laid out when they come into view, so a million of them cost no more than a screenful. The row under the
cursor may open details below itself; every other row is one line high, which keeps the mapping from line to row a
subtraction.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.present.spans import Line, Lines, StaticLines
from scopetrace.tui.present.text import TextLines

from .paint import COMPONENTS, Painter

CACHED_STRIPS = 512


class LineList(Painter, ScrollView, can_focus=True, inherit_bindings=False):
    """A scrolling list over a :class:`Lines` source.

    With ``has_cursor`` off (exact text) the movement keys scroll. Rows are never wrapped here: a source that wraps
    gives one row a line (:class:`TextLines`).
    """

    ALLOW_SELECT = False
    STRONG_CURSOR: ClassVar[bool] = False
    """Draw the cursor row as in a focused list, for lists whose keys stay in a field above them."""
    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENTS
    BINDINGS = bindings_for("lines")

    cursor: reactive[int] = reactive(0, repaint=False)

    class Moved(Message):
        """The cursor rests on another row, moved by the user."""

        def __init__(self, sender: LineList, index: int) -> None:
            super().__init__()
            self.sender = sender
            self.index = index

        @property
        def control(self) -> LineList:
            """The list."""
            return self.sender

        def can_replace(self, message: Message) -> bool:
            """Only the last of several movements counts."""
            return isinstance(message, LineList.Moved) and message.sender is self.sender

    class Chosen(Message):
        """Enter or a second click on the row under the cursor."""

        def __init__(self, sender: LineList, index: int) -> None:
            super().__init__()
            self.sender = sender
            self.index = index

        @property
        def control(self) -> LineList:
            """The list."""
            return self.sender

    def __init__(self, *, has_cursor: bool = True, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._source: Lines = StaticLines()
        self._has_cursor = has_cursor
        self._details: tuple[Line, ...] = ()
        self._cache: dict[tuple[int, int, str], Strip] = {}
        self._drawn: dict[int, Strip] = {}

    # -- content

    @property
    def source(self) -> Lines:
        """What is shown."""
        return self._source

    def show(self, source: Lines, *, cursor: int | None = None, top: bool = False) -> None:
        """Show another source. The cursor stays where it is unless ``cursor`` says otherwise; nothing is announced."""
        self._source = source
        wanted = self.cursor if cursor is None else cursor
        self.set_reactive(LineList.cursor, self._clamp(wanted))
        self.renew()
        if top:
            self.scroll_to(0, 0, animate=False, immediate=True)
        elif self._has_cursor:
            self.show_cursor()

    def renew(self) -> None:
        """The source says something else now: forget drawn strips, take its new length."""
        self._cache.clear()
        self._measure()
        self.refresh_changed()

    def refresh_changed(self) -> None:
        """Have those lines of the screen painted again that look otherwise now: most steps change few."""
        height, drawn = self.size.height, self._drawn
        lines = [y for y in range(height) if y not in drawn or drawn[y] != self._strip_at(y)]
        if len(lines) == height:
            self.refresh()
        elif lines:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in lines))

    def _measure(self) -> None:
        width = self.row_width
        if isinstance(self._source, TextLines):
            self._source.layout(width)
        count = len(self._source)
        self._details = ()
        if self._has_cursor and count and width:
            self._details = tuple(self._source.details(min(self.cursor, count - 1), width))
        # As high as the pane at least: a list that fits does not have the screen laid out again when it changes.
        size = Size(self._source.natural_width or 0, max(count + len(self._details), self.page_height))
        if size != self.virtual_size:
            self.virtual_size = size

    @property
    def row_width(self) -> int:
        """Cells of a row. A scrollbar's column is kept free, so that rows do not jump when one appears."""
        return max(0, self.scrollable_content_region.width)

    @property
    def page_height(self) -> int:
        """Lines that are on the screen at once."""
        return max(0, self.scrollable_content_region.height)

    def _clamp(self, index: int) -> int:
        return max(0, min(len(self._source) - 1, index))

    def on_resize(self, event: events.Resize) -> None:
        """Rows are as wide as the pane."""
        self._drawn.clear()
        self.renew()
        if self._has_cursor:
            self.show_cursor()

    def notify_style_update(self) -> None:
        """Another theme: draw again."""
        super().notify_style_update()
        self._cache.clear()
        self._drawn.clear()

    # -- drawing

    def row_at(self, y: int) -> tuple[int, int]:
        """``(row, detail)`` at a line of the whole list; ``detail`` is -1 on the row itself."""
        opened = len(self._details)
        if y <= self.cursor or not opened:
            return y, -1
        if y <= self.cursor + opened:
            return self.cursor, y - self.cursor - 1
        return y - opened, -1

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        strip = self._drawn[y] = self._strip_at(y)
        return strip

    def _strip_at(self, y: int) -> Strip:
        scroll_x, scroll_y = self.scroll_offset
        width = self.row_width
        row, detail = self.row_at(scroll_y + y)
        if row >= len(self._source):
            return Strip.blank(width, self.cell_style(""))
        ground = ""
        if self._has_cursor and row == self.cursor and detail < 0 and self._source.selectable(row):
            ground = "cursor" if self.has_focus or self.STRONG_CURSOR else "cursor-blur"
        if detail >= 0:
            strip = self.strip_of(self._details[detail])
        else:
            key = (row, width, ground)
            cached = self._cache.get(key)
            if cached is None:
                if len(self._cache) >= CACHED_STRIPS:
                    self._cache.clear()
                cached = self._cache[key] = self.strip_of(self._source.line(row, width), ground=ground)
            strip = cached
        return strip.crop_extend(scroll_x, scroll_x + width, self.cell_style("", ground))

    def watch_has_focus(self, _focus: bool) -> None:
        """The cursor row is drawn stronger in the focused list."""
        super().watch_has_focus(_focus)
        self.refresh()

    # -- moving

    def watch_cursor(self, old: int, new: int) -> None:
        """Open the details of the new row, close those of the old one."""
        self._measure()
        self.refresh_changed()

    def validate_cursor(self, index: int) -> int:
        """The cursor stays on a row."""
        return self._clamp(index)

    def move_to(self, index: int, *, announce: bool = True) -> None:
        """Put the cursor on a row, or on the nearest one beyond it that it may rest on."""
        index = self._clamp(index)
        step = 1 if index >= self.cursor else -1
        while 0 <= index < len(self._source) and not self._source.selectable(index):
            index += step
        if not 0 <= index < len(self._source):
            return
        moved = index != self.cursor
        self.cursor = index
        self.show_cursor()
        if moved and announce:
            self.post_message(self.Moved(self, index))

    def show_cursor(self) -> None:
        """Scroll so far that the cursor row and its details are on the screen."""
        height = 1 + min(len(self._details), max(0, self.page_height - 1))
        self.scroll_to_region(
            Region(self.scroll_offset.x, self.cursor, 1, height), animate=False, immediate=True, force=True
        )

    def centre(self, index: int) -> None:
        """As :meth:`renew`, with the cursor on a row (not announced) and rows before and after it in view."""
        self._cache.clear()
        self.set_reactive(LineList.cursor, self._clamp(index))
        self._measure()
        height = self.page_height
        y = self.scroll_offset.y
        margin = min(2, max(0, (height - 1) // 2))
        if self.cursor < y + margin or self.cursor >= y + height - margin:
            far = not y - height <= self.cursor <= y + 2 * height
            if far:
                target = self.cursor - height // 2
            elif self.cursor < y + margin:
                target = self.cursor - margin
            else:
                target = self.cursor - height + 1 + margin
            self.scroll_to(y=target, animate=False, immediate=True, force=True)
        self.refresh_changed()

    def _by(self, rows: int) -> None:
        if self._has_cursor:
            self.move_to(self.cursor + rows)
        else:
            self.scroll_to(y=self.scroll_offset.y + rows, animate=False, immediate=True, force=True)

    def action_cursor_down(self) -> None:
        """One row down."""
        self._by(1)

    def action_cursor_up(self) -> None:
        """One row up."""
        self._by(-1)

    def action_page_down(self) -> None:
        """A page down."""
        self._by(max(1, self.page_height - 1))

    def action_page_up(self) -> None:
        """A page up."""
        self._by(-max(1, self.page_height - 1))

    def action_top(self) -> None:
        """To the first row."""
        self._by(-len(self._source) - self.virtual_size.height)

    def action_bottom(self) -> None:
        """To the last row."""
        self._by(len(self._source) + self.virtual_size.height)

    def action_scroll_sideways(self, cells: int) -> None:
        """Scroll text that is wider than the pane."""
        self.scroll_to(x=self.scroll_offset.x + cells, animate=False, immediate=True, force=True)

    def action_choose(self) -> None:
        """Act on the row under the cursor."""
        if self._has_cursor and len(self._source):
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor; a second one at the same place chooses the row."""
        if not self._has_cursor:
            return
        if event.chain > 1:
            self.action_choose()
            return
        offset = event.get_content_offset(self)
        if offset is None:
            return
        row, detail = self.row_at(offset.y + self.scroll_offset.y)
        if detail < 0 and row < len(self._source):
            self.move_to(row)
