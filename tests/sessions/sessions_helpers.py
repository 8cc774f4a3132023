"""Logs made by hand for the tests of the sessions package."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"
NAMES = sorted(path.name for path in RECORDINGS.iterdir() if path.is_dir())


def header(version: int = 4, **more: Any) -> dict[str, Any]:
    return {"type": "session", "version": version, "id": "s1", "createdAt": 1, "cwd": "/home/dev/p", **more}


def row(seq: int | None, kind: str = "step/start", data: Any = None, **more: Any) -> dict[str, Any]:
    made = {"type": kind, "seq": seq, "time": 1000, "data": {"turn": 1, "step": 1} if data is None else data, **more}
    if seq is None:
        del made["seq"]
    return made


def lines(*rows: Any) -> bytes:
    """Rows as stored lines; bytes are taken as they are."""
    return b"".join((item if isinstance(item, bytes) else json.dumps(item).encode()) + b"\n" for item in rows)


def frame(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


def plain(tmp_path: Path, *rows: Any, name: str = "session.v4.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(lines(*rows))
    return path


def manifest(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((RECORDINGS / name / "recording.json").read_text())
    return loaded
