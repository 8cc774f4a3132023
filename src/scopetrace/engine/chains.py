"""One budget for all files, or one for the user-global and one for the project chain.

The second is *chains* of ``design/PROFILES.md``, section "next" 2 to 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scopetrace.model import Truncation

from .fitting import Fit, Level, fit
from .paths import is_user_global_path
from .sections import Section, framed, notice, omitted_names
from .text import utf8_len

ALL, USER_GLOBAL, PROJECT = "all", "user-global", "project"


@dataclass(frozen=True, slots=True)
class Spending:
    """How the budget of one chain was spent. ``places`` tell where its sections stand in the whole list."""

    chain: str
    fit: Fit
    places: Sequence[int]

    @property
    def omitted(self) -> Iterable[int]:
        """Places of the files that only the notice names."""
        # A file that could not be cut to fit is truncated, not omitted, even where no section of it is left.
        return self.places[: self.fit.start]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A block's text and what became of each section, by its place in the given list.

    ``shown`` pairs the places of the sections in the text with the cut content, ``None`` where it is whole.
    """

    text: str
    omitted: tuple[int, ...]
    truncated: tuple[Truncation, ...]
    represented: tuple[int, ...]
    shown: tuple[tuple[int, str | None], ...]
    intro: str | None
    spendings: tuple[Spending, ...]


def one_budget(sections: Sequence[Section], max_bytes: float, intro: str) -> Arrangement:
    """Fit everything into one budget."""
    return _whole(Spending(ALL, fit(sections, max_bytes, intro), range(len(sections))))


def chain_budgets(sections: Sequence[Section], max_bytes: float, intro: str, *, shared_root: bool) -> Arrangement:
    """Fit everything into one budget if that drops and cuts nothing, else each chain into one of its own.

    Display paths alone put a file into a chain. The chains share one frame, one notice and one intro, and the loaded
    order; the single budget's result replaces a block of more than twice the budget.
    """
    whole = Spending(ALL, fit(sections, max_bytes, intro), range(len(sections)))
    if whole.fit.level in (Level.DISABLED, Level.ALL):
        return _whole(whole)
    places: dict[str, list[int]] = {USER_GLOBAL: [], PROJECT: []}
    for place, section in enumerate(sections):
        is_global = is_user_global_path(section.file.display_path, shared_root=shared_root)
        places[USER_GLOBAL if is_global else PROJECT].append(place)
    if not all(places.values()):
        return _whole(whole)
    merged = _merge(
        sections,
        max_bytes,
        intro,
        [Spending(name, fit([sections[at] for at in own], max_bytes, intro), own) for name, own in places.items()],
    )
    return _whole(whole) if utf8_len(merged.text) > 2 * max_bytes else merged


def _whole(spending: Spending) -> Arrangement:
    found = spending.fit
    return Arrangement(
        found.text(),
        tuple(spending.omitted),
        found.truncated,
        tuple(found.represented),
        tuple(_shown(spending)),
        found.intro,
        (spending,),
    )


def _shown(spending: Spending) -> Iterable[tuple[int, str | None]]:
    found = spending.fit
    last = len(found.sections) - 1
    return ((spending.places[at], found.cut if at == last else None) for at in found.shown)


def _merge(sections: Sequence[Section], max_bytes: float, intro: str, spendings: list[Spending]) -> Arrangement:
    omitted = _in_loaded_order(sections, ((place, None) for one in spendings for place in one.omitted))
    shown = _in_loaded_order(sections, (record for one in spendings for record in _shown(one)))
    represented = _in_loaded_order(
        sections, ((one.places[at], None) for one in spendings for at in one.fit.represented)
    )
    # A chain cuts only its last file, so this is the order in which the cut files were loaded.
    by_last = sorted(spendings, key=lambda one: one.places[-1])
    truncated = tuple(cut for one in by_last for cut in one.fit.truncated)
    intros = [one.fit.intro for one in spendings if one.fit.intro is not None]
    # The style's intro beats a compact one; two chains without a frame still get one, without intro.
    kept = intro if intro in intros else next(iter(intros), "")
    names = omitted_names([sections[place].file for place, _ in omitted])
    text = framed([notice(max_bytes, names, truncated), kept, *(sections[at].text(cut) for at, cut in shown)])
    return Arrangement(
        text,
        tuple(place for place, _ in omitted),
        truncated,
        tuple(place for place, _ in represented),
        tuple(shown),
        kept,
        tuple(spendings),
    )


def _in_loaded_order(
    sections: Sequence[Section], records: Iterable[tuple[int, str | None]]
) -> list[tuple[int, str | None]]:
    """Records of both chains in the order of the given list.

    Records are found by absolute path, the later one winning, and stand wherever that path stands
    (``design/PROFILES.md``, "Rows no session produces"); where paths differ this is a plain sort.
    """
    by_path = {sections[record[0]].file.absolute_path: record for record in records}
    paths = (section.file.absolute_path for section in sections)
    return [by_path[path] for path in paths if path in by_path]
