"""Run the command group; every way of ending becomes an exit code and, where it helps, a message without traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from .failure import CliError, error_doc, fail
from .group import ROOT
from .signals import Terminated, ending_cleanly
from .streams import PIPE_CLOSED, forget_stdout, never_fail_on_text

USAGE, INTERRUPTED = 2, 130


def run(arguments: Sequence[str]) -> int:
    """Run; see :func:`scopetrace.cli.main` for the codes."""
    never_fail_on_text()
    try:
        if "_SCOPETRACE_COMPLETE" in os.environ:
            ROOT.main(args=list(arguments), prog_name="scopetrace")  # ends in SystemExit
        with ending_cleanly():
            with ROOT.make_context("scopetrace", list(arguments)) as context:  # not main(): it hides a closed pipe
                ROOT.invoke(context)
            sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        return PIPE_CLOSED
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Terminated as ending:
        return ending.code
    except click.exceptions.Exit as ending:
        return _flushed(ending.exit_code)
    except click.ClickException as error:
        return _usage(error, as_json="--json" in arguments)
    except Exception as error:
        doc = error_doc(error)
        if doc is None:
            raise
        return _fail(CliError(doc), as_json="--json" in arguments)
    return 0


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        return PIPE_CLOSED
    except OSError as error:
        doc = error_doc(error)
        assert doc is not None
        return _fail(CliError(doc), as_json=False)
    return code


def _usage(error: click.ClickException, *, as_json: bool) -> int:
    context = error.ctx if isinstance(error, click.UsageError) else None
    remedy = "scopetrace --help"
    if context is not None:
        remedy = f"{context.command_path} --help"
        with suppress(OSError):
            print(context.get_usage(), file=sys.stderr)
    return _fail(fail("usage", error.format_message(), f"Help: {remedy}"), as_json=as_json)


def _fail(error: CliError, *, as_json: bool) -> int:
    from scopetrace.report.json_text import to_json
    from scopetrace.report.tables import error_lines

    try:
        if as_json:
            print(to_json(error.doc))
        sys.stdout.flush()
    except OSError:
        forget_stdout()  # nowhere to write to; the message below says why
    with suppress(OSError):
        for number, item in enumerate(error_lines(error.doc)):
            print(f"scopetrace: {item.text}" if number == 0 else item.text, file=sys.stderr)
    return USAGE
