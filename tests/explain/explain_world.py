"""Small workspaces in memory to ask about."""

from __future__ import annotations

from typing import Any

from scopetrace.engine.config import Config
from scopetrace.explain import Answer, why
from scopetrace.replay import open_scenario, open_workspace
from scopetrace.replay.replayed import Replayed
from scopetrace.workspace.memory import MemoryFs

WS = "/w/shop"
HOME = "/home/ada"


def plain(files: dict[str, Any], *, cwd: str = WS, touches: tuple[str, ...] = (), **config: Any) -> Replayed:
    """A workspace; paths are relative to the shop unless absolute, a text is a file, a dict a FILE of FORMAT.md."""
    fs = MemoryFs({f"{WS}/.git": {"dir": True}})
    for name, what in files.items():
        fs.put(name if name.startswith("/") else f"{WS}/{name}", {"text": what} if isinstance(what, str) else what)
    settings = Config.from_mapping({"maxBytes": 65536, **config})
    return open_workspace(cwd, home=HOME, environ={}, config=settings, touches=touches, fs=fs)


def session(files: dict[str, str], *ops: dict[str, Any], profile: str = "next", **config: Any) -> Replayed:
    """A played scenario. Ops are those of FORMAT.md; ``step`` and ``read`` are short forms."""
    row = {
        "id": "s",
        "home": HOME,
        "cwd": WS,
        "config": {"maxBytes": 65536, **config},
        "files": {f"{WS}/.git": {"dir": True}, **{f"{WS}/{name}": {"text": text} for name, text in files.items()}},
        "ops": list(ops),
    }
    return open_scenario(row, profile)


def step(number: int, *texts: str, **more: Any) -> dict[str, Any]:
    messages = [{"id": f"m{number}-{at}", "text": text} for at, text in enumerate(texts)]
    return {"op": "preStep", "step": number, "messages": messages, **more}


def read(path: str, **more: Any) -> dict[str, Any]:
    return {"op": "tool", "name": "read", "file_path": f"{WS}/{path}", **more}


def codes(answer: Answer) -> list[str]:
    return [cause.code for cause in answer.causes]


def ask(files: dict[str, Any], path: str, **more: Any) -> Answer:
    return why(plain(files, **more), path)
