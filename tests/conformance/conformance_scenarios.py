"""Checks ``scenarios-*`` vectors (FORMAT.md 1): every observation of every operation, ``stats`` aside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformance_vectors import Mismatch, compare

# What a field means where an observation leaves it out. Probes may be fewer than the vectors count.
FIELDS: dict[str, Any] = {
    "error": False,
    "decision": None,
    "entered": None,
    "new": [],
    "inbox": None,
    "surface": None,
    "reads": None,
    "warnings": 0,
}


def check_scenario(row: dict[str, Any], profile_name: str) -> None:
    from scopetrace.replay.scenario import run_scenario

    check_observations(row, run_scenario(row, profile_name))


def check_observations(row: Mapping[str, Any], observed: list[dict[str, Any]]) -> None:
    """Compare what was observed after each operation; the first operation that differs is shown."""
    for number, (op, expected, got) in enumerate(zip(row["ops"], row["expect"], observed, strict=False)):
        where = f"{row.get('name') or 'op'} {number}: {json.dumps(op, ensure_ascii=False)}"
        compare(_fields(expected), _fields(got), where)
    if len(observed) != len(row["expect"]):
        raise Mismatch(f"{len(observed)} observations of {len(row['expect'])} operations")


def _fields(observation: Mapping[str, Any]) -> dict[str, Any]:
    return {key: observation.get(key, absent) for key, absent in FIELDS.items()}
