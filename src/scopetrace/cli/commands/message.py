"""``scopetrace message``: the exact text of one instruction message."""

from __future__ import annotations

import click

from scopetrace.cli.failure import fail
from scopetrace.cli.opening import open_view
from scopetrace.cli.options import Rules, json_option, rule_options, split_target


@click.command("message")
@click.argument("target", metavar="SESSION@SEQ")
@click.option("--computed", is_flag=True, help="What the loader computes, instead of what the log recorded.")
@click.option("--block", type=click.IntRange(min=1), help="Only this block of the message, counted from 1.")
@rule_options
@json_option
def command(
    target: str,
    computed: bool,
    block: int | None,
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Write the exact text that the model got at one event to stdout: no byte is added, none is left out.

    A message may have two blocks (a baseline and an update); they are written one after the other, nothing in between.
    On a terminal, control characters are made visible; pipe the output for the exact bytes.

    \b
      scopetrace message sample_sessions/demo-monorepo@9 | sha1sum
      diff <(scopetrace message S@9) <(scopetrace message S@9 --computed)
    """
    from scopetrace.cli.console import print_json, write_exact
    from scopetrace.report.documents import MessageAtDoc
    from scopetrace.report.parts import message_doc

    path, seq = split_target(target)
    if seq is None:
        raise fail("no-event-named", "which message?", "name the event: SESSION@SEQ, e.g. demo-monorepo@9", path=path)
    view = open_view(path, Rules(profile, config, home, workspace))
    here = [item for item in view.comparisons if item.seq == seq]
    found = [item.computed if computed else item.recorded for item in here]
    message = next((item for item in found if item is not None), None)
    if message is None:
        seqs = [
            str(item.seq) for item in view.comparisons if (item.computed if computed else item.recorded) is not None
        ]
        origin = "computed" if computed else "recorded"
        remedy = f"there are some at {', '.join(seqs[:20])}" if seqs else "this session has none at all"
        raise fail("no-message", f"no {origin} instruction message here", remedy, path=path, place=f"event {seq}")
    if as_json:
        found_doc = message_doc(message)
        session_id = view.info.session_id
        if computed:
            print_json(MessageAtDoc(session_id=session_id, seq=seq, origin="computed", message=found_doc))
        else:
            print_json(MessageAtDoc(session_id=session_id, seq=seq, origin="recorded", message=found_doc))
        return
    if block is not None and block > len(message.blocks):
        raise fail("no-block", f"the message has {len(message.blocks)} block(s)", "leave --block out", path=path)
    write_exact("".join(message.blocks) if block is None else message.blocks[block - 1])
