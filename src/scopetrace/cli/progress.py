"""How far long work is, on stderr: only on a terminal, only when it takes a while, and gone when it is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

PATIENCE_SECONDS = 1.0
AGAIN_SECONDS = 0.2
_CLEAR = "\r\x1b[K"


@contextmanager
def progress(what: str, clock: Callable[[], float] = monotonic) -> Iterator[Callable[[int], None]]:
    """Within, tell the share that is done, in per cent. ``what`` is made safe already."""
    shown, due = False, clock() + PATIENCE_SECONDS

    def tell(share: int) -> None:
        nonlocal shown, due
        if sys.stderr.isatty() and clock() >= due:
            shown, due = True, clock() + AGAIN_SECONDS
            sys.stderr.write(f"{_CLEAR}{what} … {share} % · ctrl+c stops")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
