"""What error codes mean: the pages that ``scopetrace explain`` has for them.

A message names file, place and remedy; a page says why it is an error at all.
"""

from __future__ import annotations

from .documents import OutcomeDoc

STAGE = "error"

_PAGES = {
    # of logs and bundles (sessions.errors.ErrorCode)
    "no-such-log": (
        "There is nothing at this path, or no session log in this directory. `scopetrace sessions` lists the logs "
        "of this machine; a path from another one needs a copy of the log."
    ),
    "is-a-directory": (
        "A file was expected and a directory is there. Name the log in it, or a bundle: a directory that holds a "
        "recording.json."
    ),
    "not-regular-file": (
        "A FIFO, a socket or a device is never opened, since reading it could wait for ever. Copy its content to a "
        "file."
    ),
    "unreadable": (
        "The system refused to read the file: access rights or the disk. Make it readable for you, or copy it."
    ),
    "empty-log": "The file has no complete first line, so the session was never written. Nothing can be shown.",
    "not-a-log": (
        "The first bytes are not those of a session log: JSON lines beginning with a header of type session, plain "
        "or in zstd frames. Check which file you named; a text in UTF-16 or another format is not one."
    ),
    "newer-format": (
        "The header names a format that this program does not know. It is refused, not guessed at, because a guess "
        "could give wrong answers. Update scopetrace."
    ),
    "header-only": (
        "The log holds its header and no event: a session that was opened and left. There is nothing to replay."
    ),
    "corrupt": (
        "A part that must be whole is damaged (a failed checksum, a broken line). What is readable around it is "
        "shown where that is possible, the gap is a row with its byte offset; here it was not possible. Restore "
        "the file from a copy."
    ),
    "unknown-event": (
        "The log holds an event of an unknown type that is not marked as ignorable, so its meaning cannot be left "
        "out safely. Update scopetrace."
    ),
    "too-large": (
        "A limit that protects this machine was exceeded: a line, a manifest or an unpacked archive is larger than "
        "any real one. The message names the limit."
    ),
    "not-a-bundle": (
        "The directory has no recording.json, or the installation has no samples. Name a bundle, a session log, or "
        "install again."
    ),
    "bad-manifest": (
        "The recording.json or changes.jsonl of the bundle does not say what it has to; the message names line and "
        "field. Correct it as sample_sessions/README.md describes."
    ),
    "workspace-missing": (
        "The session's working directory is not on this machine and no other was named. Give --workspace DIR; "
        "paths are mapped and the report says so."
    ),
    # of scenarios and cases
    "bad-scenario": (
        "The file is no scenario or instruction case that can be played; the message names the place in it. A "
        "scenario is one JSON object with files, a configuration and a list of ops, as tests/conformance/FORMAT.md "
        "describes."
    ),
    # of the command line
    "usage": (
        "The command line was asked for something that it does not have: an option, a command or a value. The message "
        "names it; `scopetrace COMMAND --help` lists what there is."
    ),
    "bad-config": (
        "The settings given with --config cannot be used; the message names the key or the place. docs/config.md "
        "lists the settings with their types."
    ),
    "os-error": "The operating system refused something; its own words and the path are in the message.",
    "no-such-code": "There is no outcome and no error of this name. `scopetrace explain` lists them all.",
    "nothing-to-follow": (
        "--follow was given for something that does not grow: a directory without a session, a scenario, a case. "
        "Name the log of a session, or its directory."
    ),
    "no-such-event": (
        "No event of the log has this number. Numbers are those of the log (seq, from 0), as every report shows "
        "them in its first column."
    ),
    "no-event-named": (
        "The command is about one event: write SESSION@SEQ, with the number that reports show in the first column."
    ),
    "no-message": (
        "At this event no instruction message was recorded (or computed, with --computed). The message names the "
        "events that have one."
    ),
    "no-block": "A message has one block or two; there is none with this number.",
    "no-such-schema": "No document has this name. `scopetrace schema` lists them.",
    "no-such-lesson": "No lesson has this name, and no file is there. `scopetrace learn` lists the lessons.",
    "bad-lesson": (
        "The file is no lesson that can be shown; the message names the field, e.g. captions[2].claims[0]. "
        "docs/lessons.md describes every field and every kind of claim."
    ),
    "file-exists": "An export never writes over a file unless --force says so.",
}


def error_pages() -> tuple[OutcomeDoc, ...]:
    """All error codes, in the shape of outcomes."""
    return tuple(
        OutcomeDoc(code=code, stage=STAGE, glyph="✖", tone="bad", word="error", page=page)
        for code, page in _PAGES.items()
    )
