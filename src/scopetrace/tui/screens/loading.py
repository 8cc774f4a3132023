"""While a session is opened: what is read, how far it is, how to stop; and what went wrong, if it did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen

from scopetrace.model.sizes import short_bytes
from scopetrace.report.display import safe_line, safe_text
from scopetrace.tui.present.spans import EMPTY, Line, Span, StaticLines, wrap
from scopetrace.tui.widgets.lines import LineList


class Progress:
    """Handed to a loader: report with :meth:`report`, stop when :attr:`cancelled`."""

    def __init__(self, cancelled: Callable[[], bool], report: Callable[[int, int, str], None]) -> None:
        self._cancelled = cancelled
        self._report = report

    @property
    def cancelled(self) -> bool:
        """Whether the user does not want the result any more."""
        return self._cancelled()

    def report(self, done: int, total: int, note: str = "") -> None:
        """Bytes read, bytes in all (0 when unknown), and a word on what is being done."""
        if not self.cancelled:
            self._report(done, total, note)


class LoadingScreen(Screen[None]):
    """Shown from the first moment."""

    CSS_PATH = "loading.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,ctrl+c", "cancel", "Cancel")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name_shown = safe_line(name)
        self._lines: tuple[Line, ...] = ()
        self.progress(0, 0, "opening")

    def compose(self) -> ComposeResult:
        """A box in the middle."""
        with Vertical(id="loading-box"):
            yield LineList(has_cursor=False, id="loading-lines")

    def on_mount(self) -> None:
        """Show what was reported so far."""
        self._draw()

    def progress(self, done: int, total: int, note: str) -> None:
        """Show how far reading is."""
        lines: list[Line] = [(Span("scopetrace", "accent"), Span(f"  {self._name_shown}", "strong")), EMPTY]
        if total > 0:
            filled = min(40, done * 40 // total)
            lines.append(
                (
                    Span("━" * filled, "good"),
                    Span("─" * (40 - filled), "track"),
                    Span(f"  {min(100, done * 100 // total):>3} %", "plain"),
                )
            )
            lines.append((Span(f"{safe_line(note)} · {short_bytes(done)} of {short_bytes(total)}", "dim"),))
        else:
            lines.append((Span(f"{safe_line(note)} …", "dim"),))
        lines += [EMPTY, (Span("esc", "key"), Span(" stops", "dim"))]
        self._show(lines)

    def failed(self, error: Exception) -> None:
        """Say what went wrong, where, and what to do; the loader's message holds all three."""
        lines: list[Line] = [(Span("✖ ", "bad"), Span("The session could not be opened", "strong")), EMPTY]
        for paragraph in safe_text(str(error) or type(error).__name__).split("\n"):
            lines.extend((Span(part, "plain"),) for part in wrap(paragraph, 64))
        lines += [EMPTY, (Span("q", "key"), Span(" leaves", "dim"))]
        self.add_class("failed")
        self._show(lines)

    def _show(self, lines: Sequence[Line]) -> None:
        self._lines = tuple(lines)
        if self.is_mounted:
            self._draw()

    def _draw(self) -> None:
        self.query_one(LineList).show(StaticLines(self._lines))

    def action_cancel(self) -> None:
        """Stop and leave."""
        self.app.cancel_loading()  # type: ignore[attr-defined]
