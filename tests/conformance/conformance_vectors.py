"""Reading vector files, and saying how two values differ."""

from __future__ import annotations

import difflib
import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ID_FIRST = re.compile(rb'\{\s*"id"\s*:\s*"([A-Za-z0-9_.-]+)"')
_MOST_LINES = 60


class Mismatch(AssertionError):
    """An observation differs from what the vector expects; the message shows how."""


@dataclass(frozen=True, slots=True)
class VectorFile:
    """One file of vectors of one profile. ``kind`` is ``paths``, ``render`` or ``scenarios``."""

    path: Path
    profile: str

    @property
    def name(self) -> str:
        return f"{self.profile}/{self.path.name.removesuffix('.jsonl.gz')}"

    @property
    def kind(self) -> str:
        return self.path.name.removesuffix(".jsonl.gz").partition("-")[0]

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Each row's id and its JSON. Strings hold raw U+0085, U+2028 and U+2029: only LF ends a line."""
        for line in gzip.decompress(self.path.read_bytes()).split(b"\n"):
            if line.strip():
                found = _ID_FIRST.match(line)
                yield (found[1].decode() if found else json.loads(line)["id"]), line

    def row(self, line: bytes) -> dict[str, Any]:
        row = json.loads(line)
        assert isinstance(row, dict)
        return row


def vector_files(folder: Path) -> list[VectorFile]:
    """All vector files below ``folder``, in a stable order."""
    return [VectorFile(path, path.parent.name) for path in sorted(folder.glob("*/*.jsonl.gz"))]


def number(value: Any) -> Any:
    """A number of a row; those that JSON cannot hold are strings."""
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else value


def compare(expected: Mapping[str, Any], observed: Mapping[str, Any], where: str = "") -> None:
    """Compare two records field by field. Raises :class:`Mismatch` with a diff of every field that differs."""
    differing = [
        key for key in dict.fromkeys((*expected, *observed)) if expected.get(key, _NONE) != observed.get(key, _NONE)
    ]
    if differing:
        parts = [where] if where else []
        parts += [f"{key}:\n{difference(expected.get(key, _NONE), observed.get(key, _NONE))}" for key in differing]
        raise Mismatch("\n".join(parts))


class _Absent:
    def __repr__(self) -> str:
        return "(absent)"


_NONE = _Absent()


def difference(expected: Any, observed: Any) -> str:
    """A readable diff: ``-`` expected, ``+`` observed."""
    lines = list(difflib.ndiff(_lines(expected), _lines(observed)))
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"... {len(lines) - _MOST_LINES} more lines"]
    return "\n".join(f"  {line}" for line in lines)


def _lines(value: Any, indent: str = "") -> list[str]:
    """A value over several lines, exact: strings are shown line by line as Python writes them."""
    match value:
        case str():
            return [f"{indent}{part!r}" for part in value.split("\n")] if "\n" in value else [f"{indent}{value!r}"]
        case list() | tuple():
            rows = [row for item in value for row in _lines(item, indent + "  ")]
            return [f"{indent}[", *rows, f"{indent}]"] if rows else [f"{indent}[]"]
        case dict():
            rows = []
            for key in sorted(value):
                rows += [f"{indent}{key}:", *_lines(value[key], indent + "  ")]
            return rows or [f"{indent}{{}}"]
        case _:
            return [f"{indent}{value!r}"]
