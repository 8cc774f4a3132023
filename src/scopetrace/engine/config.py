"""Configuration of the loader: README seed "Configuration", ``design/ENGINE.md``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

DEFAULT_MAX_SOURCE_BYTES = 1024 * 1024
DEFAULT_MAX_TOTAL_SOURCE_BYTES = 4 * 1024 * 1024
SHIPPED_MAX_BYTES = 65536

_KEYS = frozenset(
    {
        "dshHome",
        "agentsHome",
        "projectRootMarkers",
        "maxBytes",
        "maxSourceBytes",
        "maxTotalSourceBytes",
        "instructionFileCandidates",
        "localInstructionFileCandidates",
    }
)


class ConfigError(ValueError):
    """A setting is missing or has a value the loader refuses. ``key`` names it."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


@dataclass(frozen=True, slots=True)
class Config:
    """What the loader is configured with. Sizes are bytes.

    ``max_bytes`` may be fractional, non-finite or non-positive (the last two disable loading).
    ``max_total_source_bytes`` is ``None`` when the aggregate cap is off; ``total_in_identity`` tells whether the key
    was configured explicitly, which alone makes it part of the baseline identity.
    """

    max_bytes: float
    max_source_bytes: int = DEFAULT_MAX_SOURCE_BYTES
    max_total_source_bytes: int | None = DEFAULT_MAX_TOTAL_SOURCE_BYTES
    total_in_identity: bool = False
    project_root_markers: tuple[str, ...] = (".git",)
    instruction_file_candidates: tuple[str, ...] = ("AGENTS.md", "CLAUDE.md")
    local_instruction_file_candidates: tuple[str, ...] = ("AGENTS.local.md", "CLAUDE.local.md")
    dsh_home: str | None = None
    agents_home: str | None = None

    @property
    def disabled(self) -> bool:
        """Whether the render budget is non-positive or not finite: nothing is probed or loaded."""
        return self.max_bytes <= 0 or not math.isfinite(self.max_bytes)

    @classmethod
    def from_mapping(cls, raw: Mapping[str, Any], *, strict: bool = True) -> Config:
        """Build from the keys of the README seed. Raises :class:`ConfigError` naming the key.

        With ``strict``, unknown keys are refused (they are typing errors); a recorded configuration may hold more.
        """
        if "maxBytes" not in raw:
            raise ConfigError("maxBytes", "is required: the bytes one rendered block may have, e.g. 65536")
        if strict and (unknown := sorted(set(raw) - _KEYS)):
            raise ConfigError(unknown[0], f"is not a setting; known are {', '.join(sorted(_KEYS))}")
        total = raw.get("maxTotalSourceBytes", DEFAULT_MAX_TOTAL_SOURCE_BYTES)
        return cls(
            max_bytes=_number("maxBytes", raw["maxBytes"]),
            max_source_bytes=_positive("maxSourceBytes", raw.get("maxSourceBytes", DEFAULT_MAX_SOURCE_BYTES)),
            max_total_source_bytes=None if total is None else _positive("maxTotalSourceBytes", total),
            total_in_identity="maxTotalSourceBytes" in raw and total is not None,
            project_root_markers=_names("projectRootMarkers", raw.get("projectRootMarkers", [".git"])),
            instruction_file_candidates=_names(
                "instructionFileCandidates", raw.get("instructionFileCandidates", ["AGENTS.md", "CLAUDE.md"])
            ),
            local_instruction_file_candidates=_names(
                "localInstructionFileCandidates",
                raw.get("localInstructionFileCandidates", ["AGENTS.local.md", "CLAUDE.local.md"]),
            ),
            dsh_home=_text("dshHome", raw.get("dshHome")),
            agents_home=_text("agentsHome", raw.get("agentsHome")),
        )

    @classmethod
    def from_identity(cls, identity: str) -> Config:
        """Recover the configuration from a recorded ``baselineIdentity``.

        The aggregate cap is off unless the identity names it (``design/ENGINE.md``). Raises :class:`ConfigError`.
        """
        try:
            raw = json.loads(identity)
        except ValueError as error:
            raise ConfigError("baselineIdentity", f"is not JSON: {error}") from None
        if not isinstance(raw, dict):
            raise ConfigError("baselineIdentity", "is not a JSON object")
        config = cls.from_mapping(raw, strict=False)
        if "maxTotalSourceBytes" not in raw:
            config = replace(config, max_total_source_bytes=None)
        return config

    def as_mapping(self) -> dict[str, Any]:
        """The configuration under its own keys."""
        row: dict[str, Any] = {
            "projectRootMarkers": list(self.project_root_markers),
            "maxBytes": self.max_bytes,
            "maxSourceBytes": self.max_source_bytes,
            "maxTotalSourceBytes": self.max_total_source_bytes,
            "instructionFileCandidates": list(self.instruction_file_candidates),
            "localInstructionFileCandidates": list(self.local_instruction_file_candidates),
        }
        if self.dsh_home is not None:
            row["dshHome"] = self.dsh_home
        if self.agents_home is not None:
            row["agentsHome"] = self.agents_home
        return row


def _number(key: str, value: Any) -> float:
    if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
        return float(value.replace("Infinity", "inf"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(key, f"must be a number of bytes, not {value!r}")
    return value


def _positive(key: str, value: Any) -> int:
    if isinstance(value, float) and value.is_integer() and value > 0:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ConfigError(key, f"must be a positive whole number of bytes, not {value!r}")
    return value


def _names(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise ConfigError(key, f"must be a list of names, not {value!r}")
    return tuple(value)


def _text(key: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ConfigError(key, f"must be a path, not {value!r}")
    return value
