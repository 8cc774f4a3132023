"""The same timeline with something changed, whatever kind of timeline it is; runs in a thread, touches no disk.

Source: ``design/INSPECTOR.md`` "What-if".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from scopetrace.engine.config import Config
from scopetrace.model import BudgetReport, Change
from scopetrace.replay.foresee import foresee
from scopetrace.replay.replayed import Replayed
from scopetrace.replay.timeline import Timeline
from scopetrace.replay.whatif import (
    Delta,
    Variation,
    deltas,
    latest_budgets,
    suppose,
    varied,
    varied_environ,
    visible_text,
)
from scopetrace.workspace.fs import FileSystem
from scopetrace.workspace.windows import edited

from .opening import Workspace

LOOK_BACK = 24
"""Earlier changes looked at, at most, for the budget of the baseline."""
Stop = Callable[[], bool]


class Stopped(Exception):
    """The result is not wanted any more."""


class Ground(Protocol):
    """Something that can be replayed otherwise."""

    @property
    def timeline(self) -> Replayed:
        """As it is."""
        ...

    def suppose(self, variation: Variation, index: int, stop: Stop) -> tuple[Replayed, int]:
        """The other timeline, and the row in it that answers to ``index``.

        Raises :class:`~scopetrace.engine.config.ConfigError`, :class:`Stopped`.
        """
        ...


@dataclass(frozen=True)
class SessionGround:
    """A session log."""

    timeline: Timeline

    def suppose(self, variation: Variation, index: int, stop: Stop) -> tuple[Replayed, int]:
        """See :class:`Ground`."""
        other = suppose(self.timeline, variation, index, stop)
        if len(other) <= index:
            raise Stopped
        return other, index


@dataclass(frozen=True)
class WorkspaceGround:
    """A directory without a session: its first step, then a touch and a step after each."""

    timeline: Replayed
    workspace: Workspace

    def suppose(self, variation: Variation, index: int, stop: Stop) -> tuple[Replayed, int]:
        """See :class:`Ground`. Supposed touches come right after ``index``, before later ones."""
        done = (index + 1) // 2
        place = self.workspace
        options = place.options
        setting = self.timeline.setting
        fs: FileSystem | None = self.timeline.files_at(index)
        if fs is not None and variation.edits:
            fs = edited(fs, variation.edits)
        other = replace(
            place,
            touches=(*place.touches[:done], *((tool, path) for _, tool, path in variation.touches)),
            fs=fs,
            options=replace(
                options,
                config=varied(setting.config(0), variation),
                profile=variation.profile or options.profile,
                home=variation.home or setting.home,
                environ=varied_environ(setting.environ, variation),
            ),
        ).replay()
        return other, len(other) - 1 if variation.touches else min(index, len(other) - 1)


@dataclass(frozen=True)
class ScenarioGround:
    """A scenario: what it says of settings and files, and its operations."""

    timeline: Replayed
    row: Mapping[str, Any]

    def suppose(self, variation: Variation, index: int, stop: Stop) -> tuple[Replayed, int]:
        """See :class:`Ground`."""
        from scopetrace.replay.played import open_scenario

        row: dict[str, Any] = {name: value for name, value in self.row.items() if name != "expect"}
        if variation.settings:
            row["config"] = _settings(row["config"], variation)
        row["env"] = varied_environ(row.get("env") or {}, variation)
        row["home"] = variation.home or row["home"]
        texts = {edit.path: edit.data.decode("utf-8", "replace") for edit in variation.edits if edit.op == "write"}
        gone = {edit.path for edit in variation.edits if edit.op == "delete"}
        files = {path: file for path, file in row.get("files", {}).items() if path not in gone}
        row["files"] = files | {path: {"text": text} for path, text in texts.items()}
        ops = [_op(op, variation, texts, gone) for op in row["ops"]]
        for at, tool, path in variation.touches:
            ops.insert(at + 1, {"op": "tool", "name": tool, "file_path": path, "token": "supposed"})
        row["ops"] = ops
        other = open_scenario(row, variation.profile)
        return other, index + len(variation.touches)


def _settings(raw: Mapping[str, Any], variation: Variation) -> dict[str, Any]:
    Config.from_mapping({**raw, **dict(variation.settings)})
    return {**raw, **dict(variation.settings)}


def _op(op: Mapping[str, Any], variation: Variation, texts: Mapping[str, str], gone: set[str]) -> Mapping[str, Any]:
    """An operation under the variation; one that would write an edited file writes the edited text."""
    kind = op.get("op")
    if kind in ("resume", "reconfigure") and "config" in op and variation.settings:
        return {**op, "config": {**op["config"], **dict(variation.settings)}}
    if kind == "write" and op["path"] in texts:
        return {"op": "write", "path": op["path"], "text": texts[op["path"]]}
    if kind == "write" and op["path"] in gone:
        return {"op": "delete", "path": op["path"]}
    return op


@dataclass(frozen=True, slots=True)
class Coming:
    """A file that the next step would tell of on one side only, or with another text."""

    path: str
    before: Change | None
    after: Change | None


@dataclass(frozen=True, slots=True)
class Supposed:
    """Both sides at one moment. Texts are what the model holds, with what the next step would add."""

    deltas: tuple[Delta, ...]
    coming: tuple[Coming, ...]
    budgets_before: tuple[BudgetReport, ...]
    budgets_after: tuple[BudgetReport, ...]
    text_before: str
    text_after: str

    @property
    def empty(self) -> bool:
        """Whether nothing comes out otherwise."""
        return not self.deltas and not self.coming and self.text_before == self.text_after


def compare(ground: Ground, variation: Variation, index: int, stop: Stop = lambda: False) -> Supposed:
    """Replay with the variation and compare at a row. Raises as :meth:`Ground.suppose` does."""
    before = ground.timeline
    after, at = ground.suppose(variation, index, stop)
    if stop():
        raise Stopped
    told_before, told_after = foresee(before, index), foresee(after, at)
    sets_before, sets_after = told_before.sets(), told_after.sets()
    coming = []
    for scope in dict.fromkeys((*sets_before, *sets_after)):
        one, other = sets_before.get(scope), sets_after.get(scope)
        if (one and one.digest) != (other and other.digest):
            known = other or one
            assert known is not None
            coming.append(Coming(known.path, one, other))
    if stop():
        raise Stopped
    return Supposed(
        deltas(before, after, index, at),
        tuple(coming),
        budgets_in_force(before, index),
        budgets_in_force(after, at),
        _text(before, index, [block for message in told_before.messages for block in message.blocks]),
        _text(after, at, [block for message in told_after.messages for block in message.blocks]),
    )


def budgets_in_force(timeline: Replayed, index: int) -> tuple[BudgetReport, ...]:
    """The newest report of every block and chain up to a row, baselines first; looks back to the last baseline."""
    found = {(report.block, report.chain): report for report in latest_budgets(timeline, index)}
    for row in [row for row in timeline.changes if row <= index][: -LOOK_BACK - 1 : -1]:
        if any(block == "baseline" for block, _ in found):
            break
        for report in timeline.frame(row).budgets:
            found.setdefault((report.block, report.chain), report)
    return tuple(sorted(found.values(), key=lambda report: report.block))


def _text(timeline: Replayed, index: int, coming: list[str]) -> str:
    return "\n\n".join(part for part in (visible_text(timeline, index), *coming) if part)
