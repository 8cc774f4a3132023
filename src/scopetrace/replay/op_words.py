"""Operations of a scenario in words, for people who read a lesson. Raw text, not yet safe for display."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from scopetrace.model.sizes import grouped

_BOUNDARIES = {
    "turnStart": "a turn begins",
    "turnEnd": "the turn ends",
    "stepStart": "the step is under way",
    "stepEnd": "the step ends",
}
_VERBS = {"read": "reads", "write": "writes", "edit": "edits", "bash": "runs"}
_FAILURES = {
    "stat": "from now on nobody can tell whether {path} exists (permission denied, say)",
    "notFound": "from now on the file system says “not found” for {path}",
    "read": "from now on {path} cannot be read",
}
_SETTINGS = 3
"""Settings named one by one, at most."""


def operation_words(op: Mapping[str, Any], home: str = "") -> str:
    """One operation as half a sentence. Paths below ``home`` begin with ``~``.

    >>> operation_words({"op": "tool", "name": "read", "file_path": "a.py"})
    'the agent reads a.py'
    """
    path = short_path(str(op.get("path", "")), home)
    kind = op["op"]
    if kind in _BOUNDARIES:
        return _BOUNDARIES[kind]
    match kind:
        case "preStep":
            return _pre_step(op)
        case "tool":
            return _tool(op)
        case "write":
            return f"{path} is written, {grouped(_size(op))} B"
        case "touchFile":
            return f"{path} is saved again, content unchanged"
        case "delete":
            return f"{path} is deleted"
        case "symlink":
            return f"{path} becomes a symlink to {op['target']}"
        case "mkdir":
            return f"the directory {path} is made"
        case "fail":
            return _FAILURES[op["how"]].format(path=path)
        case "heal":
            return f"{path} answers again"
        case "compact":
            first, last = op["range"]
            count = last - first + 1
            gone = f"message {first + 1}" if count == 1 else f"messages {first + 1} to {last + 1}"
            return f"compaction: one summary takes the place of {gone}"
        case "append":
            return f"a message is added: “{op['message']['text']}”"
        case "queue":
            return "a message is put in the inbox"
        case "resume":
            return "the process ends; later the session is resumed" + _settings(op.get("config"))
        case "reconfigure":
            return "the session is resumed" + _settings(op["config"])
        case "chdir":
            return f"the working directory is {short_path(op['cwd'], home)} from now on"
        case "provider":
            return "the file system is there" if op["available"] else "the file system is gone"
    return str(kind)


def _pre_step(op: Mapping[str, Any]) -> str:
    said = " and ".join(f"“{message['text']}”" for message in op["messages"])
    text = f"step {op['step']} is about to begin" + (f" with {said}" if said else "")
    if op.get("aborted"):
        return f"{text}, but is aborted"
    decision = op.get("decision", "enter")
    if decision == "reject":
        return f"{text}, but is rejected"
    return f"{text}, but with an empty batch" if decision == "empty" else text


def _tool(op: Mapping[str, Any]) -> str:
    arguments = op["args"] if "args" in op else {"file_path": op.get("file_path")}
    name = op["name"]
    target = ""
    if isinstance(arguments, Mapping):
        target = next((str(arguments[key]) for key in ("file_path", "command", "path") if arguments.get(key)), "")
    verb = _VERBS.get(name, f"calls {name}:" if target else f"calls {name}")
    text = f"the agent {verb} {target}".rstrip()
    if op.get("isError"):
        return f"{text}: the call fails"
    return f"{text}: the call is aborted" if op.get("aborted") else text


def _settings(config: Mapping[str, Any] | None) -> str:
    if config is None:
        return ""
    said = ", ".join(f"{name} {value}" for name, value in list(config.items())[:_SETTINGS])
    return f" with {said}"


def _size(op: Mapping[str, Any]) -> int:
    return len(b64decode(op["base64"])) if "base64" in op else len(op["text"].encode())


def short_path(path: str, home: str) -> str:
    """A path below ``home`` with ``~`` for it, any other as it is."""
    top = home.rstrip("/")
    return f"~{path[len(top) :]}" if top and path.startswith(f"{top}/") else path
