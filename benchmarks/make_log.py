"""Writes session logs of any length: format 4, seeded, plain or zstd by the name's ending, in constant memory.

``python benchmarks/make_log.py session.v4.jsonl.zstd --events 1000000 --seed 1``. Kinds of rows, their order and their
sizes follow recorded sessions (613 bytes a row on average); a zstd log is written in frames of up to 48 rows, as a
runtime that flushes five times a second does.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from hashlib import sha1
from itertools import islice
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

WORDS = [
    "keep",
    "read",
    "the",
    "file",
    "naïve",
    "write",
    "test",
    "step",
    "rule",
    "name",
    "budget",
    "scope",
    "digest",
    "日本",
    "return",
    "value",
    "list",
    "of",
    "paths",
    "before",
    "each",
    "change",
    "and",
    "after",
    "it;",
    "never",
    "guess,",
    "ask:",
    "why",
    "did",
    "this",
    "load?",
    "error",
    "handling",
    "stays",
    '"quoted"',
    "in",
    "C:\\tmp",
]
START_MS = 1_796_079_396_934
COMPACT_EVERY = 20_000
"""Rows between two compactions."""


class LogWriter:
    """The rows of one session, one after the other. ``places`` is how many directories its tools read in."""

    def __init__(self, seed: int, places: int = 200) -> None:
        self._random = random.Random(seed)
        self._places = places
        self._seq = 0
        self._time = START_MS
        self._turn = 0
        self._visible: list[int] = []
        self._next_compaction = COMPACT_EVERY
        # One long text, cut differently each time: words cost more than the rows they fill.
        self._text = " ".join(self._random.choices(WORDS, k=20_000))
        self._lines = "\n".join(
            " ".join(self._random.choices(WORDS, k=self._random.randint(2, 12))) for _ in range(4000)
        )

    def header(self) -> str:
        """The first line."""
        return _dump(
            {
                "type": "session",
                "version": 4,
                "id": "generated",
                "createdAt": START_MS,
                "cwd": "/w",
                "isSeeded": False,
                "delegationDepth": 0,
            }
        )

    def rows(self) -> Iterator[str]:
        """Rows without end, each without its line end."""
        yield self._row("permission/preset", {"preset": "workspace-write"})
        yield self._row("sandbox/mode", {"mode": "workspace-write"})
        yield self._row("approval/policy", {"policy": "ask"})
        while True:
            yield from self._one_turn()

    def _row(self, kind: str, data: dict[str, Any], surface: Any = None, cites: list[int] | None = None) -> str:
        seq = self._seq
        self._seq += 1
        self._time += self._random.randint(0, 900)
        row: dict[str, Any] = {"type": kind, "seq": seq, "time": self._time, "data": data}
        if cites is not None:
            row["sourceEventSeqs"] = cites
        if surface is not None:
            row["surfaceOp"] = surface
            if surface == "append":
                self._visible.append(seq)
        return _dump(row)

    def _some(self, source: str, mean: int) -> str:
        """Text of ``mean`` characters, give or take: most are short, a few are long."""
        size = min(int(self._random.expovariate(1 / mean)) + 8, mean * 12)
        start = self._random.randrange(max(1, len(source) - size))
        return source[start : start + size]

    def _id(self) -> str:
        bits = f"{self._random.getrandbits(128):032x}"
        return f"{bits[:8]}-{bits[8:12]}-{bits[12:16]}-{bits[16:20]}-{bits[20:]}"

    def _one_turn(self) -> Iterator[str]:
        self._turn += 1
        prompt = self._message(self._some(self._text, 300), {"kind": "user"})
        yield self._row("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [prompt]})
        yield self._row("turn/start", {"turn": self._turn})
        if self._seq >= self._next_compaction and len(self._visible) > 8:
            self._next_compaction += COMPACT_EVERY
            yield from self._compaction()
        yield self._row("agent/inbox/spliced", {"target": "next-turn", "start": 0, "removedCount": 1, "inserted": []})
        for step in range(1, self._random.randint(2, 6)):
            yield from self._one_step(step, prompt)
        yield self._row("turn/end", {"turn": self._turn, "reason": {"kind": "completed"}})

    def _one_step(self, step: int, prompt: dict[str, Any]) -> Iterator[str]:
        place = {"turn": self._turn, "step": step}
        yield self._row("step/start", dict(place))
        if self._turn == 1 and step == 1:
            text = [{"type": "text", "text": "System prompt left out."}]
            source = {"kind": "system-prompt"}
            message = {"role": "system", "content": text, "source": source, "id": self._id()}
            yield self._row("system/message", {**place, "message": message}, "append")
        if step == 1:
            yield self._row("user/message", prompt, "append")
            if self._turn == 1:
                yield self._row("user/message", self._instructions(), "append")
            if self._random.random() < 0.6:
                context = self._message(self._some(self._text, 2500), {"kind": "runtime-context"})
                yield self._row("user/message", context, "append")
            config = {"provider": "p", "model": "m", "maxTokens": 256000}
            yield self._row("request/header", {"header": {"config": config, "tools": []}, "reason": "resume"})
            yield self._row("request/context", {"provider": "p", "model": "m", "contextWindow": 1000000})
        elif self._random.random() < 0.25:
            context = self._message(self._some(self._text, 900), {"kind": "runtime-context"})
            splice = {"target": "next-step", "start": 0, "inserted": [context]}
            yield self._row("agent/inbox/spliced", splice)
            yield self._row(
                "agent/inbox/spliced",
                {"target": "next-step", "start": 0, "removedCount": 1, "inserted": [], "outcome": "canceled"},
            )
            yield self._row("user/message", context, "append")
        calls = self._random.choice((0, 1, 1, 1, 2))
        yield self._assistant(place, calls)
        for _ in range(calls):
            yield from self._tool(place)
        accepted = {"sessionId": "generated", "sessionFormatVersion": 4, "throughSeq": self._seq - 1}
        yield self._row("session-log-deepseek/delivery-accepted", accepted)
        yield self._row("step/end", dict(place))

    def _assistant(self, place: dict[str, Any], calls: int) -> str:
        text = self._some(self._text, 250)
        stream = [
            {"type": "chunk", "time": self._time, "chunk": {"type": "block-start", "index": 0, "blockType": "text"}},
            {
                "type": "text-chunks",
                "time0": self._time,
                "index": 0,
                "dt": [self._random.randint(0, 60) for _ in range(len(text) // 16)],
                "texts": [text[at : at + 16] for at in range(0, len(text), 16)],
            },
            {"type": "chunk", "time": self._time, "chunk": {"type": "block-end", "index": 0}},
        ]
        block: list[dict[str, Any]] = [{"type": "text", "text": text}]
        block.extend(
            {"type": "tool-call", "id": f"c{number}", "name": "read", "arguments": "{}"} for number in range(calls)
        )
        source = {"kind": "model", "provider": "p", "model": "m", "replayState": {"blocks": [{"type": "text"}]}}
        message = {"role": "assistant", "content": block, "source": source, "id": self._id()}
        usage = {"inputTokens": 1200, "outputTokens": 40, "cacheReadTokens": 0, "totalTokens": 1240}
        return self._row("assistant/message", {**place, "message": message, "usage": usage, "stream": stream}, "append")

    def _tool(self, place: dict[str, Any]) -> Iterator[str]:
        call_id, number = f"toolu_{self._seq}", self._random.randrange(self._places)
        path = f"p{number % 20}/d{number // 20}/f{self._random.randrange(50)}.py"
        name = self._random.choice(("read", "read", "edit", "bash", "grep"))
        arguments = {"file_path": path} if name in ("read", "edit") else {"command": f"cat {path}"}
        called = self._seq
        yield self._row("tool/call", {**place, "callId": call_id, "name": name, "arguments": json.dumps(arguments)})
        text = self._some(self._lines, 900)
        listed = [{"number": at, "text": line} for at, line in enumerate(text.split("\n"), 1)] if name == "read" else []
        message = {
            "role": "tool",
            "source": {"kind": "tool", "callId": call_id},
            "toolCallId": call_id,
            "content": [{"type": "text", "text": text}],
            "isError": self._random.random() < 0.05,
            "id": self._id(),
        }
        data = {**place, "message": message, "meta": {"path": f"/w/{path}", "offset": 1, "lines": listed}}
        yield self._row("tool/result", data, "append", [called])

    def _compaction(self) -> Iterator[str]:
        gone = self._visible[1:-3]
        text = self._some(self._text, 2000)
        first, last = gone[0], gone[-1]
        yield self._row("compaction/start", {"compactionId": "c", "turn": self._turn})
        summary = {
            "compactionId": "c",
            "summary": [{"type": "text", "text": text}],
            "shadowedRange": {"start": first, "end": last},
            "shadowedSeqs": gone,
        }
        yield self._row("compaction/summary", summary)
        seq = self._seq
        checkpoint = self._message(text, {"kind": "compact-checkpoint"})
        operation = {"op": "replace", "startSeq": first, "endSeq": last}
        yield self._row("user/message", checkpoint, operation, gone)
        self._visible[1:-3] = [seq]
        yield self._row("compaction/end", {"compactionId": "c", "turn": self._turn})

    def _message(self, text: str, source: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": text}], "source": source, "role": "user", "id": self._id()}

    def _instructions(self) -> dict[str, Any]:
        text = "Keep it short.\n"
        shown = f"<system-reminder>\nInstructions from: AGENTS.md\n\n{text}\n</system-reminder>"
        scope, digest = ".\0AGENTS.md", sha1(text.encode()).hexdigest()
        change = {"action": "set", "scope": scope, "path": "AGENTS.md", "digest": digest}
        return self._message(shown, {"kind": "agent-instructions", "form": "instructions", "changes": [change]})


def _dump(value: dict[str, Any]) -> str:
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def write_log(path: Path, events: int, seed: int = 1) -> int:
    """Write a log of ``events`` rows to ``path`` (zstd when the name ends so); its unpacked bytes are returned."""
    writer = LogWriter(seed)
    sizes = random.Random(seed)
    rows = islice(writer.rows(), events)
    packed = path.name.endswith(".zstd")
    options = {zstd.CompressionParameter.checksum_flag: 1, zstd.CompressionParameter.compression_level: 3}
    total = 0
    with path.open("wb") as file:
        batch = [writer.header()]
        while batch:
            data = ("\n".join(batch) + "\n").encode()
            total += len(data)
            file.write(zstd.compress(data, options=options) if packed else data)
            batch = list(islice(rows, sizes.randint(1, 48)))
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total = write_log(options.path, options.events, options.seed)
    print(f"{options.path}: {options.events} events, {total} bytes unpacked, {options.path.stat().st_size} on disk")
    return 0


if __name__ == "__main__":
    sys.exit(main())
