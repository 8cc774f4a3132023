"""What ``y`` copies: exact text from the model, never what the screen made of it."""

from __future__ import annotations

import json

from scopetrace.model import Action, CandidateState

from .decisions import DecisionRow
from .message import MessageView, in_force, messages_at
from .scopes import ScopeRow
from .shown import Shown


def message_copy(shown: Shown, view: MessageView) -> tuple[str, str]:
    """``(what, text)`` for a view of the Message pane; the text is empty when there is nothing to copy."""
    here = [message for message, _ in messages_at(shown.frame)]
    match view:
        case MessageView.RAW:
            return "raw event", shown.timeline.raw(shown.index)
        case MessageView.CHANGES:
            rows = [change.as_json() for message in here for change in message.source.changes or ()]
            return "changes", json.dumps(rows, ensure_ascii=False, indent=2) if rows else ""
        case MessageView.VERSION:
            paths = [
                change.path
                for message in here
                for change in message.source.changes or ()
                if change.action is Action.REPLACE
            ]
            return "paths", "\n".join(paths)
        case _:
            messages = here or [message for _, message in in_force(shown)]
            return "message text", "\n\n".join("".join(message.blocks) for message in messages)


def scope_copy(row: ScopeRow) -> tuple[str, str]:
    """The absolute path of a candidate, or the scope directory."""
    state: CandidateState | None = row.candidate
    if state is None:
        return "scope directory", row.node.directory
    return "path", state.absolute_path or state.path


def decision_copy(row: DecisionRow) -> tuple[str, str]:
    """The path that a row is about; the code of its outcome where it is about none."""
    paths = list(dict.fromkeys(item.absolute_path or item.path for item in row.chain if item.path))
    return ("path" if len(paths) == 1 else "paths", "\n".join(paths)) if paths else ("code", row.outcome.value)
