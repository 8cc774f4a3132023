"""Interrupted at any point: the exit code says so, the terminal is given back, and nothing half-written stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import PROGRAM, Terminal

from scopetrace.sessions.samples import sample_dir

DEMO = str(Path(sample_dir()) / "demo-monorepo")
LOADING = """
import sys, time
from scopetrace.tui.app import run
def load(progress):
    for number in range(1000):
        if progress.cancelled:
            break
        progress.report(number, 1000, "reading slowly")
        time.sleep(0.05)
    raise ValueError("the loader ended")
sys.exit(run(load, name="slow"))
"""


def is_open(seen: bytes) -> bool:
    return b"Timeline" in seen and b"Decisions" in seen


def opened() -> Terminal:
    terminal = Terminal("open", DEMO)
    terminal.until(is_open)
    return terminal


def loading() -> Terminal:
    terminal = Terminal(program=LOADING)
    terminal.until(lambda seen: b"reading slowly" in seen)
    return terminal


@pytest.mark.parametrize("key", ["\x03", "\x1b", "q"])
def test_loading_can_be_stopped(key: str) -> None:
    terminal = loading()
    terminal.send(key)
    assert terminal.close() in (0, 130)
    assert terminal.given_back()
    assert b"Traceback" not in terminal.seen


@pytest.mark.parametrize("begin", [loading, opened], ids=["loading", "open"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_give_the_terminal_back(number: signal.Signals, begin: Callable[[], Terminal]) -> None:
    terminal = begin()
    terminal.process.send_signal(number)
    assert terminal.close() == 128 + number
    assert terminal.given_back()
    assert b"Traceback" not in terminal.seen


def test_a_terminal_of_one_cell_and_back() -> None:
    terminal = opened()
    for rows, columns in ((1, 1), (2, 3), (1, 200), (60, 1), (5, 20)):
        terminal.resize(rows, columns)
        terminal.settle()
        for key in "1245]?\x1bim\x1b":
            terminal.send(key)
        terminal.settle()
    terminal.resize(40, 120)
    terminal.until(is_open)
    terminal.send("q")
    assert terminal.close() == 0
    assert terminal.given_back()
    assert b"Traceback" not in terminal.seen


def test_a_start_in_one_cell() -> None:
    terminal = Terminal("open", DEMO, size=(1, 1))
    terminal.until(lambda seen: b"\x1b[?1049h" in seen)
    terminal.settle()
    terminal.resize(40, 120)
    terminal.until(is_open)
    terminal.send("q")
    assert terminal.close() == 0
    assert terminal.given_back()


def test_a_terminal_that_goes_away() -> None:
    terminal = opened()
    os.close(terminal.slave)
    os.close(terminal.master)  # the window is closed: the kernel sends SIGHUP to the session's leader
    started = time.monotonic()
    while terminal.process.poll() is None and time.monotonic() - started < 60:
        time.sleep(0.05)
    gone = terminal.process.poll()
    if gone is None:
        terminal.process.kill()
    assert gone is not None


# -- without a screen


def command(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-c", PROGRAM, *arguments], stderr=subprocess.PIPE, **options
    )


SLOW_EXPORT = """
import sys, time
import scopetrace.report.html as html
real = html.timeline_html
def slow(*given):
    for number, piece in enumerate(real(*given)):
        yield piece
        if number == 1:
            sys.stderr.write("piece\\n"); sys.stderr.flush()
            time.sleep(2)
html.timeline_html = slow
from scopetrace.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 128 + signal.SIGTERM),
        (signal.SIGHUP, 128 + signal.SIGHUP),
    ],
)
def test_an_interrupted_export_leaves_nothing(number: signal.Signals, code: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_EXPORT, "export", DEMO, "-o", str(tmp_path / "out.html")], stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"piece\n"
    process.send_signal(number)
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == code
    assert b"Traceback" not in told
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_EXPORT, "export", DEMO, "-o", str(tmp_path / "out.html")],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # as nohup does
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"piece\n"
    process.send_signal(signal.SIGHUP)
    process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 0
    assert (tmp_path / "out.html").exists()


PRINTING = [
    ["replay", DEMO, "--decisions", "--all"],
    ["replay", DEMO, "--json"],
    ["export", DEMO, "--format", "html"],
    ["show", DEMO, "--decisions"],
    ["audit", DEMO, "--json"],
    ["explain"],
    ["message", f"{DEMO}@9"],
    ["schema", "timeline"],
]


@pytest.mark.parametrize("arguments", PRINTING, ids=[" ".join(one[:1] + one[2:3]) for one in PRINTING])
def test_a_reader_that_goes_away(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = command(*arguments, stdout=writing)
    os.close(writing)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 141
    assert told == b""


@pytest.mark.parametrize("arguments", PRINTING, ids=[" ".join(one[:1] + one[2:3]) for one in PRINTING])
def test_a_full_disk_behind_stdout(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        process = command(*arguments, stdout=full)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert b"No space left" in told
    assert b"Traceback" not in told
    assert b"Exception ignored" not in told


@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_closed_standard_streams(descriptor: int) -> None:
    line = f'{sys.executable} -c "{PROGRAM}" show {DEMO} {"<" if descriptor == 0 else f"{descriptor}>"}&-'
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False)
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr
