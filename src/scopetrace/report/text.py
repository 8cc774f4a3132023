"""Documents as lines for people: the session, one event, the scopes, what loads at a place.

Tables over many logs or outcomes: ``report.tables``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scopetrace.model import Outcome, RowKind, Verdict
from scopetrace.model.catalog import CATALOG
from scopetrace.model.sizes import exact_bytes, grouped, short_bytes

from .documents import (
    BudgetDoc,
    CandidateDoc,
    ChangeDoc,
    ComparisonDoc,
    DecisionDoc,
    FrameDoc,
    InfoDoc,
    MessageDoc,
    RowDoc,
    ScopeDoc,
    ShowDoc,
    TotalsDoc,
    TreeDoc,
)
from .lines import BLANK, Line, line

WIDE = 400
"""Characters of an event's text that are shown where nothing bounds the width."""

_ACTIONS = {"set": ("⊕", "good"), "replace": ("⟲", "change"), "remove": ("⊖", "change")}
_VERDICTS = {
    Verdict.EQUAL.value: ("recorded = computed ✔", "good"),
    Verdict.DIFFERENT.value: ("recorded ≠ computed ✖", "bad"),
    Verdict.RECORDED_ONLY.value: ("recorded, but not computed ✖", "bad"),
    Verdict.COMPUTED_ONLY.value: ("computed, but not recorded ✖", "bad"),
    Verdict.NOT_COMPARABLE.value: ("not comparable ▲", "warn"),
}
_ROW_GLYPHS = {
    RowKind.INSTRUCTIONS.value: "⊕",
    RowKind.PROMPT.value: ">",
    RowKind.TOOL.value: "▸",
    RowKind.RESULT.value: "◦",
    RowKind.COMPACTION.value: "▲",
    RowKind.RESUME.value: "⟲",
    RowKind.DIRECTORY.value: "→",
    RowKind.GAP.value: "✖",
}


def title_lines(info: InfoDoc) -> Iterator[Line]:
    """What is shown, under which rules, and what to know about it."""
    budget = "no finite budget" if info.budget is None else f"budget {short_bytes(info.budget)}"
    yield line(
        (info.title or info.session_id or info.cwd, "strong"), f" · {info.cwd} · rules {info.profile} · {budget}"
    )
    parts = (("log format ", info.format), ("settings: ", info.config_source), ("files: ", info.workspace_source))
    yield line((" · ".join(name + value for name, value in parts if value), "dim"))
    for note in info.notes:
        yield line(("▲ ", "warn"), note)


def totals_line(totals: TotalsDoc) -> Line:
    """The last line of a timeline."""
    parts = [f"{grouped(totals.events)} events", f"{totals.recorded} instruction messages recorded"]
    parts += [
        f"{count} {word}"
        for count, word in (
            (totals.equal, "equal"),
            (totals.different, "different"),
            (totals.recorded_only, "not computed"),
            (totals.computed_only, "not recorded"),
            (totals.not_comparable, "not comparable"),
        )
        if count
    ]
    mark = ("✔ ", "good") if totals.agrees else ("✖ ", "bad")
    return line(mark, " · ".join(parts))


def timeline_lines(
    info: InfoDoc, rows: Iterable[RowDoc], totals: TotalsDoc | None, *, width: int = WIDE
) -> Iterator[Line]:
    """A session: a title, a line a row, instruction changes below theirs, the sum."""
    yield from title_lines(info)
    yield BLANK
    for row in rows:
        yield from row_lines(row, width=width)
    if totals is not None:
        yield BLANK
        yield totals_line(totals)


def row_lines(row: RowDoc, *, width: int = WIDE) -> Iterator[Line]:
    """An event: its number, turn and step, what it is, and what moved there."""
    place = f"{row.turn}.{row.step}" if row.step else str(row.turn or "")
    head = f"{row.seq:>7}  {place:>6}  {'  ' * row.depth}"
    glyph = "·" if row.kind == RowKind.TOOL.value and not row.touch else _ROW_GLYPHS.get(row.kind, "·")
    if row.verdict is not None:
        yield _instruction_head(row, head)
        for change in row.changes:
            yield _change_line(change)
        if row.reason:
            yield line(" " * 21, ("▲ ", "warn"), row.reason)
    else:
        role = "bad" if row.error or row.kind == RowKind.GAP.value else "dim" if row.kind in _DIM else ""
        told = f"{row.label}  {row.text}" if row.text else row.label
        room = max(20, width - len(head) - 2)
        yield line((head, "dim"), (f"{glyph} ", role), (_shorten(told, room), role))
    for decision in row.decisions or ():
        yield decision_line(decision, indent=21)
    if row.decided_at is not None:
        yield line((f"{' ' * 21}decided at event {row.decided_at}", "dim"))


_DIM = frozenset(
    {RowKind.STEP.value, RowKind.TURN.value, RowKind.SYSTEM.value, RowKind.INBOX.value, RowKind.OTHER.value}
)


def _shorten(text: str, room: int) -> str:
    """Cut untrusted text before it is made safe: what cannot be shown need not be worked on."""
    return text if len(text) <= room else text[: room - 1] + "…"


def _instruction_head(row: RowDoc, head: str) -> Line:
    what = "baseline" if row.baseline else "instructions"
    count = len(row.changes)
    changes = "no file" if not count else "1 change" if count == 1 else f"{count} changes"
    size = "" if row.size is None else f", {exact_bytes(row.size)}"
    verdict, role = _VERDICTS.get(row.verdict or "", (row.verdict or "", "warn"))
    differs = f" ({', '.join(row.differs)})" if row.differs else ""
    return line((head, "dim"), ("⊕ ", "good"), (f"{what}: {changes}{size}", "strong"), "   ", (verdict + differs, role))


def _change_line(change: ChangeDoc, *, indent: int = 21) -> Line:
    glyph, role = _ACTIONS.get(change.action, ("·", "warn"))
    return line(" " * indent, (f"{glyph} ", role), (f"{change.action:<8}", role), change.path)


def decision_line(decision: DecisionDoc, *, indent: int = 2) -> Line:
    """A decision: glyph, word, sentence."""
    info = CATALOG[Outcome(decision.outcome)]
    return line(" " * indent, (f"{info.glyph} {info.word:<13}", info.tone.value), decision.sentence)


def budget_lines(budget: BudgetDoc) -> Iterator[Line]:
    """How a budget was spent: the sum, then each file that did not go in whole."""
    limit = "no limit" if budget.limit is None else exact_bytes(budget.limit)
    chain = "" if budget.chain == "all" else f" · {budget.chain} chain"
    yield line(("Budget", "strong"), f" · {budget.block}{chain}   {exact_bytes(budget.used)} of {limit}")
    for segment in budget.segments:
        yield line(f"  {grouped(segment.size):>10} B  ", (segment.path or segment.kind, "" if segment.path else "dim"))
    for lost in budget.truncated:
        yield line(("  ✂ ", "warn"), f"{lost.path}  {exact_bytes(lost.size)} → {exact_bytes(lost.included)}")
    for lost in budget.omitted:
        yield line(("  ▲ ", "warn"), f"{lost.path}  {exact_bytes(lost.size)} omitted")


def scope_lines(scopes: Iterable[ScopeDoc]) -> Iterator[Line]:
    """The scope tree; the absent candidates of a directory share one line."""
    for scope in scopes:
        indent = "  " * scope.depth
        role = "" if scope.reached else "dim"
        yield line(
            indent, (scope.label or scope.directory, role or "strong"), (f"  {scope.note}" if scope.note else "", "dim")
        )
        absent = [item for item in scope.candidates if item.outcome == Outcome.ABSENT.value]
        for item in scope.candidates:
            if item.outcome != Outcome.ABSENT.value:
                yield _candidate_line(item, indent)
        if absent:
            yield line(indent, ("  · " + ", ".join(item.name for item in absent) + "  absent", "dim"))


def _candidate_line(item: CandidateDoc, indent: str) -> Line:
    info = CATALOG[Outcome(item.outcome)]
    size = "" if item.size is None else f"  {short_bytes(item.size)}"
    changed = ("  changed here", "change") if item.changed else ""
    crosses = ("  ▲ link out of the root", "warn") if item.facts.get("crosses") else ""
    return line(
        indent,
        (f"  {info.glyph} ", info.tone.value),
        f"{item.name}{size}  ",
        (info.word, info.tone.value),
        changed,
        crosses,
    )


def tree_lines(tree: TreeDoc) -> Iterator[Line]:
    """Scopes after one event."""
    yield from scope_lines(tree.scopes)


def message_lines(message: MessageDoc) -> Iterator[Line]:
    """A message: what it is, its transitions, its text."""
    what = "baseline" if message.baseline else "instructions"
    yield line(("Message", "strong"), f" · {what} · {exact_bytes(message.size)}")
    for change in message.changes:
        yield _change_line(change, indent=2)
    for block in message.blocks:
        for text in block.split("\n"):
            yield line(("  │ ", "dim"), text)


def comparison_lines(comparison: ComparisonDoc) -> Iterator[Line]:
    """Record against claim for one message."""
    verdict, role = _VERDICTS.get(comparison.verdict, (comparison.verdict, "warn"))
    differs = f"  differs in {', '.join(comparison.differs)}" if comparison.differs else ""
    yield line(
        f"  {comparison.seq:>7}  ", (verdict, role), differs, f"  {comparison.reason}" if comparison.reason else ""
    )


def frame_lines(frame: FrameDoc, *, width: int = WIDE) -> Iterator[Line]:
    """One event in full."""
    yield from row_lines(frame.row, width=width)
    if frame.operations:
        yield line((f"  stands for {', '.join(frame.operations)} · project root {frame.project_root}", "dim"))
    for decision in frame.decisions:
        yield decision_line(decision)
    for budget in frame.budgets:
        yield BLANK
        yield from budget_lines(budget)
    for message in frame.messages:
        yield BLANK
        yield from message_lines(message)
    for comparison in frame.comparisons:
        yield from comparison_lines(comparison)


def show_lines(show: ShowDoc, *, decisions: bool = False, text: bool = True) -> Iterator[Line]:
    """What loads at one place."""
    yield from title_lines(show.info)
    yield BLANK
    yield from scope_lines(show.scopes)
    if decisions:
        yield BLANK
        for decision in show.decisions:
            yield decision_line(decision)
    for budget in show.budgets:
        yield BLANK
        yield from budget_lines(budget)
    for message in show.messages if text else ():
        yield BLANK
        yield from message_lines(message)
