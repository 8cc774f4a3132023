"""Storey 3: session logs and recording bundles: bytes, rows, events, the visible surface. Knows no loader.

Start at :func:`open_log` (a pass at your own pace), :func:`read_log` (all of it) or :meth:`Bundle.open`.
"""

from .bundle import Bundle, time_after, time_before
from .errors import BundleError, ErrorCode, LogError
from .frames import Gap, GapKind, Limits
from .home import FoundLog, current_log, default_dsh_home, find_session_logs
from .manifest import ChangeRecord, LogRecord, Manifest, RunConfig, RunRecord
from .reader import Log, LogReader, open_log, read_log
from .samples import Sample, sample_dir, samples
from .schema import Event, Header, SeqRanges, SurfaceOp
from .surface import Surface, SurfaceProblem

__all__ = [
    "Bundle",
    "BundleError",
    "ChangeRecord",
    "ErrorCode",
    "Event",
    "FoundLog",
    "Gap",
    "GapKind",
    "Header",
    "Limits",
    "Log",
    "LogError",
    "LogReader",
    "LogRecord",
    "Manifest",
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
    "samples",
    "time_after",
    "time_before",
]
