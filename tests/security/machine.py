"""A little machine under one directory: a bundle, a bare log, its workspace, a home; and every command run on it."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from windows_recording import RECORDINGS, unpacked

from scopetrace.cli.group import COMMANDS
from scopetrace.sessions import Bundle

SESSION = "demo-monorepo"
SEQ = 9
"""An event of the session with an instruction message."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where things are. ``exports`` is the only place where anything may be written."""

    bundle: Path
    log: Path
    workspace: Path
    home: Path
    exports: Path

    @property
    def guarded(self) -> tuple[Path, ...]:
        """Trees that must stay as they are."""
        return (self.bundle, self.log.parent, self.workspace, self.home)


def machine(base: Path) -> Machine:
    """Set one up below ``base``."""
    bundle = base / "bundle"
    shutil.copytree(RECORDINGS / SESSION, bundle)
    workspace, home = unpacked(bundle, base)
    (workspace / ".git").mkdir(exist_ok=True)
    log = home / ".dsh/sessions/p" / SESSION / "session.v4.jsonl.zstd"
    log.parent.mkdir(parents=True)
    shutil.copyfile(Bundle.open(bundle).main, log)
    exports = base / "exports"
    exports.mkdir()
    return Machine(bundle, log, workspace, home, exports)


def command_lines(here: Machine) -> list[list[str]]:
    """Every command of the program, at least once; commands that this table does not know get the log and nothing."""
    bare = [str(here.log), "--workspace", str(here.workspace), "--home", str(here.home)]
    bundle = str(here.bundle)
    known = {
        "open": [["open", bundle], ["open", *bare, "--json"], [bundle], ["open", f"{bundle}@{SEQ}"]],
        "show": [["show", *bare, "--decisions", "--text"], ["show", f"{bundle}@{SEQ}", "--json"]],
        "replay": [["replay", *bare, "--decisions", "--all"], ["replay", bundle, "--json", "--no-follow-outside"]],
        "audit": [["audit", bundle, *bare], ["audit", *bare, "--json", "--profile", "0.1"]],
        "message": [["message", f"{bundle}@{SEQ}"], ["message", f"{bundle}@{SEQ}", "--computed", "--json"]],
        "export": [
            *(["export", *bare, "-o", str(here.exports / f"out.{form}")] for form in ("json", "md", "html")),
            ["export", bundle, "--format", "html"],
            ["export", bundle, "-o", str(here.exports / "out.md"), "--force"],
        ],
        "sessions": [["sessions", "--home", str(here.home)], ["sessions", "--home", str(here.home), "--json"]],
        "explain": [["explain"], ["explain", "held-back"]],
        "schema": [["schema"], ["schema", "timeline"]],
    }
    lines = [line for name in COMMANDS for line in known.get(name, [[name, *bare], [name, bundle], [name]])]
    return [*lines, ["show", str(here.workspace)], ["show", str(here.home / "nowhere")], ["--help"]]


def tree_state(top: Path) -> dict[str, tuple[object, ...]]:
    """Everything below a directory but access times: kind and mode, owner, size, times of change, content or target."""
    state: dict[str, tuple[object, ...]] = {}
    waiting = [top]
    while waiting:
        path = waiting.pop()
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            content = os.readlink(path)
        elif stat.S_ISREG(found.st_mode):
            content = hashlib.sha1(path.read_bytes()).hexdigest()
        else:
            content = ""
        state[str(path)] = (
            found.st_ino,
            found.st_mode,
            found.st_uid,
            found.st_nlink,
            found.st_mtime_ns,
            found.st_ctime_ns,
            content,
        )
        if stat.S_ISDIR(found.st_mode):
            waiting.extend(path.iterdir())
    return state
