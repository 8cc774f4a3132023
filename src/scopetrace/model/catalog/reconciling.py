"""Outcomes of comparing files with what the model was told about them."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

ENTRIES = (
    OutcomeInfo(
        Outcome.SET,
        Stage.RECONCILE,
        "⊕",
        Tone.GOOD,
        "new",
        "{path} is announced[, {size:size}][, SHA-1 {digest:digest}]",
        "The model knows nothing of this file (it was never announced, was withdrawn, or its announcement left the "
        "visible surface by compaction), so its text is sent. In a later message it begins with 'Additional "
        "instructions from'. How a user-global file is announced is difference D2 in docs/profiles.md. Rule: loader "
        "README, Prompt Shape and State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.REPLACE,
        Stage.RECONCILE,
        "⟲",
        Tone.CHANGE,
        "replaced",
        "{path} changed and is sent again[, {size:size}][: SHA-1 {before:digest}][ → {digest:digest}]",
        "The file differs from what the model was told (other digest, or the same text under another path), so the "
        "new content is sent with the words 'Updated instructions from'. There is no watcher: a change shows at the "
        "next step, when the loaded directories are looked at again, or at the next accepted touch. Rule: loader "
        "README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.UNCHANGED,
        Stage.RECONCILE,
        "≡",
        Tone.QUIET,
        "unchanged",
        "{path} is as the model knows it[ (SHA-1 {digest:digest})]",
        "The content has the digest that the visible messages record, so nothing is sent. It does not matter how "
        "often the agent touches the file or how its timestamp moves. Rule: loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.REMOVED_ABSENT,
        Stage.RECONCILE,
        "⊖",
        Tone.CHANGE,
        "removed",
        "{path} is withdrawn: the file is gone",
        "The file was in force and is now certainly absent, so the model is told that its instructions no longer "
        "apply. The withdrawal is a tombstone: if the file comes back, it is announced again. Rule: loader README, "
        "State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.REMOVED_DUPLICATE,
        Stage.RECONCILE,
        "⊖",
        Tone.CHANGE,
        "removed, dup",
        "{path} is withdrawn: it now says the same as {of}",
        "The file was in force, but an earlier candidate of its group has the same trimmed content by now. One copy "
        "is enough, so this one is withdrawn; the text still applies under the other name. When the two drift apart "
        "again, it is announced anew. Rule: loader README, Lifecycle; difference D7 in docs/profiles.md for what is "
        "read again.",
    ),
    OutcomeInfo(
        Outcome.REMOVED_BUDGET,
        Stage.RECONCILE,
        "⊖",
        Tone.CHANGE,
        "removed, cap",
        "{path} is withdrawn: it no longer fits the baseline's budget",
        "The file is in force by an earlier message, but the current complete baseline has no room for it, so it "
        "leaves the retained set. That happens on resume, when files grew or the budget rule changed in between. "
        "Shorten the more specific files or raise maxBytes. Rule: loader README, State And Refresh (files leaving "
        "the retained budget set).",
    ),
    OutcomeInfo(
        Outcome.REMOVED_SUPERSEDED,
        Stage.RECONCILE,
        "⊖",
        Tone.CHANGE,
        "superseded",
        "{path} is withdrawn: the new baseline does not hold it",
        "A complete new baseline replaces the earlier one (other settings, another working directory or project "
        "root), and this scope of the earlier baseline is not part of it. The new message records its removal. If it "
        "should still apply, look at what changed in the identity. Rule: loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.HELD_BACK,
        Stage.RECONCILE,
        "!",
        Tone.WARN,
        "held back",
        "{path} keeps its last known state: {because} could not be read[ ({cause})]",
        "A candidate of the same group is temporarily unavailable, and the loader does not change half a group: "
        "everything this pass had found out about the group is undone, nothing is announced, replaced or withdrawn. "
        "It is tried again in the next pass. Repair the named sibling. Under 0.1 only the unreadable file itself is "
        "left alone (differences D8 to D10 in docs/profiles.md).",
    ),
    OutcomeInfo(
        Outcome.NOT_REPRESENTED,
        Stage.RECONCILE,
        "▲",
        Tone.WARN,
        "not sent",
        "the change of {path}[ ({action})] was not sent: not one byte of it fitted the budget",
        "A change counts only when at least one byte of its content is in the text (or the file is genuinely empty). "
        "This one was squeezed out, so neither the record nor the memory of the loader changes, and a later touch "
        "tries again. A batch in which nothing survives is not sent at all. Raise maxBytes or shorten what is "
        "announced together with it. Rule: loader README, State And Refresh.",
    ),
)
