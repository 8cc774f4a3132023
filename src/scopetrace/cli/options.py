"""Options and arguments that commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

PROFILES = ("0.1", "0.2", "next")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Rules:
    """What the common options say. ``None`` leaves it to the log or the bundle."""

    profile: str | None = None
    config: str | None = None
    home: str | None = None
    workspace: str | None = None
    follow_outside: bool = field(default_factory=lambda: _follow_outside())


NO_FOLLOW_OUTSIDE = "--no-follow-outside"
_KEY = "scopetrace.no_follow_outside"


def _follow_outside() -> bool:
    """What the command line at hand says; links are followed as the loader follows them unless it says otherwise."""
    context = click.get_current_context(silent=True)
    return context is None or not context.meta.get(_KEY, False)


def _remember(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[_KEY] = value


def rule_options(function: F) -> F:
    """``--profile``, ``--config``, ``--home``, ``--workspace``, ``--no-follow-outside``.

    The last one is a matter of safety, so it is no argument that a command could forget: :class:`Rules` looks it up.
    """
    for option in (
        click.option(
            NO_FOLLOW_OUTSIDE,
            is_flag=True,
            expose_value=False,
            callback=_remember,
            help="Refuse links that leave the project root; the loader follows them.",
        ),
        click.option(
            "--workspace", metavar="DIR", help="Files of the session; default: its bundle, else its own directory."
        ),
        click.option("--home", metavar="DIR", help="Home directory whose .dsh and .agents are read."),
        click.option("--config", metavar="FILE", help="Loader settings as JSON; default: those the log records."),
        click.option("--profile", type=click.Choice(PROFILES), help="Generation of rules; default: that of the log."),
    ):
        function = option(function)
    return function


def follow_option(function: F) -> F:
    """``--follow``."""
    return click.option("--follow", is_flag=True, help="Go on while the log is written, as tail -f does.")(function)


def json_option(function: F) -> F:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON (scopetrace schema describes it).")(
        function
    )


def session_argument(function: F) -> F:
    """``SESSION``, or ``SESSION@SEQ``."""
    return click.argument("session", metavar="SESSION", type=click.Path())(function)


def split_target(text: str) -> tuple[str, int | None]:
    """``SESSION@SEQ`` as path and seq. A path that exists as it stands is never split."""
    path, at, seq = text.rpartition("@")
    if at and path and seq.isascii() and seq.isdigit() and not os.path.lexists(text):
        return path, int(seq)
    return text, None
