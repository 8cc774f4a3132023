"""Asking why: about what is selected, or about a path that is typed."""

from __future__ import annotations

from functools import partial
from typing import cast

from scopetrace.explain.answer import Answer
from scopetrace.explain.answering import why
from scopetrace.replay.replayed import Replayed
from scopetrace.report.answer_export import exported_answer
from scopetrace.report.answer_text import answer_lines
from scopetrace.report.display import safe_line
from scopetrace.report.exporting import format_for
from scopetrace.report.lines import plain_text
from scopetrace.tui.present.answer import Target
from scopetrace.tui.present.moment import number_of
from scopetrace.tui.present.spans import cut_middle

from .choice import Choice, ChoiceScreen
from .filepage import FileScreen
from .prompt import PromptScreen
from .stepping import Stepping
from .taking import Export, ask_export, copy_text, file_name
from .why import WhyScreen


class Asking(Stepping):
    """A screen that answers why, at its present step."""

    def paths_in_question(self) -> list[str]:
        """The paths that a question may be about here, most likely first."""
        raise NotImplementedError

    def answer(self, path: str) -> Answer:
        """Why a path is loaded or not at the present step."""
        return why(cast(Replayed, self.timeline), path, at=self.index)

    def action_why(self) -> None:
        """Ask about what is selected; about one of several that are; about a typed path where nothing is."""
        paths = self.paths_in_question()
        if not paths:
            self.action_why_path()
        elif len(paths) == 1:
            self.ask(paths[0])
        else:
            choices = [Choice(str(number), path, path) for number, path in enumerate(paths, 1)]
            choices.append(Choice("p", "another path …", ""))
            self.app.push_screen(ChoiceScreen("Why", choices), self._chosen)

    def _chosen(self, path: str | None) -> None:
        if path:
            self.ask(path)
        elif path is not None:
            self.action_why_path()

    def action_why_path(self) -> None:
        """Ask for a path. It may lie anywhere, and need not exist."""
        cwd = self.timeline.frame(self.index).cwd if len(self.timeline) else ""
        here = cut_middle(safe_line(cwd or self.timeline.info.cwd), 24)
        self.app.push_screen(
            PromptScreen(
                "Why is this path loaded, or not?",
                lambda text: (f"absolute, ~/… or relative to {here}; need not exist", False),
                placeholder="packages/app/AGENTS.md",
            ),
            lambda text: self.ask(text.strip()) if text is not None else None,
        )

    def ask(self, path: str) -> None:
        """Show the answer about a path; where one is shown already, it takes its place."""
        if not len(self.timeline):
            self.notify("There is no event to ask about.", timeout=2, markup=False)
            return
        try:
            answer = self.answer(path)
        except Exception as error:  # an error in one answer stays in that answer
            text = f"{path}: no answer at this event: {error or type(error).__name__}"
            self.notify(text, severity="error", timeout=8, markup=False)
            return
        if isinstance(self.app.screen, WhyScreen):
            self.app.screen.take(answer)
            return
        panel = WhyScreen(
            answer,
            show_file=self.show_file,
            has_text=lambda path: self.timeline.file_text(path, self.index) is not None,
            ask=self.action_why_path,
            copy=lambda shown: copy_text(self, "answer", plain_text(answer_lines(shown))),
            export=partial(self._export_answer),
        )
        self.app.push_screen(panel, self._follow)

    def _follow(self, target: Target | None) -> None:
        """Go to the event that a row of the answer led to."""
        if target is None or target.seq is None:
            return
        index = self.timeline.index_of(target.seq)
        if index is None:
            self.notify(f"Event {target.seq} has not been read yet.", timeout=3, markup=False)
        else:
            self.go(index)

    def show_file(self, path: str) -> None:
        """The text of a file at the present step; a directory is asked about instead."""
        text = self.timeline.file_text(path, self.index)
        if text is None:
            asked = self.app.screen.answer.absolute_path if isinstance(self.app.screen, WhyScreen) else ""
            if path == asked:
                self.notify(f"{path} cannot be read at this event.", timeout=3, markup=False)
            else:
                self.ask(path)
            return
        when = f"as read at event {number_of(self.timeline.row(self.index))}"
        self.app.push_screen(FileScreen(path, text, when, lambda what, exact: copy_text(self, what, exact)))

    def _export_answer(self, answer: Answer) -> None:
        name = file_name("why", answer.path, f"event-{answer.seq}" if answer.seq >= 0 else "")
        export = Export(
            "the answer; .md, .json, .html",
            f"{name}.md",
            lambda path: exported_answer(answer, format_for(path, "md")),
            "backslashreplace",
        )
        ask_export(self, export)
