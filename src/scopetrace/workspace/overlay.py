"""Edits in memory over any other provider, for questions that begin with "what if"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha1
from typing import Literal, NamedTuple

from .fs import Cancel, Cancelled, Entry, FileSystem, FsError, LinkReader, Stat, head
from .history import MAX_LINKS
from .paths import join, normalise, parent

_EDITS_SHIFT = 1 << 20


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit; use the class methods. ``data`` belongs to ``write``, ``target`` to ``symlink``."""

    op: Literal["write", "delete", "mkdir", "symlink"]
    path: str
    data: bytes = b""
    target: str = ""

    @classmethod
    def write(cls, path: str, data: bytes | str) -> Edit:
        """A regular file with this content (text is encoded as UTF-8) replaces what is there."""
        return cls("write", path, data.encode() if isinstance(data, str) else data)

    @classmethod
    def delete(cls, path: str) -> Edit:
        """The path and everything below it goes."""
        return cls("delete", path)

    @classmethod
    def mkdir(cls, path: str) -> Edit:
        """A directory, unless there is one."""
        return cls("mkdir", path)

    @classmethod
    def symlink(cls, path: str, target: str) -> Edit:
        """A link replaces what is there."""
        return cls("symlink", path, target=target)


class _Place(NamedTuple):
    """Where a walk ended. ``edit`` is what lies there when it is an edit; ``sealed`` hides the base from here down."""

    path: str
    edit: Edit | None
    sealed: bool
    absent: bool = False
    linked: bool = False
    crossed: bool = False


class Overlay:
    """A :class:`~scopetrace.workspace.fs.FileSystem`: ``base``, itself left alone, with ``edits`` applied in order.

    Links lead from either layer into the other, when the base is a :class:`~scopetrace.workspace.fs.LinkReader`. An
    edit behind a linked directory goes to the directory's real place, as a write on a disk would. Parents need not
    exist. What an edit put somewhere is always readable there, whatever failures the base reports. The version of an
    edited file is a digest of its bytes: equal content is an equal version.
    """

    def __init__(self, base: FileSystem, edits: Iterable[Edit] = ()) -> None:
        self.base = base
        self._links = base if isinstance(base, LinkReader) else None
        self._edits: list[Edit] = []
        self._at: dict[str, Edit] = {}
        self._below: dict[str, list[str]] = {}  # children that are, were or lead to edits; some twice
        self._holds: dict[str, int] = {}  # edits further down that put something there; never 0
        for edit in edits:
            self.add(edit)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits as they were asked for, in order."""
        return tuple(self._edits)

    def over(self, base: FileSystem) -> Overlay:
        """The same edits over another base (the next moment of a history)."""
        return Overlay(base, self._edits)

    def add(self, edit: Edit) -> None:
        """Apply one more edit."""
        self._edits.append(edit)
        path = self._real_parent(normalise(edit.path))
        if edit.op == "mkdir" and self._is_directory(path):
            return
        known = path in self._at or path in self._below
        # By place and not by a look at all edits: a strange log has a million of them.
        for other in (path,) if edit.op == "mkdir" else tuple(self._places(path)):
            gone = self._at.pop(other, None)
            if gone is not None and gone.op != "delete":
                self._hold(other, -1)
        self._at[path] = edit
        if edit.op != "delete":
            self._hold(path, 1)
        while path != "/" and not known:
            above = parent(path)
            known = above in self._at or above in self._below
            self._below.setdefault(above, []).append(path)
            path = above

    def _places(self, path: str) -> Iterator[str]:
        """A path and all places below it that are, were or lead to edits."""
        left = [path]
        while left:
            here = left.pop()
            yield here
            left.extend(self._below.get(here, ()))

    def _hold(self, path: str, change: int) -> None:
        """Count an edit, or its end, at the directories above it."""
        for above in _above(path):
            count = self._holds.get(above, 0) + change
            if count:
                self._holds[above] = count
            else:
                del self._holds[above]

    # -- FileSystem

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        """See :meth:`FileSystem.stat`."""
        if cancel is not None and cancel():
            raise Cancelled
        place = self._walk(path)
        if place.absent:
            return None
        target = place.path if place.linked else None
        if place.edit is not None and place.edit.op == "write":
            return Stat("file", ("edit", sha1(place.edit.data).hexdigest()), len(place.edit.data), target)
        if place.sealed:
            return Stat("directory", link_target=target)
        if not place.crossed:
            found = self.base.stat(path, cancel)
        else:
            below = self.base.stat(place.path, cancel)
            found = below and Stat(below.kind, below.version, below.size, target)
        if found is None and place.path in self._holds:
            return Stat("directory", link_target=target)
        return found

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        """See :meth:`FileSystem.read`."""
        if cancel is not None and cancel():
            raise Cancelled
        place = self._walk(path)
        if place.absent:
            raise FsError(path, "no such file")
        if place.edit is not None and place.edit.op == "write":
            return head(place.edit.data, limit)
        if place.sealed:
            raise FsError(path, "not a regular file")
        return self.base.read(place.path if place.crossed else path, limit, cancel)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        """See :meth:`FileSystem.listdir`."""
        try:
            place = self._walk(path)
            if place.absent or (place.edit is not None and place.edit.op == "write"):
                return ()
            if (
                not place.sealed
                and place.path in self._holds
                and self._base_kind(place.path) not in ("directory", None)
            ):
                return ()
        except FsError:
            return ()
        found = {} if place.sealed else {entry.name: entry for entry in self.base.listdir(place.path)}
        for other in self._below.get(place.path, ()):
            name, edit = other.rpartition("/")[2], self._at.get(other)
            if edit is not None and edit.op in ("write", "symlink"):
                found[name] = Entry(name, "file" if edit.op == "write" else "link")
            elif other in self._holds or (edit is not None and edit.op == "mkdir"):
                if edit is not None or name not in found:
                    found[name] = Entry(name, "directory")
            elif edit is not None:
                found.pop(name, None)
        return tuple(found[name] for name in sorted(found))

    def readlink(self, path: str) -> str | None:
        """See :meth:`LinkReader.readlink`."""
        plain = normalise(path)
        above = self._walk(parent(plain))
        if above.absent or plain == "/":
            return None
        real = join(above.path, plain.rpartition("/")[2])
        edit = self._at.get(real)
        if edit is not None:
            return edit.target if edit.op == "symlink" else None
        return None if above.sealed or self._links is None else self._links.readlink(real)

    def generation(self) -> int | None:
        """Base and edits together; ``None`` when the base cannot say."""
        base = self.base.generation()
        return None if base is None else base * _EDITS_SHIFT + len(self._edits)

    # -- inside

    def _walk(self, path: str, creating: bool = False) -> _Place:
        """Follow ``path`` through both layers; ``creating`` goes on by name where nothing is, not through files."""
        steps = [part for part in reversed(normalise(path).split("/")) if part]
        here, sealed, edit, linked, crossed, followed = "/", self._sealed("/"), self._at.get("/"), False, False, 0
        while steps:
            name = steps.pop()
            if creating:
                if self._is_file(here, edit, sealed):
                    raise FsError(path, "runs through a regular file")
            elif self._is_no_directory(here, edit, sealed, climbing=name == ".."):
                return _Place(here, None, sealed, absent=True)
            if name == "..":
                here = parent(here)
                sealed, edit = self._sealed(here), self._at.get(here)
                continue
            child = join(here, name)
            edit = self._at.get(child)
            target: str | None = None
            if edit is not None:
                crossed = True
                target = edit.target if edit.op == "symlink" else None
            elif not sealed:
                target = self._base_link(child)
            if target is None:
                here = child
                sealed = sealed or edit is not None
                continue
            followed += 1
            if followed > MAX_LINKS:
                raise FsError(path, f"more than {MAX_LINKS} symbolic links")
            linked = linked or not steps
            if target == "":
                return _Place(child, None, sealed, absent=True)
            if target.startswith("/"):
                here = "/"
            sealed, edit = self._sealed(here), self._at.get(here)
            steps.extend(part for part in reversed(target.split("/")) if part not in ("", "."))
        return _Place(here, edit, sealed, absent=self._is_gone(here, edit, sealed), linked=linked, crossed=crossed)

    def _is_gone(self, here: str, edit: Edit | None, sealed: bool) -> bool:
        """Whether the edits leave nothing at a real path."""
        if here == "/" or here in self._holds:
            return False
        return edit.op == "delete" if edit is not None else sealed

    def _is_no_directory(self, here: str, edit: Edit | None, sealed: bool, climbing: bool) -> bool:
        """Whether a walk ends here. The base is asked only where its own answer at the end would not say so."""
        if here in self._holds or edit is not None:
            return self._is_gone(here, edit, sealed) or self._is_file(here, edit, sealed)
        if sealed:
            return here != "/"
        return climbing and self._base_kind(here) != "directory"

    def _is_file(self, here: str, edit: Edit | None, sealed: bool) -> bool:
        """Whether something other than a directory is at a real path."""
        if edit is not None or sealed:
            return edit is not None and edit.op == "write"
        return self._base_kind(here) not in ("directory", None)

    def _base_link(self, path: str) -> str | None:
        if self._links is not None:
            return self._links.readlink(path)
        if not self._at:
            return None
        try:
            found = self.base.stat(path)
        except FsError:
            return None
        return found.link_target if found is not None else None

    def _sealed(self, path: str) -> bool:
        """Whether an edit at or above a real path hides the base there."""
        return path in self._at or any(above in self._at for above in _above(path))

    def _base_kind(self, path: str) -> str | None:
        try:
            found = self.base.stat(path)
        except FsError:
            return "directory"  # a failure is keyed by its own path: what lies below may still be asked
        return found.kind if found is not None else None

    def _is_directory(self, path: str) -> bool:
        try:
            found = self.stat(path)
        except FsError:
            return False
        return found is not None and found.kind == "directory"

    def _real_parent(self, path: str) -> str:
        if path == "/":
            return path
        try:
            place = self._walk(parent(path), creating=True)
        except FsError:
            return path
        return join(place.path, path.rpartition("/")[2])


def _above(path: str) -> Iterator[str]:
    while path != "/":
        path = parent(path)
        yield path
