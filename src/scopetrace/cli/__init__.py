"""Storey 7: the command line. Nothing is imported here, so that ``scopetrace --version`` costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line (``argv`` without the program's name, default ``sys.argv``) and return the exit code.

    0: done; 1: ``audit`` found a difference; 2: something could not be read, or was asked for wrongly;
    130: interrupted; 141: the reader of the output went away; 128 + n: ended by signal n.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments == ["--version"]:
        from scopetrace import __version__

        print(f"scopetrace {__version__}")
        return 0
    if arguments[:1] == ["why"]:
        from .quick import quick_why

        try:
            done = quick_why(arguments[1:])
        except KeyboardInterrupt:
            return 130
        except OSError:
            done = None  # the full command line says what is wrong
        if done is not None:
            return done
    from .run import run

    return run(arguments)
