"""The command on a pseudo-terminal: what it sends, what it is sent, and whether the terminal is given back."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from fcntl import ioctl

PROGRAM = "import sys; from scopetrace.cli import main; sys.exit(main())"
PATIENCE = 60
"""Seconds of silence after which a program counts as hanging."""


class Terminal:
    """``scopetrace`` with these arguments on a terminal of 120x40 cells; its controlling terminal, as in a window."""

    def __init__(self, *arguments: str, program: str = PROGRAM, size: tuple[int, int] = (40, 120)) -> None:
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TEXTUAL_THEME")}
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.seen = b""

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the window, and say so."""
        ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGWINCH)

    def until(self, done: Callable[[bytes], bool]) -> bytes:
        """Read until the new output satisfies ``done``; a program that ends or hangs before fails the test."""
        start = len(self.seen)
        while not done(self.seen[start:]):
            assert self._read(PATIENCE), f"ended or silent after {self.seen[-400:]!r}"
        return self.seen[start:]

    def settle(self, quiet: float = 0.2) -> None:
        """Read until nothing comes for a while."""
        while self._read(quiet):
            pass

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        chunk = os.read(self.master, 65536)
        self.seen += chunk
        return bool(chunk)

    def send(self, keys: str) -> None:
        """Type keys."""
        os.write(self.master, keys.encode())

    def close(self) -> int:
        """Wait for the end; returns the exit code. Afterwards :attr:`after` holds the terminal's settings."""
        waited = 0.0
        while self.process.poll() is None:
            if not self._read(0.1):
                waited += 0.1
                assert waited < PATIENCE, f"does not end after {self.seen[-400:]!r}"
        while self._read(0.1):
            pass
        self.after = termios.tcgetattr(self.slave)
        os.close(self.slave)
        os.close(self.master)
        return self.process.returncode

    def given_back(self) -> bool:
        """After the end: settings as before, alternate screen left as often as entered, cursor shown again."""
        entered, left = self.seen.count(b"\x1b[?1049h"), self.seen.count(b"\x1b[?1049l")
        hidden, shown = self.seen.rfind(b"\x1b[?25l"), self.seen.rfind(b"\x1b[?25h")
        return self.after == self.before and entered == left and shown >= hidden
