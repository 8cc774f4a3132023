"""The inspector on a real pseudo-terminal: the bytes that come out, and a screen that is given back."""

from __future__ import annotations

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path

HERE = Path(__file__).parent
PROGRAM = """
import sys
sys.path.insert(0, {here!r})
from test_tui_hostile import HostileTimeline
from scopetrace.tui.app import run
run(HostileTimeline(), start=20)
"""
POINTER_SHAPE = re.compile(rb"\x1b\]22;[a-z]*\x07")  # the only operating system command that Textual sends itself


class Terminal:
    """A program on a pseudo-terminal of 120x40 cells."""

    def __init__(self, *command: str, **variables: str) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TEXTUAL_THEME")}
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        environment |= variables
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        self.seen = b""

    def until(self, done: Callable[[bytes], bool]) -> bytes:
        """Read until the new output satisfies ``done`` or the program ends; a program that hangs fails the test."""
        start = len(self.seen)
        while not done(self.seen[start:]):
            ready, _, _ = select.select([self.master], [], [], 30)
            assert ready, f"no output for 30 s after {self.seen[-400:]!r}"
            try:
                chunk = os.read(self.master, 65536)
            except OSError:  # the program closed its end
                break
            if not chunk:
                break
            self.seen += chunk
        return self.seen[start:]

    def send(self, keys: str) -> None:
        """Type keys."""
        os.write(self.master, keys.encode())

    def close(self) -> int:
        """Wait for the end; returns the exit code."""
        self.until(lambda _: False)
        os.close(self.master)
        return self.process.wait(timeout=30)


def test_hostile_text_never_reaches_the_terminal_and_the_screen_is_given_back() -> None:
    terminal = Terminal(sys.executable, "-c", PROGRAM.format(here=str(HERE)))
    terminal.until(lambda seen: b"Timeline" in seen and b"Decisions" in seen)
    terminal.send("4")
    terminal.until(lambda seen: "␛".encode() in seen)
    terminal.send("mm")
    terminal.until(lambda seen: b"indented" in seen or b"as in the log" in seen)
    terminal.send("q")
    assert terminal.close() == 0

    seen = POINTER_SHAPE.sub(b"", terminal.seen)
    assert b"\x1b]" not in seen
    for char in ("\x07", "\x9b", "\u202e", "\u200b", "\U000e0041"):
        assert char.encode() not in seen
    assert b"<U+202E>" in seen
    assert seen.count(b"\x1b[?1049h") == seen.count(b"\x1b[?1049l") == 1


def test_the_command_opens_a_session_steps_and_leaves() -> None:
    demo = HERE.parents[1] / "sample_sessions" / "demo-monorepo"
    terminal = Terminal(
        sys.executable, "-c", "import sys; from scopetrace.cli import main; sys.exit(main())", "open", str(demo)
    )
    terminal.until(lambda seen: b"Timeline" in seen and b"/153" in seen)
    terminal.send("]]")
    terminal.until(lambda seen: b"services/AGENTS.md" in seen)
    terminal.send("q")
    assert terminal.close() == 0
    assert terminal.seen.count(b"\x1b[?1049h") == terminal.seen.count(b"\x1b[?1049l") == 1


def test_the_command_alone_offers_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('theme = "scopetrace-lihgt"\n')
    terminal = Terminal(
        sys.executable,
        "-c",
        "import sys; from scopetrace.cli import main; sys.exit(main())",
        DSH_HOME=str(tmp_path),
        SCOPETRACE_SETTINGS=str(tmp_path / "settings.toml"),
    )
    terminal.until(lambda seen: b"demo-monorepo" in seen and b"did you mean" in seen and b"scopetrace-light?" in seen)
    terminal.send("nested\r")
    # The sample of that name, not the one whose description holds the word.
    terminal.until(lambda seen: b"Timeline" in seen and (b"/61" in seen or b"/153" in seen))
    assert b"/61" in terminal.seen
    terminal.send("q")
    assert terminal.close() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["settings.toml"]


def test_a_lesson_opens_from_the_command_line(tmp_path: Path) -> None:
    terminal = Terminal(
        sys.executable,
        "-c",
        "import sys; from scopetrace.cli import main; sys.exit(main())",
        "learn",
        "nested",
        SCOPETRACE_SETTINGS=str(tmp_path / "none.toml"),
    )
    terminal.until(lambda seen: b"Timeline" in seen and b"checked against the engine" in seen)
    terminal.send("l")
    terminal.until(lambda seen: b"bash" in seen)
    terminal.send("q")
    assert terminal.close() == 0
