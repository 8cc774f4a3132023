"""``scopetrace open``: the inspector, or the text timeline where there is no terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from scopetrace.cli.opening import index_at, open_view, prepare_view
from scopetrace.cli.options import Rules, json_option, rule_options, split_target

if TYPE_CHECKING:
    from scopetrace.model import TimelineView

DEFAULT_SAMPLE = "demo-monorepo"
ROWS_AT_ONCE = 2000


@click.command("open")
@click.argument("session", metavar="[SESSION]", required=False, type=click.Path())
@rule_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    session: str | None,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Open a session in the inspector.

    SESSION is a log, a bundle (a directory with a log and its files), or SESSION@SEQ to begin at one event. Without
    SESSION, a bundled sample opens. Without a terminal at both ends, or with --json, the timeline is printed instead.

    \b
      scopetrace open sample_sessions/demo-monorepo
      scopetrace open LOG --workspace ~/shop --home ~
    """
    from scopetrace.cli.console import interactive
    from scopetrace.sessions.samples import sample_dir

    path, seq = split_target(session) if session is not None else (os.path.join(sample_dir(), DEFAULT_SAMPLE), None)
    rules = Rules(profile, config, home, workspace)
    if interactive() and not as_json:
        ctx.exit(inspect(path, seq, rules))
    from scopetrace.cli.printing import print_event, print_timeline

    view = open_view(path, rules)
    if seq is None:
        print_timeline(view, as_json=as_json)
    else:
        print_event(view, path, seq, as_json=as_json)


def inspect(path: str, seq: int | None, rules: Rules) -> int:
    """Run the inspector and return its exit code. What is certainly wrong is said before the screen is taken."""
    from scopetrace.sessions.errors import from_os_error

    try:
        os.stat(path)
    except (OSError, ValueError) as error:
        raise from_os_error(error, path) from None
    from scopetrace.tui.app import Progress, run

    def load(progress: Progress) -> TimelineView:
        view = prepare_view(path, rules)
        done = 0
        while not progress.cancelled and not view.advance(ROWS_AT_ONCE):
            done += ROWS_AT_ONCE
            progress.report(done, len(view), "replaying")
        return view

    if seq is None:
        return run(load, name=path)
    view = open_view(path, rules)
    return run(view, start=index_at(view, path, seq))
