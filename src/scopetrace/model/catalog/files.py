"""Outcomes of probing, reading and comparing one candidate file."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

_PROBE = (
    OutcomeInfo(
        Outcome.PRESENT,
        Stage.PROBE,
        "○",
        Tone.INFO,
        "present",
        "{path} exists[, {size:size}][, a link to {link}][ ▲ the link leaves the project root{crosses:flag}]",
        "The candidate exists and is a regular file; links are followed, so a link to a file counts as that file. "
        "Being present is not being loaded: reading, duplicates and the budget come next. A link whose target lies "
        "outside the project root is flagged, because a cloned repository can surface text from elsewhere on the "
        "machine that way. Rule: loader README, Lifecycle and Known Limitations (links are followed across the trust "
        "boundary).",
    ),
    OutcomeInfo(
        Outcome.ABSENT,
        Stage.PROBE,
        "·",
        Tone.QUIET,
        "absent",
        "{path} does not exist",
        "There is no file of exactly this name: the path is missing, the link dangles, or a regular file stands "
        "where a directory is needed. Absence is certain, so a file that was loaded before is withdrawn. Names are "
        "compared as they are: agents.md, AGENT.md or .claude/rules/ are not candidates. Rename the file, or add its "
        "name to instructionFileCandidates. Rule: loader README, Lifecycle and Known Limitations.",
    ),
    OutcomeInfo(
        Outcome.NOT_A_FILE,
        Stage.PROBE,
        "·",
        Tone.WARN,
        "not a file",
        "{path} is not a regular file[ but a {kind}], which counts as absent",
        "Something of this name exists, but it is a directory (or a link to one), a FIFO, a socket or a device. The "
        "loader takes that for a confirmed absence, so a file that was loaded from here before is withdrawn. Put a "
        "regular file in its place. Rule: loader README, Lifecycle (a non-file target is a confirmed absence).",
    ),
    OutcomeInfo(
        Outcome.UNAVAILABLE,
        Stage.PROBE,
        "✖",
        Tone.BAD,
        "unavailable",
        "could not tell whether {path} exists[: {reason}]",
        "Probing the candidate failed, which proves neither presence nor absence: the scope is temporarily "
        "unavailable. A baseline leaves the file out; later passes keep what was loaded last. Under the rules 0.2 "
        "and next the candidates of the same group are held back with it; under 0.1 only where the scope was in "
        "force (difference D9, switch probe_failure_holds_group in docs/profiles.md). Repair access to the path and "
        "let the agent touch a file again.",
    ),
    OutcomeInfo(
        Outcome.EXCLUDED,
        Stage.PROBE,
        "×",
        Tone.WARN,
        "excluded",
        "{path} stays excluded for the rest of this run[: {reason}]",
        "When the baseline was composed, this file had no room in the budget (or, under the rules 0.1, was a "
        "duplicate). Such a scope is neither probed nor read again while that baseline is in force, even if the file "
        "shrinks or the duplicate gets content of its own. Resuming the session computes the set anew. Make the file "
        "or the broader ones smaller, raise maxBytes, and start or resume the session. Differences: D6 in "
        "docs/profiles.md.",
    ),
    OutcomeInfo(
        Outcome.SAME_FILE,
        Stage.PROBE,
        "=",
        Tone.QUIET,
        "same file",
        "{path} is the same file as {other}, which this pass has looked at already",
        "Two scopes lead to one absolute path, for instance when the harness home lies inside the project. A pass "
        "looks at every absolute path once; the first scope decides and the second one is skipped. Nothing is lost: "
        "the text is in the message under the first name. Rule: loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.UNREACHED_IN_GROUP,
        Stage.PROBE,
        "¦",
        Tone.WARN,
        "not asked",
        "{path} was not looked at: its group was held back[ because of {because}]",
        "An earlier candidate of the same group could not be read, so the whole group keeps its last good state and "
        "its other candidates were not even probed. They get their turn as soon as the named sibling can be read "
        "again. This is the rule of 0.2 and next; under 0.1 the others go on (differences D8 and D10 in "
        "docs/profiles.md).",
    ),
)

_READ = (
    OutcomeInfo(
        Outcome.READ,
        Stage.READ,
        "↓",
        Tone.INFO,
        "read",
        "read {path}[, {size:size}][, SHA-1 {digest:digest}]",
        "The file was read as raw bytes within the caps, decoded as strict UTF-8, a leading byte order mark was "
        "dropped, and the text was hashed. The digest is what later passes compare: a file with an unchanged digest "
        "is not sent again. Rule: loader README, Budgeting And Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.UNCHANGED_VERSION,
        Stage.READ,
        "≡",
        Tone.QUIET,
        "same version",
        "{path} was not read again: its version is the one read before[ (SHA-1 {digest:digest})]",
        "The file system reports the version that the loader remembers for this scope, and what is visible to the "
        "model agrees with it, so reading is skipped. A changed version leads to a read, and only a changed digest "
        "to a new message. Which duplicates may be skipped as well is difference D7 in docs/profiles.md. Rule: "
        "loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.OVERSIZE,
        Stage.READ,
        "×",
        Tone.BAD,
        "too big",
        "{path} is larger than the limit of {limit:size} for one file[; it has {size:size}]",
        "The file exceeds maxSourceBytes (1 MiB unless configured), a cap on what is read, before any rendering. A "
        "baseline leaves the file out; in later passes it counts as temporarily unavailable, so what was loaded last "
        "stays in force. Under 0.2 and next its group is held back with it (difference D8 in docs/profiles.md). "
        "Shorten the file or raise maxSourceBytes. Rule: loader README, Budgeting And Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.OVER_AGGREGATE,
        Stage.READ,
        "×",
        Tone.BAD,
        "no read left",
        "{path} was skipped: of {limit:size} for all reads of this pass only {left:size} were left",
        "maxTotalSourceBytes bounds what one baseline or one reconciliation batch may read in total (4 MiB unless "
        "configured). Earlier files used it up, so this one was not read in full and does not count. Shorten the "
        "broader files or raise maxTotalSourceBytes; null turns this cap off. Rule: loader README, Budgeting And "
        "Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.INVALID_UTF8,
        Stage.READ,
        "×",
        Tone.BAD,
        "not UTF-8",
        "{path} is not valid UTF-8[: first bad byte at offset {at}]",
        "Instruction files are decoded strictly: one invalid byte and the whole file is left out, nothing is "
        "replaced or guessed. A baseline skips the file; in later passes it counts as temporarily unavailable (and "
        "holds its group back under 0.2 and next, difference D8 in docs/profiles.md). Convert it, for instance with "
        "iconv -t UTF-8; UTF-16 files from Windows editors are a common cause. Rule: loader README, Budgeting And "
        "Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.BINARY,
        Stage.READ,
        "×",
        Tone.BAD,
        "binary",
        "{path} is not text[: NUL byte at offset {at}]",
        "A NUL among the first 8192 bytes marks the file as binary, and binary files are left out like invalid "
        "UTF-8: skipped in a baseline, temporarily unavailable later. Text saved as UTF-16 looks like this too. Save "
        "the file as UTF-8. Difference D8 in docs/profiles.md says what happens to its siblings.",
    ),
    OutcomeInfo(
        Outcome.READ_FAILED,
        Stage.READ,
        "✖",
        Tone.BAD,
        "read failed",
        "reading {path} failed[: {reason}]",
        "The probe found a file, but reading it ended in an error (permission denied, an I/O error, the file "
        "vanished in between). That is no proof of absence: a baseline leaves the file out, later passes keep the "
        "last good state, under 0.2 and next for the whole group (difference D8 in docs/profiles.md). Repair the "
        "access rights and let the agent touch a file again. Rule: loader README, Lifecycle.",
    ),
)

_DEDUP = (
    OutcomeInfo(
        Outcome.KEPT,
        Stage.DEDUP,
        "✔",
        Tone.QUIET,
        "distinct",
        "{path} differs from every earlier candidate of its group",
        "Candidates of one directory are compared after trimming leading and trailing whitespace; this one differs "
        "from all earlier ones, so it stays. Every distinct sibling loads, there is no first-match rule: AGENTS.md "
        "and CLAUDE.md both apply when they differ. Rule: loader README, Lifecycle.",
    ),
    OutcomeInfo(
        Outcome.DUPLICATE,
        Stage.DEDUP,
        "=",
        Tone.QUIET,
        "duplicate",
        "{path} is left out: it says the same as {of}",
        "After trimming whitespace at both ends the content equals that of an earlier candidate of the same group, "
        "so it is shown once, under the earlier name. Nothing is missing for the model. A group is one directory; "
        "the two user-global roots form one group under 0.2 and next (differences D1 and D5 in docs/profiles.md). "
        "When the files drift apart, both load; under 0.1 only after a resume (D6). Rule: loader README, Lifecycle.",
    ),
)

ENTRIES = (*_PROBE, *_READ, *_DEDUP)
