"""``scopetrace why PATH`` on a plain workspace without the machinery of the whole command line: it starts faster.

Only the common spellings are understood here. Anything else, and every failure, is left to the full command, which
has the same options and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

VALUES = ("--cwd", "--home", "--profile", "--touch")
"""Options with a value that are understood here; ``--touch`` may be repeated."""


def parse(arguments: Sequence[str]) -> tuple[str, dict[str, str], list[str]] | None:
    """The path, the options and the touches; ``None`` when there is anything else."""
    paths: list[str] = []
    options: dict[str, str] = {}
    touches: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            paths.append(word)
            continue
        if name not in VALUES or not (equals or rest):
            return None
        value = value if equals else rest.pop(0)
        if name == "--touch":
            touches.append(value)
        else:
            options[name.removeprefix("--")] = value
    if len(paths) != 1 or paths[0].endswith(".json"):
        return None
    return paths[0], options, touches


def quick_why(arguments: Sequence[str]) -> int | None:
    """Answer and return the exit code; ``None`` when the full command line has to see to it."""
    parsed = parse(arguments)
    if parsed is None:
        return None
    import gc

    collecting = gc.isenabled()
    gc.disable()  # while importing, which is most of the work: nothing of it goes away again
    try:
        return _answer(*parsed)
    finally:
        if collecting:
            gc.enable()


def _answer(path: str, options: dict[str, str], touches: list[str]) -> int | None:
    from .asking import plain_answer

    try:
        answer = plain_answer(path, options.get("cwd"), touches, options.get("home"), options.get("profile"))
    except (OSError, LookupError, ValueError):
        return None
    import sys

    from scopetrace.report.answer_text import answer_lines

    from .console import print_lines
    from .streams import PIPE_CLOSED, forget_stdout, never_fail_on_text

    never_fail_on_text()
    try:
        print_lines(answer_lines(answer))
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        return PIPE_CLOSED
    return 0
