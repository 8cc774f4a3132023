"""A recorded session as it would have been recorded on Windows: every path rewritten, texts and sizes as they were."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any

from scopetrace.sessions import Bundle
from scopetrace.sessions.reader import open_log

RECORDINGS = Path(__file__).parents[1] / "recordings"
_GLOBAL = re.compile(r"(?:~/\.\w+|\$\w+)/")


class Rewriter:
    """Rewrites rows of a log. ``root`` and ``home`` are where workspace and home lie on the other machine."""

    def __init__(self, bundle: Bundle, root: str, home: str) -> None:
        self.pairs = sorted(((bundle.workspace, root), (bundle.home, home)), key=lambda pair: -len(pair[0]))
        self.displays: set[str] = set()

    def path(self, path: str) -> str:
        """An absolute path below workspace or home, or a relative one; anything else stays."""
        for old, new in self.pairs:
            if path == old or path.startswith(old + "/"):
                return new + path[len(old) :].replace("/", "\\")
        return path if path.startswith("/") or _GLOBAL.match(path) else path.replace("/", "\\")

    def collect(self, value: Any) -> None:
        """Remember the display paths of all recorded changes: they stand in message texts, too."""
        if isinstance(value, dict):
            for change in value.get("changes") or () if value.get("form") == "instructions" else ():
                self.displays.add(change["path"])
            for item in value.values():
                self.collect(item)
        elif isinstance(value, list):
            for item in value:
                self.collect(item)

    def rewritten(self, value: Any, key: str = "") -> Any:
        """A value of a row."""
        if isinstance(value, dict):
            return {name: self.rewritten(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [self.rewritten(item, key) for item in value]
        if not isinstance(value, str):
            return value
        if key == "scope":
            directory, _, name = value.partition("\0")
            return f"{self.path(directory)}\0{name}"
        if key in ("path", "cwd", "file_path", "from", "to", "directory"):
            return self.path(value)
        if key == "arguments":
            return self._arguments(value)
        if key == "baselineIdentity":
            identity = json.loads(value)
            identity["projectRoot"] = identity["projectRoot"].replace("/", "\\")
            return json.dumps(identity, separators=(",", ":"), ensure_ascii=False)
        if key == "text":
            for display in sorted(self.displays, key=len, reverse=True):
                if "/" in display and not _GLOBAL.match(display):
                    directory = display.rpartition("/")[0]
                    value = value.replace(f": {display}\n", f": {self.path(display)}\n")
                    value = value.replace(f" under `{directory}`", f" under `{self.path(directory)}`")
        return value

    def _arguments(self, text: str) -> str:
        try:
            arguments = json.loads(text)
        except ValueError:
            return text
        return json.dumps(self.rewritten(arguments)) if isinstance(arguments, dict) else text


def windows_bundle(name: str, target: Path, root: str, home: str = "C:\\Users\\dev") -> Path:
    """The bundle of a recording as recorded on Windows, written to ``target``; its log is ``session.v4.jsonl``."""
    source = RECORDINGS / name
    bundle = Bundle.open(source)
    rewriter = Rewriter(bundle, root, home)
    log = open_log(bundle.main)
    rows = [json.loads(log.raw(item)) for item in log]
    rewriter.collect(rows)
    target.mkdir(parents=True)
    header = {
        "type": "session",
        "version": log.header.version,
        "id": log.header.id,
        "createdAt": log.header.created_at,
        "cwd": rewriter.path(log.header.cwd or ""),
    }
    (target / "session.v4.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in (header, *map(rewriter.rewritten, rows))), encoding="utf-8"
    )
    manifest = json.loads((source / "recording.json").read_text())
    for key in ("cwd", "workspace", "home"):
        manifest[key] = rewriter.path(manifest[key])
    manifest["env"] = {key: rewriter.path(value) for key, value in manifest.get("env", {}).items()}
    manifest["logs"] = [{"file": "session.v4.jsonl", "role": "main"}]
    (target / "recording.json").write_text(json.dumps(manifest), encoding="utf-8")
    changes = source / "changes.jsonl"
    if changes.exists():
        rows = [json.loads(line) for line in changes.read_text().splitlines()]
        (target / "changes.jsonl").write_text(
            "".join(json.dumps({**row, "path": rewriter.path(row["path"])}) + "\n" for row in rows), encoding="utf-8"
        )
    for archive in ("workspace-before.tar.gz", "home.tar.gz"):
        if (source / archive).exists():
            shutil.copyfile(source / archive, target / archive)
    return target


def unpacked(bundle: Path, target: Path) -> tuple[Path, Path]:
    """Workspace and home of a bundle as directories on this disk."""
    for archive, directory in (("workspace-before.tar.gz", "workspace"), ("home.tar.gz", "home")):
        (target / directory).mkdir(parents=True)
        if (bundle / archive).exists():
            with tarfile.open(bundle / archive) as tar:
                tar.extractall(target / directory, filter="fully_trusted")
    return target / "workspace", target / "home"
