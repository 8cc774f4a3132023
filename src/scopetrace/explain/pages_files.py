"""Pages of causes that lie in a file: links, text, freshness, origin; and of what applies to a place."""

from __future__ import annotations

from collections.abc import Mapping

from .codes import Code
from .page import Page

TEXTS: Mapping[Code, Page] = {
    Code.LINK_FOLLOWED: Page(
        "→",
        "info",
        "link",
        "{path} is a link to {target}",
        "{path} is a link; the text is that of {target}, the name stays",
        "A link to a file counts as that file and is shown under the link's name. Two links to the same text in one "
        "directory are one text: the later name is left out as a duplicate.",
    ),
    Code.LINK_LEAVES_ROOT: Page(
        "▲",
        "warn",
        "leaves root",
        "{path} links to {target}, outside the project",
        "{path} is a link to {target}, which lies outside the project root {root}",
        "The loader follows links wherever they lead, also out of the project: a cloned repository can bring in text "
        "from elsewhere on the machine that way. Check that the target is meant.",
    ),
    Code.LINK_DANGLING: Page(
        "×",
        "warn",
        "dangling",
        "{path} is a link to {target}, which does not exist",
        "{path} is a link whose target {target} does not exist, which counts as absent",
        "A link that leads nowhere counts as a missing file. Repair the link or create its target.",
    ),
    Code.LINK_TO_OTHER: Page(
        "×",
        "warn",
        "no file",
        "{path} links to {target}, a {kind} and no file",
        "{path} is a link to {target}, which is a {kind}; only regular files count",
        "A link must lead to a regular file. A link to a directory counts as absent, like the directory itself.",
    ),
    Code.LINK_AS_TEXT: Page(
        "▲",
        "warn",
        "link as text",
        "the whole text of {name} is the path {target}: a link checked out as text",
        "{path} is a plain file of {size:size} whose whole text is {target}: it looks like a link that was checked out "
        "as text",
        "Git stores a symbolic link as a small file that holds the path of its target. Where links are switched off "
        "(core.symlinks=false, the default on Windows without developer mode) that small file is checked out as it "
        "is, and the model gets the path instead of the instructions. Set core.symlinks=true and check out again, "
        "or replace the file by a copy.",
    ),
    Code.IMPORT_LINE: Page(
        "▲",
        "warn",
        "import line",
        "line {line} of {name}, @{target}, is plain text here and not followed",
        "{path} says @{target} in line {line}; imports are not followed, the model gets that line as it stands",
        "Some agents replace a line like @AGENTS.md by the content of that file. This loader has no such syntax: the "
        "line is sent literally, and a file it names loads only if it is a candidate itself.",
    ),
    Code.TAG_ESCAPED: Page(
        "✔",
        "info",
        "escaped",
        "{tag} in {path} is escaped, so it cannot end the block",
        "{tag} stands in {path}[ ({count} times{many:flag})]; it is sent with a backslash, so it cannot end the block",
        "The text is wrapped in a frame that ends with a closing tag. The same tag inside a file or a path is escaped "
        "with a backslash before the frame is put around it, so no file can end the frame early. The backslash "
        "counts against the budget.",
    ),
    Code.SAME_TEXT: Page(
        "=",
        "info",
        "same text",
        "{other} says the same; only siblings in one directory are compared",
        "{path} and {other} hold the same text and are both sent: duplicates collapse within one directory only",
        "Duplicates are looked for among the candidates of one directory (and between the two user-global roots). The "
        "same text in two directories is sent twice, since each applies to its own directory.",
    ),
    Code.CHANGED_SINCE: Page(
        "▲",
        "warn",
        "stale",
        "the model has an older text of {path}; the next step sends the new one",
        "{path} changed after the model got it: SHA-1 {digest:digest} now, {before:digest} told[ at event {since}]",
        "Nothing watches the disk. Every step compares the files that are in force, so a change that was made by hand "
        "or by a shell command reaches the model at the next step, and until then it works with the older text.",
    ),
    Code.APPEARED_SINCE: Page(
        "○",
        "info",
        "appeared",
        "{path} came after the last look; the next step looks again",
        "{path} exists now, but did not when the loader last looked[ at event {since}]",
        "The file was created after the last look. Directories on the way from the root to the working directory, and "
        "those in force, are looked at before every step; the others when a file below them is touched.",
    ),
    Code.GONE_SINCE: Page(
        "▲",
        "warn",
        "gone since",
        "{path} is gone from disk, but its text still applies until the next step",
        "{path} no longer exists; the model still has its text and is told at the next step",
        "The file was deleted after the last look. Before the next step the loader notices and withdraws it.",
    ),
    Code.FROM_CHAIN: Page(
        "▸",
        "info",
        "on the way",
        "[it lies on the way from the project root {root} to the working directory{below:flag}]"
        "[it lies in the project root {root}{top:flag}]",
        "no touch is needed[: {directory} lies on the way from the project root {root} to {cwd}{below:flag}]"
        "[: {path} lies in the project root {root}{top:flag}]",
        "Every directory from the project root down to the working directory is looked at before the first step, "
        "and again before each later one. No touch is needed.",
    ),
    Code.FROM_HOME: Page(
        "▸",
        "info",
        "user-global",
        "it is the user-global file of {label}",
        "{path} is the file of the user-global root {label} and applies everywhere",
        "The user-global roots are looked at in every session, whatever the project: ~/.dsh (or $DSH_HOME) and, under "
        "the rules 0.2 and next, ~/.agents (or $DSH_AGENTS_HOME).",
    ),
    Code.FROM_TOUCH: Page(
        "▸",
        "info",
        "by a touch",
        "{tool} of {touched} led there",
        "{tool} of {touched} led the loader into {directory}",
        "A successful read, write or edit below the working directory leads the loader into the directories down to "
        "that file. What it finds there is announced with the next step.",
    ),
    Code.CAME_BACK: Page(
        "⟲",
        "info",
        "came back",
        "{path} was hidden at event {by} and came back at event {since}",
        "{path} was hidden at event {by} and came back at event {since}[, by itself with the next step{alone:flag}]"
        "[, after another touch{touched:flag}]",
        "Compaction hides instruction messages like any other. The next step composes the baseline again, so files "
        "on the way from the project root to the working directory and user-global files come back by themselves. A "
        "nested file comes back only when a file below its directory is touched again.",
    ),
    Code.FILES_APPLY: Page(
        "●",
        "good",
        "applies",
        "{paths:list}",
        "{count:file} in force for {path}, from broad to specific: {paths:list}",
        "The files in force for a place are the user-global ones and those in the directories above it, as far as "
        "the model has been told about them. Where they disagree, the more specific one takes precedence.",
    ),
    Code.WOULD_LOAD: Page(
        "○",
        "info",
        "would load",
        "{count:file} would load when {touched} is read, written or edited",
        "a successful read, write or edit of {touched} would load {paths:list}",
        "This was worked out by letting the loader take that touch from the state of this step: nothing is guessed, "
        "and nothing is changed.",
    ),
    Code.NO_CANDIDATE: Page(
        "·",
        "quiet",
        "no candidate",
        "there is no instruction file on the way from {root} to {path}",
        "no candidate exists in the user-global roots or in a directory from {root} to {path}",
        "None of the names looked for exists where the loader looks. Write an AGENTS.md in the directory whose work "
        "it shall guide.",
    ),
    Code.RECORD_DIFFERS: Page(
        "✖",
        "bad",
        "record",
        "the log recorded something else at event {since}",
        "this answer is what the rules give; the message that the session recorded at event {since} differs",
        "The answer is computed. Where the recorded message differs from the computed one, the model got what is "
        "recorded: compare the two at that event, or try the other generations of rules (scopetrace audit).",
    ),
}
