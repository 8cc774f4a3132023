"""The help page: keys from the table of actions, and what every glyph, mark and colour means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from scopetrace.model import OutcomeInfo, Stage
from scopetrace.model.catalog import CATALOG
from scopetrace.tui.actions import DEFAULT_KEYS, KeysInForce, actions_for, grouped
from scopetrace.tui.actionspec import ActionSpec

from .keyspage import key_lines
from .layout import TITLES, Pane
from .outcomes import WORD_WIDTH
from .scopes import BREAK
from .spans import EMPTY, Line, Span, clip, width_of, wrap
from .timeline import ON_SURFACE, SHADOWED

_MARKS = (
    ("▶", "accent", "the present event"),
    (ON_SURFACE, "accent", "the model sees this event now"),
    (SHADOWED, "guide", "compaction or a replacement took this event off the surface"),
    ("›", "accent", "the search found this event"),
    (BREAK, "bad", "a breakpoint waits for this scope or directory"),
    ("⊕", "good", "instructions moved here; the number counts transitions"),
    ("✔", "good", "record and computation agree on the message"),
    ("≠", "bad", "record and computation differ; {diff} shows how"),
    ("━", "good", "budget bar: instruction files, two colours in turn, a gap after each"),
    ("╍", "frame", "budget bar: frame, intro and notices"),
    ("─", "track", "budget bar: room that is left"),
)
TWO_COLUMNS = 96
_STAGE_TITLES = {
    Stage.ROOT: "Finding the project root",
    Stage.PROBE: "Looking for candidates",
    Stage.READ: "Reading",
    Stage.DEDUP: "Comparing siblings",
    Stage.BUDGET: "Fitting the budget",
    Stage.RECONCILE: "Against what the model knows",
    Stage.LIFECYCLE: "Touches and messages",
    Stage.STATE: "State of a candidate (Scopes)",
}


def help_lines(focused: str, width: int, keys: KeysInForce = DEFAULT_KEYS) -> list[Line]:
    """The page for a focused pane, its own keys first."""
    own = actions_for(focused, keys=keys) + actions_for("lines", keys=keys)
    title = TITLES[Pane(focused)] if focused in set(Pane) else "this list"
    column = _half(width) if width >= TWO_COLUMNS else width
    blocks = [_block(f"Keys in {title}", own, column)]
    blocks += [_block(group, specs, column) for group, specs in grouped(actions_for("main", keys=keys)).items()]
    lines = _two_columns(blocks, width) if width >= TWO_COLUMNS else _one_column(blocks)
    lines += [EMPTY, (Span("Marks", "strong"),)]
    diff = keys.first("main.diff")
    lines.extend((Span(f"  {mark} ", role), Span(text.format(diff=diff), "plain")) for mark, role, text in _MARKS)
    lines += [EMPTY, (Span("Outcomes", "strong"), Span("   scopetrace explain CODE prints the rule of each", "dim"))]
    for stage in (Stage.STATE, *(stage for stage in Stage if stage is not Stage.STATE)):
        lines.append((Span(f"  {_STAGE_TITLES[stage]}", "info"),))
        lines.extend(line for info in CATALOG.values() if info.stage is stage for line in _outcome(info, width))
    return [clip(line, width) for line in lines]


def _block(title: str, specs: Sequence[ActionSpec], width: int) -> list[Line]:
    return [(Span(title, "strong"),), *(line for spec in specs for line in key_lines(spec, width))]


def _half(width: int) -> int:
    return width // 2 - 1


def _one_column(blocks: Sequence[Sequence[Line]]) -> list[Line]:
    return [line for number, block in enumerate(blocks) for line in ((EMPTY, *block) if number else block)]


def _two_columns(blocks: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Blocks in two columns of about the same height, in reading order."""
    half = _half(width)
    total = sum(len(block) + 1 for block in blocks)
    split, height = len(blocks), 0
    for number, block in enumerate(blocks):
        if height + len(block) // 2 >= total // 2:
            split = number
            break
        height += len(block) + 1
    left, right = _one_column(blocks[:split]), _one_column(blocks[split:])
    out: list[Line] = []
    for first, second in zip_longest(left, right, fillvalue=EMPTY):
        first = clip(first, half)
        out.append((*first, Span(" " * (half - width_of(first) + 2)), *clip(second, half)))
    return out


def _outcome(info: OutcomeInfo, width: int) -> Iterable[Line]:
    """Glyph and word in their colour, then what it means, then the code for ``scopetrace explain``."""
    role = info.tone.value
    text = info.page.partition(". ")[0].rstrip(".") + f" ({info.outcome.value})"
    left = 2 + 2 + WORD_WIDTH + 1
    for number, part in enumerate(wrap(text, max(20, width - left))):
        if number:
            yield (Span(" " * left), Span(part, "dim"))
        else:
            yield (
                Span("  "),
                Span(f"{info.glyph} ", role),
                Span(f"{info.word:<{WORD_WIDTH}} ", role),
                Span(part, "dim"),
            )
