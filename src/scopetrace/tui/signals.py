"""Being told to stop while the screen is taken: the terminal is given back first."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from typing import Any

from textual.app import App

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
GRACE = 3.0
"""Seconds in which the screen may say goodbye. A terminal that is gone takes nothing, and would be waited for."""


def leave_on_signals(app: App[Any]) -> None:
    """Let the running event loop end ``app`` when a signal says so, with the exit code that a shell would give it.

    Signals that are ignored (``nohup``) stay so. The handlers go with the event loop.
    """
    loop = asyncio.get_running_loop()
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_IGN:
            continue
        try:
            loop.add_signal_handler(number, _leave, app, 128 + number)
        except (NotImplementedError, RuntimeError, ValueError):
            return  # no such signals here, or not the main thread: they end the program as they always do


def _leave(app: App[Any], code: int) -> None:
    last = threading.Timer(GRACE, os._exit, (code,))
    last.daemon = True
    last.start()
    app.exit(return_code=code)
