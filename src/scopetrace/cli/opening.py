"""Opening what the options name: settings, sessions, events."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scopetrace.report.display import safe_line

from .failure import fail
from .options import Rules
from .progress import progress

if TYPE_CHECKING:
    from scopetrace.engine.config import Config
    from scopetrace.model import TimelineView
    from scopetrace.replay import Timeline
    from scopetrace.replay.steps import StepTimeline

ROWS_AT_ONCE = 4096
"""Rows replayed between two words on how far it is."""


def read_config(path: str) -> Config:
    """Loader settings from a JSON file. Raises :class:`CliError` naming file, place and remedy."""
    from scopetrace.engine.config import Config, ConfigError

    remedy = 'write one JSON object, e.g. {"maxBytes": 65536}'
    try:
        with open(path, "rb") as file:
            raw = json.loads(file.read(1 << 20))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise fail("bad-config", f"not JSON: {error.msg}", remedy, path=path, place=place) from None
    except UnicodeDecodeError:
        raise fail("bad-config", "not UTF-8", remedy, path=path) from None
    except OSError as error:
        raise fail("bad-config", f"cannot read the settings: {error.strerror}", "check the path", path=path) from None
    if not isinstance(raw, dict):
        raise fail("bad-config", "not a JSON object", remedy, path=path)
    try:
        return Config.from_mapping(raw)
    except ConfigError as error:
        raise fail("bad-config", str(error), "correct this setting", path=path, place=error.key) from None


def open_view(
    path: str, rules: Rules, touches: Sequence[str] = (), *, recorded: bool = False
) -> Timeline | StepTimeline:
    """Open and replay what ``path`` names under the given rules. Raises ``LogError``, ``ScenarioError``,
    :class:`OSError` and :class:`CliError`."""
    view = prepare_view(path, rules, touches, recorded=recorded)
    with progress(f"reading {safe_line(path)}") as tell:
        while not view.advance(ROWS_AT_ONCE):
            tell(view.share)
    return view


def prepare_view(
    path: str, rules: Rules, touches: Sequence[str] = (), *, recorded: bool = False
) -> Timeline | StepTimeline:
    """As :func:`open_view`, but a session is not replayed yet. With ``recorded`` a plain directory is an error."""
    from scopetrace import replay
    from scopetrace.replay.anything import kind_of, log_in, open_case

    kind = kind_of(path)
    if kind == "scenario":
        return replay.open_scenario(path, rules.profile)
    if kind == "case":
        return open_case(path, rules.profile)
    config = None if rules.config is None else read_config(rules.config)
    if kind == "workspace" and not recorded:
        return replay.open_workspace(
            path,
            home=rules.home,
            profile=rules.profile,
            config=config,
            environ=os.environ,
            touches=touches,
            follow_outside=rules.follow_outside,
        )
    return replay.prepare_session(
        path if recorded and kind == "workspace" else log_in(path),
        workspace=rules.workspace,
        home=rules.home,
        profile=rules.profile,
        config=config,
        environ=os.environ,
        follow_outside=rules.follow_outside,
    )


def prepare_living(path: str, rules: Rules) -> Timeline:
    """The log of a session that may be written to. Raises ``LogError``, and :class:`CliError` for anything else."""
    from scopetrace import replay
    from scopetrace.replay.anything import kind_of, log_in

    kind = kind_of(path)
    if kind not in ("log", "bundle"):
        raise fail("nothing-to-follow", f"a {kind} does not grow", "name the log of a session", path=path)
    return replay.prepare_session(
        log_in(path),
        workspace=rules.workspace,
        home=rules.home,
        profile=rules.profile,
        config=None if rules.config is None else read_config(rules.config),
        environ=os.environ,
        follow_outside=rules.follow_outside,
        live=True,
    )


def index_at(view: TimelineView, path: str, seq: int) -> int:
    """Index of the event with this seq. Raises :class:`CliError` when there is none."""
    index = view.index_of(seq)
    if index is None:
        last = view.row(len(view) - 1).seq if len(view) else 0
        raise fail(
            "no-such-event", f"no event {seq} in this log", f"events run up to {last}", path=path, place=f"event {seq}"
        )
    return index
