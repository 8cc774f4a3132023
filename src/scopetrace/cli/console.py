"""Where output goes: lines with colour on a terminal and without in a pipe, JSON, exact bytes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scopetrace.report.documents import Document
    from scopetrace.report.lines import Line

WIDE = 400
"""Columns where nothing bounds the width."""


def interactive() -> bool:
    """Whether both ends are a terminal, so that the inspector can run."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def colour() -> bool:
    """Colour only on a terminal that has some, and never where ``NO_COLOR`` is set and not empty."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns of the terminal; wide in a pipe, where lines are searched rather than looked at."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE


def print_lines(lines: Iterable[Line]) -> None:
    """Write lines as they come."""
    write, painted = sys.stdout.write, colour()
    for item in lines:
        write((item.ansi if painted else item.text) + "\n")


def print_json(document: Document) -> None:
    """Write one document."""
    from scopetrace.report.json_text import to_json

    sys.stdout.write(to_json(document) + "\n")


def write_exact(text: str) -> None:
    """Write a text byte for byte (a lone surrogate as its three bytes); a terminal gets it made safe."""
    if sys.stdout.isatty():
        from scopetrace.report.display import safe_text

        sys.stdout.write(safe_text(text))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()
