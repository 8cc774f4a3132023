"""What if: the same session with one thing changed, and which candidates come out otherwise.

Nothing on the disk is touched: edits are an overlay in memory. Source: ``design/INSPECTOR.md`` "What-if".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scopetrace.engine.config import Config
from scopetrace.engine.profile import PROFILES
from scopetrace.model import BudgetReport, CandidateState, Outcome, ScopeNode
from scopetrace.workspace.fs import FileSystem
from scopetrace.workspace.overlay import Edit
from scopetrace.workspace.windows import edited

from .files import Files
from .timeline import Timeline


@dataclass(frozen=True, slots=True)
class Variation:
    """What is supposed to be different.

    ``settings`` are configuration keys of the README seed with their new values, for every run. ``touches`` are
    (row index, tool, path): a touch right after that row. ``edits`` change files for the whole session. ``environ``
    replaces environment variables (``None`` unsets).
    """

    settings: tuple[tuple[str, Any], ...] = ()
    profile: str | None = None
    touches: tuple[tuple[int, str, str], ...] = ()
    edits: tuple[Edit, ...] = ()
    environ: tuple[tuple[str, str | None], ...] = ()
    home: str | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is different."""
        return self == Variation()


@dataclass(frozen=True, slots=True)
class Delta:
    """A candidate whose state differs. ``None`` where the candidate is not known on that side."""

    scope: str
    path: str
    before: CandidateState | None
    after: CandidateState | None

    @property
    def outcomes(self) -> tuple[Outcome | None, Outcome | None]:
        """States before and after."""
        return (self.before.outcome if self.before else None, self.after.outcome if self.after else None)


class EditedFiles:
    """Files in time with edits laid over every moment."""

    def __init__(self, files: Files, edits: Sequence[Edit]) -> None:
        self._files = files
        self._edits = tuple(edits)

    def _over(self, fs: FileSystem | None) -> FileSystem | None:
        return None if fs is None else edited(fs, self._edits)

    def before(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self._over(self._files.before(seq, time))

    def after(self, seq: int, time: int) -> FileSystem | None:
        """See :class:`Files`."""
        return self._over(self._files.after(seq, time))


def suppose(timeline: Timeline, variation: Variation, upto: int | None = None) -> Timeline:
    """Replay with the variation, through the row ``upto`` (all rows, if not given).

    Raises :class:`~scopetrace.engine.config.ConfigError` for settings that the loader refuses, :class:`KeyError` for an
    unknown profile.
    """
    setting = timeline.setting
    configs = tuple(_varied(config, variation) for config in setting.configs)
    environ = dict(setting.environ)
    for name, value in variation.environ:
        if value is None:
            environ.pop(name, None)
        else:
            environ[name] = value
    touches: dict[int, tuple[tuple[str, str], ...]] = {}
    for index, tool, path in variation.touches:
        touches[index] = (*touches.get(index, ()), (tool, path))
    other = timeline.supposing(
        replace(
            setting,
            configs=configs,
            profile=PROFILES[variation.profile] if variation.profile else setting.profile,
            files=EditedFiles(setting.files, variation.edits) if variation.edits else setting.files,
            environ=environ,
            home=variation.home or setting.home,
            touches=MappingProxyType(touches),
            supposed=True,
        )
    )
    other.advance(None if upto is None else upto + 1)
    return other


def _varied(config: Config, variation: Variation) -> Config:
    if not variation.settings:
        return config
    raw = config.as_mapping()
    if not config.total_in_identity:
        del raw["maxTotalSourceBytes"]
    raw.update(variation.settings)
    varied = Config.from_mapping(raw)
    if not any(key == "maxTotalSourceBytes" for key, _ in variation.settings):
        varied = replace(
            varied,
            max_total_source_bytes=config.max_total_source_bytes,
            total_in_identity=config.total_in_identity,
        )
    return varied


def candidates(nodes: Sequence[ScopeNode]) -> Iterator[CandidateState]:
    """Every candidate of a scope tree, broad to specific."""
    for node in nodes:
        yield from node.candidates
        yield from candidates(node.children)


def deltas(before: Timeline, after: Timeline, index: int) -> tuple[Delta, ...]:
    """Candidates whose state after the row at ``index`` differs between two replays of one log, in tree order."""
    old = {state.scope: state for state in candidates(before.tree(index))}
    new = {state.scope: state for state in candidates(after.tree(index))}
    found: list[Delta] = []
    for scope in dict.fromkeys((*old, *new)):
        one, other = old.get(scope), new.get(scope)
        if _telling(one) == _telling(other):
            continue
        state = other or one
        assert state is not None
        found.append(Delta(scope, state.path, one, other))
    return tuple(found)


def _telling(state: CandidateState | None) -> object:
    if state is None or state.outcome is Outcome.ABSENT:
        return None
    return (state.outcome, state.facts.get("digest"), state.facts.get("included"))


def latest_budgets(timeline: Timeline, index: int, most: int = 64) -> tuple[BudgetReport, ...]:
    """The budgets of the newest composition up to ``index``; looks back over ``most`` passes."""
    passes = [row for row in timeline.passes if row <= index][-most:]
    for row in reversed(passes):
        budgets = timeline.frame(row).budgets
        if budgets:
            return budgets
    return ()


def visible_text(timeline: Timeline, index: int) -> str:
    """All instruction text on the claimed surface after a row, messages separated by a blank line."""
    return "\n\n".join(block for message in timeline.visible_messages(index) for block in message.blocks)
