"""The files of a bare log: those of today, below what the log itself proves.

A log without its workspace is replayed against the files of today, but what :mod:`.witness` found in its messages
stands for a file from the look that saw it. Source: ``design/REPLAY.md`` point 11.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.paths import resolve_homes
from scopetrace.engine.text import sha1_hex
from scopetrace.model import Message
from scopetrace.workspace.fs import FileSystem, FsError
from scopetrace.workspace.overlay import Edit
from scopetrace.workspace.snapshot import Snapshot
from scopetrace.workspace.windows import edited

from .witness import Known

_NOTICE = "Workspace instruction budget "


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


def _there(fs: FileSystem, path: str) -> bool:
    try:
        return fs.stat(path) is not None
    except FsError:
        return False


class WitnessedFiles:
    """Files of today below what the log proves, by event. A :class:`~scopetrace.replay.files.Files`.

    ``digests`` keeps those of ``base``, for the next one over the same base.
    """

    def __init__(
        self,
        base: FileSystem,
        known: Sequence[Known],
        roots: Sequence[tuple[str, tuple[str, ...]]] = (),
        flavour: PathFlavour = POSIX,
        digests: dict[str, str] | None = None,
    ) -> None:
        self.base = base
        self.roots = tuple(roots)
        self._digests = {} if digests is None else digests
        # A recorded root proves that one of its markers was there, or none on the way to it.
        self.markers = {
            flavour.join(root, markers[0])
            for root, markers in roots
            if markers and not any(_there(base, flavour.join(root, marker)) for marker in markers)
        }
        self.known = tuple(sorted(known, key=lambda one: one.look))
        self._looks = sorted({one.look for one in self.known if one.gone or one.text is not None})
        self._views: dict[int, Snapshot] = {}
        self._unproved: dict[int, list[Known]] = {}
        for one in self.known:
            if one.text is None and not one.gone:
                self._unproved.setdefault(one.seq, []).append(one)

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
        edits: list[Edit] = [Edit.mkdir(marker) for marker in sorted(self.markers)]
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
        paths = {change.path for change in recorded.source.changes or () if change.digest}
        for one in self._unproved.get(seq, ()):
            now = self._digest(one.path) if one.display in paths else one.digest
            if now != one.digest:
                said = f"SHA-1 {now[:12]}" if now else "not there"
                return f"{one.display} today ({said}) is not what the session saw (SHA-1 {one.digest[:12]})"
        return ""

    def _digest(self, path: str) -> str:
        found = self._digests.get(path)
        if found is None:
            found = self._digests[path] = self._work_out(path)
        return found

    def _work_out(self, path: str) -> str:
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
