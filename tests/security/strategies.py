"""Made-up trees, settings and session logs; the logs are valid ones with a few values exchanged."""

from __future__ import annotations

import json
import os
import random
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from hostile import CORPUS
from hypothesis import strategies as st
from windows_recording import RECORDINGS

from scopetrace.sessions import Bundle
from scopetrace.sessions.reader import open_log

NAMES = st.sampled_from(
    [
        "AGENTS.md",
        "CLAUDE.md",
        "AGENTS.local.md",
        "CLAUDE.local.md",
        "agents.md",
        ".git",
        "a",
        "b",
        "user-global",
        "..x",
    ]
) | st.sampled_from([text.replace("/", "_").replace("\0", "_")[:40] for text in CORPUS.values()])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
TEXTS = st.sampled_from(["", "# a\n", "# b\n", "x" * 5000, "\ufeff# bom\n", "a\0b", *CORPUS.values()]) | st.text()
CONTENTS = TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=200)


@dataclass(frozen=True)
class Tree:
    """What to make below a directory: contents of files, targets of links, directories, FIFOs."""

    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    directories: tuple[str, ...] = ()
    fifos: tuple[str, ...] = ()

    def make(self, top: Path) -> None:
        """Make it, as far as the disk allows: names that cannot be, or are taken, are left out."""
        for path in self.directories:
            _try(lambda path=path: os.makedirs(top / path))
        for path, data in self.files.items():
            _try(lambda path=path: os.makedirs((top / path).parent, exist_ok=True))
            _try(lambda path=path, data=data: (top / path).write_bytes(data))
        for path, target in self.links.items():
            _try(lambda path=path, target=target: os.symlink(target, top / path))
        for path in self.fifos:
            _try(lambda path=path: os.mkfifo(top / path))


def _try(deed: Any) -> None:
    with suppress(OSError, ValueError):
        deed()


trees = st.builds(
    Tree,
    files=st.dictionaries(PATHS, CONTENTS, max_size=6),
    links=st.dictionaries(PATHS, PATHS | st.sampled_from([".", "..", "/", "/dev/zero", "../..", "loop"]), max_size=3),
    directories=st.lists(PATHS, max_size=3).map(tuple),
    fifos=st.lists(PATHS, max_size=2).map(tuple),
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
sizes = st.sampled_from([0, 1, 17, 300, 600, 65536, 2**53, 1.5, -1, True])
names = st.lists(NAMES | st.sampled_from(["", ".", "..", "a/b", "c\\d"]), max_size=4)
configs = st.fixed_dictionaries(
    {"maxBytes": sizes},
    optional={
        "maxSourceBytes": sizes,
        "maxTotalSourceBytes": sizes | st.none(),
        "projectRootMarkers": names,
        "instructionFileCandidates": names,
        "localInstructionFileCandidates": names,
        "dshHome": TEXTS,
        "agentsHome": TEXTS,
    },
) | st.dictionaries(st.sampled_from(["maxBytes", "maxSourceBytes", "x"]), json_values, max_size=3)

seeds = st.integers(min_value=0, max_value=2**32)
SESSIONS = (
    "removal",
    "duplicate-sibling",
    "error-results",
    "compaction",
    "budget-tiny",
    "subagent-fork",
    "ptc-run-code",
)
_STRANGE: tuple[Any, ...] = (None, True, False, 0, -1, 2**63, 1.5, "", "x", [], {}, [[]], {"a": {}}, *CORPUS.values())


@lru_cache
def rows_of(name: str) -> tuple[dict[str, Any], ...]:
    """Header and rows of a recorded session."""
    log = open_log(Bundle.open(RECORDINGS / name).main)
    made = log.header
    header = {
        "type": "session", "version": made.version, "id": made.id, "createdAt": made.created_at, "cwd": made.cwd,
    }  # fmt: skip
    return (header, *(json.loads(log.raw(item)) for item in log))


def mutated_log(target: Path, name: str, seed: int) -> Path:
    """A recorded session with some values exchanged, taken away, or whole rows doubled, dropped and swapped."""
    chance = random.Random(seed)
    rows = [json.loads(json.dumps(row)) for row in rows_of(name)]
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(rows))
        deed = chance.randrange(6)
        if deed == 0 and len(rows) > 2:
            del rows[at]
        elif deed == 1:
            rows.insert(at, rows[at])
        elif deed == 2:
            other = chance.randrange(len(rows))
            rows[at], rows[other] = rows[other], rows[at]
        else:
            _mutate(rows[at], chance)
    target.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return target


def _mutate(value: Any, chance: random.Random) -> None:
    """Exchange or take away one value somewhere inside."""
    while isinstance(value, dict | list) and value:
        key: Any = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
            value = inner
            continue
        if chance.random() < 0.2:
            del value[key]
        else:
            value[key] = chance.choice(_STRANGE)
        return
