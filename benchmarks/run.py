"""``make bench``: every target of the product measured in one run on this machine, as a table and as JSON.

``--only PART`` runs one part; ``--events N`` sets the size of the generated log (default 1,000,000).
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from measure import Result

OUT = Path(__file__).parent / "out"


def parts(events: int) -> dict[str, Callable[[], Iterator[Result]]]:
    """All parts by name, imported when they run."""

    def engine() -> Iterator[Result]:
        import bench_engine

        yield from bench_engine.rendering()
        yield from bench_engine.touching()

    def start() -> Iterator[Result]:
        import bench_start

        yield from bench_start.starting()

    def seek() -> Iterator[Result]:
        import bench_seek

        yield from bench_seek.seeking()

    def logs() -> Iterator[Result]:
        import bench_index

        yield from bench_index.indexing(events)

    def opened() -> Iterator[Result]:
        import bench_open

        yield from bench_open.opening(events)

    return {"engine": engine, "start": start, "seek": seek, "open": opened, "logs": logs}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=["engine", "start", "seek", "open", "logs"])
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--growth", action="store_true", help="print how cost grows with the log instead")
    options = parser.parse_args()
    if options.growth:
        import bench_open

        for line in bench_open.growing():
            print(line, flush=True)
        return 0
    results: list[Result] = []
    print(f"{'target':<46} {'measured':>15} {'target':>7}")
    for name, part in parts(options.events).items():
        if options.only and name not in options.only:
            continue
        for result in part():
            results.append(result)
            print(result.line(), flush=True)
    OUT.mkdir(exist_ok=True)
    document = {
        "schema": "scopetrace/bench/1",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "results": [result.as_json() for result in results],
    }
    (OUT / "bench.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    short = sum(not result.ok for result in results)
    print(f"\n{len(results) - short} ok, {short} fall short; written to benchmarks/out/bench.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
