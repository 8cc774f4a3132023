"""``scopetrace open``: the inspector, or the text timeline where there is no terminal."""

from __future__ import annotations

import os

import click

from scopetrace.cli.opening import index_at, open_view
from scopetrace.cli.options import Rules, follow_option, json_option, rule_options, split_target

DEFAULT_SAMPLE = "demo-monorepo"


@click.command("open")
@click.argument("session", metavar="[SESSION]", required=False, type=click.Path())
@follow_option
@rule_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    session: str | None,
    follow: bool,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Open a session in the inspector.

    SESSION is a log, a bundle (a directory with a log and its files), a scenario, a directory without a session (then
    what would load there now), or SESSION@SEQ to begin at one event. Without SESSION, the inspector offers what there
    is on this machine. Without a terminal at both ends, or with --json, the timeline is printed instead, without
    SESSION that of a bundled sample.

    \b
      scopetrace open sample_sessions/demo-monorepo
      scopetrace open LOG --workspace ~/shop --home ~
      scopetrace open LOG --follow
    """
    from scopetrace.cli.console import interactive

    rules = Rules(profile, config, home, workspace)
    if interactive() and not as_json:
        ctx.exit(inspect(session, rules, follow=follow))
    from scopetrace.sessions.samples import sample_dir

    path, seq = split_target(session) if session is not None else (os.path.join(sample_dir(), DEFAULT_SAMPLE), None)
    from scopetrace.cli.printing import print_event, print_timeline

    if follow:
        from .replay import follow_session

        follow_session(path, seq, rules, as_json=as_json)
    view = open_view(path, rules)
    if seq is None:
        print_timeline(view, as_json=as_json)
    else:
        print_event(view, path, seq, as_json=as_json)


def inspect(session: str | None, rules: Rules, *, follow: bool = False) -> int:
    """Run the inspector and return its exit code. What is certainly wrong is said before the screen is taken."""
    from scopetrace.cli.opening import read_config

    path, seq = split_target(session) if session is not None else (None, None)
    if follow and seq is not None:
        raise click.UsageError("--follow goes to the end: leave the @SEQ out")
    config = None if rules.config is None else read_config(rules.config)
    if path is not None:
        try:
            os.stat(path)
        except (OSError, ValueError) as error:
            from scopetrace.sessions.errors import from_os_error

            raise from_os_error(error, path) from None
    from scopetrace.tui.app import OpenOptions, run, run_path

    options = OpenOptions(
        rules.profile, config, rules.home, rules.workspace, os.environ, rules.follow_outside, live=follow
    )
    if path is None:
        return run(None, options=options)
    if seq is None:
        return run_path(path, options)
    view = open_view(path, rules)
    return run(view, start=index_at(view, path, seq), options=options)
