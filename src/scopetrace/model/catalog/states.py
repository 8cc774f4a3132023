"""Outcomes that tell in which state a candidate is at a step."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

ENTRIES = (
    OutcomeInfo(
        Outcome.LOADED,
        Stage.STATE,
        "●",
        Tone.GOOD,
        "loaded",
        "{path} is in force[, {size:size}][, SHA-1 {digest:digest}][, since event {since}]"
        "[, a link to {link}][ ▲ the link leaves the project root{crosses:flag}]",
        "The newest visible message about this file announces it, so the model has its text and it applies. Where "
        "files disagree, the more specific one takes precedence; none of them overrides system, developer or direct "
        "user instructions. Rule: loader README, Prompt Shape.",
    ),
    OutcomeInfo(
        Outcome.LOADED_CUT,
        Stage.STATE,
        "✂",
        Tone.WARN,
        "loaded, cut",
        "{path} is in force, but only {included:size}[ of {size:size}] reached the model"
        "[, a link to {link}][ ▲ the link leaves the project root{crosses:flag}]",
        "The file counts as loaded although its end was cut off to fit the budget; what was cut is not known to the "
        "model. Put what matters first, shorten the file, or raise maxBytes. See truncated. Rule: loader README, "
        "Budgeting And Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.NOT_REACHED,
        Stage.STATE,
        "○",
        Tone.QUIET,
        "not reached",
        "{path} exists, but nothing has led the loader there yet[; a read, write or edit in {needs} would]"
        "[, a link to {link}][ ▲ the link leaves the project root{crosses:flag}]",
        "The file lies below the working directory, in a directory that no accepted touch has reached so far. It "
        "loads when the agent successfully reads, writes or edits a file in that directory or below it; a shell "
        "command does not. Rule: loader README, Lifecycle and Known Limitations.",
    ),
    OutcomeInfo(
        Outcome.REMOVED,
        Stage.STATE,
        "⊖",
        Tone.CHANGE,
        "withdrawn",
        "{path} was withdrawn and does not apply[, since event {since}]",
        "The model was told that these instructions no longer apply. The reason stands at the event of the "
        "withdrawal: removed-absent, removed-duplicate, removed-budget or removed-superseded. It comes back with a "
        "new announcement. Rule: loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.SHADOWED,
        Stage.STATE,
        "◦",
        Tone.WARN,
        "shadowed",
        "{path} was announced, but the message is no longer visible to the model[ since event {by}]",
        "Compaction (or another replacement on the surface) hid the message that carried this file, so the model "
        "does not have it any more. Files of the baseline return at the next step; a nested file returns only when "
        "the agent touches a file below its directory again. Rule: loader README, State And Refresh (compaction "
        "re-arms a scope).",
    ),
)
