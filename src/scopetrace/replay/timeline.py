"""A replayed session: rows, frames on demand, record against claim."""

from __future__ import annotations

from collections.abc import Sequence

from scopetrace.model import Comparison, Frame, Message, Row, RowKind, RunInfo, ScopeNode
from scopetrace.sessions import Gap, Progress, Rotation
from scopetrace.workspace.fs import FileSystem

from .course import Course
from .framing import computed
from .host import HostState, Setting
from .reading import text_of
from .rows import make_row
from .session import Session
from .tree import build_tree

READ_AHEAD = 16
"""Rows read for each one replayed."""


class Timeline:
    """See :class:`~scopetrace.model.TimelineView`. ``advance`` reads the log on and replays a stretch of it.

    When the log tells late what changes earlier rows, they are replayed anew, and take the place of the old ones when
    as many are there.
    """

    def __init__(self, session: Session, setting: Setting | None = None, rows: int | None = None) -> None:
        """``setting`` replays otherwise than the session tells, over the first ``rows`` rows."""
        self._session = session
        self._rows = session.rows
        self._fixed = rows
        self._course = Course(self._rows, setting or session.setting)
        self._next: Course | None = None
        self._stale: int | None = None

    # -- replay

    def advance(self, rows: int | None = None) -> bool:
        """Read on and replay up to ``rows`` more rows (all there are, if not given); true when nothing is left.

        Of a living log true means: for now. Raises :class:`~scopetrace.sessions.LogError`.
        """
        if self._fixed is None:
            self._read(rows)
        while True:
            course = self._next or self._course
            end = max(self._ready, self._course.done)
            course.advance(end if rows is None else min(end, course.done + rows))
            if course is self._next and course.done >= self._course.done:
                self._course, self._next = course, None
                continue
            return self.complete

    def _read(self, rows: int | None) -> None:
        session = self._session
        if session.complete and not self.live:
            return
        # Reading a row costs a fraction of replaying one, and what it tells is better known early.
        first = session.read(None if rows is None else rows * READ_AHEAD)
        newest = self._next or self._course
        if self._stale is not None or first < newest.done:
            self._stale = first if self._stale is None else min(first, self._stale)
        elif newest.setting is not session.setting:
            newest.go_on_under(session.setting)
        # While a long log is read, much may still come that changes the beginning: once is enough.
        if self._stale is not None and session.complete:
            self._next, self._stale = newest.resettled(self._stale, session.setting), None

    @property
    def _ready(self) -> int:
        return self._session.ready if self._fixed is None else self._fixed

    @property
    def live(self) -> bool:
        """Whether the log may grow."""
        return self._fixed is None and self._session.rows.log.live

    @property
    def progress(self) -> Progress:
        """How far reading has come in the file."""
        return self._rows.log.progress

    @property
    def share(self) -> int:
        """How much of the log is replayed, in per cent; 99 at most while something is left."""
        progress = self.progress
        if self.complete:
            return 100
        if not progress.rows or not progress.position:
            return 0
        rows = progress.rows * max(progress.size, progress.position) / progress.position
        return min(99, int(len(self) * 100 / rows))

    @property
    def waiting(self) -> Gap | None:
        """The unfinished end of a living log."""
        return self._rows.log.waiting

    @property
    def rotation(self) -> Rotation | None:
        """Where a living log goes on, or what has become of it; ``None`` while it simply grows."""
        return self._session.rotation

    # -- TimelineView

    @property
    def info(self) -> RunInfo:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._session.info

    @property
    def complete(self) -> bool:
        """See :class:`~scopetrace.model.TimelineView`."""
        session, course = self._session, self._course
        if self._fixed is not None:
            return course.done == self._fixed
        return session.complete and self._next is None and self._stale is None and course.done == len(self._rows)

    def __len__(self) -> int:
        return self._course.done

    def row(self, index: int) -> Row:
        """See :class:`~scopetrace.model.TimelineView`."""
        return make_row(self._rows[index], index)

    def raw(self, index: int) -> str:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._rows.raw(self._rows[index]).decode("utf-8", "surrogateescape")

    @property
    def changes(self) -> Sequence[int]:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._course.changes

    @property
    def comparisons(self) -> Sequence[Comparison]:
        """See :class:`~scopetrace.model.TimelineView`."""
        return self._course.comparisons

    def visible_messages(self, index: int) -> tuple[Message, ...]:
        """Instruction messages on the claimed surface after the row at ``index``, in surface order."""
        return self.state(index).loader.visible

    def supposing(self, setting: Setting) -> Timeline:
        """The rows replayed so far under another setting, nothing replayed yet."""
        return Timeline(self._session, setting, self._course.done)

    @property
    def passes(self) -> Sequence[int]:
        """Indices, ascending, of the rows at which the loader looked at files."""
        return self._course.passes

    def index_of(self, seq: int) -> int | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        found = self._rows.row_of(seq)
        return found if found is not None and found < self._course.done else None

    def shadowed_by(self, index: int, at: int) -> int | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        rows = self._rows
        return rows.surface.shadowed_by(rows.seq(index), rows.seq(at))

    def frame(self, index: int) -> Frame:
        """See :class:`~scopetrace.model.TimelineView`. Raises :class:`IndexError`."""
        return computed(self._course, index)[0]

    def state(self, index: int) -> HostState:
        """The session around the loader after the row at ``index``."""
        return computed(self._course, index)[1]

    def tree(self, index: int) -> tuple[ScopeNode, ...]:
        """See :class:`~scopetrace.model.TimelineView`."""
        return build_tree(self, index)

    def message_at(self, seq: int) -> Message | None:
        """What stands at ``seq`` on the claimed surface at the end, else the recorded instruction message."""
        for comparison in self._course.by_seq.get(seq, ()):
            return comparison.computed or comparison.recorded
        return None

    def files_at(self, index: int) -> FileSystem | None:
        """Files as they are after the row at ``index``."""
        item, files = self._rows[index], self._course.setting.files
        if isinstance(item, Gap):
            return files.after(self._rows.seq_before(index), 0)
        return files.after(item.seq, item.time)

    def file_text(self, absolute_path: str, index: int) -> str | None:
        """See :class:`~scopetrace.model.TimelineView`."""
        limit = self._course.setting.config(self.state(index).run).max_source_bytes
        return text_of(self.files_at(index), absolute_path, limit)

    @property
    def setting(self) -> Setting:
        """Rules, configurations and files of this replay."""
        return self._course.setting

    def kind(self, index: int) -> RowKind:
        """Kind of a row."""
        return self.row(index).kind
