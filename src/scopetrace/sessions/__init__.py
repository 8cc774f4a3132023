"""Storey 3: session logs and recording bundles: bytes, rows, events, the visible surface. Knows no loader.

Start at :func:`open_log` (a pass at your own pace), :func:`read_log` (all of it), :class:`LogIndex` (logs of any size)
or :meth:`Bundle.open`.

Names are imported when asked for: bundles need pydantic, and that costs start-up time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bundle import Bundle, time_after, time_before
    from .columns import Flag
    from .errors import BundleError, ErrorCode, LogError
    from .follow import Follower, Rotation, RotationKind
    from .frames import Gap, GapKind, Limits
    from .home import FoundLog, current_log, default_dsh_home, find_session_logs
    from .index import LogIndex, Progress
    from .manifest import ChangeRecord, LogRecord, Manifest, RunConfig, RunRecord
    from .reader import Log, LogReader, open_log, read_log
    from .samples import Sample, sample_dir
    from .schema import Event, Header, SeqRanges, SurfaceOp
    from .surface import Surface, SurfaceProblem

__all__ = [
    "Bundle",
    "BundleError",
    "ChangeRecord",
    "ErrorCode",
    "Event",
    "Flag",
    "Follower",
    "FoundLog",
    "Gap",
    "GapKind",
    "Header",
    "Limits",
    "Log",
    "LogError",
    "LogIndex",
    "LogReader",
    "LogRecord",
    "Manifest",
    "Progress",
    "Rotation",
    "RotationKind",
    "RunConfig",
    "RunRecord",
    "Sample",
    "SeqRanges",
    "Surface",
    "SurfaceOp",
    "SurfaceProblem",
    "current_log",
    "default_dsh_home",
    "find_session_logs",
    "open_log",
    "read_log",
    "sample_dir",
    "time_after",
    "time_before",
]

_HOMES = {
    "Bundle": "bundle",
    "BundleError": "errors",
    "ChangeRecord": "manifest",
    "ErrorCode": "errors",
    "Event": "schema",
    "Flag": "columns",
    "Follower": "follow",
    "FoundLog": "home",
    "Gap": "frames",
    "GapKind": "frames",
    "Header": "schema",
    "Limits": "frames",
    "Log": "reader",
    "LogError": "errors",
    "LogIndex": "index",
    "LogReader": "reader",
    "LogRecord": "manifest",
    "Manifest": "manifest",
    "Progress": "index",
    "Rotation": "follow",
    "RotationKind": "follow",
    "RunConfig": "manifest",
    "RunRecord": "manifest",
    "Sample": "samples",
    "SeqRanges": "schema",
    "Surface": "surface",
    "SurfaceOp": "schema",
    "SurfaceProblem": "surface",
    "current_log": "home",
    "default_dsh_home": "home",
    "find_session_logs": "home",
    "open_log": "reader",
    "read_log": "reader",
    "sample_dir": "samples",
    "time_after": "bundle",
    "time_before": "bundle",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
