"""Composing the one context message that a session should have next: a baseline, an update, or both.

Source: README seed "Lifecycle" and "State And Refresh"; scenarios cur-161, cur-166 to cur-224; differences D11, D12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from scopetrace.model import Change, Decision, Fact, Message, Outcome, Reporter, Source, Stage
from scopetrace.workspace.fs import change_teller

from .baseline import Baseline, load_chain, render_chain, tombstones
from .config import Config
from .discovery import baseline_candidates, settle_root
from .flavour import PathFlavour
from .passes import Pass, Place
from .paths import (
    AGENTS_GLOBAL_DIRECTORY,
    USER_GLOBAL_DIRECTORY,
    baseline_identity,
    candidate_scope_key,
    decode_scope_key,
    descendant_dirs_between,
    is_outside,
)
from .reconcile import Reconciler
from .rest import Rest, Versions, groups_of, restless_groups
from .state import Env, Fold, LoaderState, Prepared, Touches


def compose(
    state: LoaderState,
    env: Env,
    *,
    claimed: tuple[Message, ...] = (),
    touches: Touches = (),
    reporter: Reporter | None = None,
    index: int = 0,
) -> tuple[LoaderState, Message | None]:
    """Work out the context that should reach the model next, ``None`` when there is nothing to say.

    ``claimed`` instruction messages count as visible after the surface. The result is the waiting message itself when
    it is taken as it is, else a new one. Raises :class:`~scopetrace.workspace.fs.FsError` when a project root marker
    cannot be probed, :class:`~scopetrace.workspace.fs.Cancelled`.
    """
    if env.config.disabled:
        _note(reporter, index, Outcome.BUDGET_DISABLED)
        return state, None
    if env.fs is None:
        _note(reporter, index, Outcome.NO_PROVIDER)
        return state, None
    run = Pass(env, env.fs, reporter, index)
    waiting = state.pending[0] if state.pending and not touches else None
    if waiting is not None and not env.profile.pending_after_root:
        run.note(Stage.LIFECYCLE, Outcome.CONTEXT_REUSED, facts={"message": waiting.id})
        return state, waiting
    settle_root(run)
    if state.root != run.root:
        state = replace(state, root=run.root)
    identity = _identity(run.config, run.cwd, run.root, env.flavour)
    prepared = state.prepared
    if waiting is not None and (
        not env.profile.pending_needs_identity or (prepared is not None and prepared.identity == identity)
    ):
        run.note(Stage.LIFECYCLE, Outcome.CONTEXT_REUSED, facts={"message": waiting.id})
        return state, waiting
    return _compose_anew(state, run, claimed, identity, touches)


def _note(reporter: Reporter | None, index: int, outcome: Outcome) -> None:
    if reporter is not None:
        reporter.decide(Decision(Stage.LIFECYCLE, outcome, index))


@lru_cache(maxsize=256)
def _identity(config: Config, cwd: str, root: str, flavour: PathFlavour) -> str:
    return baseline_identity(
        cwd=cwd,
        project_root=root,
        project_root_markers=config.project_root_markers,
        max_bytes=config.max_bytes,
        max_source_bytes=config.max_source_bytes,
        instruction_file_candidates=config.instruction_file_candidates,
        local_instruction_file_candidates=config.local_instruction_file_candidates,
        max_total_source_bytes=config.max_total_source_bytes if config.total_in_identity else None,
        flavour=flavour,
    )


def _compose_anew(
    state: LoaderState, run: Pass, claimed: tuple[Message, ...], identity: str, touches: Touches
) -> tuple[LoaderState, Message | None]:
    fold = state.fold.then(claimed)
    previous = fold.baseline
    keep = previous is not None and previous.source.baseline_identity == identity
    versions = Versions(state.versions)
    prepared = state.prepared
    current = fold.changes
    blocks: list[str] = []
    changes: tuple[Change, ...] = ()
    if not keep or prepared is None or prepared.identity != identity:
        chain = load_chain(run)
        # A kept baseline is rendered all the same: what it leaves out stays out of reconciliation.
        baseline = render_chain(run, chain, replaces_previous=previous is not None and not keep)
        prepared = Prepared(identity, baseline.excluded)
        for scope, entry in baseline.versions.items():
            versions.put(scope, entry)
        if keep:
            run.note(Stage.LIFECYCLE, Outcome.BASELINE_KEPT, facts={"identity": identity})
        elif (chain.files or previous is not None) and baseline.rendered.text:
            gone = () if previous is None else tombstones(previous, baseline.changes)
            changes = (*gone, *baseline.changes)
            blocks.append(baseline.rendered.text)
            _report_baseline(run, baseline, previous, gone, identity)
            current = {**current, **{change.scope: change for change in changes}}
        else:
            run.note(Stage.LIFECYCLE, Outcome.NOTHING_TO_LOAD)
    only = restless_groups(run, state, prepared, claimed) if keep else None
    scopes = _scopes(run, state, fold, touches, include_baseline=keep, only=only)
    reconciler = Reconciler(run, current, versions, prepared.excluded)
    update = reconciler.reconcile(scopes)
    if update.text:
        blocks.append(update.text)
        changes += update.changes
    rest = None
    if keep and (teller := change_teller(run.fs)) is not None:
        # What was claimed may be lost again with a rejected step: such groups are looked at once more.
        restless = frozenset(reconciler.restless).union(groups_of(run, claimed))
        rest = Rest(teller.mark(), len(state.visible), restless, prepared, run.root, run.cwd, run.config, run.homes)
    state = replace(state, prepared=prepared, versions=versions.merged(), rest=rest)
    if not blocks:
        return state, None
    composed_baseline = not keep and len(blocks) > (1 if update.text else 0)
    source = Source(
        "agent-instructions",
        changes,
        baseline=composed_baseline,
        baseline_identity=identity if composed_baseline else None,
    )
    number = state.counter + 1
    return replace(state, counter=number), Message(f"context-{number}", tuple(blocks), source)


def _report_baseline(
    run: Pass, baseline: Baseline, previous: Message | None, gone: tuple[Change, ...], identity: str
) -> None:
    if run.reporter is None:
        return
    for report in baseline.rendered.budgets:
        run.reporter.budget(report)
    for change in gone:
        run.note(
            Stage.RECONCILE,
            Outcome.REMOVED_SUPERSEDED,
            change.scope,
            Place(run.locate(change.scope).absolute, change.path),
        )
    for change in baseline.changes:
        facts: dict[str, Fact] = {"digest": change.digest}
        run.note(
            Stage.RECONCILE, Outcome.SET, change.scope, Place(run.locate(change.scope).absolute, change.path), facts
        )
    if previous is None:
        run.note(
            Stage.LIFECYCLE, Outcome.BASELINE_COMPOSED, facts={"files": len(baseline.changes), "identity": identity}
        )
    else:
        before = previous.source.baseline_identity
        run.note(Stage.LIFECYCLE, Outcome.BASELINE_SUPERSEDED, facts={"before": before, "identity": identity})


def _scopes(
    run: Pass,
    state: LoaderState,
    fold: Fold,
    touches: Touches,
    *,
    include_baseline: bool,
    only: set[str] | None = None,
) -> Iterator[str]:
    """Scopes to look at, in order: the baseline's, the pending ones, the visible ones, the touched ones (cur-290).

    With ``only``, baseline and visible scopes outside of these groups are known to be at rest and left out.
    """
    baseline = [scope for scope, _ in baseline_candidates(run)]
    if include_baseline:
        yield from (s for s in baseline if only is None or run.group(decode_scope_key(s)[0]) in only)
    for message in state.pending:
        for change in message.source.changes or ():
            yield change.scope
    own = set() if include_baseline else set(baseline)
    for directory in _visible_directories(run, fold, only):
        yield from (scope for scope in run.scopes_in(directory) if scope not in own)
    flavour = run.env.flavour
    for path in touches:
        touched = flavour.resolve(run.cwd, path)
        directories = descendant_dirs_between(run.cwd, touched, flavour=flavour)
        if run.reporter is not None and not directories:
            outside = is_outside(run.cwd, flavour.dirname(touched), flavour=flavour)
            if outside:
                run.note(Stage.LIFECYCLE, Outcome.TOUCH_OUTSIDE, facts={"touched": path, "cwd": run.cwd})
        for directory in directories:
            scope = run.scope_directory(directory)
            if only is not None and scope in fold.positions and run.group(scope) not in only:
                continue
            yield from (candidate_scope_key(scope, name) for name in run.names)


def _visible_directories(run: Pass, fold: Fold, only: set[str] | None) -> Iterable[str]:
    """Scope directories of the visible changes, in surface order; with ``only`` those of its groups."""
    if only is None:
        return fold.positions
    wanted = [directory for directory in only if directory in fold.positions]
    shared = AGENTS_GLOBAL_DIRECTORY
    if USER_GLOBAL_DIRECTORY in only and run.group(shared) == USER_GLOBAL_DIRECTORY and shared in fold.positions:
        wanted.append(shared)
    return sorted(wanted, key=fold.positions.__getitem__)
