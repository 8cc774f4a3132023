"""Where a session's files come from: its bundle, or this machine and what the log itself proves."""

from __future__ import annotations

from collections.abc import Mapping

from scopetrace.engine.config import Config
from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.paths import Homes, resolve_homes
from scopetrace.sessions import Event
from scopetrace.sessions.messages import instruction_source

from .evidence import WitnessedFiles, homes_of_labels
from .files import Files, StillFiles
from .places import Place
from .witness import Known, Witness

_FROM_LOG = "the log holds no files: its own texts are used where it has them whole, else the files of today"


class BundleGround:
    """Files recorded with the session; nothing in the log changes them."""

    source = "recorded with the session"

    def __init__(
        self,
        name: str,
        files: Files,
        manifest: list[Config | None],
        home: str,
        environ: Mapping[str, str],
        notes: list[str],
        flavour: PathFlavour = POSIX,
    ) -> None:
        self._name = name
        self.files, self.manifest, self.home, self.environ = files, manifest, home, environ
        self.notes, self.flavour = notes, flavour

    def title(self, recorded: str) -> str:
        """See :class:`~scopetrace.replay.session.Ground`."""
        return f"{self._name} · {recorded}" if recorded not in ("", self._name) else self._name

    def step(self, seq: int) -> None:
        """See :class:`~scopetrace.replay.session.Ground`."""

    def look(self, seq: int) -> None:
        """See :class:`~scopetrace.replay.session.Ground`."""

    def take(self, event: Event) -> None:
        """See :class:`~scopetrace.replay.session.Ground`."""

    def settle(self) -> int | None:
        """See :class:`~scopetrace.replay.session.Ground`."""
        return None


class LogGround:
    """Files of today at a place of this machine, below what a bare log proves of them."""

    def __init__(self, name: str, place: Place, cwd: str) -> None:
        self._name = name
        self._place = place
        self._witness = Witness(cwd or "/", place.flavour)
        self._displays: dict[str, None] = {}
        self._spoke = False
        self._known: list[Known] = []
        self._homes: Homes | None = None
        self.manifest: list[Config | None] = []
        self.home, self.flavour = place.home, place.flavour
        self.source = f"texts of the log, else the files at {place.real} as they are today"
        self.environ: Mapping[str, str] = dict(place.environ)
        self.files: Files = StillFiles(place.fs)
        self._said: list[str] = [_FROM_LOG, *place.notes]
        self._digests: dict[str, str] = {}

    @property
    def notes(self) -> list[str]:
        """See :class:`~scopetrace.replay.session.Ground`. Reads files of today."""
        return [*self._said, *(self.files.notes() if isinstance(self.files, WitnessedFiles) else ())]

    def title(self, recorded: str) -> str:
        """See :class:`~scopetrace.replay.session.Ground`."""
        return recorded or self._name

    def step(self, seq: int) -> None:
        """See :class:`~scopetrace.replay.session.Ground`."""
        self._witness.step(seq)

    def look(self, seq: int) -> None:
        """See :class:`~scopetrace.replay.session.Ground`."""
        self._witness.look(seq)

    def take(self, event: Event) -> None:
        """See :class:`~scopetrace.replay.session.Ground`."""
        source = instruction_source(event)
        if source is not None:
            self._spoke = True
            self._displays.update((change.path, None) for change in source.changes or ())
        self._witness.take(event)

    def settle(self) -> int | None:
        """See :class:`~scopetrace.replay.session.Ground`."""
        place, notes = self._place, [_FROM_LOG, *self._place.notes]
        environ = homes_of_labels(self._displays, place.home, dict(place.environ), notes, place.flavour)
        homes = resolve_homes(place.home, environ, flavour=place.flavour)
        known, roots = self._witness.known(homes), tuple(self._witness.roots)
        if not self._spoke:
            return None
        old, before = self.files, self._known
        if isinstance(old, WitnessedFiles) and (homes, roots, len(known)) == (self._homes, old.roots, len(before)):
            return None
        files = WitnessedFiles(place.fs, known, roots, place.flavour, self._digests)
        self.environ, self.files, self._said = environ, files, notes
        self._known, first = known, 0
        if isinstance(old, WitnessedFiles) and homes == self._homes and old.markers == files.markers:
            first = _since(known, len(before))
        self._homes = homes
        return first


def _since(known: list[Known], count: int) -> int:
    """The first event for which what is known beyond the first ``count`` entries makes the files others."""
    seen = {one.path for one in known[:count]}
    first = min(one.look for one in known[count:]) if len(known) > count else 0
    # Announced as new: it was not there at any look before.
    return 0 if any(one.new and one.path not in seen for one in known[count:]) else first
