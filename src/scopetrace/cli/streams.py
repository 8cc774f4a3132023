"""The standard streams at their edges: characters a terminal cannot show, readers that went away."""

from __future__ import annotations

import os
import sys

PIPE_CLOSED = 141


def never_fail_on_text() -> None:
    """A terminal that cannot show ✔ shows ? instead of ending in an error; a closed stream swallows all."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def forget_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not complain about the closed pipe."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        sys.stdout = None
