"""Write the observations of the engine into lessons, in the layout that lessons have: ``lesson_expect.py FILE…``.

The engine is held to the conformance vectors; a lesson's ``expect`` is what it then says, for the eyes of the author
(``git diff``) and for the day on which something changes it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scopetrace.replay.lessons import lesson_from

FIRST = ("id", "name", "about", "title", "teaches", "profile", "home", "env", "cwd", "config")


def main(names: list[str]) -> int:
    for name in names:
        path = Path(name)
        row = json.loads(path.read_text(encoding="utf-8"))
        row.pop("expect", None)
        lesson = lesson_from(row, name, path.stem)
        for place, finding in lesson.wrong:
            print(f"{name}, {place}: {finding.said}", file=sys.stderr)
        row["expect"] = [moment.observed for moment in lesson.moments]
        path.write_text("".join(layout(row)), encoding="utf-8")
    return 0


def layout(row: Mapping[str, Any]) -> Iterator[str]:
    """A lesson as text: an operation, a claim and an observation stand in one line each."""
    yield "{"
    comma = "\n"
    for name in (*(name for name in FIRST if name in row), "files", "ops", "captions", "expect"):
        yield f"{comma}  {json.dumps(name)}: "
        comma = ",\n"
        value = row[name]
        if name == "files":
            yield from _lines("{", (f"{_dump(place)}: {_dump(file)}" for place, file in value.items()), "}")
        elif name == "captions":
            yield from _lines("[", map(_caption, value), "]")
        elif isinstance(value, list):
            yield from _lines("[", map(_dump, value), "]")
        else:
            yield _dump(value)
    yield "\n}\n"


def _lines(start: str, items: Iterator[str], end: str, indent: str = "    ") -> Iterator[str]:
    yield start + "\n" + ",\n".join(indent + item for item in items) + "\n" + indent[2:] + end


def _caption(caption: Mapping[str, Any]) -> str:
    parts = []
    for name, value in caption.items():
        claims = "".join(_lines("[", map(_dump, value), "]", " " * 8)) if name == "claims" else _dump(value)
        parts.append(f"      {json.dumps(name)}: {claims}")
    return "{\n" + ",\n".join(parts) + "\n    }"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
