"""Rendering a baseline or an update within a byte budget, and what became of each file.

Choosing what stays is in ``fitting``, the division into chains in ``chains``, the strings in ``sections``. Sources:
``render-*`` vectors, the renderer seed, README seed "Budgeting And Bounded Reads", ``design/PROFILES.md`` "next".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from scopetrace.model import (
    BudgetReport,
    Change,
    Decision,
    InstructionFile,
    Outcome,
    Segment,
    SegmentKind,
    Stage,
    Truncation,
)

from .chains import Arrangement, Spending, chain_budgets, one_budget
from .fitting import CLOSE_BYTES, JOINT_BYTES, OPEN_BYTES, Level
from .flavour import POSIX, PathFlavour
from .sections import UPDATE_INTRO, Section, baseline_heading, baseline_intro, change_heading
from .text import utf8_len


class Transition(NamedTuple):
    """One item of an update: the change and the file it is about (a removal's file has no content)."""

    change: Change
    file: InstructionFile


class Fate(NamedTuple):
    """What the budget did to one file. ``place`` is its position in the list that was rendered.

    ``outcome`` is ``WHOLE``, ``OMITTED``, ``TRUNCATED``, ``HEADING_ONLY`` or ``NOTICE_ONLY``. ``facts`` are bytes:
    ``size`` of the whole content, ``included`` of a cut one, ``needs`` of an omitted section with its joint,
    ``left`` of the budget (whole: in the finished block; omitted: after every more specific file), ``limit``, and the
    ``chain`` whose budget it was.
    """

    place: int
    file: InstructionFile
    outcome: Outcome
    facts: MappingProxyType[str, str | int | float]

    def decision(self, scope: str, pass_index: int = 0) -> Decision:
        """The fate as a decision about the candidate ``scope``."""
        return Decision(
            Stage.BUDGET,
            self.outcome,
            pass_index,
            scope,
            self.file.display_path,
            self.file.absolute_path,
            self.facts,
        )


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered block.

    ``represented`` are the whole files of which the text holds content (an empty file by its heading); ``sections``
    the files whose section is in the text, with the content that is there. ``intro`` is ``None`` without a frame.
    ``carried`` are the positions of the given items whose transition the text carries. ``fates`` and ``budgets`` are
    empty under a disabled budget and when no explanation was wanted; there is one fate a file and one budget a chain.
    """

    text: str
    omitted: tuple[InstructionFile, ...]
    truncated: tuple[Truncation, ...]
    represented: tuple[InstructionFile, ...]
    sections: tuple[InstructionFile, ...]
    intro: str | None
    carried: tuple[int, ...]
    fates: tuple[Fate, ...] = ()
    budgets: tuple[BudgetReport, ...] = ()


def render_baseline(
    files: Sequence[InstructionFile],
    max_bytes: float,
    *,
    replaces_previous: bool = False,
    shared_root: bool,
    per_chain: bool,
    explain: bool = True,
) -> Rendered:
    """Render a complete baseline, ``files`` from broadest to most specific, within ``max_bytes``.

    ``replaces_previous`` says so in the intro. With ``per_chain`` the user-global and the project chain have
    ``max_bytes`` each, and a block that needs it is at most twice that long. A non-positive or non-finite budget
    renders nothing. ``explain`` adds fates and budgets.
    """
    sections = [Section(file, baseline_heading) for file in files]
    intro = baseline_intro(replaces=replaces_previous, empty=not files)
    return _render("baseline", sections, max_bytes, intro, shared_root, per_chain, explain)


def render_changes(
    items: Sequence[tuple[Change, InstructionFile]],
    max_bytes: float,
    *,
    global_sentence: bool,
    shared_root: bool,
    per_chain: bool,
    flavour: PathFlavour = POSIX,
    explain: bool = True,
) -> Rendered:
    """Render an update: the transitions of one reconciliation, in order; budgets as in :func:`render_baseline`.

    ``carried`` of the result are the transitions to commit. Of two items with one absolute path the later one's change
    serves both.
    """
    headings = {
        file.absolute_path: change_heading(
            change, global_sentence=global_sentence, shared_root=shared_root, flavour=flavour
        )
        for change, file in items
    }
    sections = [Section(file, *headings[file.absolute_path]) for _, file in items]
    return _render("update", sections, max_bytes, UPDATE_INTRO, shared_root, per_chain, explain)


def _render(
    block: str,
    sections: list[Section],
    max_bytes: float,
    intro: str,
    shared_root: bool,
    per_chain: bool,
    explain: bool,
) -> Rendered:
    if per_chain:
        arranged = chain_budgets(sections, max_bytes, intro, shared_root=shared_root)
    else:
        arranged = one_budget(sections, max_bytes, intro)
    represented = tuple(sections[at].file for at in arranged.represented)
    paths = {file.absolute_path for file in represented}
    rendered = Rendered(
        arranged.text,
        tuple(sections[at].file for at in arranged.omitted),
        arranged.truncated,
        represented,
        tuple(_with_content(sections[at].file, cut) for at, cut in arranged.shown),
        arranged.intro,
        tuple(at for at, section in enumerate(sections) if section.file.absolute_path in paths),
    )
    return _explained(rendered, block, max_bytes, arranged) if explain else rendered


def _with_content(file: InstructionFile, cut: str | None) -> InstructionFile:
    return file if cut is None else InstructionFile(file.absolute_path, file.display_path, cut)


def _explained(rendered: Rendered, block: str, max_bytes: float, arranged: Arrangement) -> Rendered:
    spendings = [one for one in arranged.spendings if one.fit.level is not Level.DISABLED]
    fates = [fate for one in spendings for fate in _fates(one, max_bytes)]
    return replace(
        rendered,
        fates=tuple(sorted(fates, key=lambda fate: fate.place)),
        budgets=tuple(_budget(one, block, max_bytes) for one in spendings),
    )


def _fates(spending: Spending, limit: float) -> Iterator[Fate]:
    found = spending.fit
    left = math.floor(limit - found.used)
    shown = found.shown
    for at, section in enumerate(found.sections):
        facts: dict[str, str | int | float] = {"limit": limit, "chain": spending.chain}
        if at < found.start:
            outcome = Outcome.OMITTED
            # Only the file next in line met what is left now; for a broader one the more specific files took it all.
            is_next = found.level is Level.SUFFIX and at == found.start - 1
            facts |= {"needs": section.size + JOINT_BYTES, "left": left if is_next else 0}
        else:
            facts["size"] = section.content_size
            included = found.truncated[0].included_bytes if found.truncated else section.content_size
            if at not in shown:
                outcome = Outcome.NOTICE_ONLY
            elif included == section.content_size:
                outcome = Outcome.WHOLE
                facts["left"] = left
            elif included:
                outcome = Outcome.TRUNCATED
                facts["included"] = included
            else:
                outcome = Outcome.HEADING_ONLY
        yield Fate(spending.places[at], section.file, outcome, MappingProxyType(facts))


def _budget(spending: Spending, block: str, limit: float) -> BudgetReport:
    """How one chain's budget was spent, measured as the decision was: on the chain's own text, before any merging."""
    found = spending.fit
    sizes = [(SegmentKind.NOTICE, utf8_len(found.notice), ""), (SegmentKind.INTRO, len(found.intro or ""), "")]
    for at in found.shown:
        section = found.sections[at]
        size = section.size
        if found.cut is not None and at == len(found.sections) - 1:
            size = utf8_len(section.text(found.cut))
        sizes.append((SegmentKind.FILE, size, section.file.display_path))
    segments: list[Segment] = []
    for kind, size, path in sizes:
        if size:
            segments.append(Segment(kind, size + (JOINT_BYTES if segments else 0), path))
    if found.intro is not None:
        segments = [
            Segment(SegmentKind.FRAME, OPEN_BYTES),
            *segments,
            Segment(SegmentKind.FRAME, CLOSE_BYTES),
        ]
    omitted = tuple((section.file.display_path, section.content_size) for section in found.sections[: found.start])
    return BudgetReport(block, spending.chain, limit, found.used, tuple(segments), omitted, found.truncated)
