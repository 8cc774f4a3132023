"""Jump mode: a letter over every pane, and its key goes there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widgets import Static

from scopetrace.tui.present.layout import Pane, Shape, sharing, tab_places
from scopetrace.tui.widgets.panes import PaneBox

LETTERS = {
    Pane.SCOPES: "s",
    Pane.DECISIONS: "d",
    Pane.BUDGET: "b",
    Pane.MESSAGE: "m",
    Pane.TIMELINE: "t",
}


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """A pane, its key, and where the key is shown."""

    pane: Pane
    letter: str
    x: int
    y: int


def jump_targets(boxes: Iterable[PaneBox], shape: Shape) -> list[JumpTarget]:
    """A target for every pane on the screen, and one on the name of every pane behind it."""
    out: list[JumpTarget] = []
    for box in boxes:
        if not box.display:
            continue
        region = box.region
        for pane, at in tab_places(box.pane, shape) if box.pane in sharing(shape) else [(box.pane, 0)]:
            out.append(JumpTarget(pane, LETTERS[pane], region.x + 2 + at, region.y))
    return out


class JumpScreen(ModalScreen[Pane | None]):
    """Dismisses with the pane whose letter was typed or clicked, or ``None``."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+o", "cancel", "Back")]

    def __init__(self, targets: Sequence[JumpTarget]) -> None:
        super().__init__()
        self._targets = tuple(targets)
        for number, pane in enumerate(Pane, 1):
            self._bindings.bind(f"{LETTERS[pane]},{number}", f"jump_to('{pane.value}')", pane.value)

    def compose(self) -> ComposeResult:
        """The letters where the panes are."""
        for target in self._targets:
            label = Static(Content(f" {target.letter} "), classes="jump", id=f"jump-{target.pane.value}")
            label.absolute_offset = Offset(target.x, target.y)
            yield label

    def action_jump_to(self, name: str) -> None:
        """To the pane whose letter or number was typed."""
        self.dismiss(Pane(name))

    def on_key(self, event: events.Key) -> None:
        """Any other key goes back."""
        if event.key not in self._bindings.key_to_bindings:
            event.stop()
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """A click on a letter."""
        widget = event.widget
        self.dismiss(next((t.pane for t in self._targets if widget and widget.id == f"jump-{t.pane.value}"), None))

    def action_cancel(self) -> None:
        """Back."""
        self.dismiss(None)
