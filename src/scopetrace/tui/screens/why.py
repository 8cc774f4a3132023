"""Why: the answer to a question about a path, over the screen it was asked on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from scopetrace.explain.answer import Answer
from scopetrace.report.display import safe_line
from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.later import after_refresh
from scopetrace.tui.present.answer import AnswerLines, Target, answer_rows
from scopetrace.tui.widgets.bars import KeyBar
from scopetrace.tui.widgets.lines import LineList


class WhyScreen(ModalScreen[Target | None]):
    """Dismisses with the event to go to, or ``None``. Files are shown by ``show_file`` without leaving the answer;
    ``has_text`` says which paths have a text to show."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for("why")

    def __init__(
        self,
        answer: Answer,
        *,
        show_file: Callable[[str], None],
        has_text: Callable[[str], bool],
        ask: Callable[[], None],
        copy: Callable[[Answer], None],
        export: Callable[[Answer], None],
    ) -> None:
        super().__init__()
        self.answer = answer
        self._show_file = show_file
        self._has_text = cache(has_text)
        self._ask = ask
        self._copy = copy
        self._export = export

    def compose(self) -> ComposeResult:
        """One list in a box, its keys at the foot of the screen."""
        with Vertical(classes="dialog page", id="why-box") as box:
            box.border_title = Content(f"Why: {safe_line(self.answer.question)}")
            yield LineList(id="why-list")
        yield KeyBar(id="why-keys", targets=("why",))

    def on_mount(self) -> None:
        """Fill the panel."""
        self._fill(first=True)
        self.query_one(LineList).focus()

    def on_resize(self) -> None:
        """Lay the panel out for the width."""
        after_refresh(self, self._fill)

    def take(self, answer: Answer) -> None:
        """Show another answer."""
        self.answer = answer
        self.query_one("#why-box").border_title = Content(f"Why: {safe_line(answer.question)}")
        self._fill(first=True)

    def _fill(self, first: bool = False) -> None:
        """Lay the rows out; the cursor stays on what it was on, whatever line that is now."""
        panel = self.query_one(LineList)
        before = panel.source.leading if isinstance(panel.source, AnswerLines) else []
        place = before.index(panel.cursor) if not first and panel.cursor in before else 0
        lines = AnswerLines(answer_rows(self.answer, max(30, panel.row_width), self._has_text))
        leading = lines.leading
        panel.show(lines, cursor=leading[min(place, len(leading) - 1)] if leading else 0, top=not place)
        self.query_one("#why-box").styles.height = min(len(lines) + 2, self.size.height - 2)

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """A second click on a row goes where it leads."""
        self.action_follow()

    def action_follow(self) -> None:
        """Go where the row under the cursor leads."""
        panel = self.query_one(LineList)
        lines = panel.source
        target = lines.rows[panel.cursor].target if isinstance(lines, AnswerLines) else None
        if target is None:
            return
        if target.seq is not None:
            self.dismiss(target)
        else:
            self._show_file(target.path)

    def action_ask(self) -> None:
        """Ask about another path."""
        self._ask()

    def action_copy(self) -> None:
        """Copy the answer as text."""
        self._copy(self.answer)

    def action_export(self) -> None:
        """Write the answer to a file."""
        self._export(self.answer)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
