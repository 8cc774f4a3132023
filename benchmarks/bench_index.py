"""The index of a large log against a bare loop that decodes every line of the same file; its memory; random access."""

from __future__ import annotations

import argparse
import io
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from make_log import write_log
from measure import Result, percentile
from scopetrace.sessions import LogIndex

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

REPEAT = 3
_MEMORY = """
import resource, sys
from scopetrace.sessions import LogIndex
index = LogIndex(sys.argv[1])
index.advance()
unit = 1 if sys.platform == "darwin" else 1024
print(len(index), index.memory, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


def bare_loop(path: Path) -> int:
    """Decode every line with the fastest decoder at hand, and do nothing with it."""
    decode = msgspec.json.Decoder().decode
    count = 0
    raw = zstd.ZstdFile(path) if path.name.endswith(".zstd") else path.open("rb", buffering=0)
    with io.BufferedReader(raw, 1 << 17) as file:  # type: ignore[arg-type]
        for line in file:
            decode(line)
            count += 1
    return count


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def indexing(events: int) -> Iterator[Result]:
    """Time, memory and random access for a plain and a zstd log of so many events."""
    with tempfile.TemporaryDirectory() as place:
        for kind, suffix in (("plain", ""), ("zstd", ".zstd")):
            path = Path(place) / f"session.v4.jsonl{suffix}"
            size = write_log(path, events)
            # Taken in turn, so that a busy machine disturbs both alike; the least disturbed run of each counts.
            pairs = [(_seconds(partial(bare_loop, path)), _seconds(LogIndex(path).advance)) for _ in range(REPEAT)]
            bare, taken = (min(times) for times in zip(*pairs, strict=True))
            detail = f"{taken:.2f} s, bare loop {bare:.2f} s, {size / 1e6:.0f} MB of text"
            yield Result(f"index {events} events, {kind}", taken / bare, 1.2, "x", detail)
            shown = subprocess.run(
                [sys.executable, "-c", _MEMORY, str(path)], check=True, capture_output=True, text=True
            ).stdout
            rows, kept, peak = map(int, shown.split())
            detail = f"{kept / rows:.0f} bytes kept a row"
            yield Result(f"peak memory of that, {kind}", peak / 1e6, 300, "MB", detail)
            yield _random_access(path, kind)
            path.unlink()


def _random_access(path: Path, kind: str) -> Result:
    index = LogIndex(path)
    index.advance()
    words = random.Random(1)
    times = [_seconds(lambda: index.event(words.randrange(len(index)))) * 1e3 for _ in range(2000)]
    detail = f"median {percentile(times, 0.5):.3f} ms"
    return Result(f"any event of that again, {kind}, p95", percentile(times, 0.95), 16, "ms", detail)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, help="write the results here too")
    options = parser.parse_args()
    results: list[Result] = []
    for result in indexing(options.events):
        results.append(result)
        print(result.line(), flush=True)
    if options.json is not None:
        document = {"python": platform.python_version(), "results": [result.as_json() for result in results]}
        options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
