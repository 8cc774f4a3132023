"""``scopetrace replay``: a session as text."""

from __future__ import annotations

import click

from scopetrace.cli.opening import open_view
from scopetrace.cli.options import Rules, json_option, rule_options, session_argument, split_target


@click.command("replay")
@session_argument
@click.option("--decisions", is_flag=True, help="Below each event, what the loader decided there.")
@click.option("--all", "every", is_flag=True, help="Every event, not only those that matter.")
@rule_options
@json_option
def command(
    session: str,
    decisions: bool,
    every: bool,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Print a session as a text timeline: what was asked, touched and compacted, and where instructions moved.

    SESSION is a log, a bundle (a directory with a log and its files), or SESSION@SEQ for one event in full. Each
    instruction message is compared with the computed one; the last line counts how they agree.

    \b
      scopetrace replay sample_sessions/demo-monorepo
      scopetrace replay sample_sessions/demo-monorepo@9
      scopetrace replay LOG --workspace ~/shop --decisions
    """
    from scopetrace.cli.printing import print_event, print_timeline

    path, seq = split_target(session)
    view = open_view(path, Rules(profile, config, home, workspace))
    if seq is None:
        print_timeline(view, decisions=decisions, every=every, as_json=as_json)
    else:
        print_event(view, path, seq, as_json=as_json)
