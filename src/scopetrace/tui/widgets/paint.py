"""From lines of spans to strips: the one place where roles become terminal styles.

Whatever a span holds is checked once more here, so that no control character can reach the terminal even if a caller
forgot the boundary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from scopetrace.report.display import safe_line
from scopetrace.tui.present.spans import ROLES, Line

GROUNDS = ("cursor", "cursor-blur", "bar")
"""Backgrounds of whole rows."""

COMPONENTS = {f"st--{name}" for name in (*ROLES, *GROUNDS)}

PAINT_CSS = "\n".join(
    [f".st--{role} {{ color: $st-{role}; }}" for role in ROLES]
    + [f".st--{ground} {{ background: $st-{ground}; }}" for ground in GROUNDS]
    # Sixteen colours have no quiet background: there the cursor row is one colour, and bold where it rests.
    + ["*:ansi > .st--cursor { color: ansi_black; background: ansi_cyan; text-style: not bold; }"]
    + ["*:ansi > .st--cursor-blur { text-style: bold; }"]
    + [".st--strong, .st--key, .st--accent { text-style: bold; }"]
)
"""Rules for the component classes; the app's stylesheet holds them once for all painters."""


if TYPE_CHECKING:
    _Base = Widget
else:
    _Base = object


class Painter(_Base):
    """Mixed into a widget that draws lines of spans; the widget names :data:`COMPONENTS` as its component classes.

    It is no widget itself, because Textual inherits default styles along the first widget base only. Styles are
    looked up once a theme.
    """

    _styles: dict[str, Style] | None = None

    def notify_style_update(self) -> None:
        """Forget styles of the previous theme."""
        self._styles = None
        super().notify_style_update()

    def role_style(self, role: str) -> Style:
        """The partial style of a role or a ground."""
        styles = self._styles
        if styles is None:
            styles = self._styles = {}
        style = styles.get(role)
        if style is None:
            style = styles[role] = self.get_component_rich_style(f"st--{role}", partial=True)
        return style

    def cell_style(self, role: str, ground: str = "") -> Style:
        """The whole style of a cell in a role on a ground; ``""`` is the widget's own."""
        key = f"{role} {ground}"
        styles = self._styles
        if styles is None:
            styles = self._styles = {}
        style = styles.get(key)
        if style is None:
            style = self.rich_style
            for part in (role, ground):
                if part:
                    style = style + self.role_style(part)
            styles[key] = style
        return style

    def strip_of(self, line: Line, *, ground: str = "") -> Strip:
        """The line in the widget's colours, as wide as its text."""
        return Strip([Segment(safe_line(text), self.cell_style(role, ground)) for text, role in line if text])
