"""``scopetrace audit``: record against claim, for any number of logs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from scopetrace.cli.opening import open_view
from scopetrace.cli.options import Rules, json_option, rule_options

if TYPE_CHECKING:
    from scopetrace.report.documents import AuditLogDoc


@click.command("audit")
@click.argument("sessions", metavar="SESSION…", nargs=-1, required=True, type=click.Path())
@rule_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    sessions: tuple[str, ...],
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Compute every instruction message of each SESSION anew and compare it with the recorded one.

    The logs of child sessions in a bundle are audited, too. Where record and claim differ, the other generations of
    rules are tried and those that fit are named. Exit code 0: everything comparable is equal; 1: something differs;
    2: a log could not be read.

    \b
      scopetrace audit sample_sessions/*/
    """
    from scopetrace.cli.console import print_json, print_lines
    from scopetrace.report.documents import AuditDoc
    from scopetrace.report.tables import audit_lines

    rules = Rules(profile, config, home, workspace)
    logs = tuple(audit_one(log, rules) for path in sessions for log in logs_of(path))
    unreadable = any(log.error is not None for log in logs)
    different = any(log.totals is not None and not log.totals.agrees for log in logs)
    audit = AuditDoc(verdict="unreadable" if unreadable else "different" if different else "equal", logs=logs)
    if as_json:
        print_json(audit)
    else:
        print_lines(audit_lines(audit))
    ctx.exit(2 if unreadable else 1 if different else 0)


def logs_of(path: str) -> list[str]:
    """The logs that a name stands for: a bundle with its child sessions, else what was named."""
    from scopetrace.sessions import Bundle, LogError

    if not os.path.isdir(path):
        return [path]
    try:
        return [path, *(str(child) for child in Bundle.open(path).children)]
    except LogError:
        return [path]  # opening it again says what is wrong


def audit_one(path: str, rules: Rules) -> AuditLogDoc:
    """Record against claim for one log; an error becomes part of the answer, the other logs go on."""
    from scopetrace.cli.failure import error_doc
    from scopetrace.replay.fit import fitting_profiles
    from scopetrace.replay.steps import StepTimeline
    from scopetrace.report.build import totals_doc
    from scopetrace.report.documents import AuditLogDoc
    from scopetrace.report.parts import comparison_doc

    try:
        view = open_view(path, rules, recorded=True)
        totals = totals_doc(view)
        return AuditLogDoc(
            path=path,
            title=view.info.title,
            format=view.info.format,
            profile=view.info.profile,
            totals=totals,
            comparisons=tuple(comparison_doc(item, messages=False) for item in view.comparisons),
            fits=() if isinstance(view, StepTimeline) else fitting_profiles(view),
        )
    except Exception as error:
        doc = error_doc(error)
        if doc is None:
            raise
        return AuditLogDoc(path=path, title="", format="", profile="", totals=None, comparisons=(), fits=(), error=doc)
