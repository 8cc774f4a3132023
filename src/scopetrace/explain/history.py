"""What happened to a scope over the whole session, and what would happen next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scopetrace.model import Action, Fact, Outcome, RowKind, Stage
from scopetrace.replay.foresee import foresee
from scopetrace.workspace.fs import FsError

from .answer import Moment
from .codes import When
from .inquiry import Inquiry
from .spot import Relation

LOOK_BACK = 400
"""Rows looked back at, at most, for the touch behind an announcement or the change behind an update."""
_KINDS = {Action.SET: When.ANNOUNCED, Action.REPLACE: When.REPLACED, Action.REMOVE: When.WITHDRAWN}


class Touch(NamedTuple):
    """A tool call that bears on a directory: the row, its tool and path, and what the loader made of it."""

    row: int
    tool: str
    touched: str
    outcome: Outcome


def moments(inquiry: Inquiry, scope: str) -> list[Moment]:
    """Announcements, updates, withdrawals and hidings of a scope, in order, over the whole timeline."""
    found = list(_told(inquiry, scope))
    result: list[Moment] = []
    for place, (index, action, digest, baseline) in enumerate(found):
        facts: dict[str, Fact] = {"digest": digest}
        if action is Action.SET:
            facts["baseline"] = baseline
            if not baseline:
                touch = led_by(inquiry, scope, index)
                if touch is not None:
                    facts |= {"tool": touch.tool, "touched": touch.touched}
        if action is Action.REPLACE:
            since = changed(inquiry, scope, index)
            if since is not None and since < index:
                until = inquiry.seq(index)
                result.append(inquiry.moment(When.CHANGED, {"until": until}, index=since))
        result.append(inquiry.moment(_KINDS[action], facts, index=index))
        last = len(inquiry.timeline) - 1
        by = inquiry.timeline.shadowed_by(index, last)
        hidden = None if by is None else inquiry.timeline.index_of(by)
        following = found[place + 1][0] if place + 1 < len(found) else last + 1
        if hidden is not None and hidden < following and action is not Action.REMOVE:
            result.append(inquiry.moment(When.HIDDEN, {}, index=hidden))
    return result


def _told(inquiry: Inquiry, scope: str) -> Iterator[tuple[int, Action, str | None, bool]]:
    seen: set[int] = set()
    for comparison in inquiry.timeline.comparisons:
        message = comparison.computed or comparison.recorded
        index = inquiry.timeline.index_of(comparison.seq)
        if message is None or index is None or index in seen:
            continue
        for change in message.source.changes or ():
            if change.scope == scope:
                seen.add(index)
                yield index, change.action, change.digest, message.source.baseline


def changed(inquiry: Inquiry, scope: str, index: int) -> int | None:
    """The row, up to ``index``, after which the file had the version that it has at ``index``."""
    absolute = inquiry.run.locate(scope).absolute
    latest = _version(inquiry, absolute, index)
    for at in range(index - 1, max(-1, index - LOOK_BACK), -1):
        if _version(inquiry, absolute, at) != latest:
            return at + 1
    return None


def _version(inquiry: Inquiry, absolute: str, index: int) -> object:
    fs = inquiry.timeline.files_at(index)
    try:
        stat = fs.stat(absolute) if fs is not None else None
    except FsError:
        return None
    return None if stat is None else stat.version


def led_by(inquiry: Inquiry, scope: str, index: int) -> Touch | None:
    """The touch that led the loader into a scope's directory before its announcement at ``index``."""
    flavour = inquiry.run.env.flavour
    directory = flavour.dirname(inquiry.run.locate(scope).absolute)
    for touch in touches(inquiry, directory, index, back=True):
        if touch.outcome is Outcome.TOUCH_ACCEPTED:
            return touch
    return None


def touches(inquiry: Inquiry, place: str, until: int, *, back: bool = False) -> Iterator[Touch]:
    """Tool calls about ``place`` (absolute: a directory with all below it, or a file), oldest first unless ``back``."""
    timeline = inquiry.timeline
    rows = range(max(0, until - LOOK_BACK * 50), until + 1)
    for index in reversed(rows) if back else rows:
        row = timeline.row(index)
        if row.kind is not RowKind.TOOL or not _about(inquiry, place, row.label, row.text):
            continue
        found = _outcome(inquiry, index, row.label, row.text, until)
        if found is not None:
            yield found


def _about(inquiry: Inquiry, place: str, tool: str, text: str) -> bool:
    flavour = inquiry.run.env.flavour
    place = place.rstrip(flavour.sep) or place
    if tool in ("bash", "shell", "run_code"):
        relative = flavour.relative(inquiry.run.cwd, place)
        return place in text or (len(relative) > 1 and relative != ".." and relative in text)
    path = flavour.resolve(inquiry.run.cwd, text.partition("\n")[0].strip())
    return path == place or path.startswith(place + flavour.sep)


def _outcome(inquiry: Inquiry, index: int, tool: str, text: str, until: int) -> Touch | None:
    """What the loader made of a call: said at the call's own row, or at that of its result."""
    timeline = inquiry.timeline
    for at in range(index, min(index + LOOK_BACK, until + 1, len(timeline))):
        if at != index and timeline.row(at).kind is not RowKind.RESULT:
            continue
        heard = [
            d
            for d in timeline.frame(at).decisions
            if d.stage is Stage.LIFECYCLE
            and d.outcome.value.startswith("touch-")
            and d.facts.get("tool", tool) == tool
            and d.facts.get("touched", text) == text.strip()
        ]
        if heard:
            outside = next((d for d in heard if d.outcome is Outcome.TOUCH_OUTSIDE), None)
            return Touch(at, tool, text.strip(), (outside or heard[0]).outcome)
    return None


def coming(inquiry: Inquiry, scope: str, relation: Relation) -> list[Moment]:
    """What would announce a scope from this step on, worked out by letting the loader run on."""
    if scope in foresee(inquiry.timeline, inquiry.index).sets():
        return [inquiry.moment(When.NEXT_STEP, {})]
    flavour = inquiry.run.env.flavour
    directory = flavour.dirname(inquiry.run.locate(scope).absolute)
    if relation is Relation.BELOW:
        probe = flavour.join(directory, "any-file")
        if scope in foresee(inquiry.timeline, inquiry.index, probe).sets():
            return [inquiry.moment(When.NEXT_TOUCH, {"directory": inquiry.run.scope_directory(directory)})]
    if relation in (Relation.ASIDE, Relation.OUTSIDE):
        return [inquiry.moment(When.NEVER, {})]
    return []
