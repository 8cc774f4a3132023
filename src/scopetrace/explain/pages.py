"""How every code of an answer is said: one phrase for the headline, one sentence, one page. Defined here only.

The little grammar of phrases and sentences is that of ``model.catalog.sentence``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .codes import Code, Standing

STAGE = "answer"


class Page(NamedTuple):
    """``glyph`` is one cell, ``tone`` a colour role, ``phrase`` completes "Not loaded: …"."""

    glyph: str
    tone: str
    word: str
    phrase: str
    sentence: str
    page: str


CODES: Mapping[Code, Page] = {
    Code.OTHER_CASE: Page(
        "≈",
        "warn",
        "letter case",
        "{name} is not {wanted}: letter case counts",
        "{path} is no candidate: the name must be exactly {wanted}",
        "Candidate names are compared exactly, letter case included. On a disk that tells cases apart, agents.md or "
        "Claude.md is another file and is never looked for; on one that does not, the loader still asks for the exact "
        "name. Rename the file, or add its name to instructionFileCandidates.",
    ),
    Code.SIMILAR_NAME: Page(
        "≈",
        "warn",
        "near miss",
        "{name} is no candidate; the nearest name is {wanted}",
        "{path} is no candidate: the loader looks for {names:list} and nothing else",
        "The name resembles a candidate, but the loader looks for the configured names only: AGENTS.md, CLAUDE.md, "
        "AGENTS.local.md and CLAUDE.local.md unless the settings say otherwise. AGENT.md, AGENTS.txt or AGENTS.mdx "
        "load nowhere. Rename the file, or add its name to instructionFileCandidates.",
    ),
    Code.OTHER_AGENT: Page(
        "≈",
        "warn",
        "other agent",
        "{name} is read by {agent}, not by this loader",
        "{path} belongs to {agent}; this loader looks for {names:list}",
        "Other agents read other files: .cursorrules, .claude/rules/, .github/copilot-instructions.md, GEMINI.md and "
        "so on. This loader knows none of them and never reads them. Put the text into an AGENTS.md, or make that a "
        "link to the other file.",
    ),
    Code.NOT_CONFIGURED: Page(
        "×",
        "warn",
        "not set",
        "{name} is not among the configured names {names:list}",
        "{path} is no candidate under these settings; they name {names:list}",
        "The name is a candidate by default, but the settings of this session replace the list of names "
        "(instructionFileCandidates, localInstructionFileCandidates) and leave it out. Add it there.",
    ),
    Code.HOME_NAME: Page(
        "×",
        "warn",
        "home name",
        "in {label} only {wanted} is looked for",
        "{path} is never read: a user-global root has one candidate, {wanted}",
        "The user-global roots (~/.dsh and ~/.agents unless moved) have one candidate, AGENTS.md. CLAUDE.md and the "
        "local overlays are looked for in project directories only. Move the text to AGENTS.md in that root.",
    ),
    Code.MENTIONED_ONLY: Page(
        "≈",
        "warn",
        "mentioned",
        "it is only mentioned as @{target} in {by}; imports are not followed",
        "{path} is mentioned in {by}, line {line}, and that line is sent as plain text",
        "Some agents replace a line like @docs/style.md by the content of that file. This loader does not: the line "
        "reaches the model as it stands, and the file it names is not read. Copy the text, or ask in words that the "
        "agent reads the file.",
    ),
    Code.NO_SUCH_PATH: Page(
        "·",
        "quiet",
        "no such path",
        "{path} does not exist",
        "{path} does not exist at this step",
        "There is nothing at this path in the files of that step: it was never there, was deleted, or another "
        "spelling was meant. What applies to a file that would be created there is told all the same.",
    ),
    Code.OUTSIDE_ROOT: Page(
        "×",
        "warn",
        "outside root",
        "{path} lies outside the project root {root}",
        "{path} is not looked for: the project root is {root}[, where {marker} was found][; no {markers:list} above "
        "it{unmarked:flag}]",
        "Project files are taken from the directories between the project root and the working directory, and from "
        "below that. The root is the nearest directory upwards that holds a marker (.git by default, be it a "
        "directory or the file that worktrees and submodules have); without any marker it is the working directory "
        "itself. What lies above or beside the root never loads. See marker-found and no-marker.",
    ),
    Code.OUTSIDE_CWD: Page(
        "×",
        "warn",
        "outside cwd",
        "{directory} is neither above nor below the working directory {cwd}",
        "{path} is not looked for: the way from the project root to {cwd} does not pass it, and touches count only "
        "below {cwd}",
        "Within the project the loader looks at the way from the root down to the working directory, and below the "
        "working directory wherever a touch leads. A sibling directory is neither, so no touch brings its files in "
        "(see touch-outside). Start the session in a common parent.",
    ),
    Code.NOT_LOOKED_YET: Page(
        "○",
        "quiet",
        "not yet",
        "the loader has not looked yet at this step; it does before the first step",
        "no step has begun at this event, so the loader has not looked at any file",
        "Files are first looked at before the first step of a session. Earlier events show nothing loaded for that "
        "reason alone. Ask at a later step.",
    ),
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
        "it lies on the way from the project root {root} to the working directory",
        "[{directory} lies on the way from the project root {root} to the working directory {cwd}{below:flag}]"
        "[{path} lies in the project root {root}{top:flag}]",
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

STANDINGS: Mapping[Standing, tuple[str, str]] = {
    Standing.LOADED: ("Loaded", ""),
    Standing.LOADED_CUT: ("Loaded, but cut", ""),
    Standing.WAITING: (
        "Waiting",
        "The file was found and its message waits in the inbox. The model sees it when the next step begins.",
    ),
    Standing.SHADOWED: ("No longer visible", ""),
    Standing.WITHDRAWN: (
        "Withdrawn",
        "The file was in force, and the model has been told that it no longer applies. The first cause says why.",
    ),
    Standing.NOT_LOADED: (
        "Not loaded",
        "The model does not have this text at that step. The first cause says why, and the moments say when it did "
        "load or what would load it.",
    ),
    Standing.APPLIES: (
        "Applies",
        "Instruction files are in force for this place at that step; they are listed from broad to specific.",
    ),
    Standing.NOTHING_APPLIES: (
        "Nothing applies",
        "No instruction file is in force for this place at that step. The causes say which ones could be and why "
        "they are not.",
    ),
}
"""The word that opens a headline, and the page of a verdict that is not an outcome as well."""
