"""What a bare log itself proves about instruction files: their texts, as its messages carried them.

Wherever a recorded message holds a file's whole text (its SHA-1 says so), that text stands for the file from the look
that saw it. Source: ``design/REPLAY.md`` point 11, ``formats/session-log.md`` section 7.
"""

from __future__ import annotations

from dataclasses import dataclass

from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.paths import Homes
from scopetrace.model import Action, Change
from scopetrace.sessions import Event
from scopetrace.sessions.messages import directory_change, inbox_edit, instruction_source, message

from .recovered import RecordedTexts
from .settings import markers_of_identity, root_of_identity


@dataclass(frozen=True, slots=True)
class Known:
    """What one recorded change proves. ``look`` is the seq of the event at which the files were looked at.

    ``text`` is ``None`` when the file was removed (``digest`` empty) or its text is not in the log (cut, escaped
    beyond recovery). ``new`` tells that the file was announced as an addition.
    """

    look: int
    seq: int
    path: str
    display: str
    digest: str
    text: str | None
    new: bool = False

    @property
    def gone(self) -> bool:
        """Whether the change was a removal."""
        return not self.digest


@dataclass(frozen=True, slots=True)
class _Said:
    """A recorded change as it stands: its path is resolved when the homes are known."""

    look: int
    seq: int
    root: str
    change: Change
    text: str | None


class Witness:
    """Gathers what a log's instruction messages prove while the log is read.

    Tell it every row that may prove something by :meth:`take`, and every look at files by :meth:`step`, :meth:`look`.
    """

    def __init__(self, cwd: str, flavour: PathFlavour = POSIX) -> None:
        self._flavour = flavour
        self._cwd = cwd
        self._root = cwd
        self._look = self._step = 0
        self._queued: dict[str, int] = {}
        self._said: list[_Said] = []
        self.roots: list[tuple[str, tuple[str, ...]]] = []

    def step(self, seq: int) -> None:
        """A step begins: the files are looked at before it."""
        self._step = seq

    def look(self, seq: int) -> None:
        """The files are looked at after an event."""
        self._look = seq

    def take(self, item: Event) -> None:
        """The next row that may prove something or move the working directory."""
        if item.type == "agent/inbox/spliced":
            edit = inbox_edit(item)
            for waiting in edit.inserted if edit is not None else ():
                if waiting.source.is_instructions:
                    self._queued.setdefault(waiting.id, self._look)
        elif item.type == "working-directory/change":
            self._cwd = directory_change(item) or self._cwd
        elif item.type == "user/message":
            source, what = instruction_source(item), message(item)
            if source is None or what is None:
                return
            if source.baseline_identity is not None:
                relative = root_of_identity(source.baseline_identity)
                self._root = self._flavour.resolve(self._cwd, relative) if relative else self._cwd
                self.roots.append((self._root, markers_of_identity(source.baseline_identity)))
            look = self._queued.get(what.id, self._step)
            texts = RecordedTexts(what.blocks, source.changes or ())
            for change in source.changes or ():
                if change.action is Action.REMOVE:
                    self._said.append(_Said(look, item.seq, self._root, change, None))
                elif change.digest:
                    self._said.append(_Said(look, item.seq, self._root, change, texts.of(change)))

    def known(self, homes: Homes) -> list[Known]:
        """Every change of every instruction message so far, oldest first."""
        return [self._known(said, homes) for said in self._said]

    def _known(self, said: _Said, homes: Homes) -> Known:
        change, path = said.change, self._absolute(said, homes)
        if change.action is Action.REMOVE:
            return Known(said.look, said.seq, path, change.path, "", None)
        new = change.action is Action.SET
        return Known(said.look, said.seq, path, change.path, change.digest or "", said.text, new)

    def _absolute(self, said: _Said, homes: Homes) -> str:
        display = said.change.path
        for label, home in ((homes.dsh_label, homes.dsh), (homes.agents_label, homes.agents)):
            if display.startswith(f"{label}/"):
                return self._flavour.join(home, display[len(label) + 1 :])
        return self._flavour.resolve(said.root, display)
