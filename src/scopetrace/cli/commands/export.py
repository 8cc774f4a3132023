"""``scopetrace export``: a session or an answer as a file."""

from __future__ import annotations

import sys

import click

from scopetrace.cli.opening import open_view
from scopetrace.cli.options import Rules, rule_options
from scopetrace.report.exporting import FORMATS, exported, format_for


@click.command("export")
@click.argument("session", metavar="SESSION", type=click.Path())
@click.option("--format", "form", type=click.Choice(FORMATS), help="Default: by the name of --output, else json.")
@click.option("--output", "-o", metavar="FILE", type=click.Path(), help="Where to; default: stdout.")
@click.option("--why", "path", metavar="PATH", help="The answer to `scopetrace why SESSION PATH` instead.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@rule_options
def command(
    session: str,
    form: str | None,
    output: str | None,
    path: str | None,
    force: bool,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
) -> None:
    """Write a session with all its decisions, or an answer, as JSON, Markdown or one self-contained HTML file.

    JSON holds every event and the exact texts; Markdown and HTML hold the events at which something was decided,
    with control characters made visible.

    \b
      scopetrace export sample_sessions/demo-monorepo -o demo.html
      scopetrace export sample_sessions/demo-monorepo@30 --why CLAUDE.md -o why.md
      scopetrace export LOG | jq '.rows[] | select(.verdict)'
    """
    from scopetrace.cli.files import write_file

    rules, chosen = Rules(profile, config, home, workspace), form or format_for(output or "")
    if path is None:
        pieces = exported(open_view(session, rules), chosen)
    else:
        from scopetrace.cli.commands.why import answered
        from scopetrace.report.answer_export import exported_answer

        pieces = exported_answer(answered((session, path), None, (), rules), chosen)
    if output is None:
        for piece in pieces:
            sys.stdout.write(piece)
    else:
        write_file(output, pieces, force=force)
