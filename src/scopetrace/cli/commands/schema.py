"""``scopetrace schema``: what ``--json`` writes."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of a document: timeline, frame, tree, show, answer, audit, message, sessions …

    Without NAME, the names and versions are listed. A version grows when a field is renamed, removed or changes its
    meaning; new fields may appear at any time.
    """
    from scopetrace.cli.failure import fail
    from scopetrace.report.schema import SCHEMAS, json_schema

    if name is None:
        for known in SCHEMAS:
            click.echo(f"{known:<10}{json_schema(known)['$id']}")
        return
    if name not in SCHEMAS:
        raise fail("no-such-schema", f"no document is called {name!r}", f"known are {', '.join(SCHEMAS)}")
    click.echo(json.dumps(json_schema(name), indent=2))
