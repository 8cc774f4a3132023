"""Pages of causes that lie in a path: its name or its place."""

from __future__ import annotations

from collections.abc import Mapping

from .codes import Code
from .page import Page

PATHS: Mapping[Code, Page] = {
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
}
