"""Outcomes of tool calls: which of them lead the loader into new directories."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

ENTRIES = (
    OutcomeInfo(
        Outcome.TOUCH_ACCEPTED,
        Stage.LIFECYCLE,
        "▸",
        Tone.GOOD,
        "touch",
        "{tool} of {touched} is a touch[: directories below {cwd} down to it are looked at]",
        "A successful read, write or edit of a file below the working directory makes the loader look for "
        "instruction files in every directory between the two. Within a step the look is taken only after the step "
        "has ended, so the agent sees the result at its next step. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_OTHER_TOOL,
        Stage.LIFECYCLE,
        "·",
        Tone.QUIET,
        "other tool",
        "[{tool}: ]not a tool that discovers[; {touched} does not count as touched]",
        "Only the exact tools read, write and edit lead to new directories. bash, grep, glob, read_image and tools "
        "of plugins do not, whatever files they open: shell syntax and the state of each shell are no reliable "
        "source. Let the agent read a file below the directory in question. Directories that are loaded already are "
        "looked at before every step anyway. Rule: loader README, Known Limitations.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_ERROR,
        Stage.LIFECYCLE,
        "×",
        Tone.WARN,
        "failed call",
        "{tool}[ of {touched}] failed, so it is not a touch",
        "A call that ends in an error discovers nothing, even if its path is right: reading a file that does not "
        "exist does not load the instructions of its directory. The next successful read, write or edit there does. "
        "Rule: loader README, Lifecycle (successful calls).",
    ),
    OutcomeInfo(
        Outcome.TOUCH_ABORTED,
        Stage.LIFECYCLE,
        "×",
        Tone.WARN,
        "aborted call",
        "{tool}[ of {touched}] was aborted, so it is not a touch",
        "The call, or the work on its result, was cancelled before the touch could be taken. Nothing is discovered. "
        "The next successful read, write or edit below that directory is. Rule: loader README, Lifecycle "
        "(cancellation propagates).",
    ),
    OutcomeInfo(
        Outcome.TOUCH_BAD_ARGUMENTS,
        Stage.LIFECYCLE,
        "×",
        Tone.WARN,
        "no path",
        "{tool} names no usable file_path, so it is not a touch",
        "The arguments of the call hold no file_path, or one that is not text or is blank after trimming. Without a "
        "path there is nothing to look for. Look at the raw event to see what the model sent. Rule: loader README, "
        "Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_NO_AGENT,
        Stage.LIFECYCLE,
        "·",
        Tone.QUIET,
        "no agent",
        "{tool}[ of {touched}] belongs to no agent, so it is not a touch",
        "The result was not produced on behalf of an agent whose instructions are managed, hence there is nobody to "
        "tell. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_OUTSIDE,
        Stage.LIFECYCLE,
        "·",
        Tone.WARN,
        "outside",
        "{touched} is not below the working directory[ {cwd}]: no new directory is looked at",
        "New directories are discovered only strictly below the effective working directory. Files elsewhere, in a "
        "sibling package or beside the project, never load by being touched; nor does a directory directly below the "
        "working directory whose name begins with two dots. Start the agent in a common parent, or change its "
        "working directory (followed under 0.2 and next, difference D13 in docs/profiles.md). Rule: loader README, "
        "Lifecycle (descendant scopes).",
    ),
    OutcomeInfo(
        Outcome.TOUCH_STAGED,
        Stage.LIFECYCLE,
        "◦",
        Tone.INFO,
        "staged",
        "the touch[ of {touched}] waits for the end of the step",
        "A step is open, so looking at files is put off until its end stands in the log; only then are touched "
        "directories searched, in the order of the touches. A process that dies before loses the touch. Rule: loader "
        "README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_BUBBLED,
        Stage.LIFECYCLE,
        "↑",
        Tone.INFO,
        "handed up",
        "the touch[ of {touched}] goes to the call around it[ ({parent})]",
        "The call ran inside another one (a program calling tools). Its touch is handed to the outer call and counts "
        "when that one settles, even if the outer call itself fails or is blocked. Rule: loader README, Lifecycle "
        "and State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_RELEASED,
        Stage.LIFECYCLE,
        "→",
        Tone.INFO,
        "released",
        "touched directories are looked at now[ ({count:touch})][: {touched}]",
        "The step has ended (or none was open), so the directories down to the touched file are searched and "
        "everything loaded is compared with the files. What is found waits in the inbox for the next step. Rule: "
        "loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.TOUCH_LOST,
        Stage.LIFECYCLE,
        "✖",
        Tone.BAD,
        "touch lost",
        "the touch[ of {touched}] was lost[: {reason}]",
        "Touches live in memory between the tool result and the end of the step. The process ended in between, so "
        "the directory was never searched, and after the resume nothing remembers it. It loads at the next touch. "
        "Rule: loader README, State And Refresh.",
    ),
)
