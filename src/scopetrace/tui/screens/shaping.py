"""Which panes are on the screen, how large they are, and which one has the focus."""

from __future__ import annotations

from contextlib import suppress

from textual import events

from scopetrace.model import TimelineView
from scopetrace.tui.present.layout import (
    Pane,
    Shape,
    Sizes,
    budget_height,
    column_widths,
    resized,
    shape_for,
    sharing,
    timeline_height,
    visible_panes,
)
from scopetrace.tui.widgets.bars import KeyBar
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.panes import PaneBox

from .jump import JumpScreen, jump_targets
from .stepping import Stepping

WIDER, TALLER = 4, 1


class Shaping(Stepping):
    """A screen whose panes take the shape for its size, and can be zoomed, resized and jumped to."""

    def __init__(self, timeline: TimelineView, start: int) -> None:
        super().__init__(timeline, start)
        self.shape = Shape.WIDE
        self._zoomed = False
        self._recent = [Pane.DECISIONS, Pane.TIMELINE, Pane.MESSAGE, Pane.SCOPES, Pane.BUDGET]

    def pane(self, pane: Pane) -> PaneBox:
        """A pane's box."""
        return self.query_one(f"#{pane.value}", PaneBox)

    def on_resize(self, event: events.Resize) -> None:
        """Take the shape for the size."""
        self.reshape()
        self.draw_bars()

    @property
    def sizes(self) -> Sizes:
        """What the reader added to the sizes of panes; kept by the app, for every screen of the session."""
        kept = getattr(self.app, "pane_sizes", None)
        return kept if isinstance(kept, Sizes) else Sizes()

    def reshape(self) -> None:
        """Lay the panes out for the size of the screen."""
        size = self.app.size
        shape = shape_for(size.width, size.height)
        if self._zoomed and shape is not Shape.REDUCED:
            shape = Shape.ZOOMED
        for other in Shape:
            self.set_class(other is shape, other.value)
        self.shape = shape
        for pane in Pane:
            self.pane(pane).reshape(shape)
        self._arrange()
        two_rows = shape in (Shape.MIDDLE, Shape.WIDE)
        grid = self.query_one("#panes").styles
        grid.grid_columns = column_widths(shape, size.width, self.sizes)
        grid.grid_rows = f"1fr {budget_height(size.height, self.sizes)}" if two_rows else "1fr"
        self.pane(Pane.TIMELINE).styles.height = (
            "1fr" if Pane.TIMELINE in sharing(shape) else timeline_height(size.height, self.sizes)
        )

    def _arrange(self) -> None:
        """Show the panes of the shape; of those that share a place the one that was used last."""
        shared = sharing(self.shape)
        front = next((pane for pane in self._recent if pane in shared), Pane.DECISIONS)
        visible = visible_panes(self.shape, front)
        for pane in Pane:
            self.pane(pane).display = pane in visible
        self.query_one("#panes").display = bool(visible - {Pane.TIMELINE})

    # -- focus

    @property
    def focused_pane(self) -> Pane | None:
        """The pane that holds the focus."""
        widget = self.focused
        while widget is not None:
            if isinstance(widget, PaneBox):
                return widget.pane
            widget = widget.parent if isinstance(widget.parent, PaneBox) else None
        return None

    def focus_on(self, pane: Pane) -> None:
        """Focus a pane, bringing it to the front of the place it shares."""
        self._use(pane)
        if pane in sharing(self.shape):
            self._arrange()
        self.pane(pane).query_one(LineList).focus()

    def _use(self, pane: Pane) -> None:
        self._recent.remove(pane)
        self._recent.insert(0, pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The footer and the status line follow the focus."""
        pane = self.focused_pane
        if pane is not None:
            self._use(pane)
            self.query_one(KeyBar).show_keys(pane.value)
        self.draw_bars()

    def on_pane_box_switch(self, event: PaneBox.Switch) -> None:
        """A click on a name in a title."""
        self.focus_on(event.pane)

    def action_focus_pane(self, name: str) -> None:
        """Focus a pane, bringing it to the front."""
        with suppress(ValueError):
            self.focus_on(Pane(name))

    def action_pane_next(self) -> None:
        """Focus the next pane; panes that share a place are all visited."""
        self._cycle(1)

    def action_pane_previous(self) -> None:
        """Focus the previous pane."""
        self._cycle(-1)

    def _cycle(self, step: int) -> None:
        panes = list(Pane)
        now = self.focused_pane or Pane.TIMELINE
        self.focus_on(panes[(panes.index(now) + step) % len(panes)])

    def action_jump(self) -> None:
        """Put a letter on every pane; its key goes there."""
        self.app.push_screen(
            JumpScreen(jump_targets([self.pane(pane) for pane in Pane], self.shape)),
            lambda pane: self.focus_on(pane) if pane is not None else None,
        )

    # -- sizes

    @property
    def zoomed(self) -> bool:
        """Whether one pane has the whole screen."""
        return self._zoomed

    def action_zoom(self) -> None:
        """Give the focused pane the whole screen, or take it back."""
        self._zoomed = not self._zoomed
        self.reshape()

    def action_resize_pane(self, wider: int, taller: int) -> None:
        """Make the focused pane wider or taller, by so many steps."""
        size = self.app.size
        sizes = resized(
            self.sizes,
            self.focused_pane or Pane.TIMELINE,
            self.shape,
            wider * WIDER,
            taller * TALLER,
            (size.width, size.height),
        )
        if sizes == self.sizes:
            self.notify("This pane cannot grow that way here.", timeout=2, markup=False)
        else:
            self._take_sizes(sizes)

    def action_sizes_usual(self) -> None:
        """The sizes that panes have by themselves."""
        self._take_sizes(Sizes())

    def _take_sizes(self, sizes: Sizes) -> None:
        self.app.pane_sizes = sizes  # type: ignore[attr-defined]
        self.reshape()
