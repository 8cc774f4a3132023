"""The command group: commands are imported when they run, and a session without a command opens."""

from __future__ import annotations

from importlib import import_module

import click

from scopetrace import __version__

from .options import NO_FOLLOW_OUTSIDE

DEFAULT = "open"

COMMANDS = {
    "open": "Open a session, a bundle or a directory in the inspector.",
    "show": "Show what loads here now, or at a point of a session.",
    "why": "Say why a path is loaded or not, here or in a session.",
    "replay": "Print a session as a text timeline.",
    "audit": "Compare the recorded instruction messages with the computed ones.",
    "message": "Write the exact text of one instruction message.",
    "export": "Write a session or an answer as JSON, Markdown or HTML.",
    "sessions": "List the session logs of this machine, newest first.",
    "learn": "Learn how instruction files load, a page at a time.",
    "explain": "Say what a code or a word means.",
    "schema": "Print the JSON Schema of what --json writes.",
}
"""Commands with their short help, in the order in which help lists them; each lives in ``commands.NAME``."""

_HELP = """Why did this AGENTS.md load, or not load, at this point of this session?

scopetrace replays a session of a coding agent against its workspace and shows, byte for byte, which instruction files
the agent was given at every step, and why. Without a command, the session named is opened; without anything, a sample.

\b
  scopetrace ~/.dsh/sessions/…/session.v4.jsonl.zstd
  scopetrace why packages/app/AGENTS.md
  scopetrace show
  scopetrace replay SESSION --decisions
  scopetrace explain held-back

A session that has the name of a command is opened with `scopetrace open NAME`. Nothing is ever written to a workspace
or a log, and nothing goes over the network.

Shell completion: eval "$(_SCOPETRACE_COMPLETE=bash_source scopetrace)" (or zsh_source, fish_source)."""


class LazyGroup(click.Group):
    """Finds commands by name in :data:`COMMANDS`; an argument that is none of them belongs to the default command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".commands.{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == [NO_FOLLOW_OUTSIDE] and not ctx.resilient_parsing:
            # An option of every command that opens something, also when it is given first.
            rest = args[1:]
            args = [rest[0], NO_FOLLOW_OUTSIDE, *rest[1:]] if rest and rest[0] in COMMANDS else [DEFAULT, *args]
        if not ctx.resilient_parsing and (not args or args[0] not in (*COMMANDS, "--help", "-h", "--version")):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=LazyGroup,
    help=_HELP,
    options_metavar="[--help | --version]",
    subcommand_metavar="[COMMAND] [SESSION] …",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(__version__, message="scopetrace %(version)s")
def ROOT() -> None:
    """The command line."""
