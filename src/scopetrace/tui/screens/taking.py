"""Taking something along: a copy to the clipboard, an export to a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from textual.screen import Screen

from scopetrace.model import TimelineView
from scopetrace.model.sizes import exact_bytes
from scopetrace.report.exporting import FORMATS, exported, format_for
from scopetrace.report.writing import write_whole
from scopetrace.tui.clipboard import doubt, keep
from scopetrace.tui.present.copying import message_copy
from scopetrace.tui.present.message import MessageView
from scopetrace.tui.present.moment import number_of
from scopetrace.tui.present.shown import Shown

from .choice import Choice, ChoiceScreen
from .prompt import PromptScreen


@dataclass(frozen=True, slots=True)
class Export:
    """Something that can be written: what it is, the name offered, and its text for the path that was chosen.

    ``errors`` says what becomes of lone surrogates: exact texts keep their three bytes.
    """

    what: str
    name: str
    pieces: Callable[[str], Iterable[str]]
    errors: str = "surrogatepass"


def file_name(*parts: str) -> str:
    """A plain file name from words of the session."""
    return "-".join(cleaned for part in parts if (cleaned := re.sub(r"[^A-Za-z0-9._-]+", "-", part).strip("-.")))


def timeline_export(timeline: TimelineView) -> Export:
    """The whole session as JSON, Markdown or HTML, by the end of the name."""
    name = file_name(timeline.info.title or timeline.info.session_id or "session")[:40].strip("-.")
    return Export(
        f"the whole timeline; .{', .'.join(FORMATS)}",
        f"{name}.html",
        lambda path: exported(timeline, format_for(path)),
        "backslashreplace",
    )


def text_export(what: str, name: str, text: str) -> Export:
    """A text as it is, byte for byte."""
    return Export(what, name, lambda path: [text])


def step_exports(shown: Shown) -> list[Choice[Export]]:
    """What can be written of a step: its message, its transitions, its event; and the whole timeline."""
    row = shown.timeline.row(shown.index)
    number = number_of(row)
    name = file_name(shown.timeline.info.session_id or "session", "event", number)
    choices: list[Choice[Export]] = []
    for key, view, end in (("m", MessageView.TEXT, ".txt"), ("v", MessageView.CHANGES, "-changes.json")):
        what, text = message_copy(shown, view)
        if text:
            export = text_export(f"{what}, exactly as the model got it" if end == ".txt" else what, name + end, text)
            choices.append(Choice(key, f"{what} of event {number}", export, "." + end.rpartition(".")[2]))
    raw = Export("the event as the log has it", f"{name}.json", lambda path: [shown.timeline.raw(shown.index)])
    choices.append(Choice("r", f"raw event {number}", raw, ".json"))
    choices.append(Choice("t", "the whole timeline", timeline_export(shown.timeline), ".html .md .json"))
    return choices


def choose_export(screen: Screen[None], choices: Sequence[Choice[Export]]) -> None:
    """Ask what to write, then where."""
    screen.app.push_screen(
        ChoiceScreen("Export", choices), lambda export: ask_export(screen, export) if export is not None else None
    )


def copy_text(screen: Screen[None], what: str, text: str) -> None:
    """Copy a text exactly, and say where it went."""
    if not text:
        screen.notify("Nothing to copy here.", timeout=2, markup=False)
        return
    sent = text.encode("utf-8", "replace").decode("utf-8")
    size = len(text.encode("utf-8", "surrogatepass"))
    screen.app.copy_to_clipboard(sent)
    why = doubt(os.environ, size) or ("" if sent == text else "lone surrogates became ? on the way")
    if not why:
        screen.notify(f"copied: {what}, {exact_bytes(size)}", timeout=2, markup=False)
        return
    try:
        place = keep(text)
    except OSError as error:
        screen.notify(f"copied: {what}, {exact_bytes(size)}, but {why} ({error.strerror})", timeout=6, markup=False)
        return
    screen.notify(f"copied: {what}, {exact_bytes(size)}; {why}, so it is in {place}, too", timeout=8, markup=False)


def ask_export(screen: Screen[None], export: Export) -> None:
    """Ask where to write. A file that is there is written over only when enter is pressed on it a second time."""
    agreed: list[str] = []

    def place(text: str) -> str:
        return os.path.expanduser(text.strip())

    def hint(text: str) -> tuple[str, bool]:
        path = place(text)
        if not path:
            return "type a path", False
        if os.path.isdir(path):
            return f"{path} is a directory", True
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            return f"there is no directory {os.path.dirname(os.path.abspath(path))}", True
        if os.path.lexists(path):
            again = path in agreed
            return ("enter writes over it" if again else "that file exists; enter twice writes over it"), True
        return f"enter writes {export.what}", False

    def accept(text: str) -> bool:
        path = place(text)
        if not path or os.path.isdir(path) or not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            return False
        if os.path.lexists(path) and path not in agreed:
            agreed.append(path)
            return False
        return True

    def write(text: str | None) -> None:
        if text is None:
            return
        path = place(text)
        try:
            write_whole(path, export.pieces(path), force=path in agreed, errors=export.errors)
            written = f"written: {os.path.abspath(path)}, {exact_bytes(os.stat(path).st_size)}"
            screen.notify(written, timeout=5, markup=False)
        except FileExistsError:
            screen.notify(f"{path} appeared meanwhile; nothing was written.", severity="error", markup=False)
        except OSError as error:
            message = f"{path}: {error.strerror or error}; nothing was written."
            screen.notify(message, severity="error", timeout=8, markup=False)

    screen.app.push_screen(PromptScreen("Export to", hint, value=export.name, accept=accept), write)
