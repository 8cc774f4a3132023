"""The one vocabulary of outcomes: what the loader can decide, and how it is shown everywhere.

Tree, table, JSON and prose all use :class:`Outcome`; its glyph, colour role, word, sentence and docs anchor
are defined in ``catalog/`` and nowhere else. Sources: ``design/ENGINE.md`` "Decisions", the README seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The part of the loader that takes a decision, in the order in which a pass meets them."""

    ROOT = "root"
    PROBE = "probe"
    READ = "read"
    DEDUP = "dedup"
    BUDGET = "budget"
    RECONCILE = "reconcile"
    LIFECYCLE = "lifecycle"
    STATE = "state"


class Outcome(StrEnum):
    """A closed set of codes; ``scopetrace explain CODE`` prints the page of each."""

    # root
    MARKER_FOUND = "marker-found"
    NO_MARKER = "no-marker"
    MARKER_UNAVAILABLE = "marker-unavailable"
    # probe
    PRESENT = "present"
    ABSENT = "absent"
    NOT_A_FILE = "not-a-file"
    UNAVAILABLE = "unavailable"
    EXCLUDED = "excluded"
    SAME_FILE = "same-file"
    UNREACHED_IN_GROUP = "unreached-in-group"
    # read
    READ = "read"
    UNCHANGED_VERSION = "unchanged-version"
    OVERSIZE = "oversize"
    OVER_AGGREGATE = "over-aggregate"
    INVALID_UTF8 = "invalid-utf8"
    BINARY = "binary"
    READ_FAILED = "read-failed"
    # dedup
    KEPT = "kept"
    DUPLICATE = "duplicate"
    # budget
    WHOLE = "whole"
    OMITTED = "omitted"
    TRUNCATED = "truncated"
    HEADING_ONLY = "heading-only"
    NOTICE_ONLY = "notice-only"
    # reconcile
    SET = "set"
    REPLACE = "replace"
    REMOVED_ABSENT = "removed-absent"
    REMOVED_DUPLICATE = "removed-duplicate"
    REMOVED_BUDGET = "removed-budget"
    REMOVED_SUPERSEDED = "removed-superseded"
    UNCHANGED = "unchanged"
    HELD_BACK = "held-back"
    NOT_REPRESENTED = "not-represented"
    # lifecycle
    BASELINE_COMPOSED = "baseline-composed"
    BASELINE_KEPT = "baseline-kept"
    BASELINE_SUPERSEDED = "baseline-superseded"
    BASELINE_SHADOWED = "baseline-shadowed"
    NOTHING_TO_LOAD = "nothing-to-load"
    TOUCH_ACCEPTED = "touch-accepted"
    TOUCH_OTHER_TOOL = "touch-other-tool"
    TOUCH_ERROR = "touch-error"
    TOUCH_ABORTED = "touch-aborted"
    TOUCH_BAD_ARGUMENTS = "touch-bad-arguments"
    TOUCH_NO_AGENT = "touch-no-agent"
    TOUCH_OUTSIDE = "touch-outside"
    TOUCH_STAGED = "touch-staged"
    TOUCH_BUBBLED = "touch-bubbled"
    TOUCH_RELEASED = "touch-released"
    TOUCH_LOST = "touch-lost"
    CONTEXT_QUEUED = "context-queued"
    CONTEXT_FOLDED = "context-folded"
    CONTEXT_LEFT = "context-left"
    CONTEXT_REPLACED = "context-replaced"
    CONTEXT_DROPPED = "context-dropped"
    CONTEXT_SUPPLIED = "context-supplied"
    CONTEXT_REUSED = "context-reused"
    CONTEXT_LOST = "context-lost"
    BUDGET_DISABLED = "budget-disabled"
    NO_PROVIDER = "no-provider"
    PASS_ABORTED = "pass-aborted"
    PASS_FAILED = "pass-failed"
    RESUMED = "resumed"
    # state of a candidate at a step
    LOADED = "loaded"
    LOADED_CUT = "loaded-cut"
    NOT_REACHED = "not-reached"
    REMOVED = "removed"
    SHADOWED = "shadowed"


class Tone(StrEnum):
    """A colour role. Themes map roles to colours; a glyph and a word always go with it."""

    GOOD = "good"
    CHANGE = "change"
    QUIET = "quiet"
    WARN = "warn"
    BAD = "bad"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class OutcomeInfo:
    """How one outcome is shown.

    ``glyph`` is one cell wide and exists in common monospace fonts. ``word`` has at most 12 characters.
    ``sentence`` is a template over the decision's facts plus ``path``, ``name`` and ``directory``, filled by
    ``catalog.describe`` (its little grammar: ``catalog/sentence.py``); it never ends with a full stop.
    ``page`` is the long form printed by ``scopetrace explain``.
    """

    outcome: Outcome
    stage: Stage
    glyph: str
    tone: Tone
    word: str
    sentence: str
    page: str

    @property
    def anchor(self) -> str:
        """Docs anchor of the outcome, stable: its code."""
        return self.outcome.value
