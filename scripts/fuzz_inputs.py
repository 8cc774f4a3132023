"""Look for input that ends in a traceback, guided by coverage: logs, bundles' lines, settings, paths and display text.

    python scripts/fuzz_inputs.py TARGET [--seconds N] [--corpus DIR]

Needs the extra ``fuzz``. TARGET is a name of :data:`TARGETS`, or ``all``: each for N seconds in a process of its own.
A finding ends the run and lies in the corpus directory as ``finding-…``; turn it into a test.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RECORDINGS = HERE.parent / "tests" / "recordings"
SCRATCH = Path(tempfile.gettempdir()) / f"scopetrace-fuzz-{os.getpid()}"


def fuzz_log(data: bytes) -> None:
    """Bytes as a session log, through the replay command."""
    _command(data, "session.v4.jsonl", "replay", "--workspace", str(SCRATCH), "--home", str(SCRATCH), "--decisions")


def fuzz_row(data: bytes) -> None:
    """One line of a log."""
    from scopetrace.sessions.schema import RowError, decode_row

    with contextlib.suppress(RowError):
        decode_row(data)


def fuzz_scenario(data: bytes) -> None:
    """Bytes as a scenario or an instruction case."""
    _command(data, "case.json", "replay")


def fuzz_settings(data: bytes) -> None:
    """Bytes as loader settings."""
    _command(data, "config.json", "show", str(SCRATCH), "--home", str(SCRATCH), "--config")


def fuzz_display(data: bytes) -> None:
    """Text on its way to a terminal."""
    from scopetrace.report.display import safe_line, safe_text

    text = data.decode("utf-8", "surrogateescape")
    for shown in (safe_line(text), safe_text(text).replace("\n", "")):
        assert shown.isprintable(), ascii(shown)


def fuzz_windows(data: bytes) -> None:
    """Paths of Windows: the way there and back is the same place."""
    from scopetrace.engine.windows import WINDOWS
    from scopetrace.workspace.windows import is_windows_path, to_posix, to_windows

    path = data.decode("utf-8", "surrogateescape")
    if is_windows_path(path):
        posix = to_posix(path)
        assert to_posix(to_windows(posix)) == posix, (path, posix)
        assert to_posix(WINDOWS.resolve(path)) == posix, (path, posix)


TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], list[bytes]]]] = {
    "log": (fuzz_log, lambda: [_log("removal"), _log("duplicate-sibling"), _log("plain-jsonl")]),
    "row": (fuzz_row, lambda: _log("removal").splitlines()),
    "scenario": (fuzz_scenario, lambda: [b'{"files":{"AGENTS.md":"x"},"ops":[{"op":"preStep"}]}', b'{"cwd":"/w"}']),
    "settings": (fuzz_settings, lambda: [b'{"maxBytes": 600, "projectRootMarkers": [".git"], "dshHome": "~/x"}']),
    "display": (fuzz_display, lambda: ["\x1b[31m\u202e\u0301\u200b".encode(), b"\xff\t\r\n"]),
    "windows": (fuzz_windows, lambda: [b"C:\\Users\\dev\\..\\x", b"\\\\server\\share\\x", b"c:/a//b/."]),
}
"""What is fed, and inputs to begin with."""


def _log(name: str) -> bytes:
    from scopetrace.sessions import Bundle
    from scopetrace.sessions.reader import open_log

    log = open_log(Bundle.open(RECORDINGS / name).main)
    header = {"type": "session", "version": 4, "id": "s", "createdAt": 1, "cwd": str(SCRATCH)}
    return b"\n".join([json.dumps(header).encode(), *map(log.raw, log)]) + b"\n"


def _command(data: bytes, name: str, command: str, *more: str) -> None:
    """Write the bytes to a file, give it to a command last, and swallow what that prints."""
    from scopetrace.cli import main

    path = SCRATCH / name
    path.write_bytes(data)
    line = [command, *more, str(path)] if more[-1:] == ("--config",) else [command, str(path), *more]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = main(line)
    assert code in (0, 1, 2), code


def run_one(name: str, seconds: int, corpus: Path) -> None:
    """Feed one target; ends the process."""
    import atheris  # type: ignore[import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["scopetrace"]):
        import scopetrace.cli.run
        import scopetrace.engine.windows
        import scopetrace.replay.anything
        import scopetrace.replay.opening
        import scopetrace.replay.played
        import scopetrace.report.display
        import scopetrace.report.text
        import scopetrace.sessions.schema  # noqa: F401
    feed, begin = TARGETS[name]
    SCRATCH.mkdir(exist_ok=True)
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(begin()):
        (corpus / f"seed-{number}").write_bytes(data)

    def test_one(data: Any) -> None:
        feed(bytes(data))

    options = [f"-max_total_time={seconds}", "-max_len=65536", "-timeout=30", f"-artifact_prefix={corpus}/finding-"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], test_one)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, default=Path(tempfile.gettempdir()) / "scopetrace-fuzz-corpus")
    given = parser.parse_args()
    try:
        import atheris  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
    except ImportError:
        print("atheris is not installed: the search guided by coverage is left out (pip install -e '.[fuzz]')")
        return 0
    if given.target != "all":
        run_one(given.target, given.seconds, given.corpus / given.target)
        return 0
    failed = []
    for name in TARGETS:
        line = [sys.executable, __file__, name, "--seconds", str(given.seconds), "--corpus", str(given.corpus)]
        if subprocess.run(line, check=False).returncode:
            failed.append(name)
    print(f"findings in: {', '.join(failed)}" if failed else "no finding")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
