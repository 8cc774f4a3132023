"""What a bare log itself proves about instruction files: their texts, as its messages carried them.

A log without its workspace is replayed against the files of today, but wherever a recorded message holds a file's whole
text (its SHA-1 says so), that text stands for the file from the look that saw it. Source: ``design/REPLAY.md`` point
11, ``formats/session-log.md`` section 7.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.paths import Homes, resolve_homes
from scopetrace.engine.text import FRAME_CLOSE, escape_frame, sha1_hex
from scopetrace.model import Action, Change, Message
from scopetrace.sessions import Event, Gap
from scopetrace.sessions.messages import directory_change, inbox_edit, instruction_source, message
from scopetrace.workspace.fs import FileSystem, FsError
from scopetrace.workspace.overlay import Edit
from scopetrace.workspace.snapshot import Snapshot
from scopetrace.workspace.windows import edited

from .settings import markers_of_identity, root_of_identity

_STARTS = (
    "Instructions from: ",
    "Additional instructions from: ",
    "Updated instructions from: ",
    "Instructions removed: ",
)
_MARK = "\n\n"
_NOTICE = "Workspace instruction budget "


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


def homes_of_labels(
    displays: Iterable[str], home: str, environ: dict[str, str], notes: list[str], flavour: PathFlavour = POSIX
) -> dict[str, str]:
    """The environment under which user-global files bear the labels that the log shows.

    A root that was elsewhere in the session, at a place the log does not tell, gets a place that does not exist.
    """
    shown = tuple(displays)
    now = resolve_homes(home, environ, flavour=flavour)
    for variable, label, default in (
        ("DSH_HOME", now.dsh_label, "~/.dsh"),
        ("DSH_AGENTS_HOME", now.agents_label, "~/.agents"),
    ):
        if label == default and any(path.startswith(f"${variable}/") for path in shown):
            environ[variable] = f"/{variable} of the session"
            notes.append(f"{variable} was set in the session, to a place that the log does not tell")
        elif label != default and any(path.startswith(f"{default}/") for path in shown):
            environ.pop(variable, None)
            notes.append(f"{variable} was not set in the session: {default} is used")
    return environ


class Witness:
    """Gathers what a log's instruction messages prove, in order."""

    def __init__(self, items: Sequence[Event | Gap], homes: Homes, cwd: str, flavour: PathFlavour = POSIX) -> None:
        self._items = items
        self._homes = homes
        self._flavour = flavour
        self._cwd = cwd
        self._root = cwd

    def gather(self) -> list[Known]:
        """Every change of every instruction message, oldest first."""
        found: list[Known] = []
        self.roots: list[tuple[str, tuple[str, ...]]] = []
        look, step_look = 0, 0
        queued: dict[str, int] = {}
        for item in self._items:
            if isinstance(item, Gap):
                continue
            if item.type == "step/start":
                step_look = item.seq
            elif item.type in ("step/end", "tool/result"):
                look = item.seq
            elif item.type == "agent/inbox/spliced":
                edit = inbox_edit(item)
                for waiting in edit.inserted if edit is not None else ():
                    queued.setdefault(waiting.id, look)
            elif item.type == "working-directory/change":
                self._cwd = directory_change(item) or self._cwd
            elif item.type == "user/message":
                source, what = instruction_source(item), message(item)
                if source is not None and what is not None:
                    if source.baseline_identity is not None:
                        relative = root_of_identity(source.baseline_identity)
                        self._root = self._flavour.resolve(self._cwd, relative) if relative else self._cwd
                        self.roots.append((self._root, markers_of_identity(source.baseline_identity)))
                    found.extend(self._changes(what, item.seq, queued.get(what.id, step_look)))
        return found

    def _changes(self, what: Message, seq: int, look: int) -> Iterator[Known]:
        for change in what.source.changes or ():
            path = self._absolute(change.path)
            if change.action is Action.REMOVE:
                yield Known(look, seq, path, change.path, "", None)
            elif change.digest:
                yield Known(
                    look,
                    seq,
                    path,
                    change.path,
                    change.digest,
                    recover_text(what.blocks, change),
                    change.action is Action.SET,
                )

    def _absolute(self, display: str) -> str:
        for label, home in ((self._homes.dsh_label, self._homes.dsh), (self._homes.agents_label, self._homes.agents)):
            if display.startswith(f"{label}/"):
                return self._flavour.join(home, display[len(label) + 1 :])
        return self._flavour.resolve(self._root, display)


def recover_text(blocks: Sequence[str], change: Change) -> str | None:
    """The whole text of a file from the message that announced it; ``None`` when it is not there byte for byte."""
    path = escape_frame(change.path)
    for block in blocks:
        for start in _STARTS[:3]:
            heading = f"{start}{path}{_MARK}"
            at = block.find(heading)
            while at >= 0:
                text = _section(block, at + len(heading), change.digest or "", skip_sentence=start != _STARTS[0])
                if text is not None:
                    return text
                at = block.find(heading, at + 1)
    return None


def _section(block: str, begin: int, digest: str, *, skip_sentence: bool) -> str | None:
    """Try every place at which the section may end; the digest decides."""
    if skip_sentence:
        sentence = block.find(_MARK, begin)
        if sentence < 0:
            return None
        begin = sentence + len(_MARK)
    ends = [at for start in _STARTS for at in _all(block, f"{_MARK}{start}", begin - len(_MARK))]
    close = block.rfind(f"\n{FRAME_CLOSE}")
    for end in sorted({*ends, close if close >= begin else len(block)}):
        text = block[begin:end] if end >= begin else ""
        for candidate in (text, text.replace(escape_frame(FRAME_CLOSE), FRAME_CLOSE)):
            if sha1_hex(candidate) == digest:
                return candidate
    return None


def _there(fs: FileSystem, path: str) -> bool:
    try:
        return fs.stat(path) is not None
    except FsError:
        return False


def _all(text: str, part: str, begin: int) -> Iterator[int]:
    at = text.find(part, max(begin, 0))
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


class WitnessedFiles:
    """Files of today below what the log proves, by event. A :class:`~scopetrace.replay.files.Files`."""

    def __init__(
        self,
        base: FileSystem,
        known: Sequence[Known],
        roots: Sequence[tuple[str, tuple[str, ...]]] = (),
        flavour: PathFlavour = POSIX,
    ) -> None:
        self.base = base
        # A recorded root proves that one of its markers was there, or none on the way to it.
        self._markers = {
            flavour.join(root, markers[0])
            for root, markers in roots
            if markers and not any(_there(base, flavour.join(root, marker)) for marker in markers)
        }
        self.known = tuple(sorted(known, key=lambda one: one.look))
        self._looks = sorted({one.look for one in self.known if one.gone or one.text is not None})
        self._views: dict[int, Snapshot] = {}

    def before(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`~scopetrace.replay.files.Files`."""
        number = bisect_right(self._looks, seq)
        if number not in self._views:
            self._views[number] = Snapshot(edited(self.base, self._edits(number)))
        return self._views[number]

    def after(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`~scopetrace.replay.files.Files`."""
        return self.before(seq, time)

    def _edits(self, number: int) -> list[Edit]:
        """The newest proof about each path; what is proved later stands for earlier moments when nothing else does."""
        limit = self._looks[number - 1] if number else -1
        state: dict[str, Known] = {}
        seen: set[str] = set()
        absent: list[str] = []
        for one in self.known:
            if one.look > limit:
                # Announced as new later on: no earlier look had found it.
                if one.new and one.path not in seen:
                    absent.append(one.path)
            elif one.text is None and not one.gone:
                state.pop(one.path, None)
            else:
                state[one.path] = one
            seen.add(one.path)
        edits: list[Edit] = [Edit.mkdir(marker) for marker in sorted(self._markers)]
        edits.extend(Edit.delete(path) for path in absent)
        for one in state.values():
            if one.gone:
                edits.append(Edit.delete(one.path))
            else:
                edits.append(Edit.write(one.path, (one.text or "").encode("utf-8", "surrogatepass")))
        return edits

    def doubt(self, recorded: Message, seq: int) -> str:
        """Why a recorded message cannot be held against the rules: a file of today is not what the session saw."""
        if any(_NOTICE in block[: len(_NOTICE) + 32] for block in recorded.blocks):
            return "the message leaves files out or cuts them, and their whole texts are not in the log"
        paths = {change.path: change for change in recorded.source.changes or () if change.digest}
        for one in self.known:
            change = paths.get(one.display)
            if one.seq != seq or change is None or one.text is not None or one.gone:
                continue
            now = self._digest(one.path)
            if now != one.digest:
                said = f"SHA-1 {now[:12]}" if now else "not there"
                return f"{one.display} today ({said}) is not what the session saw (SHA-1 {one.digest[:12]})"
        return ""

    def _digest(self, path: str) -> str:
        try:
            stat = self.base.stat(path)
            if stat is None or stat.kind != "file":
                return ""
            data = self.base.read(path, 64 << 20)
            return sha1_hex(data.decode("utf-8").removeprefix("\ufeff"))
        except (FsError, UnicodeDecodeError):
            return ""

    def notes(self) -> list[str]:
        """Which source was used for each file, in words."""
        rows: dict[str, list[Known]] = {}
        for one in self.known:
            rows.setdefault(one.display, []).append(one)
        said: list[str] = []
        for display, proofs in rows.items():
            texts = [str(one.seq) for one in proofs if one.text is not None]
            unknown = [one for one in proofs if one.text is None and not one.gone]
            if texts:
                said.append(
                    f"{display}: text taken from the log, event{'s' if len(texts) > 1 else ''} {', '.join(texts)}"
                )
            for one in unknown:
                equal = self._digest(one.path) == one.digest
                said.append(
                    f"{display}: the file of today, {'as the session saw it' if equal else 'NOT what the session saw'} "
                    f"at event {one.seq}"
                )
        return said
