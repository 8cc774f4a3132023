"""The what-if form: its fields, what they hold now, and what is typed as a variation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scopetrace.engine.config import Config, ConfigError
from scopetrace.engine.profile import PROFILES
from scopetrace.model.sizes import exact_bytes
from scopetrace.replay.replayed import RulesView
from scopetrace.replay.whatif import Variation, varied
from scopetrace.workspace.overlay import Edit

_NUMBER = re.compile(r"(?P<number>[+-]?\d[\d_ ]*(?:\.\d+)?)\s*(?P<unit>[kKmM]?)(?:i?[bB])?")
_FACTORS = {"": 1, "k": 1024, "m": 1024 * 1024}
DSH_HOME, AGENTS_HOME = "DSH_HOME", "DSH_AGENTS_HOME"
NAMES = ("instructionFileCandidates", "localInstructionFileCandidates", "projectRootMarkers")
OFF = ("off", "none", "null")


@dataclass(frozen=True, slots=True)
class Field:
    """A row of the form. ``key`` is the setting's name where it is one; ``hint`` says what may be typed."""

    key: str
    label: str
    hint: str


FIELDS = (
    Field("maxBytes", "budget", "bytes of a rendered block, as 65536 or 64 KiB; 0 loads nothing"),
    Field("instructionFileCandidates", "candidates", "file names with commas between, in this order"),
    Field("localInstructionFileCandidates", "overlays", "names of local overlays with commas between; empty: none"),
    Field("projectRootMarkers", "root markers", "names that mark the project root, with commas between"),
    Field("maxSourceBytes", "source cap", "largest file that is read, in bytes"),
    Field("maxTotalSourceBytes", "total cap", "bytes that one baseline or batch may read; off: no cap"),
    Field("profile", "rules", f"{', '.join(list(PROFILES)[:-1])} or {list(PROFILES)[-1]}"),
    Field("home", "home", "home directory, whose .dsh and .agents are read"),
    Field("dshHome", "dsh home", "harness home; empty: .dsh in the home directory"),
    Field("agentsHome", "agents home", "shared agents home; empty: .agents in the home directory"),
    Field("touch", "touch here", "a touch right after this event: read, write or edit, then a path"),
)


def initial(rules: RulesView, run: int) -> dict[str, str]:
    """What each field holds at a run of the session."""
    config, environ = rules.config(run), rules.environ
    total = config.max_total_source_bytes
    return {
        "maxBytes": str(config.max_bytes if (whole := int_or_none(config.max_bytes)) is None else whole),
        "instructionFileCandidates": ", ".join(config.instruction_file_candidates),
        "localInstructionFileCandidates": ", ".join(config.local_instruction_file_candidates),
        "projectRootMarkers": ", ".join(config.project_root_markers),
        "maxSourceBytes": str(config.max_source_bytes),
        "maxTotalSourceBytes": "off" if total is None else str(total),
        "profile": rules.profile.name,
        "home": rules.home,
        "dshHome": config.dsh_home if config.dsh_home is not None else environ.get(DSH_HOME, ""),
        "agentsHome": config.agents_home if config.agents_home is not None else environ.get(AGENTS_HOME, ""),
        "touch": "",
    }


def int_or_none(value: float) -> int | None:
    """The whole number that a float is, if it is one."""
    return int(value) if value == value and abs(value) != float("inf") and value == int(value) else None


def variation(
    values: Mapping[str, str], before: Mapping[str, str], config: Config, index: int, edits: Sequence[Edit]
) -> tuple[Variation, dict[str, str]]:
    """What the form says, and what is wrong with it by field. A field that holds what it held changes nothing.

    ``index`` is the row that a touch comes after, ``config`` the configuration whose settings are changed.
    """
    changed = {key: text.strip() for key, text in values.items() if text.strip() != before[key].strip()}
    wrong: dict[str, str] = {}
    settings: list[tuple[str, Any]] = []
    environ: list[tuple[str, str | None]] = []
    for key in ("maxBytes", "maxSourceBytes", "maxTotalSourceBytes"):
        if key in changed:
            if key == "maxTotalSourceBytes" and changed[key].lower() in OFF:
                settings.append((key, None))
                continue
            number = parse_bytes(changed[key])
            if number is None:
                wrong[key] = f"“{changed[key]}” is no number of bytes; write e.g. 65536 or 64 KiB"
            else:
                settings.append((key, number))
    settings.extend((key, parse_names(changed[key])) for key in NAMES if key in changed)
    for key, name, configured in (
        ("dshHome", DSH_HOME, config.dsh_home),
        ("agentsHome", AGENTS_HOME, config.agents_home),
    ):
        if key in changed:
            if configured is not None and changed[key]:
                settings.append((key, changed[key]))
            else:
                environ.append((name, changed[key] or None))
    profile = changed.get("profile")
    if profile is not None and profile not in PROFILES:
        wrong["profile"] = f"no rules “{profile}”; known are {', '.join(PROFILES)}"
        profile = None
    home = changed.get("home")
    if home is not None and not home:
        wrong["home"] = "name a directory, e.g. /home/ana"
    touches: tuple[tuple[int, str, str], ...] = ()
    if "touch" in changed:
        touch = parse_touch(changed["touch"])
        if touch is None:
            wrong["touch"] = "name a path, too, e.g. read packages/app/x.py"
        else:
            touches = ((index, *touch),)
    found = Variation(tuple(settings), profile, touches, tuple(edits), tuple(environ), home or None)
    if not wrong:
        try:
            varied(config, found)
        except ConfigError as error:
            wrong[error.key] = str(error).removeprefix(f"{error.key}: ")
    return found, wrong


TOOLS = ("read", "write", "edit")


def parse_touch(text: str) -> tuple[str, str] | None:
    """``write app/x.py`` as tool and path; without a tool it is ``read``. ``None`` when no path is named."""
    text = text.strip()
    tool, _, path = text.partition(" ")
    if tool in TOOLS:
        return (tool, path.strip()) if path.strip() else None
    return ("read", text) if text else None


def parse_names(text: str) -> list[str]:
    """Names with commas between."""
    return [name.strip() for name in text.split(",") if name.strip()]


def parse_bytes(text: str) -> float | None:
    """``65536``, ``65 536``, ``64 KiB``, ``1.5M`` as bytes; ``None`` when it is no number."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    number = float(re.sub(r"[_ ]", "", match["number"])) * _FACTORS[match["unit"].lower()]
    whole = int_or_none(number)
    return number if whole is None else whole


def was(key: str, before: Mapping[str, str]) -> str:
    """What a field held, in words."""
    text = before[key].strip()
    if key in ("maxBytes", "maxSourceBytes", "maxTotalSourceBytes"):
        number = parse_bytes(text)
        return exact_bytes(number) if number is not None else text
    return text or "nothing"
