"""Outcomes of the life of a message: composed, queued, entering, left, lost."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

_BASELINE = (
    OutcomeInfo(
        Outcome.BASELINE_COMPOSED,
        Stage.LIFECYCLE,
        "●",
        Tone.GOOD,
        "baseline",
        "a complete baseline was composed[ from {files:file}]",
        "The loader read the user-global files and the chain from the project root to the working directory and made "
        "one complete message of them. That happens at the first step, after compaction took the previous baseline "
        "away, and when its identity changed. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.BASELINE_KEPT,
        Stage.LIFECYCLE,
        "≡",
        Tone.QUIET,
        "kept",
        "the visible baseline fits the present settings and stays",
        "A baseline with the same identity (markers, budget, candidate names, relative project root) is still "
        "visible to the model, so only differences of files are sent, as updates. Rule: loader README, State And "
        "Refresh.",
    ),
    OutcomeInfo(
        Outcome.BASELINE_SUPERSEDED,
        Stage.LIFECYCLE,
        "⟲",
        Tone.CHANGE,
        "new baseline",
        "the visible baseline was made under other settings and is replaced by a complete one",
        "The identity of the visible baseline differs from the present one: budget, markers, candidate names or the "
        "place of the project root changed, for instance by a resume with other settings or a change of the working "
        "directory. One complete baseline says that it replaces all earlier ones and withdraws what it does not "
        "hold. Rule: loader README, State And Refresh; difference D13 in docs/profiles.md for the working directory.",
    ),
    OutcomeInfo(
        Outcome.BASELINE_SHADOWED,
        Stage.LIFECYCLE,
        "◦",
        Tone.WARN,
        "hidden",
        "the baseline is no longer visible to the model and is composed again",
        "Compaction or a replacement took the baseline off the surface. The next step that enters composes the "
        "current one. Nested files whose messages vanished with it come back only when a file below them is touched "
        "again. Rule: loader README, State And Refresh (compaction re-arms a scope).",
    ),
    OutcomeInfo(
        Outcome.NOTHING_TO_LOAD,
        Stage.LIFECYCLE,
        "·",
        Tone.QUIET,
        "nothing",
        "no instruction file applies here, so no message was made",
        "Not one candidate exists in the user-global roots or between project root and working directory. No message "
        "is sent; the first file that appears later arrives as a baseline. Rule: loader README, Model Experience (an "
        "empty chain contributes nothing).",
    ),
)

_CONTEXT = (
    OutcomeInfo(
        Outcome.CONTEXT_QUEUED,
        Stage.LIFECYCLE,
        "+",
        Tone.INFO,
        "queued",
        "the message waits in the inbox for the next step[ ({changes:change})]",
        "What a touch or an empty first step brought up is put in the agent's next-step inbox; the model sees it "
        "when the next step begins. At most one such message waits: a newer one replaces it. Rule: loader README, "
        "Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_FOLDED,
        Stage.LIFECYCLE,
        "✔",
        Tone.GOOD,
        "entered",
        "the message entered the step[ with {changes:change}]",
        "The step began and the message was put into its batch, right after the claimed messages (the prompt), or at "
        "the front if none was claimed. From here on the model sees it. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_LEFT,
        Stage.LIFECYCLE,
        "◦",
        Tone.INFO,
        "left waiting",
        "the step did not begin: the message stays in the inbox",
        "The step was rejected, or the first step had an empty batch, so nothing could enter. The message keeps "
        "waiting and enters with the next step that does begin. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_REPLACED,
        Stage.LIFECYCLE,
        "⟲",
        Tone.CHANGE,
        "requeued",
        "a newer message takes the place of the waiting one[ ({changes:change})]",
        "A message was still waiting in the inbox when a newer one was composed. The loader removes exactly the old "
        "one and queues the new one, so that they do not pile up. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_DROPPED,
        Stage.LIFECYCLE,
        "⊖",
        Tone.CHANGE,
        "dropped",
        "the waiting message was dropped: it is no longer needed",
        "A waiting message says nothing that still has to be said, for instance because the file it announces is "
        "gone or the budget is disabled now. It is removed from the inbox and never reaches the model. Rule: loader "
        "README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_SUPPLIED,
        Stage.LIFECYCLE,
        "≡",
        Tone.QUIET,
        "supplied",
        "the model has exactly this message already, so it is not queued again",
        "A message with the same text and the same record is on the visible surface. Queueing it again would repeat "
        "it, so it is left out, even if other versions stood between the two. A step that begins still inserts it. "
        "Rule: loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_REUSED,
        Stage.LIFECYCLE,
        "≡",
        Tone.INFO,
        "reused",
        "the waiting message is used as it is, files are not looked at",
        "Nothing was touched, a message waits in the inbox, and the settings are those it was made under, so it "
        "enters without another look at the files. A change made on disk in between shows one step later. Under 0.1 "
        "any waiting message is used, before the project root is even searched (differences D11 and D12 in "
        "docs/profiles.md).",
    ),
    OutcomeInfo(
        Outcome.CONTEXT_LOST,
        Stage.LIFECYCLE,
        "✖",
        Tone.BAD,
        "lost",
        "a message taken from the inbox never entered a step",
        "The message was claimed for a step that was then rejected. It counts as told although the model never saw "
        "it; a nested announcement lost like this comes back only with a new touch, a baseline with the third "
        "attempt. Rule: loader README, State And Refresh.",
    ),
)

_PASS = (
    OutcomeInfo(
        Outcome.BUDGET_DISABLED,
        Stage.LIFECYCLE,
        "×",
        Tone.WARN,
        "disabled",
        "instructions are switched off: maxBytes[ {limit}] is not a positive number",
        "A budget that is zero, negative or not finite turns loading off: no file is probed or read. Messages still "
        "waiting are taken out of the inbox. Set maxBytes to a positive number of bytes. Rule: loader README, "
        "Configuration.",
    ),
    OutcomeInfo(
        Outcome.NO_PROVIDER,
        Stage.LIFECYCLE,
        "×",
        Tone.WARN,
        "no files",
        "there is no file system to ask, so nothing is loaded",
        "The loader runs without a file-system provider; it does nothing until one is there. That is not an error: "
        "agents without file access simply have no workspace instructions. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.PASS_ABORTED,
        Stage.LIFECYCLE,
        "×",
        Tone.WARN,
        "cancelled",
        "the pass was cancelled before it was done[: {reason}]",
        "The agent cancelled the work while files were being looked at. Nothing of the unfinished pass counts. The "
        "next step or touch begins anew. Rule: loader README, Lifecycle (cancellation propagates).",
    ),
    OutcomeInfo(
        Outcome.PASS_FAILED,
        Stage.LIFECYCLE,
        "✖",
        Tone.BAD,
        "failed",
        "the pass ended in an error[: {reason}]",
        "Looking at the files ended in an error that is not about a single candidate, mostly a root marker that "
        "could not be probed. Before a step the step fails with it; after a touch a warning is logged and everything "
        "stays as it was. See marker-unavailable. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.RESUMED,
        Stage.LIFECYCLE,
        "⟲",
        Tone.INFO,
        "resumed",
        "a new run of the loader begins here: its memory is empty[, {lost:touch} that waited did not survive]",
        "The session was resumed. Known versions, excluded scopes and touches not yet looked at are gone; what "
        "counts is the log: the visible messages and the inbox. The first step compares the visible baseline with "
        "the files as they are now, or replaces it if its identity differs. Rule: loader README, State And Refresh.",
    ),
)

ENTRIES = (*_BASELINE, *_CONTEXT, *_PASS)
