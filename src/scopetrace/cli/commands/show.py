"""``scopetrace show``: what loads here now, or what is in force at a point of a session."""

from __future__ import annotations

import click

from scopetrace.cli.failure import fail
from scopetrace.cli.opening import index_at, open_view
from scopetrace.cli.options import Rules, json_option, rule_options, split_target


@click.command("show")
@click.argument("session", metavar="[DIR|SESSION]", default=".", type=click.Path())
@click.option("--touch", "touches", metavar="FILE", multiple=True, help="With DIR: a file the agent reads first.")
@click.option("--decisions", is_flag=True, help="What the loader decided at this event, too.")
@click.option("--text", is_flag=True, help="The text of the message that entered there, too.")
@rule_options
@json_option
def command(
    session: str,
    touches: tuple[str, ...],
    decisions: bool,
    text: bool,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Show the scopes with the state of every candidate: loaded, cut, omitted, absent, not reached yet; and the budget.

    DIR (default: here) shows what a session that starts there now would be given, after each --touch. With SESSION it
    is the state after the last event, or after SESSION@SEQ.

    \b
      scopetrace show
      scopetrace show ~/src/shop --text --touch packages/app/main.py
      scopetrace show sample_sessions/demo-monorepo
      scopetrace show sample_sessions/budget-small@9 --decisions --text
    """
    from scopetrace.cli.console import print_json, print_lines
    from scopetrace.report.build import show_doc
    from scopetrace.report.text import show_lines

    path, seq = split_target(session)
    view = open_view(path, Rules(profile, config, home, workspace), touches)
    if not len(view):
        raise fail("no-such-event", "this log has no event", "name another session", path=path)
    index = len(view) - 1 if seq is None else index_at(view, path, seq)
    shown = show_doc(view, index)
    if as_json:
        print_json(shown)
    else:
        print_lines(show_lines(shown, decisions=decisions, text=text))
