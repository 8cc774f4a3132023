"""Interrupted at any point: the exit code says so, the terminal is given back, and nothing half-written stays."""

from __future__ import annotations

import json
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


SLOW_EXPORT = """
import sys
import scopetrace.report.html as html
real = html.timeline_html
def slow(*given):
    for number, piece in enumerate(real(*given)):
        yield piece
        if number == 1:
            sys.stderr.write("piece\\n"); sys.stderr.flush()
            sys.stdin.readline()
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
        [sys.executable, "-c", SLOW_EXPORT, "export", DEMO, "-o", str(tmp_path / "out.html")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"piece\n"
    process.send_signal(number)
    told = process.stderr.read()  # to the end, while nobody lets it go on
    process.communicate()
    assert process.returncode == code
    assert b"Traceback" not in told
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_EXPORT, "export", DEMO, "-o", str(tmp_path / "out.html")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # as nohup does
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"piece\n"
    process.send_signal(signal.SIGHUP)
    process.communicate(b"go on\n", timeout=60)
    assert process.returncode == 0
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


EACH = """
import contextlib, io, json, os, sys
from scopetrace.cli import main
where, lines = sys.argv[1], json.loads(sys.argv[2])
with contextlib.redirect_stdout(io.StringIO()):
    main(lines[0])  # the imports, once for all
told = []
for line in lines:
    hearing, saying = os.pipe()
    reading, out = os.pipe()
    os.close(reading)
    if where != "pipe":
        out = os.open(where, os.O_WRONLY)
    child = os.fork()
    if not child:
        os.dup2(out, 1)
        os.dup2(saying, 2)
        for descriptor in (out, hearing, saying):
            os.close(descriptor)
        sys.exit(main(line))
    os.close(out)
    os.close(saying)
    with open(hearing, "rb") as file:
        said = file.read().decode()
    told.append((os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said))
print(json.dumps(told))
"""
"""Every command line in a process of its own, which ends as the interpreter ends, with one start for all."""


def endings(where: str) -> list[tuple[int, str]]:
    """Exit codes and what was said on stderr, for each of :data:`PRINTING` with its output to somewhere."""
    line = [sys.executable, "-c", EACH, where, json.dumps(PRINTING)]
    done = subprocess.run(line, capture_output=True, check=True, timeout=300)
    found = json.loads(done.stdout)
    assert len(found) == len(PRINTING)
    return [(code, told) for code, told in found]


def test_a_reader_that_goes_away() -> None:
    for ending, arguments in zip(endings("pipe"), PRINTING, strict=True):
        assert ending == (141, ""), arguments


def test_a_full_disk_behind_stdout() -> None:
    for (code, told), arguments in zip(endings("/dev/full"), PRINTING, strict=True):
        assert code == 2, arguments
        assert "No space left" in told
        assert "Traceback" not in told
        assert "Exception ignored" not in told


@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_closed_standard_streams(descriptor: int) -> None:
    line = f'{sys.executable} -c "{PROGRAM}" show {DEMO} {"<" if descriptor == 0 else f"{descriptor}>"}&-'
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False)
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr
