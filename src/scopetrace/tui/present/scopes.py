"""The Scopes pane: the tree of scope directories with every candidate's present state."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from scopetrace.model import CandidateState, Decision, Outcome, ScopeNode, Stage
from scopetrace.model.catalog import CATALOG, describe
from scopetrace.model.sizes import short_bytes
from scopetrace.report.display import safe_line

from .outcomes import IN_FORCE, MOVES, WITHDRAWN, count_words, fold_names, glyph, tone, word
from .spans import EMPTY, Cell, Line, Span, columns, wrap

BREAK = "◆"
"""Marks what a breakpoint waits for; in the fonts that have the other glyphs."""
_HIDDEN_WORDS = frozenset((Outcome.LOADED,))


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """A line of the tree: a directory, a candidate, or both at once where a root holds one candidate.

    ``guides`` draws the branches; ``folded`` names candidates that share the row because all are absent.
    """

    key: str
    guides: str
    label: str
    node: ScopeNode
    candidate: CandidateState | None = None
    folded: tuple[CandidateState, ...] = ()
    collapsed: bool | None = None
    moved: Outcome | None = None

    @property
    def is_directory(self) -> bool:
        """Whether the row opens and closes."""
        return self.collapsed is not None


def scope_rows(
    roots: Sequence[ScopeNode], decisions: Sequence[Decision] = (), collapsed: Collection[str] = ()
) -> tuple[ScopeRow, ...]:
    """The tree as rows. ``collapsed`` holds directories that the reader closed; ``decisions`` mark what moved now."""
    moved = {item.scope: item.outcome for item in decisions if item.stage is Stage.RECONCILE and item.outcome in MOVES}
    out: list[ScopeRow] = []
    for node in roots:
        if not node.children and len(node.candidates) == 1:
            state = node.candidates[0]
            out.append(ScopeRow(_key(state), "", safe_line(state.path), node, state, moved=moved.get(state.scope)))
        else:
            _walk(node, "", "", safe_line(node.label), moved, collapsed, out)
    return tuple(out)


def _walk(
    node: ScopeNode,
    own: str,
    below: str,
    label: str,
    moved: Mapping[str, Outcome],
    collapsed: Collection[str],
    out: list[ScopeRow],
) -> None:
    closed = node.directory in collapsed
    out.append(ScopeRow(f"{node.directory}/", own, label, node, collapsed=closed))
    if closed:
        return
    present = [state for state in node.candidates if state.outcome is not Outcome.ABSENT]
    absent = tuple(state for state in node.candidates if state.outcome is Outcome.ABSENT)
    if not present and absent:
        # Nothing is there: one row says so, instead of a directory over a row of absent names.
        out[-1] = ScopeRow(f"{node.directory}/", own, label, node, folded=absent, collapsed=closed)
        absent = ()
    total = len(present) + (1 if absent else 0) + len(node.children)
    for number, state in enumerate(present):
        branch = "└ " if number == total - 1 else "├ "
        name = safe_line(state.name) + (" ▲" if state.facts.get("crosses") else "")
        out.append(ScopeRow(_key(state), below + branch, name, node, state, moved=moved.get(state.scope)))
    if absent:
        branch = "└ " if len(present) == total - 1 else "├ "
        name = fold_names([state.name for state in absent])
        out.append(ScopeRow(_key(absent[0]), below + branch, name, node, absent[0], absent))
    for number, child in enumerate(node.children):
        last = number == len(node.children) - 1
        _walk(
            child,
            below + ("└ " if last else "├ "),
            below + ("  " if last else "│ "),
            safe_line(child.label),
            moved,
            collapsed,
            out,
        )


def _key(state: CandidateState) -> str:
    return state.scope or state.path


def summary(roots: Sequence[ScopeNode]) -> str:
    """``8 loaded · 1 duplicate · 4 not reached``."""
    outcomes: list[Outcome] = []
    stack = list(roots)
    while stack:
        node = stack.pop()
        outcomes.extend(state.outcome for state in node.candidates if state.outcome is not Outcome.ABSENT)
        stack.extend(node.children)
    return count_words(outcomes)


class ScopeLines:
    """The tree as lines."""

    natural_width = 0

    def __init__(self, rows: Sequence[ScopeRow], broken: Collection[str] = ()) -> None:
        self.rows = rows
        self._broken = broken

    def __len__(self) -> int:
        return len(self.rows)

    def selectable(self, index: int) -> bool:
        return True

    def details(self, index: int, width: int) -> Sequence[Line]:
        return ()

    def line(self, index: int, width: int) -> Line:
        row = self.rows[index]
        if row.candidate is None:
            return self._directory(row, width)
        state = row.candidate
        role = tone(state.outcome)
        in_force = state.outcome in IN_FORCE
        if row.moved is not None:
            note, note_role = word(row.moved), tone(row.moved)
        else:
            note, note_role = ("" if state.outcome in _HIDDEN_WORDS else word(state.outcome)), role
        if row.folded and len(row.folded) > 1:
            note = f"{len(row.folded)} {note}"
        gone = state.outcome in WITHDRAWN
        size = short_bytes(state.size) if state.size is not None and not gone else ""
        guides = Span(row.guides, "guide")
        room = width - len(row.guides)
        label = row.label
        if len(row.folded) > 1 and cell_len(label) > room - len(note) - 3:
            label = f"{safe_line(row.folded[0].name)} +{len(row.folded) - 1}"
        return (
            guides,
            *columns(
                room,
                [
                    Cell(glyph(state.outcome), role, 1),
                    Cell(label, "plain" if in_force else "dim", cut="middle"),
                    Cell(BREAK, "bad", 1 if _key(state) in self._broken else 0),
                    Cell(note, note_role, len(note), "right"),
                    Cell(size, "dim", 8 if size or not note or gone else 0, "right", optional=1),
                ],
            ),
        )

    def _directory(self, row: ScopeRow, width: int) -> Line:
        name_role = "strong" if row.node.reached else "dim"
        marker = "▸" if row.collapsed else "▾" if row.node.children or not row.folded else "·"
        nothing = f"{len(row.folded)} absent" if row.folded else ""
        return (
            Span(row.guides, "guide"),
            *columns(
                width - len(row.guides),
                [
                    Cell(marker, "dim", 1),
                    Cell(row.label, name_role, min(cell_len(row.label), max(8, width - len(row.guides) - 2))),
                    Cell(safe_line(row.node.note), "dim"),
                    Cell(BREAK, "bad", 1 if row.node.directory in self._broken else 0),
                    Cell(nothing, "quiet", len(nothing), "right"),
                ],
            ),
        )


def candidate_sentence(state: CandidateState) -> str:
    """What a candidate's state means, in one safe sentence."""
    decision = Decision(
        CATALOG[state.outcome].stage,
        state.outcome,
        scope=state.scope,
        path=state.path,
        absolute_path=state.absolute_path,
        facts={"size": state.size, **state.facts} if state.size is not None else state.facts,
    )
    return safe_line(describe(decision))


def describe_row(row: ScopeRow) -> str:
    """The status line's words for the selected row."""
    if row.candidate is not None and not (row.folded and len(row.folded) > 1):
        return candidate_sentence(row.candidate)
    if row.folded:
        names = ", ".join(safe_line(state.name) for state in row.folded)
        return f"{safe_line(row.node.directory)}: {names} do not exist"
    state = "reached" if row.node.reached else "not reached yet"
    note = f" · {safe_line(row.node.note)}" if row.node.note else ""
    return f"{safe_line(row.node.directory)}: scope directory, {state}{note}"


def empty_scopes(width: int) -> tuple[Line, ...]:
    """What the pane says when there is no scope."""
    text = "No scope directory: nothing of the workspace is known at this event."
    return (EMPTY, *((Span(part, "dim"),) for part in wrap(text, max(10, width))))
