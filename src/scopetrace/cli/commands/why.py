"""``scopetrace why``: why a path is loaded or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scopetrace.cli.failure import fail
from scopetrace.cli.options import Rules, json_option, rule_options, split_target

if TYPE_CHECKING:
    from scopetrace.explain.answer import Answer


@click.command("why")
@click.argument("words", metavar="[SESSION] PATH", nargs=-1, required=True, type=click.Path())
@click.option("--cwd", metavar="DIR", help="Working directory of a session that starts now; default: here.")
@click.option("--touch", "touches", metavar="FILE", multiple=True, help="A file the agent reads first; repeatable.")
@rule_options
@json_option
def command(
    words: tuple[str, ...],
    cwd: str | None,
    touches: tuple[str, ...],
    profile: str | None,
    config: str | None,
    home: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Say why PATH is loaded or not, and what would change that.

    Without SESSION the answer is about a session that starts now in --cwd (default: here), after each --touch. With
    SESSION (a log, a bundle, a scenario) it is about the last event, or about SESSION@SEQ.

    PATH may be anything: an instruction file, a file with a similar name, a directory ("what applies here?"), a source
    file ("which instructions apply to work on it?"), something outside of the project or that does not exist. A
    relative PATH counts from the working directory; names as reports show them are understood, too. PATH may also be
    an instruction case (a JSON file with a question), which is played and answered.

    The first line gives verdict and first cause; the codes below it have pages: scopetrace explain CODE.

    \b
      scopetrace why packages/app/AGENTS.md
      scopetrace why . --touch packages/app/main.py
      scopetrace why sample_sessions/demo-monorepo@30 web/AGENTS.md
      scopetrace why ~/src/shop/agents.md --cwd ~/src/shop --json | jq -r .code
    """
    from scopetrace.cli.console import print_json, print_lines
    from scopetrace.report.answer_text import answer_lines

    rules = Rules(profile, config, home, workspace)
    answer = answered(words, cwd, touches, rules)
    if as_json:
        print_json(answer)
    else:
        print_lines(answer_lines(answer))


def answered(words: tuple[str, ...], cwd: str | None, touches: tuple[str, ...], rules: Rules) -> Answer:
    """The answer to what was asked. Raises ``LogError``, ``ScenarioError``, :class:`OSError` and ``CliError``."""
    from scopetrace.cli.asking import plain_answer
    from scopetrace.cli.opening import index_at, open_view, read_config
    from scopetrace.explain import why
    from scopetrace.replay.anything import kind_of

    if len(words) == 1 and kind_of(words[0]) != "case":
        settings = None if rules.config is None else read_config(rules.config)
        return plain_answer(
            words[0], cwd, touches, rules.home, rules.profile, settings, follow_outside=rules.follow_outside
        )
    if len(words) > 2:
        raise click.UsageError("one PATH at a time, with at most one SESSION before it")
    if cwd is not None or (touches and kind_of(words[0]) != "workspace"):
        raise click.UsageError("--cwd and --touch are for a session that starts now; this one has its own")
    path, seq = split_target(words[0])
    view = open_view(path, rules, touches)
    if not len(view):
        raise fail("no-such-event", "this log has no event", "name another session", path=path)
    at = None if seq is None else index_at(view, path, seq)
    if len(words) == 2:
        return why(view, words[1], at=at)
    from scopetrace.explain.questions import understand
    from scopetrace.replay.anything import read_case

    ask = understand(view, str(read_case(path).get("question", "")))
    return why(view, ask.path, at=ask.at if at is None else at)
