"""Logs made by hand for the tests of the sessions package."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from scopetrace.sessions import Event, Flag, Gap, LogIndex, Surface, read_log
from scopetrace.sessions.frames import Limits
from scopetrace.sessions.vocabulary import MATTERING_TYPES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"
NAMES = sorted(path.name for path in RECORDINGS.iterdir() if path.is_dir())


def header(version: int = 4, **more: Any) -> dict[str, Any]:
    return {"type": "session", "version": version, "id": "s1", "createdAt": 1, "cwd": "/home/dev/p", **more}


def row(seq: int | None, kind: str = "step/start", data: Any = None, **more: Any) -> dict[str, Any]:
    made = {"type": kind, "seq": seq, "time": 1000, "data": {"turn": 1, "step": 1} if data is None else data, **more}
    if seq is None:
        del made["seq"]
    return made


def lines(*rows: Any) -> bytes:
    """Rows as stored lines; bytes are taken as they are."""
    return b"".join((item if isinstance(item, bytes) else json.dumps(item).encode()) + b"\n" for item in rows)


def frame(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


def plain(tmp_path: Path, *rows: Any, name: str = "session.v4.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(lines(*rows))
    return path


def manifest(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((RECORDINGS / name / "recording.json").read_text())
    return loaded


def fields(item: Event | Gap) -> object:
    if isinstance(item, Gap):
        return item
    return {name: getattr(item, name) for name in item.__struct_fields__}


def same(path: Path, limits: Limits | None = None) -> LogIndex:
    """The index of a log, after comparing it with the reader in everything both say."""
    given_limits = (limits,) if limits else ()
    log = read_log(path, *given_limits)
    index = LogIndex(path, *given_limits)
    assert index.advance()
    assert index.complete
    assert len(index) == len(log.items)
    for at, item in enumerate(log.items):
        assert fields(index[at]) == fields(item), at
        assert index.is_gap(at) == isinstance(item, Gap)
        if isinstance(item, Event):
            assert (index.seq(at), index.kind(at)) == (item.seq, item.type)
            assert index.row_of(item.seq) == at
            assert bool(index.flags(at) & Flag.IGNORABLE) == item.ignorable
            assert bool(index.flags(at) & (Flag.APPEND | Flag.REPLACE | Flag.INVALID_OP)) == bool(item.surface_op)
            reshapes = item.surface_op is not None and item.surface_op.op != "append"
            assert index.matters(at) == (item.type in MATTERING_TYPES or reshapes)
    assert index.notes == log.notes
    assert (index.header, index.encoding) == (log.header, log.encoding)
    surface = Surface()
    for event in log.events:
        surface.apply(event)
    assert index.surface.visible == surface.visible
    assert index.surface.problems == surface.problems
    for event in log.events[:: max(1, len(log.events) // 30)]:
        assert index.surface.at(event.seq) == surface.at(event.seq)
    return index
