"""The field's words, each with a page of its own in ``scopetrace explain``: answers use no others."""

from __future__ import annotations

from collections.abc import Mapping

STAGE = "word"

WORDS: Mapping[str, str] = {
    "candidate": (
        "A file name that the loader looks for in a directory: AGENTS.md, CLAUDE.md and the local overlays "
        "AGENTS.local.md and CLAUDE.local.md, unless the settings name others. Names are compared exactly."
    ),
    "overlay": "A candidate for private additions that is usually not committed: AGENTS.local.md, CLAUDE.local.md.",
    "scope": "A directory together with one candidate. What the loader announces and withdraws are scopes.",
    "project-root": (
        "The nearest directory from the working directory upwards that holds a marker (.git by default); without one, "
        "the working directory itself. See marker-found."
    ),
    "marker": "A file or directory that makes the directory around it the project root: .git, unless configured.",
    "user-global": "Applying to all work of a user: the AGENTS.md of ~/.dsh and of ~/.agents.",
    "baseline": (
        "The first complete message: the user-global files and everything on the way from the project root to the "
        "working directory. Later messages say only what changed."
    ),
    "touch": (
        "A successful read, write or edit of a file below the working directory. It leads the loader into the "
        "directories down to that file. Shell commands and failed calls are no touches."
    ),
    "step": "One request to the model within a turn. Instruction messages enter with a step.",
    "surface": "The messages that the model still sees. Compaction takes messages off it.",
    "compaction": "Replacing older messages by a summary. Instruction messages among them are no longer visible.",
    "inbox": "Messages that wait for the next step.",
    "budget": "The bytes that one block of instructions may have (maxBytes). What does not fit is left out or cut.",
    "chain": "The user-global files, or the project's files from the root to the working directory, in that order.",
    "group": (
        "The candidates that are compared with one another: those of one directory; the user-global roots together."
    ),
    "digest": "A SHA-1 checksum of a file's whole text, by which the loader tells whether it changed.",
    "in-force": "Announced by the newest visible message about it: the model has the text, and it applies.",
    "announced": "Said to the model for the first time, or again after it was hidden or withdrawn.",
    "withdrawn": "The model was told that these instructions no longer apply.",
    "profile": "A generation of the loader's rules: 0.1, 0.2 or next. docs/profiles.md lists the differences.",
    "settings": "What the loader is configured with; docs/config.md lists the keys.",
    "session": "The recorded life of one conversation with an agent; scopetrace sessions lists those of this machine.",
}
