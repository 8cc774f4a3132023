"""Being told to stop: a program that is ended by a signal still cleans up after itself."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask a program to end; SIGINT is a :class:`KeyboardInterrupt` already."""


class Terminated(BaseException):
    """One of :data:`ENDING` arrived. ``code`` is the exit code that a shell would give it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


def _raise(number: int, _: FrameType | None) -> None:
    raise Terminated(number)


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Within, a signal to end raises :class:`Terminated`. Signals that are ignored (``nohup``) or handled stay so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in ours:
            signal.signal(number, _raise)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
