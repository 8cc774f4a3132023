"""What if: the session again with one thing changed, beside what it was. Nothing on the disk is touched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from scopetrace.engine.config import ConfigError
from scopetrace.model import CandidateState
from scopetrace.replay.whatif import Variation, candidates
from scopetrace.report.display import safe_line
from scopetrace.tui.keymap import bindings_for, keys_in_force
from scopetrace.tui.later import after_refresh
from scopetrace.tui.present.keyspage import keys_page
from scopetrace.tui.present.moment import number_of
from scopetrace.tui.present.opening import error_parts
from scopetrace.tui.present.outcomes import word
from scopetrace.tui.present.spans import EMPTY, Line, Span, StaticLines, joined, spread, wrap
from scopetrace.tui.present.supposed import result_lines, summary
from scopetrace.tui.present.trying import FIELDS, Field, initial, variation, was
from scopetrace.tui.supposing import Ground, Stopped, Supposed, compare
from scopetrace.tui.widgets.bars import Bar, KeyBar
from scopetrace.tui.widgets.field import SafeInput
from scopetrace.tui.widgets.lines import LineList
from scopetrace.workspace.overlay import Edit

from .choice import Choice, ChoiceScreen
from .edit import EditScreen
from .page import PageScreen

ABOUT = (
    "The session is replayed in memory with what you change here, up to the present event, and set beside what it was.",
    "The loader's own messages count on the other side: what was recorded cannot know what you suppose.",
)


class FieldRow(Vertical):
    """A label, what is typed, and below it what is wrong with it."""

    def __init__(self, field: Field, value: str) -> None:
        super().__init__(classes="field")
        self.field = field
        self._value = value

    def compose(self) -> ComposeResult:
        """Label and input on one line."""
        with Horizontal(classes="field-line"):
            yield Static(Content(self.field.label), classes="field-label")
            name = f"field-{self.field.key}"
            yield SafeInput(value=self._value, id=name, classes="field-input", select_on_focus=False)
        yield Static(Content(""), classes="field-error")

    def tell(self, *, changed: bool, error: str) -> None:
        """Mark a changed field, and one that cannot be used."""
        self.set_class(changed, "changed")
        self.set_class(bool(error), "wrong")
        mark = "✖ " if error else "● " if changed else "  "
        self.query_one(".field-label", Static).update(Content(mark + self.field.label))
        self.query_one(".field-error", Static).update(Content(safe_line(error)))


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The fields; page keys belong to the result."""


class EditsRow(Static, can_focus=True):
    """What was edited; enter edits a file."""

    BINDINGS = bindings_for("edits")


class WhatIfScreen(Screen[None]):
    """The form, and what would come out otherwise."""

    CSS_PATH = "whatif.tcss"
    AUTO_FOCUS = "#field-maxBytes"
    BINDINGS = bindings_for("whatif")

    def __init__(self, ground: Ground, index: int) -> None:
        super().__init__()
        self._ground = ground
        self._index = index
        timeline = ground.timeline
        self._run = timeline.state(index).run
        self._before = initial(timeline.setting, self._run)
        self._edits: dict[str, Edit] = {}
        self._names: dict[str, str] = {}
        self._result: Supposed | None = None
        self._busy = False
        self._problem = ""

    # -- building

    def compose(self) -> ComposeResult:
        """Title, form, result, status, footer."""
        yield Bar(id="title")
        with Horizontal(id="whatif"):
            with Form(id="whatif-form", classes="open-box") as form:
                form.border_title = Content("What if")
                for field in FIELDS:
                    yield FieldRow(field, self._before[field.key])
                yield EditsRow(Content(""), id="whatif-edits")
            with Vertical(id="whatif-result", classes="open-box") as box:
                box.border_title = Content("Then")
                yield LineList(has_cursor=False, id="whatif-lines")
        yield Bar(id="status")
        yield KeyBar(id="keys", targets=("whatif",))

    def on_mount(self) -> None:
        """Nothing is supposed yet."""
        self.changed()

    def on_resize(self, event: events.Resize) -> None:
        """Form above the result where there is no room beside it."""
        self.set_class(self.size.width < 110, "-narrow")
        self.set_class(self.size.height < 30, "-low")
        after_refresh(self, self.draw)

    # -- supposing

    @property
    def values(self) -> dict[str, str]:
        """What is typed, by field."""
        return {row.field.key: row.query_one(Input).value for row in self.query(FieldRow)}

    def changed(self) -> None:
        """Read the form, tell what is wrong with it, and replay if nothing is."""
        config = self._ground.timeline.setting.config(self._run)
        values = self.values
        supposed, wrong = variation(values, self._before, config, self._index, tuple(self._edits.values()))
        self._problem = next(iter(wrong.values()), "")
        self._mark(values, wrong)
        if wrong or supposed.empty:
            self.workers.cancel_group(self, "whatif")
            self._busy = False
            if not wrong:
                self._result = None
            self.draw()
            return
        self._busy = True
        self.draw_bars()
        self.replay(supposed)

    def _mark(self, values: dict[str, str], wrong: dict[str, str]) -> None:
        for row in self.query(FieldRow):
            key = row.field.key
            row.tell(changed=values[key].strip() != self._before[key].strip(), error=wrong.get(key, ""))
        edits = ", ".join(
            f"{safe_line(self._names[path])}{' gone' if e.op == 'delete' else ''}" for path, e in self._edits.items()
        )
        told = self.query_one(EditsRow)
        key = keys_in_force(self.app).first("edits.screen.edit")
        told.update(Content(f"● edited       {edits}" if edits else f"  edited       nothing; {key} edits a file"))
        told.set_class(bool(edits), "changed")

    @work(thread=True, exclusive=True, group="whatif")
    def replay(self, supposed: Variation) -> None:
        """Replay in a thread; a later change stops it."""
        worker = get_current_worker()
        try:
            result = compare(self._ground, supposed, self._index, lambda: worker.is_cancelled)
        except Stopped:
            return
        except Exception as error:
            if not worker.is_cancelled:
                self.app.call_from_thread(self._failed, error)
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._take, result)

    def _take(self, result: Supposed) -> None:
        self._busy = False
        self._result = result
        self.draw()

    def _failed(self, error: Exception) -> None:
        """A setting that only the replay refuses is told at its field, anything else where the result would be."""
        self._busy = False
        self._result = None
        self._problem = error_parts(error)[0]
        if isinstance(error, ConfigError):
            self._mark(self.values, {error.key: self._problem})
        self.draw()

    # -- drawing

    def draw(self) -> None:
        """The result, and the bars."""
        rows = self.query_one("#whatif-lines", LineList)
        width = max(30, rows.row_width)
        box = self.query_one("#whatif-result")
        box.border_subtitle = Content(summary(self._result) if self._result is not None else "")
        rows.show(StaticLines(self._lines(width)))
        self.draw_bars()

    def _lines(self, width: int) -> Sequence[Line]:
        if self._result is not None:
            return result_lines(self._result, width)
        if self._problem:
            return [(Span("✖ ", "bad"), Span(part, "plain")) for part in wrap(safe_line(self._problem), width - 2)]
        lines: list[Line] = []
        for sentence in ("Change a field, and see at once what would come out otherwise.", *ABOUT):
            lines.extend((Span(part, "dim"),) for part in wrap(sentence, width))
            lines.append(EMPTY)
        return lines

    def draw_bars(self) -> None:
        """Where we are, and what the field at hand is about."""
        width = self.size.width
        timeline = self._ground.timeline
        left: Line = (
            Span(" scopetrace", "accent"),
            Span("  what if", "strong"),
            Span(f"  {safe_line(timeline.info.title)}", "dim"),
        )
        right: list[Span] = [Span("computing …  ", "warn")] if self._busy else []
        right += [Span("event ", "dim"), Span(number_of(timeline.row(self._index)), "strong")]
        right.append(Span("  nothing on the disk is touched " if width >= 100 else " ", "dim"))
        self.query_one("#title", Bar).show(spread(width, left, tuple(right)))
        self.query_one("#status", Bar).show(self._status())

    def _status(self) -> Line:
        key = (self.focused.id or "").removeprefix("field-") if self.focused is not None else ""
        field = next((one for one in FIELDS if one.key == key), None)
        if key == "whatif-edits":
            enter = keys_in_force(self.app).first("edits.screen.edit")
            words = f" {enter} edits an instruction file in a scratch copy; the file itself is not touched"
            return (Span(words, "plain"),)
        if field is None:
            return (Span(" the result; tab goes back to the fields", "plain"),)
        held = f"as it is: {safe_line(was(key, self._before))}" if key != "touch" else ""
        return (Span(f" {joined([field.hint, held])}", "plain"),)

    # -- events and actions

    def on_input_changed(self, event: Input.Changed) -> None:
        """Replay with what is typed."""
        self.changed()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """To the next field."""
        self.action_field(1)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The status line follows the focus."""
        self.draw_bars()

    def action_field(self, step: int) -> None:
        """The next field, or the one before."""
        if step > 0:
            self.focus_next(".field-input, #whatif-edits")
        else:
            self.focus_previous(".field-input, #whatif-edits")

    def action_scroll_result(self, pages: int) -> None:
        """Scroll the result from within the form."""
        rows = self.query_one("#whatif-lines", LineList)
        if pages > 0:
            rows.action_page_down()
        else:
            rows.action_page_up()

    def action_reset(self) -> None:
        """Everything as it is."""
        self._edits.clear()
        for row in self.query(FieldRow):
            row.query_one(Input).value = self._before[row.field.key]
        self.changed()

    def action_edit(self) -> None:
        """Choose a file; then edit it, take it away, or leave it as it is."""
        files = self._files()
        choices = [
            Choice("", state.path, state, "edited" if state.absolute_path in self._edits else word(state.outcome))
            for state in files
        ]
        if choices:
            screen: ChoiceScreen[CandidateState] = ChoiceScreen(
                "Edit a scratch copy", choices, hint="enter edits it · esc back"
            )
            self.app.push_screen(screen, self._edit_file)
        else:
            self.notify("There is no instruction file here, and no name for one.", timeout=3, markup=False)

    def _files(self) -> list[CandidateState]:
        """Every candidate, those that exist first."""
        found = list(candidates(self._ground.timeline.tree(self._index)))
        return sorted(found, key=lambda state: state.outcome == "absent")

    def _edit_file(self, state: CandidateState | None) -> None:
        if state is None:
            return
        path = state.absolute_path
        self._names[path] = state.path
        original = self._ground.timeline.file_text(path, self._index)
        edit = self._edits.get(path)
        if original is None and state.outcome != "absent":
            self.notify(f"{safe_line(state.path)} cannot be read as text.", severity="error", timeout=4, markup=False)
            return
        choices = [Choice("e", "edit its text", "edit")]
        if original is not None:
            choices.append(Choice("d", "as if it were not there", "delete"))
        if edit is not None:
            choices.append(Choice("u", "as it is, without the edit", "undo"))
        if len(choices) == 1:
            self._answer(path, original or "", "edit")
            return
        screen: ChoiceScreen[str] = ChoiceScreen(safe_line(state.path), choices)
        self.app.push_screen(screen, partial(self._answer, path, original or ""))

    def _answer(self, path: str, original: str, what: str | None) -> None:
        edit = self._edits.get(path)
        if what == "edit":
            text = edit.data.decode("utf-8", "surrogatepass") if edit is not None and edit.op == "write" else original
            self.app.push_screen(
                EditScreen(self._names[path], original, text), lambda text: self._take_edit(path, text)
            )
        elif what == "delete":
            self._edits[path] = Edit.delete(path)
            self.changed()
        elif what == "undo":
            self._take_edit(path, None)

    def _take_edit(self, path: str, text: str | None) -> None:
        if text is None:
            self._edits.pop(path, None)
        else:
            self._edits[path] = Edit.write(path, text.encode("utf-8", "surrogatepass"))
        self.changed()

    def action_help(self) -> None:
        """What this screen is, and its keys."""
        keys = keys_in_force(self.app)
        lines = partial(keys_page, ("whatif",), about=ABOUT, keys=keys)
        self.app.push_screen(PageScreen("Help", lines, close_keys=keys.of("whatif.help")))

    def action_close(self) -> None:
        """Back to the event."""
        self.workers.cancel_group(self, "whatif")
        self.dismiss(None)
