"""What the open screen offers: this directory, samples, lessons, sessions of this machine, paths that are typed.

No screen here: everything may run in a thread. ``stop`` is asked now and then; true gives up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

Stop = Callable[[], bool]

LOGS = 500
"""Session logs listed, at most, the last written first."""
TITLES = 60
"""Of those, how many are read for their title."""
TITLE_BYTES = 4 << 20
"""Size up to which a log is read for its title."""
COMPLETIONS = 60


class EntryKind(StrEnum):
    """What an entry is; the order of the sections."""

    PATH = "path"
    HERE = "here"
    SAMPLE = "sample"
    LESSON = "lesson"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to open. Strings are raw, not yet made safe for display; ``size`` is bytes.

    ``path`` is what is opened (the name of a lesson for lessons). ``error`` says why it cannot be opened.
    ``directory`` marks a path that may be gone into while typing.
    """

    kind: EntryKind
    name: str
    path: str
    about: str = ""
    cwd: str = ""
    modified_ms: int | None = None
    size: int | None = None
    format: str = ""
    error: str = ""
    directory: bool = False

    def matches(self, words: list[str]) -> bool:
        """Whether every word (casefolded) occurs somewhere in what is known of the entry."""
        text = "\n".join((self.kind.value, self.name, self.about, self.cwd, self.path)).casefold()
        return all(word in text for word in words)


def offered(cwd: str) -> list[Entry]:
    """What needs no search: the working directory as it is, the samples, the lessons."""
    here = Entry(
        EntryKind.HERE,
        os.path.basename(cwd) or cwd,
        cwd,
        "No session: the instruction files that would load in this directory now; touch files to see what comes.",
        cwd,
        directory=True,
    )
    return [here, *_samples(), *_lessons()]


def _samples() -> list[Entry]:
    from scopetrace.sessions.errors import LogError
    from scopetrace.sessions.samples import samples

    try:
        return [
            Entry(EntryKind.SAMPLE, sample.name, str(sample.path), sample.about, directory=True) for sample in samples()
        ]
    except LogError as error:
        return [Entry(EntryKind.SAMPLE, "samples", error.path, error=str(error))]


def _lessons() -> list[Entry]:
    from scopetrace.replay.lesson_shape import LessonError
    from scopetrace.replay.lessons import lessons

    try:
        return [
            Entry(EntryKind.LESSON, f"{number} · {lesson.title}", lesson.name, lesson.teaches)
            for number, lesson in enumerate(lessons(), 1)
        ]
    except LessonError as error:
        return [Entry(EntryKind.LESSON, "lessons", error.path, error=str(error))]


def found_sessions(dsh_home: str, stop: Stop) -> Iterator[Entry]:
    """Session logs below an agent home, last written first. Raises :class:`~scopetrace.sessions.LogError`."""
    from scopetrace.sessions import find_session_logs

    for found in find_session_logs(dsh_home, LOGS):
        if stop():
            return
        header = found.header
        yield Entry(
            EntryKind.SESSION,
            found.session_id,
            found.path,
            cwd=(header.cwd or "") if header else "",
            modified_ms=found.modified_ms,
            size=found.size,
            format=f"v{header.version if header else found.generation}",
            error=found.error.message if found.error else "",
        )


def titled(entries: list[Entry], stop: Stop) -> Iterator[tuple[int, Entry]]:
    """The newest sessions with the titles that their logs hold, and their places in the list."""
    looked = 0
    for place, entry in enumerate(entries):
        if stop() or looked >= TITLES:
            return
        if entry.kind is not EntryKind.SESSION or entry.error or (entry.size or 0) > TITLE_BYTES:
            continue
        looked += 1
        title = title_of(entry.path, stop)
        if title:
            yield place, replace(entry, name=title)


def title_of(path: str, stop: Stop) -> str:
    """The last title in a log; empty when there is none or the log cannot be read."""
    from scopetrace.sessions import Event, LogError, open_log

    title = ""
    try:
        for number, item in enumerate(open_log(path)):
            if number % 256 == 0 and stop():
                return ""
            if isinstance(item, Event) and item.type == "session/title":
                found = item.data.get("title")
                title = found if isinstance(found, str) and found.strip() else title
    except (LogError, OSError):
        return title
    return title


def is_path(text: str) -> bool:
    """Whether what was typed is a path rather than words to look for."""
    return text in (".", "..", "~") or text.startswith(("/", "~/", "./", "../")) or os.path.isabs(text)


def absolute(text: str, cwd: str, home: str) -> str:
    """The path that was typed, ``~`` and the working directory filled in."""
    if text == "~" or text.startswith("~/"):
        text = home + text[1:]
    return os.path.normpath(os.path.join(cwd, text))


def completions(text: str, cwd: str, home: str) -> list[Entry]:
    """The typed path itself, if it exists, then the names that continue it: directories first, hidden ones only when
    their dot was typed."""
    head, _, prefix = text.rpartition("/")
    directory = absolute(f"{head}/" if head or text.startswith("/") else ".", cwd, home)
    found: list[Entry] = []
    if "\0" in text:
        return found
    if text in (".", "..", "~"):
        head, prefix, directory = text, "", absolute(text, cwd, home)
    path = absolute(text, cwd, home)
    if os.path.lexists(path):
        found.append(_path_entry(text, path))
    try:
        with os.scandir(directory) as entries:
            names = sorted((not item.is_dir(), item.name) for item in entries)
    except (OSError, ValueError):
        return found
    for plain, name in names:
        if len(found) > COMPLETIONS:
            break
        if not name.startswith(prefix) or (name.startswith(".") and not prefix.startswith(".")):
            continue
        if plain and not name.removesuffix(".gz").endswith((".jsonl", ".json", ".zstd")):
            continue
        typed = f"{head}/{name}" + ("" if plain else "/")
        if typed.rstrip("/") != text.rstrip("/"):
            found.append(_path_entry(typed, os.path.join(directory, name)))
    return found


def _path_entry(typed: str, path: str) -> Entry:
    directory = os.path.isdir(path)
    size = modified = None
    try:
        status = os.stat(path)
        modified = int(status.st_mtime * 1000)
        size = None if directory else status.st_size
    except OSError:
        pass
    return Entry(EntryKind.PATH, typed, path, _what(path, directory), "", modified, size, directory=directory)


def _what(path: str, directory: bool) -> str:
    if not directory:
        return "a session log, a scenario or a case"
    if os.path.isfile(os.path.join(path, "recording.json")):
        return "a recording: a log with its workspace"
    return "a directory: what would load there now"


def homes(environ: Mapping[str, str]) -> str:
    """The agent home whose sessions are offered."""
    from scopetrace.sessions import default_dsh_home

    return default_dsh_home(environ, os.path.expanduser("~"))
