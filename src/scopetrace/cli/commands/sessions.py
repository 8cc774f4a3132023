"""``scopetrace sessions``: the session logs of this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from scopetrace.cli.options import json_option

if TYPE_CHECKING:
    from scopetrace.report.documents import SessionDoc
    from scopetrace.sessions import FoundLog


@click.command("sessions")
@click.option("--home", metavar="DIR", help="Home directory that holds .dsh; default: $DSH_HOME, else ~/.dsh.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many.")
@json_option
def command(home: str | None, limit: int, as_json: bool) -> None:
    """List the session logs below the agent's home, last written first. Only headers are read.

    \b
      scopetrace sessions -n 5
      scopetrace "$(scopetrace sessions --json | jq -r '.sessions[0].path')"
    """
    from scopetrace.cli.console import print_json, print_lines
    from scopetrace.report.documents import SessionsDoc
    from scopetrace.report.tables import sessions_lines
    from scopetrace.sessions import default_dsh_home, find_session_logs

    if home is None:
        directory = default_dsh_home(os.environ, os.path.expanduser("~"))
    else:
        directory = os.path.join(os.path.expanduser(home), ".dsh")
    found = SessionsDoc(home=directory, sessions=tuple(map(session_doc, find_session_logs(directory, limit))))
    if as_json:
        print_json(found)
    else:
        print_lines(sessions_lines(found))


def session_doc(found: FoundLog) -> SessionDoc:
    """A log on disk, as a report says it."""
    from scopetrace.report.documents import SessionDoc

    header = found.header
    return SessionDoc(
        path=found.path,
        session_id=found.session_id,
        cwd=(header.cwd or "") if header else "",
        format=header.version if header else found.generation,
        size=found.size,
        modified_ms=found.modified_ms,
        parent=(header.parent_session or "") if header else "",
        error=found.error.message if found.error else "",
    )
