"""Colour: on a terminal, unless it is not wanted; never in a pipe."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

PROGRAM = "import sys; from scopetrace.cli import main; sys.exit(main(['explain', 'held-back']))"


def on_a_terminal(**environment: str) -> str:
    """What a pseudo-terminal receives."""
    main, other = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=other,
        stderr=subprocess.STDOUT,
        env={**clean, "TERM": "xterm", **environment},
    )
    os.close(other)
    received = b""
    while True:
        try:
            piece = os.read(main, 4096)
        except OSError:
            break
        if not piece:
            break
        received += piece
    os.close(main)
    assert process.wait() == 0
    return received.decode()


def test_colour_on_a_terminal() -> None:
    assert "\x1b[33m! held-back\x1b[0m" in on_a_terminal()


def test_no_colour_when_not_wanted() -> None:
    assert "\x1b" not in on_a_terminal(NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(TERM="dumb")


def test_an_empty_no_color_means_nothing() -> None:
    assert "\x1b[33m" in on_a_terminal(NO_COLOR="")


def test_no_colour_in_a_pipe() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True)
    assert b"\x1b" not in done.stdout
