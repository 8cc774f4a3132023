"""How every code of an answer is said: one phrase for the headline, one sentence, one page. Defined here only.

The little grammar of phrases and sentences is that of ``model.catalog.sentence``.
"""

from __future__ import annotations

from collections.abc import Mapping

from .codes import Code, Kind, Standing, When
from .page import Page
from .pages_files import TEXTS
from .pages_paths import PATHS

STAGE = "answer"

CODES: Mapping[Code, Page] = {**PATHS, **TEXTS}
"""One entry for every cause that is no outcome of the loader."""

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

WHENS: Mapping[When, str] = {
    When.ANNOUNCED: "A message told the model about the file: for the first time, or again after it was hidden or "
    "withdrawn.",
    When.REPLACED: "The file had changed, and a message sent its new text.",
    When.WITHDRAWN: "A message told the model that the file no longer applies.",
    When.HIDDEN: "The message with the file left what the model sees, mostly by compaction. See shadowed.",
    When.CHANGED: "The file on disk got another version here; nothing watches it, so the model learns of it later.",
    When.NEXT_STEP: "The loader, run on from this step, would announce the file with the next step, without a touch.",
    When.NEXT_TOUCH: "The loader, run on from this step, would announce the file after a touch in its directory.",
    When.NEVER: "The file lies where the loader does not look in this session; no touch changes that.",
}
"""Pages of moments."""

KINDS: Mapping[Kind, str] = {
    Kind.EVENT: "An event of the session that bears on the answer.",
    Kind.FILE: "A file as it is at the step in question: size in bytes and SHA-1 of its text.",
    Kind.TOLD: "What the model was given of a file: the digest that the message recorded, and the event.",
    Kind.SIBLING: "Another candidate of the same group that decided about this one.",
    Kind.CUT: "Where a text was cut to fit the budget: bytes kept and lost, and the line.",
    Kind.BUDGET: "How the budget of a block was spent when the file did not go in whole.",
    Kind.ROOT: "The project root and the marker that makes it one.",
    Kind.LINK: "A symbolic link and where it leads.",
    Kind.TOUCH: "A tool call about the place, and what the loader made of it.",
    Kind.NEAR: "A file that looks as if it was meant to be a candidate.",
    Kind.LINE: "A line of the file that the answer is about.",
    Kind.SETTING: "A setting that changed between two baselines.",
}
"""Pages of evidence."""
