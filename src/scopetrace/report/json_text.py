"""Documents as JSON: ASCII only, so it is safe on any terminal, and lone surrogates of a log survive as escapes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from .documents import Document, InfoDoc, RowDoc, TotalsDoc


def to_json(document: Document, *, indent: int | None = 2) -> str:
    """One document as JSON text. Numbers that JSON does not know (infinities, NaN) become ``null``."""
    return json.dumps(plain(document), indent=indent, allow_nan=False)


def timeline_json(info: InfoDoc, rows: Iterable[RowDoc], totals: TotalsDoc) -> Iterator[str]:
    """A :class:`TimelineDoc` piece by piece, one row a line, for sessions too long to hold."""
    yield '{"schema": "scopetrace/timeline/1",\n"info": ' + json.dumps(plain(info), allow_nan=False) + ',\n"rows": ['
    comma = "\n"
    for row in rows:
        yield comma + json.dumps(plain(row), allow_nan=False)
        comma = ",\n"
    yield '\n],\n"totals": ' + json.dumps(plain(totals), allow_nan=False) + "}\n"


def plain(value: Any) -> Any:
    """Data classes, mappings and sequences as what the json module writes."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): plain(item) for key, item in value.items()}
    return str(value)
