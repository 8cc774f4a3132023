"""Where a path lies as the loader sees it: which directory, which scope, and in which relation to root and cwd."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scopetrace.engine.passes import Pass
from scopetrace.engine.paths import (
    AGENTS_GLOBAL_DIRECTORY,
    USER_GLOBAL_DIRECTORY,
    USER_GLOBAL_FILE,
    ancestor_chain,
    candidate_scope_key,
    is_outside,
    relative_display,
)
from scopetrace.replay.scopes import ScopeStates
from scopetrace.workspace.fs import FileSystem, FsError, LinkReader, Stat


class Relation(StrEnum):
    """A directory's place: a user-global root, on the way from root to cwd, below cwd, beside it, or outside."""

    HOME = "home"
    CHAIN = "chain"
    BELOW = "below"
    ASIDE = "aside"
    OUTSIDE = "outside"


class Spot(NamedTuple):
    """A path in question.

    ``absolute`` and ``display`` as the loader would write it; ``directory`` is the absolute directory around it, or
    the path itself for a directory. ``scope`` is empty unless the name is a candidate at that place. ``stat`` follows
    links, ``link`` is the stored target of one. ``failure`` says why it could not be looked at.
    """

    asked: str
    absolute: str
    display: str
    directory: str
    name: str
    relation: Relation
    scope: str
    stat: Stat | None
    link: str | None
    failure: str

    @property
    def is_directory(self) -> bool:
        return self.stat is not None and self.stat.kind == "directory"


def relation_of(run: Pass, directory: str) -> Relation:
    """Where a directory lies for the project's files."""
    flavour = run.env.flavour
    directory = flavour.resolve(directory)
    if directory in ancestor_chain(run.root, run.cwd, flavour=flavour):
        return Relation.CHAIN
    if not is_outside(run.cwd, directory, flavour=flavour):
        return Relation.BELOW
    relative = flavour.relative(run.root, directory)
    # A directory named ..foo is inside of the root, although its name begins with two dots.
    away = relative == ".." or relative.startswith(f"..{flavour.sep}") or flavour.is_absolute(relative)
    return Relation.OUTSIDE if away else Relation.ASIDE


def home_of(run: Pass, directory: str) -> str:
    """Scope directory of the user-global root at this place, empty when there is none."""
    if directory == run.homes.dsh:
        return USER_GLOBAL_DIRECTORY
    if run.profile.shared_root and directory == run.homes.agents:
        return AGENTS_GLOBAL_DIRECTORY
    return ""


def display_of(run: Pass, absolute: str) -> str:
    """The path as the model would see it; absolute outside of the project."""
    flavour = run.env.flavour
    directory, name = flavour.dirname(absolute), flavour.basename(absolute)
    home = home_of(run, directory)
    if home and name == USER_GLOBAL_FILE:
        return run.locate(candidate_scope_key(home, name)).display
    if relation_of(run, absolute if absolute == run.root else directory) is Relation.OUTSIDE:
        return absolute
    shown = relative_display(run.root, absolute, reserved_escape=run.profile.reserved_escape, flavour=flavour)
    return shown or "."


def look(fs: FileSystem, path: str) -> tuple[Stat | None, str | None, str]:
    """Probe, stored link target, and why the probe failed."""
    failure, stat, link = "", None, None
    try:
        stat = fs.stat(path)
    except FsError as error:
        failure = error.reason
    if isinstance(fs, LinkReader):
        try:
            link = fs.readlink(path)
        except FsError:
            link = None
    return stat, link, failure


def find(states: ScopeStates, asked: str) -> Spot:
    """The spot that a user means by ``asked``: absolute, ``~/…``, from the working directory, or as shown."""
    run = states.run
    absolute = _meant(states, asked)
    flavour = run.env.flavour
    stat, link, failure = look(run.fs, absolute)
    is_directory = stat is not None and stat.kind == "directory" and link is None
    name = flavour.basename(absolute)
    directory = absolute if is_directory else flavour.dirname(absolute)
    scope = ""
    relation = relation_of(run, directory)
    home = "" if is_directory else home_of(run, directory)
    if home and name == USER_GLOBAL_FILE:
        relation, scope = Relation.HOME, candidate_scope_key(home, name)
    elif not is_directory and name in run.names and relation is not Relation.OUTSIDE:
        scope = candidate_scope_key(run.scope_directory(directory), name)
    elif name in run.names and relation is not Relation.OUTSIDE and asked.rstrip("/\\") == asked:
        # A directory that has a candidate's name: the loader asked for it and found no file.
        directory = flavour.dirname(absolute)
        relation = relation_of(run, directory)
        if relation is not Relation.OUTSIDE:
            scope = candidate_scope_key(run.scope_directory(directory), name)
    return Spot(asked, absolute, display_of(run, absolute), directory, name, relation, scope, stat, link, failure)


def _meant(states: ScopeStates, asked: str) -> str:
    run = states.run
    flavour = run.env.flavour
    for label, home in ((run.homes.dsh_label, run.homes.dsh), (run.homes.agents_label, run.homes.agents)):
        if asked == label or asked.startswith((f"{label}/", f"{label}\\")):
            return flavour.resolve(home, asked[len(label) + 1 :] or ".")
    if asked == "~" or asked.startswith(("~/", "~\\")):
        return flavour.resolve(run.env.home, asked[2:] or ".")
    here = flavour.resolve(run.cwd, asked)
    if flavour.is_absolute(asked) or _exists(run.fs, here):
        return here
    shown = {run.locate(scope).display: run.locate(scope).absolute for scope in (*states.in_force, *states.told)}
    if asked in shown:
        return shown[asked]
    places = [run.root]
    if "/" in asked.strip("/") or "\\" in asked:
        # A path of several parts, told from somewhere above: the nearest place where it exists.
        above = run.cwd
        while flavour.dirname(above) != above:
            above = flavour.dirname(above)
            places.append(above)
    return next((p for p in (flavour.resolve(base, asked) for base in places) if _exists(run.fs, p)), here)


def _exists(fs: FileSystem, path: str) -> bool:
    stat, link, failure = look(fs, path)
    return stat is not None or link is not None or bool(failure)
