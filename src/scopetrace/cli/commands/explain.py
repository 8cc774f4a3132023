"""``scopetrace explain``: what a code or a word means."""

from __future__ import annotations

from difflib import get_close_matches

import click

from scopetrace.cli.failure import fail
from scopetrace.cli.options import json_option


@click.command("explain")
@click.argument("code", required=False)
@json_option
def command(code: str | None, as_json: bool) -> None:
    """Say what CODE means, by which rule it comes about, and what to do.

    CODE is an outcome of the loader, a code of an answer of `scopetrace why`, a word of the field (touch, baseline …)
    or an error. Without CODE, all of them are listed, outcomes in the order of the loader's stages.

    \b
      scopetrace explain not-reached
      scopetrace explain | grep budget
    """
    from scopetrace.cli.console import print_json, print_lines, width
    from scopetrace.model.catalog import normal_code
    from scopetrace.report.documents import OutcomesDoc
    from scopetrace.report.explain_pages import all_pages
    from scopetrace.report.tables import outcome_list_lines, outcome_page_lines

    known = all_pages()
    if code is None:
        everything = OutcomesDoc(outcomes=known)
        if as_json:
            print_json(everything)
        else:
            print_lines(outcome_list_lines(everything))
        return
    wanted = normal_code(code)
    page = OutcomesDoc(outcomes=tuple(item for item in known if item.code == wanted))
    if not page.outcomes:
        near = get_close_matches(wanted, [item.code for item in known], n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(near)}?" if near else "`scopetrace explain` lists all codes"
        raise fail("no-such-code", f"no outcome is called {code!r}", hint)
    if as_json:
        print_json(page)
    else:
        print_lines(outcome_page_lines(page, width=min(width(), 100)))
