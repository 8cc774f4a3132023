"""What if: the same session with one thing changed, and which candidates come out otherwise.

Nothing on the disk is touched: edits are an overlay in memory. Source: ``design/INSPECTOR.md`` "What-if".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from .replayed import Replayed
from .timeline import Timeline

ROWS_AT_ONCE = 512
"""Rows between two questions whether to stop."""


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


def suppose(
    timeline: Timeline, variation: Variation, upto: int | None = None, stop: Callable[[], bool] | None = None
) -> Timeline:
    """Replay with the variation, through the row ``upto`` (all rows, if not given), or until ``stop`` says so.

    Raises :class:`~scopetrace.engine.config.ConfigError` for settings that the loader refuses, :class:`KeyError` for an
    unknown profile.
    """
    setting = timeline.setting
    configs = tuple(varied(config, variation) for config in setting.configs)
    environ = varied_environ(setting.environ, variation)
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
    if stop is None:
        other.advance(None if upto is None else upto + 1)
        return other
    while not stop() and (upto is None or len(other) <= upto):
        if other.advance(ROWS_AT_ONCE if upto is None else min(ROWS_AT_ONCE, upto + 1 - len(other))):
            break
    return other


def varied_environ(environ: Mapping[str, str], variation: Variation) -> dict[str, str]:
    """The environment with the variation's variables."""
    found = dict(environ)
    for name, value in variation.environ:
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def varied(config: Config, variation: Variation) -> Config:
    """The configuration with the variation's settings. Raises :class:`~scopetrace.engine.config.ConfigError`."""
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


def deltas(before: Replayed, after: Replayed, index: int, after_index: int | None = None) -> tuple[Delta, ...]:
    """Candidates whose state after a row differs between two replays, in tree order. ``index`` is the row of the first
    one, and of the second unless ``after_index`` says otherwise."""
    old = {state.scope: state for state in candidates(before.tree(index))}
    new = {state.scope: state for state in candidates(after.tree(index if after_index is None else after_index))}
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


def latest_budgets(timeline: Replayed, index: int, most: int = 64) -> tuple[BudgetReport, ...]:
    """The budgets of the newest composition up to ``index``; looks back over ``most`` passes."""
    passes = [row for row in timeline.passes if row <= index][-most:]
    for row in reversed(passes):
        budgets = timeline.frame(row).budgets
        if budgets:
            return budgets
    return ()


def visible_text(timeline: Replayed, index: int) -> str:
    """All instruction text on the claimed surface after a row, messages separated by a blank line."""
    return "\n\n".join(block for message in timeline.state(index).loader.visible for block in message.blocks)
