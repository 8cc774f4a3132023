"""A session while its log is read: runs, settings and files as far as the rows so far tell them.

What comes late may change how earlier rows are replayed (a file announced as new was not there before, a fork's end
makes copies of all before it). :meth:`Session.read` says from which row on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from scopetrace.engine.config import Config
from scopetrace.engine.flavour import PathFlavour
from scopetrace.engine.profile import Profile
from scopetrace.model import RunInfo
from scopetrace.sessions import Event, Rotation
from scopetrace.sessions.follow import Rotations
from scopetrace.sessions.messages import instruction_source
from scopetrace.sessions.vocabulary import MESSAGE_TYPES

from .driver import BATCH_ENDS, BATCH_LIMIT
from .files import Files
from .host import Setting
from .loader import EngineLoader
from .logrows import LogRows
from .runs import Runs
from .settings import recover_configs

_ALWAYS = frozenset({"session/end-seed", "session/title", "working-directory/change"})
_TOLD = MESSAGE_TYPES | _ALWAYS
_STEPS, _LOOKS = frozenset({"step/start"}), frozenset({"step/end", "tool/result"})
PROBLEMS_SAID = 8


class Ground(Protocol):
    """Where a session's files come from: a bundle, or this machine and the log's own texts."""

    flavour: PathFlavour
    home: str
    source: str
    """In words, see :attr:`~scopetrace.model.RunInfo.workspace_source`."""
    manifest: list[Config | None]
    """Recorded configurations, one a run as far as they are known."""

    def title(self, recorded: str) -> str:
        """The session's title, given that of the log (which may be empty)."""
        ...

    def step(self, seq: int) -> None:
        """Before this event a step looked at files."""
        ...

    def look(self, seq: int) -> None:
        """After this event files were looked at."""
        ...

    def take(self, event: Event) -> None:
        """A row goes by that may prove something about files."""
        ...

    def settle(self) -> int | None:
        """Bring ``files``, ``environ`` and ``notes`` up to what went by. The number of the first event for which they
        are others than before; ``None`` when there is none."""
        ...

    @property
    def files(self) -> Files:
        """Files in time."""
        ...

    @property
    def environ(self) -> Mapping[str, str]:
        """Environment of the loader."""
        ...

    @property
    def notes(self) -> list[str]:
        """Sentences about files."""
        ...


class Session:
    """Reads a log and settles what its replay needs. ``setting`` and ``info`` are those of the rows so far."""

    def __init__(self, rows: LogRows, rules: Profile, config: Config | None, ground: Ground) -> None:
        self.rows = rows
        self._rules, self._config, self._ground = rules, config, ground
        self._loader = EngineLoader()
        self._runs = Runs(rows)
        self._scanned = self._looked = 0
        self._title = ""
        self._identities: list[tuple[int, str]] = []
        self._open = 0
        self._quiet = False
        self._watch = Rotations(rows.log)
        self.rotation: Rotation | None = None
        self._info: RunInfo | None = None
        self._scan()
        self.setting, _, self._origin = self._settled()

    @property
    def info(self) -> RunInfo:
        """What is replayed, as far as it is known."""
        if self._info is None:
            self._info = self._told()
        return self._info

    @property
    def complete(self) -> bool:
        """Whether the log was read to its present end."""
        return self.rows.log.complete

    @property
    def ready(self) -> int:
        """How many rows may be replayed: messages that enter with a step may still follow a step at the end."""
        count = len(self.rows)
        if not self.complete:
            return max(0, count - BATCH_LIMIT)
        return count if self._quiet or not self.rows.log.live else min(count, self._open)

    def read(self, rows: int | None = None) -> int:
        """Read about ``rows`` more rows (all, if not given); the first row whose replay this may change.

        Of a living log that was read to its end, what has been written since is read, until :attr:`rotation` says that
        it goes on elsewhere. Raises :class:`~scopetrace.sessions.LogError`.
        """
        before, was_complete = len(self.rows), self.complete
        if was_complete:
            self.rotation = self._watch.look()
            if self.rotation is not None and self.rotation.error is None:
                return before
        self.rows.log.advance(rows)
        self._quiet = was_complete and len(self.rows) == before
        if len(self.rows) == self._scanned and was_complete == self.complete:
            return before
        # A step that stood at the end when it was replayed: messages may have come to it.
        first = min(before, self._open) if was_complete else before
        self._scan()
        old = self.setting
        self.setting, changed, self._origin = self._settled()
        self._info = None
        return min(first, changed, _differs(old, self.setting))

    def _open_step(self) -> int:
        """The row of the last step if its messages may still come, else the number of rows."""
        count = len(self.rows)
        for at in range(count - 1, max(-1, count - BATCH_LIMIT), -1):
            kind = self.rows.kind(at)
            if kind == "step/start":
                return at
            if kind.startswith(BATCH_ENDS):
                break
        return count

    def _scan(self) -> None:
        rows, end = self.rows, len(self.rows)
        for at in rows.of_kinds(_TOLD, self._scanned, end):
            if rows.speaks(at) or rows.kind(at) in _ALWAYS:
                item = rows[at]
                if isinstance(item, Event):
                    self._take(at, item)
        self._scanned = end
        self._open = self._open_step()

    def _look_back(self, at: int) -> None:
        """Tell the ground the last looks at files before a row."""
        for kinds, tell in ((_STEPS, self._ground.step), (_LOOKS, self._ground.look)):
            found = self.rows.last_of(kinds, self._looked, at)
            if found is not None:
                tell(self.rows.seq(found))
        self._looked = at

    def _take(self, at: int, event: Event) -> None:
        if event.type == "session/end-seed":
            self._runs.seed(at)
        elif event.type == "session/title":
            title = event.data.get("title")
            self._title = title if isinstance(title, str) else self._title
        else:
            self._look_back(at)
            source = instruction_source(event)
            if source is not None and source.baseline_identity is not None:
                self._identities.append((at, source.baseline_identity))
            self._ground.take(event)

    def _settled(self) -> tuple[Setting, int, str]:
        """Setting, the first row for which the files are others, and where configurations come from."""
        plan, ground, header = self._runs.plan, self._ground, self.rows.log.header
        if self._config is None:
            configs, origin = recover_configs(self._identities, plan, ground.manifest)
        else:
            configs, origin = (self._config,), "given with --config"
        changed = ground.settle()
        setting = Setting(
            loader=self._loader,
            profile=self._rules,
            configs=configs,
            plan=plan,
            files=ground.files,
            home=ground.home,
            environ=ground.environ,
            origin_cwd=header.cwd or "/",
            flavour=ground.flavour,
        )
        return setting, len(self.rows) if changed is None else self._row_from(changed), origin

    def _row_from(self, seq: int) -> int:
        row = self.rows.row_of(seq)
        return 0 if row is None else row

    def _told(self) -> RunInfo:
        index, ground, setting = self.rows.log, self._ground, self.setting
        header, problems = index.header, self.rows.surface.problems[:PROBLEMS_SAID]
        said = [f"event {problem.seq}: {problem.reason}" for problem in problems]
        return RunInfo(
            title=ground.title(self._title),
            session_id=header.id,
            format=str(header.version),
            cwd=header.cwd or "",
            home=ground.home,
            profile=self._rules.name,
            budget=setting.configs[0].max_bytes,
            config_source=self._origin,
            workspace_source=ground.source,
            log_path=index.path,
            created_ms=header.created_at,
            notes=(*ground.notes, *index.notes, *said),
        )


def _differs(old: Setting, new: Setting) -> int:
    """The first row that two settings of the same log replay differently, files aside; a huge number if none."""
    never = 1 << 62
    if old is new:
        return never
    if old.plan.copied_through != new.plan.copied_through or (old.environ, old.home) != (new.environ, new.home):
        return 0
    first = never
    for number in range(max(len(old.plan.starts), len(new.plan.starts))):
        one, other = old.plan.starts[number : number + 1], new.plan.starts[number : number + 1]
        if one != other:
            first = min((*one, *other))
            break
    for run, (mine, theirs) in enumerate(zip(old.configs, new.configs, strict=False)):
        if mine != theirs:
            return min(first, old.plan.starts[run - 1] if run else 0)
    return first
