"""``scopetrace export``: a session as a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from scopetrace.cli.opening import open_view
from scopetrace.cli.options import Rules, rule_options

if TYPE_CHECKING:
    from scopetrace.model import TimelineView

FORMATS = ("json", "md", "html")


@click.command("export")
@click.argument("session", metavar="SESSION", type=click.Path())
@click.option("--format", "form", type=click.Choice(FORMATS), help="Default: by the name of --output, else json.")
@click.option("--output", "-o", metavar="FILE", type=click.Path(), help="Where to; default: stdout.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@rule_options
def command(
    session: str,
    form: str | None,
    output: str | None,
    force: bool,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
) -> None:
    """Write a session with all its decisions as JSON, Markdown or one self-contained HTML file.

    JSON holds every event and the exact texts; Markdown and HTML hold the events at which something was decided,
    with control characters made visible.

    \b
      scopetrace export sample_sessions/demo-monorepo -o demo.html
      scopetrace export LOG | jq '.rows[] | select(.verdict)'
    """
    from scopetrace.cli.files import write_file

    suffix = (output or "").rpartition(".")[2].lower()
    chosen = form or {"markdown": "md", "htm": "html"}.get(suffix, suffix if suffix in FORMATS else "json")
    pieces = exported(open_view(session, Rules(profile, config, home, workspace)), chosen)
    if output is None:
        for piece in pieces:
            sys.stdout.write(piece)
    else:
        write_file(output, pieces, force=force)


def exported(view: TimelineView, form: str) -> Iterator[str]:
    """The text of an export, piece by piece."""
    from scopetrace.report import build
    from scopetrace.report.parts import info_doc

    info, totals = info_doc(view.info), build.totals_doc(view)
    if form == "json":
        from scopetrace.report.json_text import timeline_json

        return timeline_json(info, build.row_docs(view, decisions=True, messages=True, every=True), totals)
    frames = build.telling_frames(view)
    if form == "md":
        from scopetrace.report.markdown import timeline_markdown

        return timeline_markdown(info, frames, totals)
    from scopetrace.report.html import timeline_html

    return timeline_html(info, frames, totals)
