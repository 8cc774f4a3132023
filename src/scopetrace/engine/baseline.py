"""Composing a complete baseline: load the chain, collapse duplicates, render, note what stays out.

Source: README seed "Lifecycle", "State And Refresh"; scenarios cur-001 to cur-054, cur-225 to cur-260.
"""

from __future__ import annotations

from dataclasses import dataclass

from scopetrace.model import Action, Change, Message, Outcome, Stage

from .discovery import baseline_candidates
from .passes import Pass
from .paths import decode_scope_key
from .reading import Loaded, Unavailable, probe, read
from .render import Rendered, render_baseline
from .state import CacheEntry


@dataclass(frozen=True, slots=True)
class Chain:
    """The loaded chain: distinct files in order, and each suppressed duplicate with its kept twin."""

    files: tuple[Loaded, ...]
    duplicates: tuple[tuple[Loaded, Loaded], ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A rendered baseline. ``changes`` are the sets of what the text represents, one a scope."""

    rendered: Rendered
    changes: tuple[Change, ...]
    excluded: frozenset[str]
    versions: dict[str, CacheEntry]


def load_chain(run: Pass) -> Chain:
    """Read every candidate from broad to specific; one that cannot be probed or read is left out alone."""
    kept: dict[tuple[str, str], Loaded] = {}
    files: list[Loaded] = []
    duplicates: list[tuple[Loaded, Loaded]] = []
    seen: dict[str, str] = {}
    for scope, place in baseline_candidates(run):
        if place.absolute in seen:
            run.note(Stage.PROBE, Outcome.SAME_FILE, scope, place, {"other": seen[place.absolute]})
            continue
        try:
            stat = probe(run, scope, place)
            if stat is None:
                continue
            seen[place.absolute] = place.display
            loaded = read(run, scope, place, stat)
        except Unavailable:
            continue
        key = (_dedup_key(run, scope, place.display), loaded.trimmed_digest)
        if key in kept:
            twin = kept[key]
            run.note(
                Stage.DEDUP,
                Outcome.DUPLICATE,
                scope,
                place,
                {"of": twin.file.display_path, "trimmed_digest": loaded.trimmed_digest},
            )
            duplicates.append((loaded, twin))
            continue
        run.note(Stage.DEDUP, Outcome.KEPT, scope, place, {"trimmed_digest": loaded.trimmed_digest})
        kept[key] = loaded
        files.append(loaded)
    return Chain(tuple(files), tuple(duplicates))


def _dedup_key(run: Pass, scope: str, display: str) -> str:
    if run.profile.dedup_by_group:
        return run.group(decode_scope_key(scope)[0])
    return run.env.flavour.dirname(display)


def render_chain(run: Pass, chain: Chain, *, replaces_previous: bool) -> Baseline:
    """Fit the chain into the budget and work out what the result represents and excludes."""
    profile = run.profile
    rendered = render_baseline(
        [loaded.file for loaded in chain.files],
        run.config.max_bytes,
        replaces_previous=replaces_previous,
        shared_root=profile.shared_root,
        per_chain=profile.per_chain,
        explain=run.reporter is not None,
    )
    if run.reporter is not None:
        for fate in rendered.fates:
            run.reporter.decide(fate.decision(chain.files[fate.place].scope, run.index))
    represented = {file.absolute_path for file in rendered.represented}
    changes: dict[str, Change] = {}
    versions: dict[str, CacheEntry] = {}
    excluded: set[str] = set()
    for loaded in chain.files:
        file = loaded.file
        if file.absolute_path not in represented:
            excluded.add(loaded.scope)
            continue
        changes[loaded.scope] = Change(Action.SET, loaded.scope, file.display_path, loaded.digest)
        versions[loaded.scope] = CacheEntry(
            file.display_path, loaded.stat.version, loaded.digest, loaded.trimmed_digest
        )
    for loaded, twin in chain.duplicates:
        if not profile.duplicates_reconciled or twin.file.absolute_path not in represented:
            excluded.add(loaded.scope)
    return Baseline(rendered, tuple(changes.values()), frozenset(excluded), versions)


def tombstones(previous: Message, current: tuple[Change, ...]) -> tuple[Change, ...]:
    """Removals of what the superseded baseline message set and the new one does not (cur-187, cur-194, cur-224)."""
    scopes = {change.scope for change in current}
    return tuple(
        Change(Action.REMOVE, change.scope, change.path)
        for change in previous.source.changes or ()
        if change.action is not Action.REMOVE and change.scope not in scopes
    )
