"""The renderer against one SHA-1 pass over its input, and two thousand touches against the original loader."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from measure import Result, best
from scopetrace.engine.render import render_baseline
from scopetrace.model import InstructionFile
from scopetrace.replay.scenario import PROFILES, ScenarioHost

ORIGINAL_REPLAY_SECONDS = 42.2
"""What the original took for the same scenario on the same kind of machine (Node 20, two cores)."""
CASES = (
    ("render 64 x 8 KiB under 32 KiB", 64, 8192, 32768),
    ("render 2000 x 2 KiB under 64 KiB", 2000, 2048, 65536),
)


def chain(count: int, size: int) -> list[InstructionFile]:
    """A chain of files of words, seeded."""
    words = random.Random(count)
    files: list[InstructionFile] = []
    for number in range(count):
        text = " ".join(words.choice(("keep", "test", "name", "naïve", "rule")) for _ in range(size // 5))[: size - 2]
        files.append(InstructionFile(f"/w/{number}/AGENTS.md", f"d{number}/AGENTS.md", f"{text}\n"))
    return files


def rendering() -> Iterator[Result]:
    """Both render targets."""
    for name, count, size, budget in CASES:
        files = chain(count, size)
        encoded = [file.content.encode() for file in files]
        floor = best(lambda data=encoded: [hashlib.sha1(one).digest() for one in data])  # type: ignore[misc]
        taken = best(
            lambda these=files, limit=budget: render_baseline(  # type: ignore[misc]
                these, limit, shared_root=True, per_chain=False
            )
        )
        yield Result(name, taken / floor, 5, "x", f"{taken * 1e3:.2f} ms, SHA-1 {floor * 1e3:.2f} ms")


def touching_scenario(touches: int, directories: int) -> dict[str, object]:
    """A session that touches ``directories`` nested directories in turn, ``touches`` times, a step every 20."""
    width = max(1, round(directories**0.5))
    places = [f"s{number % width}/t{number // width}" for number in range(directories)]
    files: dict[str, object] = {"/w/.git": {"dir": True}, "/w/AGENTS.md": {"text": "root rule"}}
    files |= {f"/w/{place}/AGENTS.md": {"text": f"rule of {place}\n"} for place in places}
    ops: list[dict[str, object]] = [{"op": "preStep", "step": 1, "messages": [{"id": "u", "text": "go"}]}]
    for number in range(touches):
        place = places[number * 7 % directories]
        ops.append({"op": "tool", "name": "read", "file_path": f"{place}/f{number}.txt"})
        if number % 20 == 19:
            ops.append({"op": "preStep", "step": 2, "messages": []})
    return {"home": "/h", "cwd": "/w", "config": {"maxBytes": 65536}, "files": files, "ops": ops}


def play(row: dict[str, object]) -> tuple[int, int, int]:
    """Messages, probes and reads of a scenario."""
    host = ScenarioHost(row, PROFILES["0.2"])
    messages = probes = reads = 0
    for op in row["ops"]:  # type: ignore[attr-defined]
        seen = host.perform(op)
        messages += len(seen.get("new", ()))
        probes += seen["stats"]
        reads += len(seen["reads"])
    return messages, probes, reads


def touching() -> Iterator[Result]:
    """Two thousand touches over five hundred directories, and how the cost of a touch grows."""
    row = touching_scenario(2000, 500)
    taken = best(lambda: play(row), 3)
    messages, probes, reads = play(row)
    yield Result(
        "replay 2000 touches over 500 directories",
        ORIGINAL_REPLAY_SECONDS / taken,
        40,
        "x",
        f"{taken:.2f} s, {messages} messages, {probes} probes, {reads} reads",
        at_least=True,
    )
    small, large = touching_scenario(1000, 100), touching_scenario(1000, 1000)
    growth = best(lambda: play(large), 3) / best(lambda: play(small), 3)
    yield Result("cost of a touch, 1000 against 100 directories", growth, 6, "x", "10 x as many new files to announce")
