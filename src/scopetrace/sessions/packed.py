"""Rows that stand for several events. Source: ``formats/session-log.md`` section 4 (formats 0 and 1)."""

from __future__ import annotations

from typing import Any

from .frames import GapKind
from .schema import Row, RowError, milliseconds
from .vocabulary import PACKED_TYPES


def packed_count(row: Row) -> int:
    """How many events a packed row stands for. Raises :class:`RowError` when its lists do not fit."""
    items, _ = _lists(row)
    return len(items)


def unpack(row: Row) -> list[tuple[int, dict[str, Any]]]:
    """Time (milliseconds) and payload of each ``assistant/chunk`` event of a packed row, in order."""
    items, gaps = _lists(row)
    _, chunk_type, key = PACKED_TYPES[row.type]
    shared: dict[str, Any] = {name: row.data[name] for name in ("turn", "step") if name in row.data}
    base: dict[str, Any] = {"type": chunk_type, "index": row.data.get("index", 0)}
    base |= {name: row.data[name] for name in ("id", "name") if name in row.data}
    time, out = milliseconds(row.time0), []
    for position, item in enumerate(items):
        if position and position <= len(gaps):
            time += gaps[position - 1]
        out.append((time, {**shared, "chunk": {**base, key: item}}))
    return out


def _lists(row: Row) -> tuple[list[Any], list[Any]]:
    name = PACKED_TYPES[row.type][0]
    items, gaps = row.data.get(name), row.data.get("dt", [])
    if not isinstance(items, list) or not items or not isinstance(gaps, list):
        raise RowError(GapKind.NOT_AN_EVENT, f"a packed row without a list `{name}`")
    if any(not isinstance(gap, int) for gap in gaps):
        raise RowError(GapKind.NOT_AN_EVENT, "a packed row whose `dt` holds something other than milliseconds")
    return items, gaps
