"""Names that are no candidates but look as if they were meant to be: other case, near misses, other agents' files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scopetrace.engine.config import Config
from scopetrace.engine.paths import USER_GLOBAL_FILE
from scopetrace.model import Fact

from .answer import Evidence, Reason
from .codes import Code, Kind
from .inquiry import Inquiry
from .spot import home_of

_DEFAULTS = (
    *Config(1).instruction_file_candidates,
    *Config(1).local_instruction_file_candidates,
)
_OTHERS: Sequence[str] = (
    r"(^|/)\.cursorrules$",
    r"(^|/)\.cursor/rules(/|$)",
    r"(^|/)\.claude/rules(/|$)",
    r"(^|/)\.claude/(CLAUDE|AGENTS)\.md$",
    r"(^|/)\.github/copilot-instructions\.md$",
    r"(^|/)\.github/instructions(/|$)",
    r"(^|/)GEMINI\.md$",
    r"(^|/)\.gemini(/|$)",
    r"(^|/)QWEN\.md$",
    r"(^|/)\.windsurfrules$",
    r"(^|/)\.windsurf/rules(/|$)",
    r"(^|/)\.clinerules(/|$)",
    r"(^|/)\.roo(rules|/rules)",
    r"(^|/)\.junie/guidelines\.md$",
    r"(^|/)\.kiro/steering(/|$)",
    r"(^|/)AGENTS\.override\.md$",
    r"(^|/)\.codex(/|$)",
    r"(^|/)\.opencode(/|$)",
    r"(^|/)CONVENTIONS\.md$",
)
"""Paths that agents of other makers are known to read."""
ANOTHER = "another agent"
_HEARD = ("agent", "claude", "agents", "claudes")
"""Stems that, with whatever ending, are taken for a near miss."""


def other_agent(path: str) -> str | None:
    """Who reads a file of this path, if agents of other makers are known to."""
    plain = path.replace("\\", "/")
    return ANOTHER if any(re.search(pattern, plain) for pattern in _OTHERS) else None


def near_miss(name: str, names: Sequence[str]) -> tuple[Code, str] | None:
    """Why a name is nearly, but not quite, one of ``names``; and which one. ``None`` when it resembles none."""
    if name in names:
        return None
    for wanted in names:
        if name != wanted and name.casefold() == wanted.casefold():
            return Code.OTHER_CASE, wanted
    if name in _DEFAULTS and name not in names:
        return Code.NOT_CONFIGURED, names[0] if names else name
    plain = name.casefold().lstrip(".")
    stem = re.split(r"[.\-_ ]", plain)[0]
    if stem in _HEARD and (plain == stem or re.fullmatch(r"[\w .\-]*\.(md|mdx|txt|markdown|mdc|rst|local)", plain)):
        local = "local" in plain
        fitting = [wanted for wanted in names if wanted.casefold().startswith(stem[:5])] or list(names)
        return Code.SIMILAR_NAME, next((w for w in fitting if ("local" in w) == local), fitting[0]) if fitting else ""
    return None


def name_reason(inquiry: Inquiry, path: str, absolute: str) -> Reason | None:
    """Why a path that is no candidate looks like one; ``None`` for any other file."""
    run = inquiry.run
    flavour = run.env.flavour
    directory, name = flavour.dirname(absolute), flavour.basename(absolute)
    facts: dict[str, Fact] = {"name": name, "names": run.names}
    if home_of(run, directory) and name != USER_GLOBAL_FILE and (name in run.names or near_miss(name, run.names)):
        own = directory == run.homes.dsh
        facts |= {"wanted": USER_GLOBAL_FILE, "label": run.homes.dsh_label if own else run.homes.agents_label}
        code = Code.OTHER_CASE if name.casefold() == USER_GLOBAL_FILE.casefold() else Code.HOME_NAME
        return inquiry.reason(code, facts, path=path, absolute=absolute)
    agent = other_agent(absolute)
    if agent is not None:
        return inquiry.reason(Code.OTHER_AGENT, {**facts, "agent": agent}, path=path, absolute=absolute)
    found = near_miss(name, run.names)
    if found is None:
        return None
    return inquiry.reason(found[0], {**facts, "wanted": found[1]}, path=path, absolute=absolute)


def names_near(inquiry: Inquiry, directory: str) -> Iterator[tuple[str, Reason]]:
    """Absolute paths right in a directory (absolute) that look like candidates and are none, with the reason."""
    flavour = inquiry.run.env.flavour
    for entry in inquiry.fs.listdir(directory):
        if entry.name in inquiry.run.names:
            continue
        absolute = flavour.join(directory, entry.name)
        shown = _shown(inquiry, absolute)
        if entry.kind in ("file", "link"):
            reason = name_reason(inquiry, shown, absolute)
        else:
            agent = other_agent(absolute) or (other_agent(absolute + "/rules/") if entry.name[:1] == "." else None)
            held = inquiry.fs.listdir(flavour.join(absolute, "rules")) if entry.name == ".claude" else (entry,)
            facts: dict[str, Fact] = {"name": entry.name, "names": inquiry.run.names, "agent": agent}
            reason = inquiry.reason(Code.OTHER_AGENT, facts, path=shown, absolute=absolute) if agent and held else None
        if reason is not None:
            yield absolute, reason


def near_evidence(inquiry: Inquiry, absolute: str, reason: Reason) -> Evidence:
    """A near miss as evidence."""
    facts: dict[str, Fact] = {"path": reason.path, "what": reason.code}
    text = inquiry.text(absolute)
    if text is not None:
        facts["size"] = len(text.encode("utf-8", "surrogatepass"))
    return inquiry.evidence(Kind.NEAR, facts, absolute=absolute)


def _shown(inquiry: Inquiry, absolute: str) -> str:
    from .spot import display_of

    return display_of(inquiry.run, absolute)
