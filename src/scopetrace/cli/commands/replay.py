"""``scopetrace replay``: a session as text."""

from __future__ import annotations

import click

from scopetrace.cli.opening import open_view
from scopetrace.cli.options import Rules, follow_option, json_option, rule_options, session_argument, split_target


@click.command("replay")
@session_argument
@click.option("--decisions", is_flag=True, help="Below each event, what the loader decided there.")
@click.option("--all", "every", is_flag=True, help="Every event, not only those that matter.")
@follow_option
@rule_options
@json_option
def command(
    session: str,
    decisions: bool,
    every: bool,
    follow: bool,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Print a session as a text timeline: what was asked, touched and compacted, and where instructions moved.

    SESSION is a log, a bundle (a directory with a log and its files), or SESSION@SEQ for one event in full. Each
    instruction message is compared with the computed one; the last line counts how they agree. With --follow there is
    no last line: it goes on until interrupted; with --json as well it writes one JSON object a line, the session first.

    \b
      scopetrace replay sample_sessions/demo-monorepo
      scopetrace replay sample_sessions/demo-monorepo@9
      scopetrace replay LOG --workspace ~/shop --decisions
      scopetrace replay LOG --follow
    """
    from scopetrace.cli.printing import print_event, print_timeline

    path, seq = split_target(session)
    rules = Rules(profile, config, home, workspace)
    if follow:
        follow_session(path, seq, rules, decisions=decisions, every=every, as_json=as_json)
    view = open_view(path, rules)
    if seq is None:
        print_timeline(view, decisions=decisions, every=every, as_json=as_json)
    else:
        print_event(view, path, seq, as_json=as_json)


def follow_session(
    path: str, seq: int | None, rules: Rules, *, decisions: bool = False, every: bool = False, as_json: bool = False
) -> None:
    """Print a session while it is written; returns never."""
    if seq is not None:
        raise click.UsageError("--follow prints what comes: leave the @SEQ out")
    from scopetrace.cli.following import follow
    from scopetrace.cli.opening import prepare_living

    follow(lambda log: prepare_living(log, rules), path, decisions=decisions, every=every, as_json=as_json)
