"""Two versions of a file: what an event sends again, against what the model had before."""

from __future__ import annotations

from collections.abc import Sequence

from scopetrace.model import Action, Change, ScopeNode, Verdict
from scopetrace.report.display import safe_line

from .diff import diff_lines
from .message import LOOK_BACK, MessageView, messages_at, prose
from .shown import Shown
from .spans import EMPTY, Line

_DISAGREE = (Verdict.DIFFERENT, Verdict.RECORDED_ONLY, Verdict.COMPUTED_ONLY)


def version_lines(shown: Shown, width: int, context: int) -> list[Line]:
    """The files that this event sends again; where it sends none, those of the latest event before it that did."""
    index, replaced = shown.index, _replaced(shown, shown.index)
    lines: list[Line] = []
    at = shown.marks.previous_change(index)
    for _ in range(LOOK_BACK):
        if replaced or at is None:
            break
        index, replaced = at, _replaced(shown, at)
        at = shown.marks.previous_change(at)
    if not replaced:
        text = "No file was sent again at this event or before it, so there is no earlier version to compare with."
        return prose(text, width)
    if index != shown.index:
        seq = shown.timeline.row(index).seq
        lines += [*prose(f"No file was sent again at this event; the last time was at event {seq}:", width), EMPTY]
    paths = absolute_paths(shown.tree)
    for number, change in enumerate(replaced):
        if number:
            lines.append(EMPTY)
        lines.extend(_version(shown, index, change, paths.get(change.scope, ""), width, context))
    return lines


def best_diff(shown: Shown, present: MessageView) -> MessageView:
    """The view for ``d``: record against computation where they differ, else the versions; the other one if shown."""
    differs = any(item.verdict in _DISAGREE for item in shown.frame.comparisons)
    first, second = MessageView.RECORD, MessageView.VERSION
    if not differs:
        first, second = second, first
    return second if present is first else first


def _replaced(shown: Shown, index: int) -> list[Change]:
    if index == shown.index:
        messages = [message for message, _ in messages_at(shown.frame)]
    else:
        found = shown.marks.by_seq.get(shown.timeline.row(index).seq, ())
        messages = [message for item in found if (message := item.recorded or item.computed) is not None]
    return [
        change for message in messages for change in message.source.changes or () if change.action is Action.REPLACE
    ]


def _version(shown: Shown, index: int, change: Change, absolute_path: str, width: int, context: int) -> list[Line]:
    name = safe_line(change.path)
    before_index = _earlier(shown, index, change.scope)
    new = shown.timeline.file_text(absolute_path, index) if absolute_path else None
    old = shown.timeline.file_text(absolute_path, before_index) if absolute_path and before_index is not None else None
    if old is None or new is None:
        return prose(f"{name}: one of the two versions cannot be read any more.", width)
    before = shown.timeline.row(before_index).seq if before_index is not None else 0
    after = shown.timeline.row(index).seq
    found = diff_lines(old, new, f"{change.path} at event {before}", f"{change.path} at event {after}", context=context)
    return found or prose(f"{name}: both versions read the same.", width)


def _earlier(shown: Shown, index: int, scope: str) -> int | None:
    at = shown.marks.previous_change(index)
    while at is not None:
        seq = shown.timeline.row(at).seq
        for item in shown.marks.by_seq.get(seq, ()):
            message = item.recorded or item.computed
            if message is not None and any(
                change.scope == scope and change.action is not Action.REMOVE for change in message.source.changes or ()
            ):
                return at
        at = shown.marks.previous_change(at)
    return None


def absolute_paths(roots: Sequence[ScopeNode]) -> dict[str, str]:
    """Where the candidates of a tree are, by scope key."""
    found: dict[str, str] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        found.update((state.scope, state.absolute_path) for state in node.candidates)
        stack.extend(node.children)
    return found
