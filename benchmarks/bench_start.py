"""Start-up: small commands against a bare interpreter, the first paint against an empty Textual app."""

from __future__ import annotations

import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path

from measure import Result, median

ROOT = Path(__file__).resolve().parent.parent
REPEAT = 9
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Compiled modules are kept between runs, as they are for anybody who installed the program."""
_HOOK = """
import os, sys, time
from textual.app import App
old = App._display
def display(self, screen, renderable):
    old(self, screen, renderable)
    if renderable is not None and self._running and ({when}):
        os.write({fd}, b"x")
        os._exit(0)
App._display = display
"""
_EMPTY = "App().run()\n"
_DEMO = "from scopetrace.cli import main\nsys.exit(main(['open', {demo!r}]))\n"


def run(*arguments: str, cwd: str | None = None) -> float:
    """Seconds of one process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=cwd, env=ENVIRONMENT, check=True, capture_output=True)
    return time.perf_counter() - start


def first_paint(code: str, when: str = "True") -> float:
    """Seconds from the start of a process on a pseudo-terminal to its first paint for which ``when`` holds."""
    inside, outside = os.pipe()
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**ENVIRONMENT, "TERM": "xterm-256color"}
    command = [sys.executable, "-c", _HOOK.format(fd=outside, when=when) + code]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env, pass_fds=(outside,))
    os.close(slave)
    os.close(outside)
    os.set_blocking(master, False)
    while not _ready(inside):
        try:
            os.read(master, 65536)
        except BlockingIOError:
            time.sleep(0.0005)
        except OSError:
            break
    taken = time.perf_counter() - start
    process.wait(30)
    os.close(master)
    os.close(inside)
    return taken


def _ready(pipe: int) -> bool:
    import select

    return bool(select.select([pipe], [], [], 0)[0])


def starting() -> Iterator[Result]:
    """All start-up targets."""
    bare: list[float] = []
    version: list[float] = []
    why: list[float] = []
    call = "import sys; from scopetrace.cli import main; sys.exit(main({}))"
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / ".git").mkdir()
        (Path(place) / "AGENTS.md").write_text("# Rules\n", encoding="utf-8")
        for number in range(REPEAT + 1):
            if number == 1:  # the first round compiled
                bare, version, why = [], [], []
            bare.append(run("-c", "pass"))
            version.append(run("-c", call.format(["--version"])))
            why.append(run("-c", call.format(["why", "AGENTS.md", "--cwd", place]), cwd=place))
    floor = median(bare)
    yield Result("scopetrace --version", median(version) / floor, 4, "x", f"{median(version) * 1e3:.0f} ms")
    yield Result("why on a small workspace", median(why) / floor, 8, "x", f"{median(why) * 1e3:.0f} ms")
    empty: list[float] = []
    demo: list[float] = []
    code = _DEMO.format(demo=str(ROOT / "sample_sessions" / "demo-monorepo"))
    first_paint(code)
    for _ in range(REPEAT):
        empty.append(first_paint(f"import sys\n{_EMPTY}"))
        demo.append(first_paint(code))
    yield Result(
        "open demo-monorepo: start to first paint",
        median(demo) / median(empty),
        2,
        "x",
        f"{median(demo) * 1e3:.0f} ms, empty app {median(empty) * 1e3:.0f} ms",
    )
