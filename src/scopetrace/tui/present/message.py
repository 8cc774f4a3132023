"""The Message pane: what the model got, the transitions, the raw event, record and versions compared."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum

from scopetrace.model import Action, Change, Comparison, Frame, Message, Outcome, Verdict
from scopetrace.model.sizes import exact_bytes
from scopetrace.report.display import safe_line

from .diff import CONTEXT, diff_lines
from .outcomes import glyph, tone
from .shown import Shown
from .spans import EMPTY, Cell, Line, Lines, Span, StaticLines, clip, columns, joined, wrap
from .text import TextLines
from .timeline import SHORT_VERDICTS, VERDICT_MARKS

RAW_LIMIT = 512 * 1024
"""Characters up to which a raw event is indented for reading; longer ones are shown as they stand in the log."""

LOOK_BACK = 24
"""Earlier instruction messages that are looked up for the text in force."""


class MessageView(StrEnum):
    """The views of the pane, in the order in which ``m`` turns them."""

    TEXT = "text"
    CHANGES = "changes"
    RAW = "raw"
    RECORD = "record"
    VERSION = "version"

    def next(self) -> MessageView:
        """The view after this one."""
        views = list(MessageView)
        return views[(views.index(self) + 1) % len(views)]


DIFFS = (MessageView.RECORD, MessageView.VERSION)
"""The views that compare two texts."""


def messages_at(frame: Frame) -> list[tuple[Message, Verdict | None]]:
    """The instruction messages of an event: as recorded where there is a record, else as computed."""
    out: list[tuple[Message, Verdict | None]] = []
    for comparison in frame.comparisons:
        message = comparison.recorded or comparison.computed
        if message is not None:
            out.append((message, comparison.verdict))
    if not out:
        out = [(message, None) for message in frame.messages if message.source.is_instructions]
    return out


def message_lines(shown: Shown, view: MessageView, *, wrap_text: bool, width: int, context: int = CONTEXT) -> Lines:
    """The content of a view. ``context`` lines stand around each difference."""
    match view:
        case MessageView.TEXT:
            return _text(shown, wrap_text, width)
        case MessageView.CHANGES:
            return StaticLines(_changes(shown, width))
        case MessageView.RAW:
            return _raw(shown, wrap_text, width)
        case MessageView.RECORD:
            return StaticLines(_record(shown, width, context))
        case MessageView.VERSION:
            from .versions import version_lines

            return StaticLines(version_lines(shown, width, context))


def _text(shown: Shown, wrap_text: bool, width: int) -> Lines:
    here = messages_at(shown.frame)
    if here:
        heading = [_heading(message, shown.frame.seq, _told(shown, verdict), width) for message, verdict in here]
        text = "\n".join("\n".join(message.blocks) for message, _ in here)
        return TextLines(text, wrap=wrap_text, heading=(*heading, EMPTY))
    earlier = in_force(shown)
    if not earlier:
        return StaticLines(prose("No instruction message has reached the model yet. ] goes to the first one.", width))
    heading = [
        (Span("No instructions at this event. The model still holds:", "dim"),),
        *(_heading(message, seq, None, width) for seq, message in earlier),
        EMPTY,
    ]
    text = "\n\n".join("\n".join(message.blocks) for _, message in earlier)
    return TextLines(text, wrap=wrap_text, heading=heading, role="dim")


def in_force(shown: Shown) -> list[tuple[int, Message]]:
    """Earlier instruction messages that are still visible, oldest first, at most :data:`LOOK_BACK`."""
    visible = shown.frame.visible
    out: list[tuple[int, Message]] = []
    at = shown.marks.previous_change(shown.index + 1)
    for _ in range(LOOK_BACK):
        if at is None:
            break
        seq = shown.timeline.row(at).seq
        if seq in visible:
            found = shown.marks.by_seq.get(seq, ())
            out.extend((seq, item.recorded or item.computed) for item in found if item.recorded or item.computed)  # type: ignore[misc]
        at = shown.marks.previous_change(at)
    return out[::-1]


def _told(shown: Shown, verdict: Verdict | None) -> Verdict | None:
    """Nothing is said of agreement where nothing was recorded at all."""
    return verdict if shown.marks.recorded else None


def _heading(message: Message, seq: int, verdict: Verdict | None, width: int) -> Line:
    changes = message.source.changes or ()
    size = sum(len(block.encode("utf-8", "surrogatepass")) for block in message.blocks)
    kind = "baseline" if message.source.baseline else "update"
    parts = joined([f"event {seq}", kind, _count(len(changes), "change"), exact_bytes(size)])
    mark, role = VERDICT_MARKS[verdict] if verdict is not None else ("", "dim")
    if verdict is not None and len(parts) + len(mark) + 3 > width:
        mark = SHORT_VERDICTS[verdict]
    return clip((Span(parts, "info"), Span(f"   {mark}" if mark else "", role)), width)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_ACTION_OUTCOMES = {
    Action.SET: Outcome.SET,
    Action.REPLACE: Outcome.REPLACE,
    Action.REMOVE: Outcome.REMOVED_ABSENT,
}


def _changes(shown: Shown, width: int) -> list[Line]:
    here = messages_at(shown.frame)
    if not here:
        return prose("No instructions moved at this event.", width)
    lines: list[Line] = []
    for message, verdict in here:
        if lines:
            lines.append(EMPTY)
        lines.append(_heading(message, shown.frame.seq, _told(shown, verdict), width))
        lines.extend(_change(change, width) for change in message.source.changes or ())
        if not message.source.changes:
            lines.append((Span("no transition: the message replaces nothing", "dim"),))
        if message.source.baseline_identity is not None:
            lines.append(EMPTY)
            lines.append((Span("identity", "info"),))
            lines.extend(prose(message.source.baseline_identity, width, role="dim"))
    return lines


def _change(change: Change, width: int) -> Line:
    outcome = _ACTION_OUTCOMES[change.action]
    return columns(
        width,
        [
            Cell(glyph(outcome), tone(outcome), 1),
            Cell(change.action.value, tone(outcome), 8),
            Cell(safe_line(change.path), cut="middle"),
            Cell((change.digest or "")[:12], "dim", 12, optional=1),
        ],
    )


def _raw(shown: Shown, wrap_text: bool, width: int) -> Lines:
    raw = shown.timeline.raw(shown.index)
    note = "as in the log"
    text = raw
    if len(raw) <= RAW_LIMIT:
        try:
            text = json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
            note = "indented for reading"
        except (ValueError, RecursionError):
            note = "as in the log: not JSON"
    size = exact_bytes(len(raw.encode("utf-8", "surrogatepass")))
    heading: Line = clip((Span(joined([f"event {shown.frame.seq}", size, note]), "info"),), width)
    return TextLines(text, wrap=wrap_text, heading=(heading, EMPTY))


def _record(shown: Shown, width: int, context: int) -> list[Line]:
    if not shown.frame.comparisons:
        return prose("Nothing to compare: the log records no instruction message here, and none was computed.", width)
    lines: list[Line] = []
    for comparison in shown.frame.comparisons:
        if lines:
            lines.append(EMPTY)
        lines.extend(_comparison(comparison, width, context))
    return lines


def _comparison(comparison: Comparison, width: int, context: int) -> Iterable[Line]:
    mark, role = VERDICT_MARKS[comparison.verdict]
    yield (Span(f"event {comparison.seq} ", "info"), Span(mark, role))
    recorded, computed = comparison.recorded, comparison.computed
    if comparison.differs:
        yield from prose("differs in " + ", ".join(comparison.differs), width)
    if comparison.reason:
        yield from prose(comparison.reason, width)
    if recorded is None or computed is None:
        one = recorded or computed
        if one is not None:
            yield EMPTY
            yield from (clip((Span(safe_line(row, tab="    "), "dim"),), width) for row in _block_text(one).split("\n"))
        return
    if comparison.verdict is Verdict.EQUAL:
        size = exact_bytes(len(_block_text(recorded).encode("utf-8", "surrogatepass")))
        yield from prose(f"Text, record and place are the same, byte for byte ({size}).", width)
        return
    yield EMPTY
    yield from diff_lines(_block_text(recorded), _block_text(computed), "recorded", "computed", context=context)
    yield from diff_lines(
        _source_text(recorded), _source_text(computed), "recorded source", "computed source", context=context
    )


def _block_text(message: Message) -> str:
    return "\n".join(message.blocks)


def _source_text(message: Message) -> str:
    return json.dumps(message.source.as_json(), ensure_ascii=False, indent=2)


def prose(text: str, width: int, *, role: str = "dim") -> list[Line]:
    return [(Span(part, role),) for part in wrap(safe_line(text), max(10, width))]
