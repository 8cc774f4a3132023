"""The renderer, slow and direct: every text is built in full and measured.

A model for the fast one, written from the README's prose and the tables of the rules ("next", 1 to 4 and 7).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from scopetrace.model import Action, Change, InstructionFile, Truncation

GUIDANCE = (
    "The following workspace instructions may be relevant to your work. Use them as guidance when applicable. "
    "More specific instructions take precedence over broader ones. They do not override system, developer, or direct "
    "user instructions."
)
REPLACES = "This complete workspace instruction baseline replaces all earlier workspace instruction baselines. "
COMPACT = "Workspace instructions were omitted or truncated to fit the configured byte budget."
MORE = (
    "Use them as guidance when relevant; more specific instructions take precedence. They do not override system, "
    "developer, or direct user instructions."
)
DSH_FILES = ("~/.dsh/AGENTS.md", "$DSH_HOME/AGENTS.md")
AGENTS_FILES = ("~/.agents/AGENTS.md", "$DSH_AGENTS_HOME/AGENTS.md")

SectionOf = Callable[[InstructionFile], str]


@dataclass(frozen=True)
class Naive:
    text: str = ""
    omitted: list[InstructionFile] = field(default_factory=list)
    truncated: list[Truncation] = field(default_factory=list)
    represented: list[InstructionFile] = field(default_factory=list)
    sections: list[InstructionFile] = field(default_factory=list)
    intro: str | None = None


def baseline(files: Sequence[InstructionFile], limit: float, replaces: bool, shared: bool, per_chain: bool) -> Naive:
    intro = GUIDANCE
    if replaces:
        intro = REPLACES + (GUIDANCE if files else "No workspace instructions are currently active.")
    return arrange(
        files, limit, intro, lambda f: f"Instructions from: {f.display_path}\n\n{f.content}", shared, per_chain
    )


def update(
    items: Sequence[tuple[Change, InstructionFile]], limit: float, sentence: bool, shared: bool, per_chain: bool
) -> tuple[Naive, list[int]]:
    last_change = {file.absolute_path: change for change, file in items}

    def section(file: InstructionFile) -> str:
        change = last_change[file.absolute_path]
        if change.action is Action.REMOVE:
            gone = "The previously loaded instructions from this file no longer apply."
            return f"Instructions removed: {change.path}\n\n{gone}"
        if change.action is Action.REPLACE:
            use = "Use the following content instead of the previously loaded instructions from this file."
            told = f"This file changed after it was loaded. {use}"
            return f"Updated instructions from: {change.path}\n\n{told}\n\n{file.content}"
        scope = file.display_path.rpartition("/")[0] or "."
        if file.display_path in DSH_FILES:
            scope = "user-global"
        if shared and file.display_path in AGENTS_FILES:
            scope = "agents-global"
        told = f"These instructions apply to work under `{scope}`."
        if sentence and (scope == "user-global" or (shared and scope == "agents-global")):
            told = "These user-global instructions apply to all work."
        return f"Additional instructions from: {file.display_path}\n\n{told} {MORE}\n\n{file.content}"

    naive = arrange([file for _, file in items], limit, "", section, shared, per_chain)
    represented = [file.absolute_path for file in naive.represented]
    return naive, [place for place, (_, file) in enumerate(items) if file.absolute_path in represented]


def arrange(
    files: Sequence[InstructionFile], limit: float, intro: str, section: SectionOf, shared: bool, per_chain: bool
) -> Naive:
    whole = single(files, limit, intro, section)
    ours = DSH_FILES + (AGENTS_FILES if shared else ())
    chains = [
        [file for file in files if file.display_path in ours],
        [file for file in files if file.display_path not in ours],
    ]
    if not per_chain or disabled(limit) or not all(chains) or not (whole.omitted or whole.truncated):
        return whole
    parts = [single(chain, limit, intro, section) for chain in chains]

    def together(records: list[InstructionFile]) -> list[InstructionFile]:
        by_path = {file.absolute_path: file for file in records}
        return [by_path[file.absolute_path] for file in files if file.absolute_path in by_path]

    omitted = together([file for part in parts for file in part.omitted])
    sections = together([file for part in parts for file in part.sections])
    represented = together([file for part in parts for file in part.represented])
    ends = [max(place for place, file in enumerate(files) if any(file is own for own in chain)) for chain in chains]
    truncated = [cut for _, part in sorted(zip(ends, parts, strict=True), key=lambda p: p[0]) for cut in part.truncated]
    intros = [part.intro for part in parts]
    kept = intro if intro in intros else COMPACT if COMPACT in intros else ""
    text = block(notice(limit, omitted, truncated), kept, [section(file) for file in sections])
    if size(text) > 2 * limit:
        return whole
    return Naive(text, omitted, truncated, represented, sections, kept)


def single(files: Sequence[InstructionFile], limit: float, intro: str, section: SectionOf) -> Naive:
    files = list(files)
    if disabled(limit):
        return Naive(omitted=files)
    for start in range(max(len(files), 1)):
        omitted, kept = files[:start], files[start:]
        text = block(notice(limit, omitted, []), intro, [section(file) for file in kept])
        if size(text) <= limit:
            return Naive(text, omitted, [], kept, kept, intro)
    if not files:
        return Naive()
    omitted, last = files[:-1], files[-1]
    whole = size(last.content)

    def named(cut: InstructionFile) -> tuple[list[Truncation], str]:
        truncated = [Truncation(last.display_path, whole, size(cut.content))]
        return truncated, notice(limit, omitted, truncated)

    for style in (intro, COMPACT):
        for length in range(len(last.content), -1, -1):
            cut = replace(last, content=last.content[:length])
            truncated, told = named(cut)
            text = block(told, style, [section(cut)])
            if size(text) <= limit:
                represented = [last] if cut.content or not last.content else []
                return Naive(text, omitted, truncated, represented, [cut], style)
    hollow = replace(last, content="")
    truncated, told = named(hollow)
    text = escaped(f"{told}\n\n{section(hollow)}")
    if size(text) <= limit:
        return Naive(text, omitted, truncated, [] if last.content else [last], [hollow])
    text = escaped(told)
    while size(text) > limit:
        text = text[:-1]
    return Naive(text, omitted, truncated)


def disabled(limit: float) -> bool:
    return limit <= 0 or not math.isfinite(limit)


def size(text: str) -> int:
    return len(text.encode())


def escaped(text: str) -> str:
    return text.replace("</system-reminder>", "<\\/system-reminder>")


def notice(limit: float, omitted: list[InstructionFile], truncated: list[Truncation]) -> str:
    told = []
    if omitted:
        told.append("omitted " + ", ".join(file.display_path for file in omitted))
    if truncated:
        rows = [f"{t.display_path} from {t.original_bytes} to {t.included_bytes} bytes" for t in truncated]
        told.append("truncated " + ", ".join(rows))
    return f"Workspace instruction budget {limit:g} bytes: {'; '.join(told)}" if told else ""


def block(told: str, intro: str, sections: list[str]) -> str:
    body = "\n\n".join(part for part in [told, intro, *sections] if part)
    return f"<system-reminder>\n{escaped(body)}\n</system-reminder>"
