"""Recovering under which configuration a session ran.

Source: ``formats/session-log.md`` section 7 (``baselineIdentity``), ``design/REPLAY.md`` point 4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from scopetrace.engine.config import SHIPPED_MAX_BYTES, Config, ConfigError
from scopetrace.sessions import RunConfig

from .runs import RunPlan


def config_of_run(run: RunConfig) -> Config:
    """A bundle's recorded configuration."""
    raw: dict[str, object] = {
        "maxBytes": run.max_bytes,
        "maxSourceBytes": run.max_source_bytes,
        "maxTotalSourceBytes": run.max_total_source_bytes,
        "projectRootMarkers": run.markers,
        "instructionFileCandidates": run.candidates,
        "localInstructionFileCandidates": run.local_candidates,
    }
    given = {key: value for key, value in raw.items() if value is not None}
    config = Config.from_mapping(given, strict=False)
    return config if run.max_total_source_bytes is not None else replace(config, max_total_source_bytes=None)


def root_of_identity(identity: str) -> str:
    """The project root that a ``baselineIdentity`` names, relative to the working directory; empty for the same."""
    try:
        raw = json.loads(identity)
    except ValueError:
        return ""
    root = raw.get("projectRoot") if isinstance(raw, dict) else None
    return root if isinstance(root, str) else ""


def markers_of_identity(identity: str) -> tuple[str, ...]:
    """The project root markers that a ``baselineIdentity`` names; none when it cannot be read."""
    try:
        return Config.from_identity(identity).project_root_markers
    except ConfigError:
        return ()


def recover_configs(
    identities: Iterable[tuple[int, str]], plan: RunPlan, manifest: Sequence[Config | None]
) -> tuple[tuple[Config, ...], str]:
    """One configuration a run, and in words where they come from.

    ``identities`` are the recorded ``baselineIdentity`` texts with their rows, in order. A run's first one names it;
    then the bundle's manifest (``manifest``, one entry a run as far as known); then the run before; then the shipped
    agents' 64 KiB.
    """
    found: dict[int, Config] = {}
    for index, identity in identities:
        run = plan.run_of(index)
        if run in found:
            continue
        try:
            found[run] = Config.from_identity(identity)
        except ConfigError:
            continue
    configs: list[Config] = []
    origin = ""
    for run in range(len(plan.starts) + 1):
        listed = manifest[run] if run < len(manifest) else None
        if run in found:
            configs.append(found[run])
            origin = origin or "recovered from the log's baselineIdentity"
        elif listed is not None:
            configs.append(listed)
            origin = origin or "from the bundle's manifest"
        elif configs:
            configs.append(configs[-1])
        else:
            later = next((found[other] for other in sorted(found)), None)
            configs.append(later or Config(SHIPPED_MAX_BYTES))
            origin = origin or (
                "recovered from the log's baselineIdentity" if later else "defaults: the log holds no baselineIdentity"
            )
    return tuple(configs), origin
