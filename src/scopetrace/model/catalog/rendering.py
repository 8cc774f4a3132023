"""Outcomes of fitting files into the byte budget."""

from __future__ import annotations

from scopetrace.model.outcomes import Outcome, OutcomeInfo, Stage, Tone

ENTRIES = (
    OutcomeInfo(
        Outcome.WHOLE,
        Stage.BUDGET,
        "●",
        Tone.GOOD,
        "whole",
        "{path} is in the text in full[, {size:size}][; {left:size} of the budget left]",
        "The file fits the budget and its complete content is in the text the model gets. Bytes are counted in the "
        "finished text, after the closing tag of the frame has been escaped. Rule: loader README, Budgeting And "
        "Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.OMITTED,
        Stage.BUDGET,
        "▲",
        Tone.WARN,
        "omitted",
        "{path} was dropped for the budget[: it needs {needs:size}][, {left:size} left][ of {limit:size}]",
        "The files together exceed maxBytes. The loader drops whole files, the broadest first, until the rest fits, "
        "and names them in a notice at the top of the text. Under 0.1 and 0.2 one budget covers a rendered block; "
        "under next the user-global and the project files have one budget each (docs/profiles.md, next). A baseline "
        "file dropped like this stays excluded until the session is resumed. Shorten the more specific files or "
        "raise maxBytes. Rule: loader README, Budgeting And Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.TRUNCATED,
        Stage.BUDGET,
        "✂",
        Tone.WARN,
        "truncated",
        "{path} was cut to {included:size}[ of {size:size}][ to fit {limit:size}]",
        "Even alone, the most specific file exceeds the budget, so it is cut at the end, on a character boundary, "
        "and the notice names both numbers. What stands after the cut is unknown to the model, although the recorded "
        "digest is that of the whole file. Put what matters first, shorten the file, or raise maxBytes. Rule: loader "
        "README, Budgeting And Bounded Reads.",
    ),
    OutcomeInfo(
        Outcome.HEADING_ONLY,
        Stage.BUDGET,
        "▲",
        Tone.WARN,
        "heading only",
        "only the heading of {path} fitted[ into {limit:size}][; none of its {size:size} did]",
        "The budget held the notice and the heading of the file, but not one byte of its content. A non-empty file "
        "in that state does not count as loaded and stays eligible for a later touch; an empty file does count, "
        "since its heading says all there is. Raise maxBytes. Rule: loader README, State And Refresh.",
    ),
    OutcomeInfo(
        Outcome.NOTICE_ONLY,
        Stage.BUDGET,
        "▲",
        Tone.WARN,
        "notice only",
        "{path} is only named in the budget notice[: {limit:size} leave no room for its {size:size}]",
        "The budget is so small that the text consists of the budget notice alone (itself cut if need be), without "
        "frame, heading or content. A baseline is still sent, with an empty list of changes; an update that "
        "represents nothing is not sent at all. Raise maxBytes: the shipped agents use 65536. Rule: loader README, "
        "State And Refresh.",
    ),
)
