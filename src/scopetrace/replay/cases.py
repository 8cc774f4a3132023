"""Instruction cases (``instruction-case/1``): a question about a small made-up session, turned into a scenario.

Paths are relative to a scratch root. Steps are few and coarse: ``prompt`` and ``step`` begin a step, ``touch``
is a finished tool call outside of a step, ``disk_…`` changes files behind the agent's back, ``compact`` hides the whole
surface. Unknown spellings of the same ideas are accepted where their meaning is plain.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any

SCHEMA = "instruction-case/"
ROOT = "/case"
"""Where the scratch root of a case lies in memory."""


class CaseError(ValueError):
    """A case holds something that has no plain meaning."""


def is_case(row: Mapping[str, Any]) -> bool:
    """Whether a decoded JSON object is an instruction case."""
    return str(row.get("schema", "")).startswith(SCHEMA) or ("workspace" in row and "steps" in row)


def place(path: str) -> str:
    """Absolute path of a case's path."""
    return path if path.startswith("/") else f"{ROOT}/{path}".rstrip("/")


def case_scenario(case: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario that plays a case. Raises :class:`CaseError`; :class:`KeyError` for a missing part."""
    workspace = case["workspace"]
    home = place(workspace.get("home", "home"))
    env = {str(key): place(str(value)) for key, value in (workspace.get("env") or {}).items()}
    for key, variable, default in (
        ("dsh_home", "DSH_HOME", f"{home}/.dsh"),
        ("agents_home", "DSH_AGENTS_HOME", f"{home}/.agents"),
    ):
        given = workspace.get(key)
        if given and place(given) != default:
            env.setdefault(variable, place(given))
    files: dict[str, Any] = {}
    late: list[dict[str, Any]] = []
    for entry in workspace["tree"]:
        path = place(entry["path"])
        files[path] = _file(entry)
        late.extend(_failures(path, entry))
    for directory in (home, place(workspace["cwd"])):
        if not any(known == directory or known.startswith(f"{directory}/") for known in files):
            files[directory] = {"dir": True}
    steps = _Steps(case["steps"])
    return {
        "id": case.get("id", ""),
        "name": case.get("title", ""),
        "about": case.get("question", ""),
        "home": home,
        "env": env,
        "cwd": place(workspace["cwd"]),
        "config": dict(case["config"]),
        "files": files,
        "ops": [*late, *steps.ops()],
    }


def _content(entry: Mapping[str, Any]) -> bytes | None:
    if "text" in entry:
        return str(entry["text"]).encode("utf-8", "surrogatepass")
    for key in ("base64", "bytes_base64", "b64"):
        if key in entry:
            return b64decode(entry[key])
    for key in ("hex", "bytes_hex"):
        if key in entry:
            return bytes.fromhex(entry[key])
    if "repeat" in entry:
        unit = entry["repeat"]
        whole = unit.get("head", "") + unit.get("unit", "") * int(unit.get("count", 0)) + unit.get("tail", "")
        return str(whole).encode()
    if isinstance(entry.get("bytes"), list):
        return bytes(entry["bytes"])
    return None


def _file(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A tree entry as a FILE of FORMAT.md 1.2."""
    kind = entry.get("type", "file")
    if kind in ("symlink", "link") or "target" in entry:
        return {"symlink": entry["target"]}
    if kind in ("dir", "directory"):
        return {"dir": True}
    if kind in ("fifo", "socket", "device", "other"):
        return {"dir": True}  # what counts is that it is no regular file
    if kind != "file":
        raise CaseError(f"unknown kind of file: {kind!r} at {entry.get('path')}")
    data = _content(entry)
    return {"base64": b64encode(data or b"").decode()}


def _failures(path: str, entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    mode = entry.get("mode")
    unreadable = bool(entry.get("unreadable"))
    if mode is not None:
        bits = int(mode, 8) if isinstance(mode, str) else int(mode)
        unreadable = unreadable or not bits & 0o444
    how = entry.get("fail") or ("read" if unreadable else None)
    if how:
        yield {"op": "fail", "path": path, "how": how}


class _Steps:
    """Turns the steps of a case into operations."""

    def __init__(self, steps: list[Mapping[str, Any]]) -> None:
        self.steps = steps
        self.number = 0

    def ops(self) -> Iterator[dict[str, Any]]:
        for index, step in enumerate(self.steps):
            yield from self._one(step, index)

    def _one(self, step: Mapping[str, Any], index: int) -> Iterator[dict[str, Any]]:
        kind = str(step["op"])
        if kind in ("prompt", "step"):
            self.number += 1
            text = str(step.get("text") or "go on")
            messages = [{"id": f"prompt-{index}", "text": text}] if kind == "prompt" else []
            yield {"op": "preStep", "step": self.number, "messages": messages}
        elif kind in ("touch", "tool"):
            yield _touch(step)
        elif kind in _PLAIN:
            yield _PLAIN[kind](step, index)
        elif kind in ("disk_rename", "disk_move", "rename", "move"):
            raise CaseError(f"step {index}: {kind} is not known; write it as a delete and a write")
        else:
            raise CaseError(f"step {index}: unknown op {kind!r}")


def _touch(step: Mapping[str, Any]) -> dict[str, Any]:
    failed = bool(step.get("error") or step.get("isError"))
    name = str(step.get("tool") or step.get("name") or "read")
    op: dict[str, Any] = {"op": "tool", "name": name, "isError": failed, "aborted": bool(step.get("aborted"))}
    if "path" in step:
        # A shell command is no path; anything else is named as the tools name it, absolute.
        return {**op, "file_path": place(str(step["path"]))}
    return {**op, "args": step.get("args") or {key: step[key] for key in ("command", "pattern") if key in step}}


def _write(step: Mapping[str, Any], index: int) -> dict[str, Any]:
    return {"op": "write", "path": place(step["path"]), "base64": b64encode(_content(step) or b"").decode()}


def _compact(step: Mapping[str, Any], index: int) -> dict[str, Any]:
    given = step.get("range")
    return {"op": "compact", "id": f"summary-{index}", "text": "", "range": given or [0, 1 << 30]}


def _resume(step: Mapping[str, Any], index: int) -> dict[str, Any]:
    config = {"config": step["config"]} if "config" in step else {}
    return {"op": "resume", **config}


def _at(op: str, **more: str) -> Callable[[Mapping[str, Any], int], dict[str, Any]]:
    def make(step: Mapping[str, Any], index: int) -> dict[str, Any]:
        kept = {key: step[key] for key in ("target", "how") if key in step}
        return {"op": op, "path": place(step["path"]), **more, **kept}

    return make


_PLAIN: dict[str, Callable[[Mapping[str, Any], int], dict[str, Any]]] = {
    "disk_write": _write,
    "write": _write,
    "disk_delete": _at("delete"),
    "disk_remove": _at("delete"),
    "delete": _at("delete"),
    "disk_mkdir": _at("mkdir"),
    "mkdir": _at("mkdir"),
    "disk_symlink": _at("symlink"),
    "symlink": _at("symlink"),
    "disk_touch": _at("touchFile"),
    "touchFile": _at("touchFile"),
    "fail": _at("fail", how="read"),
    "heal": _at("heal"),
    "compact": _compact,
    "resume": _resume,
    "restart": _resume,
    "reconfigure": _resume,
    "config": _resume,
    "chdir": lambda step, index: {"op": "chdir", "cwd": place(str(step.get("cwd") or step["path"]))},
    "cd": lambda step, index: {"op": "chdir", "cwd": place(str(step.get("cwd") or step["path"]))},
}
