"""Run in a process of its own: a list of command lines, then the inspector, under an audit hook that forbids effects.

Arguments: a JSON file with ``lines``, ``inspect`` (command lines and sessions), ``exports`` (the one directory that may
be written to), ``workspace`` (nothing may come from there) and ``guarded`` (trees that are compared before, after the
commands and after the inspector). Prints one line for each violation; the last line counts the runs and says which of
the trees stayed as they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

FORBIDDEN = (
    "socket.connect",
    "socket.bind",
    "socket.send",
    "socket.getaddrinfo",
    "socket.gethost",
    "socket.getname",
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.startfile",
    "pty.",
    "ctypes.",
    "pickle.",
    "webbrowser.",
    "urllib.",
    "http.",
    "ftplib.",
    "smtplib.",
    "telnetlib.",
    "os.mkdir",
    "os.rmdir",
    "os.symlink",
    "os.truncate",
    "os.chown",
    "os.chflags",
    "os.utime",
    "os.setxattr",
    "os.removexattr",
    "shutil.",
    "tempfile.mkdtemp",
)
NAMED = ("os.rename", "os.remove", "os.link", "os.chmod", "tempfile.mkstemp")
"""Changes that an export needs: allowed where every path lies in its directory."""

HARMLESS = frozenset({"builtins.id", "object.__getattr__", "object.__setattr__", "sys._getframe", "compile"})

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
AF_UNIX = 1


class Guard:
    """The hook. It only listens; what it heard is printed at the end."""

    def __init__(self, exports: str, workspace: str) -> None:
        self.exports = exports + os.sep
        self.workspace = workspace + os.sep
        self.heard: list[str] = []
        self.events: set[str] = set()
        self.running = ""

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in HARMLESS:
            return  # the toolkit asks for a million identities
        self.events.add(event)
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & WRITING and not self._allowed(path):
                self._tell(event, path, flags)
        elif event == "socket.__new__":
            # The event loop wakes itself through a pair of unnamed local sockets; nothing else may make one.
            if arguments[1] != AF_UNIX:
                self._tell(event, *arguments[1:])
        elif event == "exec":
            name = getattr(arguments[0], "co_filename", "")
            if self._is_foreign(name):
                self._tell(event, name)
        elif event == "import":
            if arguments[1] and self._is_foreign(str(arguments[1])):
                self._tell(event, *arguments[:2])
        elif event.startswith(NAMED):
            paths = [one for one in arguments if isinstance(one, str | bytes)]
            if not all(map(self._allowed, paths)):
                self._tell(event, *paths)
        elif event.startswith(FORBIDDEN):
            self._tell(event, *arguments)

    def _allowed(self, path: Any) -> bool:
        if isinstance(path, int):
            return True  # a descriptor: heard of when it was opened
        text = os.fsdecode(path) if isinstance(path, str | bytes) else ""
        return text == os.devnull or text.startswith(self.exports)

    def _is_foreign(self, path: str) -> bool:
        return path.startswith(self.workspace) or (bool(path) and not os.path.isabs(path) and os.path.exists(path))

    def _tell(self, *what: object) -> None:
        self.heard.append(f"{self.running}: {' '.join(map(repr, what))}")


async def inspect(view: Any, every: bool) -> None:
    """Press every key that does something, or some for each pane."""
    from scopetrace.tui.actions import ACTIONS
    from scopetrace.tui.app import InspectorApp

    app = InspectorApp(view)
    look = ["4", "down", "enter", "right_square_bracket", "plus", "plus", "y", "m", "i", "escape", "question_mark"]
    keys = [*look, "escape", "1", "2", "3", "5"]
    if every:
        actions = [spec for spec in ACTIONS if spec.target == "main" and not spec.action.startswith(("quit", "play"))]
        keys = [key for spec in actions for key in (spec.keys[0], "escape")]
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("right_square_bracket", *keys, "q")


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    guard = Guard(job["exports"], job["workspace"])
    sys.addaudithook(guard)
    from machine import tree_state

    from scopetrace.cli import main as command

    def trees() -> list[Any]:
        return [tree_state(Path(top)) for top in job["guarded"]]

    before = trees()
    codes = []
    for line in job["lines"]:
        guard.running = " ".join(line)
        shown = io.TextIOWrapper(io.BytesIO())
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
            codes.append(command(line))
    guard.running = "looking"
    between = trees()
    from scopetrace.replay import open_any

    for options in job["inspect"]:
        guard.running = f"inspector {options['path']}"
        every = options.pop("every", False)
        asyncio.run(inspect(open_any(options.pop("path"), **options), every))
    guard.running = "modules"
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None) or ""
        if origin.startswith(guard.workspace):
            guard.heard.append(f"module {name} from {origin}")
    for heard in guard.heard:
        print(heard)
    assert "open" in guard.events
    same = {"commands": between == before, "inspector": trees() == between}
    print(json.dumps({"codes": codes, "inspected": len(job["inspect"]), "same": same}))


if __name__ == "__main__":
    main()
