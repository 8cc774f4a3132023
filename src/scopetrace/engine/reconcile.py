"""Reconciliation: what changed in the scopes looked at, group by group, and what of it fits an update.

Source: README seed "State And Refresh", ``design/ENGINE.md`` "Reconcile"; scenarios cur-142 to cur-164, cur-261 to
cur-274; differences D4, D6 to D10.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scopetrace.model import Action, Change, Fact, InstructionFile, Outcome, Stage
from scopetrace.workspace.fs import Stat

from .passes import Pass, Place
from .paths import decode_scope_key
from .reading import Loaded, Unavailable, probe, read
from .render import render_changes
from .rest import Versions
from .state import CacheEntry


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a pass concluded about a candidate.

    A transition has ``change`` and ``file``; once represented, ``entry`` is put into the version cache (``None``:
    the scope's entry is forgotten).
    """

    scope: str
    place: Place
    outcome: Outcome
    facts: Mapping[str, Fact]
    change: Change | None = None
    file: InstructionFile | None = None
    entry: CacheEntry | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """A reconciliation's outcome: the update text (empty when nothing is committed) and the committed changes."""

    text: str
    changes: tuple[Change, ...]


class Reconciler:
    """One reconciliation pass. ``versions`` is the version cache of the pass; ``current`` the visible changes.

    ``restless`` collects the groups in which something was read, moved or failed."""

    def __init__(self, run: Pass, current: Mapping[str, Change], versions: Versions, excluded: frozenset[str]) -> None:
        self.run = run
        self.current = current
        self.versions = versions
        self.excluded = excluded
        self.looked: set[str] = set()
        self.verdicts: list[Verdict] = []
        self.quiet = True
        self.restless: set[str] = set()

    def reconcile(self, scopes: Iterable[str]) -> Update:
        """Look at ``scopes`` in order, grouped by candidate group, and render what moved."""
        # The aggregate cap is that of one batch: what a baseline of the same pass has read does not count.
        self.run.spent = 0
        groups: dict[str, list[str]] = {}
        for scope in dict.fromkeys(scopes):
            groups.setdefault(self.run.group(decode_scope_key(scope)[0]), []).append(scope)
        for group, members in groups.items():
            self.quiet, before = True, len(self.verdicts)
            self._group(members)
            if not self.quiet or any(verdict.change is not None for verdict in self.verdicts[before:]):
                self.restless.add(group)
        return self._commit()

    def _in_force(self, scope: str) -> Change | None:
        change = self.current.get(scope)
        return change if change is not None and change.action is not Action.REMOVE else None

    def _group(self, members: list[str]) -> None:
        live: list[str] = []
        for scope in members:
            if scope not in self.excluded:
                live.append(scope)
                continue
            # Pushed before the group is looked at: a rollback does not undo it (cur-274).
            place = self.run.locate(scope)
            change = self._in_force(scope)
            if change is None:
                self.run.note(Stage.PROBE, Outcome.EXCLUDED, scope, place, {"reason": "left out of the baseline"})
            else:
                self.verdicts.append(self._removal(scope, place, change, Outcome.REMOVED_BUDGET, {}))
        before = len(self.verdicts)
        saved = {scope: self.versions.get(scope) for scope in live}
        kept: dict[str, str] = {}
        mine: list[str] = []
        for at, scope in enumerate(live):
            place = self.run.locate(scope)
            try:
                self._candidate(scope, place, kept, mine)
            except Unavailable as failure:
                self.quiet = False
                if not self._holds_group(scope, failure):
                    continue
                self._hold_back(live, at, place, failure, before, saved, mine)
                return

    def _holds_group(self, scope: str, failure: Unavailable) -> bool:
        if failure.outcome is Outcome.UNAVAILABLE:
            return self.run.profile.probe_failure_holds_group or self._in_force(scope) is not None
        return self.run.profile.read_failure_holds_group

    def _hold_back(
        self,
        live: list[str],
        at: int,
        place: Place,
        failure: Unavailable,
        before: int,
        saved: dict[str, CacheEntry | None],
        mine: list[str],
    ) -> None:
        because: dict[str, Fact] = {"because": place.display, "cause": failure.outcome.value}
        for verdict in self.verdicts[before:]:
            self.run.note(Stage.RECONCILE, Outcome.HELD_BACK, verdict.scope, verdict.place, because)
        del self.verdicts[before:]
        for scope, entry in saved.items():
            self.versions.put(scope, entry)
        if self.run.profile.block_unreached_paths:
            self.looked.update(self.run.locate(scope).absolute for scope in live)
        else:
            self.looked.difference_update(mine)
        for scope in live[at + 1 :]:
            self.run.note(Stage.PROBE, Outcome.UNREACHED_IN_GROUP, scope, self.run.locate(scope), because)

    def _candidate(self, scope: str, place: Place, kept: dict[str, str], mine: list[str]) -> None:
        change = self._in_force(scope)
        try:
            stat = probe(self.run, scope, place)
        except Unavailable:
            mine.append(place.absolute)
            self.looked.add(place.absolute)
            raise
        if stat is None:
            if change is None:
                self.quiet = not self.versions.put(scope, None) and self.quiet
            else:
                self.verdicts.append(self._removal(scope, place, change, Outcome.REMOVED_ABSENT, {}))
            return
        if place.absolute in self.looked:
            self.run.note(Stage.PROBE, Outcome.SAME_FILE, scope, place, {"other": place.absolute})
            return
        mine.append(place.absolute)
        self.looked.add(place.absolute)
        known = self._known(scope, place, stat, change, kept)
        loaded = None
        if known is not None:
            entry = known
            self.run.note(Stage.READ, Outcome.UNCHANGED_VERSION, scope, place, {"digest": entry.digest})
        else:
            self.quiet = False
            loaded = read(self.run, scope, place, stat)
            entry = CacheEntry(place.display, stat.version, loaded.digest, loaded.trimmed_digest)
        if entry.trimmed_digest in kept:
            self._duplicate(scope, place, entry, change, kept[entry.trimmed_digest])
            return
        kept[entry.trimmed_digest] = place.display
        self.run.note(Stage.DEDUP, Outcome.KEPT, scope, place, {"trimmed_digest": entry.trimmed_digest})
        if change is not None and change.path == place.display and change.digest == entry.digest:
            self.quiet = not self.versions.put(scope, entry) and self.quiet
            self._conclude(scope, place, Outcome.UNCHANGED, {"digest": entry.digest})
        else:
            assert loaded is not None, "a version is only trusted for what is in force with its digest"
            self._transition(scope, place, loaded, entry, change)

    def _known(
        self, scope: str, place: Place, stat: Stat, change: Change | None, kept: Mapping[str, str]
    ) -> CacheEntry | None:
        """The cached entry, if it may stand for a read (D7)."""
        cached = self.versions.get(scope)
        if cached is None or cached.path != place.display or cached.version != stat.version:
            return None
        if change is not None:
            return cached if change.path == cached.path and change.digest == cached.digest else None
        return cached if self.run.profile.cache_duplicates and cached.trimmed_digest in kept else None

    def _duplicate(self, scope: str, place: Place, entry: CacheEntry, change: Change | None, twin: str) -> None:
        remembered = entry if self.run.profile.cache_duplicates else None
        facts: dict[str, Fact] = {"of": twin, "trimmed_digest": entry.trimmed_digest}
        self.run.note(Stage.DEDUP, Outcome.DUPLICATE, scope, place, facts)
        if change is not None:
            verdict = self._removal(scope, place, change, Outcome.REMOVED_DUPLICATE, facts, remembered)
            self.verdicts.append(verdict)
        else:
            self.quiet = not self.versions.put(scope, remembered) and self.quiet

    def _removal(
        self,
        scope: str,
        place: Place,
        change: Change,
        outcome: Outcome,
        facts: Mapping[str, Fact],
        entry: CacheEntry | None = None,
    ) -> Verdict:
        # A removal speaks of the path that was announced, whatever the path is now.
        gone = Change(Action.REMOVE, scope, change.path)
        return Verdict(scope, place, outcome, facts, gone, InstructionFile(place.absolute, change.path, ""), entry)

    def _transition(self, scope: str, place: Place, loaded: Loaded, entry: CacheEntry, change: Change | None) -> None:
        action = Action.SET if change is None else Action.REPLACE
        facts: dict[str, Fact] = {"digest": loaded.digest}
        if change is not None:
            facts |= {"before": change.digest, "before_path": change.path}
        self.verdicts.append(
            Verdict(
                scope,
                place,
                Outcome.SET if change is None else Outcome.REPLACE,
                facts,
                Change(action, scope, place.display, loaded.digest),
                loaded.file,
                entry,
            )
        )

    def _conclude(self, scope: str, place: Place, outcome: Outcome, facts: Mapping[str, Fact]) -> None:
        if self.run.reporter is not None:
            self.verdicts.append(Verdict(scope, place, outcome, facts))

    def _commit(self) -> Update:
        """Render the transitions, commit those that the text represents, and report every verdict."""
        run = self.run
        moves = [verdict for verdict in self.verdicts if verdict.change is not None]
        if not moves:
            for verdict in self.verdicts:
                run.note(Stage.RECONCILE, verdict.outcome, verdict.scope, verdict.place, verdict.facts)
            return Update("", ())
        rendered = render_changes(
            [(verdict.change, verdict.file) for verdict in moves if verdict.change and verdict.file],
            run.config.max_bytes,
            global_sentence=run.profile.global_sentence,
            shared_root=run.profile.shared_root,
            per_chain=run.profile.per_chain,
            flavour=run.env.flavour,
            explain=run.reporter is not None,
        )
        if run.reporter is not None:
            for fate in rendered.fates:
                run.reporter.decide(fate.decision(moves[fate.place].scope, run.index))
            for report in rendered.budgets:
                run.reporter.budget(report)
        carried = {id(moves[at]) for at in rendered.carried}
        changes: list[Change] = []
        for verdict in self.verdicts:
            outcome, facts = verdict.outcome, verdict.facts
            if verdict.change is not None:
                if id(verdict) in carried:
                    changes.append(verdict.change)
                    self.versions.put(verdict.scope, verdict.entry)
                else:
                    outcome, facts = Outcome.NOT_REPRESENTED, {**facts, "action": verdict.change.action.value}
            run.note(Stage.RECONCILE, outcome, verdict.scope, verdict.place, facts)
        return Update(rendered.text if changes else "", tuple(changes))
