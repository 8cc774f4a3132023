"""Probing and bounded reading of one candidate.

Source: README seed "Budgeting and Bounded Reads", ``design/ENGINE.md`` "Reading".
"""

from __future__ import annotations

from dataclasses import dataclass

from scopetrace.model import Fact, InstructionFile, Outcome, Stage
from scopetrace.workspace.fs import BYTE_ORDER_MARK, FsError, Stat

from .links import real_place
from .passes import Pass, Place
from .text import sha1_hex, trimmed_digest

BINARY_WINDOW = 8192


@dataclass(frozen=True, slots=True)
class Loaded:
    """A candidate that was read: the file, its digests (SHA-1 hex) and its provider version."""

    scope: str
    file: InstructionFile
    digest: str
    trimmed_digest: str
    stat: Stat

    @property
    def size(self) -> int:
        """Bytes of the decoded text."""
        return len(self.file.content.encode("utf-8", "surrogatepass"))


class Unavailable(Exception):
    """A probe or read of a candidate failed; the decision has been reported. ``outcome`` says how."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.value)
        self.outcome = outcome


def probe(run: Pass, scope: str, place: Place) -> Stat | None:
    """Ask for a candidate's metadata. ``None``: absent, or not a regular file. Raises :class:`Unavailable`."""
    try:
        stat = run.fs.stat(place.absolute, run.env.cancel)
    except FsError as error:
        run.note(Stage.PROBE, Outcome.UNAVAILABLE, scope, place, {"reason": error.reason})
        raise Unavailable(Outcome.UNAVAILABLE) from error
    if run.reporter is not None:
        _report_probe(run, scope, place, stat)
    return stat if stat is not None and stat.kind == "file" else None


def _report_probe(run: Pass, scope: str, place: Place, stat: Stat | None) -> None:
    if stat is None:
        run.note(Stage.PROBE, Outcome.ABSENT, scope, place)
        return
    facts: dict[str, Fact] = {"link": stat.link_target or ""}
    if stat.kind != "file":
        run.note(Stage.PROBE, Outcome.NOT_A_FILE, scope, place, {**facts, "kind": stat.kind})
        return
    link, outside = real_place(run.fs, place.absolute, stat.link_target, run.root, run.env.flavour)
    if link:
        # Following it crosses the trust boundary when the target is outside of the project.
        facts["link"], facts["crosses"] = link, outside
    facts["size"] = stat.size
    facts["version"] = str(stat.version)
    run.note(Stage.PROBE, Outcome.PRESENT, scope, place, facts)


def read(run: Pass, scope: str, place: Place, stat: Stat) -> Loaded:
    """Read a candidate within the per-file cap and what is left of the aggregate cap.

    Never more than the smaller cap and the one byte that proves overflow is asked for. Raises :class:`Unavailable`.
    """
    cap = run.config.max_source_bytes
    left = None if run.config.max_total_source_bytes is None else run.config.max_total_source_bytes - run.spent
    limit = cap if left is None else min(cap, left)

    def refuse(outcome: Outcome, **facts: Fact) -> Unavailable:
        run.note(Stage.READ, outcome, scope, place, facts)
        return Unavailable(outcome)

    def too_long(size: int | None) -> Unavailable:
        if left is not None and left < cap and (size is None or size <= cap):
            return refuse(Outcome.OVER_AGGREGATE, limit=run.config.max_total_source_bytes, left=left, size=size)
        return refuse(Outcome.OVERSIZE, limit=cap, size=size)

    if left is not None and left <= 0:
        raise refuse(Outcome.OVER_AGGREGATE, limit=run.config.max_total_source_bytes, left=0, size=stat.size)
    if stat.size is not None and stat.size > limit:
        raise too_long(stat.size)
    try:
        data = run.fs.read(place.absolute, limit + 1, run.env.cancel)
    except FsError as error:
        raise refuse(Outcome.READ_FAILED, reason=error.reason) from error
    size = len(data) - (len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0)
    if size > limit:
        raise too_long(None)
    nul = data.find(0, 0, BINARY_WINDOW)
    if nul >= 0:
        raise refuse(Outcome.BINARY, at=nul)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise refuse(Outcome.INVALID_UTF8, at=error.start) from error
    run.spent += size
    text = text.removeprefix("\ufeff")
    digest = sha1_hex(text)
    run.note(Stage.READ, Outcome.READ, scope, place, {"size": len(data), "digest": digest})
    return Loaded(scope, InstructionFile(place.absolute, place.display, text), digest, trimmed_digest(text), stat)
