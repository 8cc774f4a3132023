"""The exact text of an instruction message."""

from __future__ import annotations

from scopetrace.model import TimelineView


def message_text(timeline: TimelineView, seq: int, *, computed: bool = False) -> str:
    """The text that the model got at an event, blocks joined without anything between them.

    What the session recorded, or, where there is no record or with ``computed``, what the loader computes. Raises
    :class:`LookupError` when no instruction message entered there.
    """
    for comparison in timeline.comparisons:
        if comparison.seq == seq:
            order = (comparison.recorded, comparison.computed)
            message = order[1] if computed else order[0] or order[1]
            if message is not None:
                return "".join(message.blocks)
    raise LookupError(f"no instruction message at event {seq}")
