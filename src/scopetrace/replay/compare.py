"""Record against claim: a recorded instruction message beside the computed one."""

from __future__ import annotations

from scopetrace.model import Comparison, Message, Verdict


def compare(
    seq: int, recorded: Message | None, computed: Message | None, *, in_place: bool = True, reason: str = ""
) -> Comparison:
    """Compare texts, changes, identity and place. ``reason`` makes the pair not comparable and says why."""
    if reason:
        return Comparison(Verdict.NOT_COMPARABLE, seq, recorded, computed, (), reason)
    if recorded is None:
        return Comparison(Verdict.COMPUTED_ONLY, seq, None, computed, (), "the session has no such message")
    if computed is None:
        return Comparison(Verdict.RECORDED_ONLY, seq, recorded, None, (), "the rules give no message here")
    differs: list[str] = []
    if recorded.blocks != computed.blocks:
        differs.append("blocks")
    if recorded.source.changes != computed.source.changes:
        differs.append("changes")
    mine, theirs = computed.source, recorded.source
    if (mine.baseline, mine.baseline_identity) != (theirs.baseline, theirs.baseline_identity):
        differs.append("identity")
    if not in_place:
        differs.append("place")
    verdict = Verdict.DIFFERENT if differs else Verdict.EQUAL
    return Comparison(verdict, seq, recorded, computed, tuple(differs))
