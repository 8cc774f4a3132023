"""Words of the session log: event types, surface operations, format numbers.

Source: ``formats/session-log.md`` sections 5, 6 and 9. The runtime refuses a type it does not know unless the row says
``ignorable``; an inspector shows it and says so.
"""

from __future__ import annotations

NEWEST_FORMAT = 4
"""The newest log format this program reads. A newer one is refused, not guessed."""

GUESSED_FORMATS = frozenset({1, 2})
"""Formats known only as steps of a migration; read like their neighbours, with a note."""

SURFACE_TYPES = frozenset({"user/message", "assistant/message", "tool/result", "system/message", "developer/message"})
"""Types that may stand on the visible surface."""

PACKED_TYPES = {
    "text-chunks": ("texts", "text-delta", "text"),
    "reasoning-chunks": ("texts", "reasoning-delta", "text"),
    "tool-call-chunks": ("args", "tool-call-delta", "arguments"),
}
"""Rows of formats 0 and 1 that stand for several ``assistant/chunk`` events: list key, chunk type, chunk key."""

KNOWN_TYPES = SURFACE_TYPES | frozenset(
    {
        "agent-preset/selected",
        "agent/inbox/spliced",
        "approval/asked",
        "approval/decided",
        "approval/policy",
        "assistant/attempt",
        "assistant/chunk",
        "command/done",
        "command/run",
        "compaction/end",
        "compaction/prune",
        "compaction/start",
        "compaction/summary",
        "deliverables/presented",
        "feedback/message-delete",
        "feedback/message-put",
        "feedback/record",
        "goal/change",
        "hook/invoked",
        "hook/result",
        "image/offload",
        "job/registered",
        "job/settled",
        "llm/retry",
        "llm/retry-started",
        "model/selection",
        "permission/preset",
        "plan/mode",
        "request/context",
        "request/header",
        "sandbox/mode",
        "schedule/change",
        "session-log-deepseek/delivery-accepted",
        "session/end-seed",
        "session/title",
        "session/title-llm-request",
        "step/end",
        "step/start",
        "subagent/catalog",
        "subagent/descriptor",
        "subagent/model-selection-policy",
        "team/member",
        "team/message/delivered",
        "team/message/queued",
        "team/task",
        "todo/write",
        "tool-workflow/agent-end",
        "tool-workflow/agent-start",
        "tool-workflow/run-end",
        "tool-workflow/run-start",
        "tool/call",
        "tool/code-dispatch",
        "tool/code-dispatch-start",
        "tool/ptc-dispatch",
        "tool/ptc-dispatch-start",
        "turn/end",
        "turn/start",
        "web/deepseek-search-llm-request",
        "working-directory/change",
    }
)
"""Types of the runtimes 0.1 and 0.2 that are documented or were seen."""

MATTERING_TYPES = frozenset(
    {
        "agent/inbox/spliced",
        "compaction/end",
        "compaction/prune",
        "compaction/start",
        "compaction/summary",
        "session/end-seed",
        "step/end",
        "step/start",
        "tool/call",
        "tool/code-dispatch",
        "tool/code-dispatch-start",
        "tool/ptc-dispatch",
        "tool/ptc-dispatch-start",
        "tool/result",
        "turn/end",
        "turn/start",
        "user/message",
        "working-directory/change",
    }
)
"""Types that can change what a loader of instructions does or what its messages stand among (section 6)."""

MESSAGE_TYPES = frozenset({"user/message", "agent/inbox/spliced"})
"""Types that can carry workspace instructions."""

INSTRUCTIONS = "agent-instructions"
"""Kind of the source of a message that carries workspace instructions."""
