"""The Decisions pane: one row a candidate, its chain of causes below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scopetrace.model import Decision, Outcome, Stage, Tone
from scopetrace.model.catalog import CATALOG
from scopetrace.model.sizes import short_bytes
from scopetrace.report.display import safe_line

from .outcomes import MOVES, WITHDRAWN, WORD_WIDTH, count_words, fold_names, glyph, sentence, tone, word
from .spans import Cell, Line, Span, clip, columns, cut_end, wrap

_RANK = {stage: number for number, stage in enumerate(Stage)}
_OWN_ROW = frozenset((Stage.ROOT, Stage.LIFECYCLE))


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A candidate (or an act of the loader's life) with everything that was decided about it in one pass.

    ``outcome`` is the decisive one: the latest stage that spoke. ``key`` is stable from step to step.
    """

    key: str
    outcome: Outcome
    label: str
    size: int | None
    chain: tuple[Decision, ...]
    pass_index: int

    @property
    def moved(self) -> bool:
        """Whether the model's instructions changed here."""
        return self.outcome in MOVES

    @property
    def is_path(self) -> bool:
        """Whether the label is one path: it is shortened in the middle then."""
        return self.chain[0].stage not in _OWN_ROW and len(self.names) < 2

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates that share the row because all are absent."""
        return tuple(item.path for item in self.chain if item.outcome is Outcome.ABSENT)

    @property
    def decisive(self) -> Decision:
        """The decision that gave the outcome."""
        return _decisive(self.chain)

    @property
    def quiet(self) -> bool:
        """Whether nothing happened that a reader looks for."""
        return CATALOG[self.outcome].tone is Tone.QUIET


def decision_rows(decisions: Sequence[Decision]) -> tuple[DecisionRow, ...]:
    """Decisions gathered by pass and candidate, in the order of deciding; absent ones of a directory in one row."""
    groups: dict[tuple[int, str, str], list[Decision]] = {}
    for number, decision in enumerate(decisions):
        key = decision.scope or decision.path
        alone = str(number) if decision.stage in _OWN_ROW or not key else ""
        groups.setdefault((decision.pass_index, key, alone), []).append(decision)
    rows: list[DecisionRow] = []
    absent: dict[tuple[int, str], int] = {}
    for (pass_index, key, _), chain in groups.items():
        row = _row(key, chain, pass_index)
        if row.outcome is Outcome.ABSENT:
            place = absent.setdefault((pass_index, chain[0].directory), len(rows))
            if place < len(rows):
                rows[place] = _fold(rows[place], row)
                continue
        rows.append(row)
    return tuple(rows)


def _decisive(chain: Sequence[Decision]) -> Decision:
    """The last word of the latest stage that spoke."""
    return max(enumerate(chain), key=lambda item: (_RANK[item[1].stage], item[0]))[1]


def _row(key: str, chain: list[Decision], pass_index: int) -> DecisionRow:
    decisive = _decisive(chain)
    size = next((value for item in reversed(chain) if isinstance(value := item.facts.get("size"), int)), None)
    if decisive.outcome in WITHDRAWN:
        size = None
    path = next((item.path for item in reversed(chain) if item.path), "") or decisive.name
    label = safe_line(path) if path and decisive.stage not in _OWN_ROW else sentence(decisive)
    return DecisionRow(key, decisive.outcome, label, size, tuple(chain), pass_index)


def _fold(first: DecisionRow, second: DecisionRow) -> DecisionRow:
    chain = first.chain + second.chain
    label = fold_names([item.path or item.name for item in chain if item.outcome is Outcome.ABSENT])
    return DecisionRow(first.key, first.outcome, label, None, chain, first.pass_index)


def describe_row(row: DecisionRow) -> str:
    """The status line's words for the selected row: the decisive sentence, and the code that explains it."""
    if row.outcome is Outcome.ABSENT and len(row.chain) > 1:
        return f"{row.label}: none of them exists · {row.outcome.value}"
    return f"{sentence(row.decisive)} · {row.outcome.value}"


def summary(rows: Sequence[DecisionRow]) -> str:
    """``3 new · 5 unchanged · 2 absent``, counting folded rows by their names."""
    outcomes = [
        row.outcome
        for row in rows
        for _ in range(len(row.chain) if row.outcome is Outcome.ABSENT else 1)
        if row.chain[0].stage not in _OWN_ROW
    ]
    return count_words(outcomes)


def first_of_interest(rows: Sequence[DecisionRow]) -> int:
    """Where the cursor starts: the first row that moved something, else the first that is not quiet."""
    for wanted in (lambda row: row.moved, lambda row: not row.quiet):
        for index, row in enumerate(rows):
            if wanted(row):
                return index
    return 0


class DecisionLines:
    """The rows as lines."""

    natural_width = 0

    def __init__(self, rows: Sequence[DecisionRow]) -> None:
        self.rows = rows
        self._passes = len({row.pass_index for row in rows}) > 1

    def __len__(self) -> int:
        return len(self.rows)

    def selectable(self, index: int) -> bool:
        return True

    def line(self, index: int, width: int) -> Line:
        row = self.rows[index]
        role = tone(row.outcome)
        size = "" if row.size is None else short_bytes(row.size)
        return columns(
            width,
            [
                Cell(f"{row.pass_index + 1}", "dim", 2 if self._passes else 0, align="right"),
                Cell(glyph(row.outcome), role, 1),
                Cell(word(row.outcome), role, WORD_WIDTH),
                Cell(
                    row.label,
                    "dim" if row.quiet else "plain",
                    cut="middle" if row.is_path else "end",
                ),
                Cell(size, "dim", 9 if size else 0, "right", optional=1),
            ],
        )

    def details(self, index: int, width: int) -> Sequence[Line]:
        row = self.rows[index]
        out: list[Line] = []
        told: set[tuple[str, str]] = set()
        for decision in row.chain:
            # A baseline that is kept is prepared and then reconciled: what both passes say is said once.
            said = (decision.stage.value, sentence(decision).removeprefix(f"{row.label} "))
            if said not in told:
                told.add(said)
                out.extend(_labelled(*said, width))
        facts = [fact for decision in row.chain for fact in _facts(decision)]
        if facts and row.outcome is not Outcome.ABSENT:
            text = " · ".join(dict.fromkeys(facts))
            out.extend(_labelled("facts", text, width))
        return out


LABEL_WIDTH = 10
_INDENT = 4


def _labelled(label: str, text: str, width: int) -> Iterable[Line]:
    room = width - _INDENT - LABEL_WIDTH - 1
    if room < 16:
        yield clip((Span("  "), Span(label + " ", "info"), Span(text, "dim")), width)
        return
    for number, part in enumerate(wrap(text, room)):
        shown = label if number == 0 else ""
        yield (
            Span(" " * _INDENT),
            Span(f"{shown:<{LABEL_WIDTH}} ", "info"),
            Span(cut_end(part, room), "dim"),
        )


def _facts(decision: Decision) -> Iterable[str]:
    """Every fact of a decision as ``key value``, digests cut to twelve digits as everywhere on screen.

    The version of a file on a disk is left out: its size and times in one word, which nobody reads.
    """
    for key, value in decision.facts.items():
        if value is None or value == "" or value == () or (key == "version" and str(value).startswith("(")):
            continue
        if isinstance(value, tuple):
            shown = ", ".join(value)
        elif (isinstance(value, str) and "digest" in key) or key in ("before", "after"):
            shown = str(value)[:12]
        else:
            shown = str(value)
        yield safe_line(f"{key} {shown}")
