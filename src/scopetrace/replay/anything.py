"""Opening whatever a user names: a bundle, a log, a scenario, an instruction case, or a plain directory."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from scopetrace.engine.config import Config

if TYPE_CHECKING:
    from .replayed import Replayed
    from .steps import StepTimeline

Kind = Literal["bundle", "log", "scenario", "case", "workspace"]
_HEAD = 1 << 16
_ZSTD = b"\x28\xb5\x2f\xfd"


def kind_of(path: str | os.PathLike[str]) -> Kind:
    """What a path names, by a short look at it. What cannot be looked at counts as a log: opening it says why."""
    name = os.fspath(path)
    if os.path.isdir(name):
        if os.path.isfile(os.path.join(name, "recording.json")):
            return "bundle"
        return "log" if _holds_log(name) else "workspace"
    suffixes = name.removesuffix(".gz")
    if not os.path.isfile(name) or not suffixes.endswith((".json", ".jsonl")):
        return "log"
    try:
        opener = gzip.open if name.endswith(".gz") else open
        with opener(name, "rb") as file:
            head = file.read(_HEAD)
            if head.startswith(_ZSTD):
                return "log"
            if suffixes.endswith(".jsonl"):
                line, end, _ = head.partition(b"\n")
                # A scenario's line may be longer than what was looked at; a log's first line is a short header.
                long = not end and len(head) == _HEAD and b'"type"' not in head[:64]
                return "scenario" if b'"ops"' in line or long else "log"
            row = json.loads(head + file.read(1 << 26))
    except (OSError, EOFError, ValueError, RecursionError):
        return "scenario" if suffixes.endswith(".json") else "log"
    from .cases import is_case

    return "case" if isinstance(row, dict) and is_case(row) else "scenario"


def _holds_log(directory: str) -> bool:
    """Whether this is the directory of one session below the agent's home."""
    try:
        names = os.listdir(directory)
    except OSError:
        return False
    return any(name.startswith("session.") and name.endswith((".jsonl", ".jsonl.zstd")) for name in names)


def log_in(path: str) -> str:
    """The log to open for the directory of a session, anything else as it is."""
    if not os.path.isdir(path) or os.path.isfile(os.path.join(path, "recording.json")):
        return path
    from scopetrace.sessions import current_log

    return current_log(path)


def open_any(
    path: str | os.PathLike[str],
    *,
    workspace: str | None = None,
    home: str | None = None,
    profile: str | None = None,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
    touches: Iterable[str | tuple[str, str]] = (),
    follow_outside: bool = True,
) -> Replayed:
    """Open and replay what is at ``path``.

    ``workspace`` is for logs, ``touches`` for plain directories, the rest for whatever it fits. Raises
    :class:`~scopetrace.sessions.LogError`, :class:`~scopetrace.replay.played.ScenarioError`, :class:`OSError`.
    """
    kind = kind_of(path)
    if kind == "workspace":
        from .plain import open_workspace

        return open_workspace(
            path,
            home=home,
            profile=profile,
            config=config,
            environ=environ,
            touches=touches,
            follow_outside=follow_outside,
        )
    if kind == "scenario":
        from .played import open_scenario

        return open_scenario(path, profile)
    if kind == "case":
        return open_case(path, profile)
    from .opening import open_session

    path = log_in(os.fspath(path))
    return open_session(
        path,
        workspace=workspace,
        home=home,
        profile=profile,
        config=config,
        environ=environ,
        follow_outside=follow_outside,
    )


def read_case(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """A decoded instruction case. Raises :class:`~scopetrace.replay.played.ScenarioError` and :class:`OSError`."""
    from .played import ScenarioError

    try:
        with open(path, "rb") as file:
            row = json.loads(file.read(1 << 26))
    except (ValueError, RecursionError) as error:
        raise ScenarioError(os.fspath(path), "", f"not JSON: {error}") from None
    if not isinstance(row, dict):
        raise ScenarioError(os.fspath(path), "", "not a JSON object")
    return row


def open_case(case: str | os.PathLike[str] | Mapping[str, Any], profile: str | None = None) -> StepTimeline:
    """Play an instruction case. Raises :class:`~scopetrace.replay.played.ScenarioError` and :class:`OSError`."""
    from .cases import CaseError, case_scenario
    from .played import ScenarioError, open_scenario

    path = "" if isinstance(case, Mapping) else os.fspath(case)
    row = case if isinstance(case, Mapping) else read_case(case)
    try:
        scenario = case_scenario(row)
    except (CaseError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise ScenarioError(path, "", f"not a case that can be played: {error}") from error
    return open_scenario(scenario, profile)
