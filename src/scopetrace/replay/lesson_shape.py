"""Is this a lesson? Every field is looked at before anything is played, so that an error names the field.

Source: ``conformance/FORMAT.md`` sections 1.1 to 1.4 for the scenario in it; ``docs/lessons.md`` for the rest.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from scopetrace.engine.config import Config, ConfigError
from scopetrace.engine.profile import PROFILES

from .claims import claim_problem

MAX_TEXT = 240
"""Characters of a caption, question or answer, at most: what a narrow screen shows beside the panes."""

_SCENARIO = {"id", "name", "about", "home", "env", "cwd", "config", "files", "ops", "expect"}
_LESSON = {"profile", "title", "teaches", "captions"}
_CAPTION = {"at", "text", "claims", "question", "answer"}
_CONTENT = {"text", "base64", "noSize", "keepVersion"}
_OPS: dict[str, tuple[set[str], set[str]]] = {
    "preStep": ({"step", "messages"}, {"decision", "claim", "aborted", "settle"}),
    "tool": ({"name"}, {"file_path", "args", "isError", "aborted", "agentless", "token", "parent", "settle"}),
    "turnStart": (set(), {"settle"}),
    "turnEnd": (set(), {"settle"}),
    "stepStart": (set(), {"settle"}),
    "stepEnd": (set(), {"settle"}),
    "write": ({"path"}, _CONTENT),
    "touchFile": ({"path"}, set()),
    "delete": ({"path"}, set()),
    "symlink": ({"path", "target"}, set()),
    "mkdir": ({"path"}, set()),
    "fail": ({"path", "how"}, set()),
    "heal": ({"path"}, set()),
    "compact": ({"id", "range"}, {"text"}),
    "append": ({"message"}, set()),
    "queue": (set(), {"message", "id", "copyOf"}),
    "resume": (set(), {"config"}),
    "reconfigure": ({"config"}, set()),
    "chdir": ({"cwd"}, set()),
    "provider": ({"available"}, set()),
}
"""Operations of FORMAT.md 1.4: the fields that each must have, and those that it may have."""
_TEXTS = {"path", "target", "how", "id", "cwd", "name", "copyOf", "token", "parent"}
"""Fields of operations that hold a text wherever they stand."""


class LessonError(ValueError):
    """A lesson that cannot be used. ``field`` is a place in the file, e.g. ``captions[2].claims[0].path``."""

    def __init__(self, path: str, field: str, message: str, remedy: str) -> None:
        super().__init__(f"{path}, {field}: {message}; {remedy}" if field else f"{path}: {message}; {remedy}")
        self.path = path
        self.field = field
        self.message = message
        self.remedy = remedy


class Shape:
    """Looks through one decoded file; every method raises :class:`LessonError` at the first thing that is wrong."""

    def __init__(self, row: Mapping[str, Any], path: str) -> None:
        self.row = row
        self.path = path

    def wrong(self, field: str, message: str, remedy: str) -> LessonError:
        """An error of this file, to raise."""
        return LessonError(self.path, field, message, remedy)

    def check(self) -> None:
        """The whole lesson."""
        self._names("", self.row, _SCENARIO | _LESSON, _LESSON | {"home", "cwd", "config", "files", "ops"})
        for name in ("title", "teaches"):
            self._text(name, self.row[name])
        if self.row["profile"] not in PROFILES:
            raise self.wrong("profile", f"no such profile: {self.row['profile']!r}", f"write {' or '.join(PROFILES)}")
        self._scenario()
        captions = self.row["captions"]
        if not isinstance(captions, list) or not captions:
            raise self.wrong("captions", "not a list of captions", "a lesson has at least one page; docs/lessons.md")
        last = -1
        for number, caption in enumerate(captions):
            last = self._caption(f"captions[{number}]", caption, last)

    # -- the scenario

    def _scenario(self) -> None:
        row = self.row
        for name in ("home", "cwd"):
            self._absolute(name, row[name])
        self._config("config", row["config"])
        environ = row.get("env") or {}
        if not isinstance(environ, Mapping) or not all(isinstance(value, str) for value in environ.values()):
            raise self.wrong("env", "not an object of texts", 'write e.g. {"DSH_HOME": "/opt/dsh"}')
        if not isinstance(row["files"], Mapping):
            raise self.wrong("files", "not an object", 'write e.g. {"/w/AGENTS.md": {"text": "…"}}')
        for place, file in row["files"].items():
            self._absolute(f"files[{place!r}]", place)
            self._file(f"files[{place!r}]", file)
        if not isinstance(row["ops"], list) or not row["ops"]:
            raise self.wrong("ops", "not a list of operations", "conformance format, section 1.4; docs/lessons.md")
        messages = 0
        for number, op in enumerate(row["ops"]):
            self._op(f"ops[{number}]", op)
            messages += op["op"] == "preStep"
        if not messages:
            raise self.wrong("ops", "no step begins", 'add {"op": "preStep", "step": 1, "messages": […]}')
        expect = row.get("expect")
        if expect is not None and (not isinstance(expect, list) or len(expect) != len(row["ops"])):
            raise self.wrong("expect", "not one observation an operation", "correct it, or leave expect out")

    def _op(self, field: str, op: Any) -> None:
        if not isinstance(op, Mapping) or not isinstance(op.get("op"), str):
            raise self.wrong(field, "not an operation", 'write e.g. {"op": "turnStart"}')
        kind = op["op"]
        if kind not in _OPS:
            near = get_close_matches(kind, _OPS, n=2)
            remedy = f"did you mean {' or '.join(near)}?" if near else f"operations are {', '.join(_OPS)}"
            raise self.wrong(f"{field}.op", f"no such operation: {kind!r}", remedy)
        required, optional = _OPS[kind]
        self._names(field, op, {"op"} | required | optional, required)
        for name in sorted(_TEXTS & set(op)):
            if not isinstance(op[name], str):
                raise self.wrong(f"{field}.{name}", f"not a text: {op[name]!r}", "write a text")
        if "path" in op:
            self._absolute(f"{field}.path", op["path"])
        match kind:
            case "write":
                self._file(field, {name: value for name, value in op.items() if name in _CONTENT})
            case "fail" if op["how"] not in ("stat", "notFound", "read"):
                raise self.wrong(f"{field}.how", f"not a way to fail: {op['how']!r}", "write stat, notFound or read")
            case "preStep":
                self._pre_step(field, op)
            case "compact":
                self._compact(field, op)
            case "queue" if ("message" in op) == ("copyOf" in op and "id" in op):
                raise self.wrong(field, "neither a message nor a copy", "write message, or id and copyOf")
        if "message" in op:
            self._message(f"{field}.message", op["message"])
        if "config" in op:
            self._config(f"{field}.config", op["config"])

    def _pre_step(self, field: str, op: Mapping[str, Any]) -> None:
        if not isinstance(op["step"], int) or isinstance(op["step"], bool):
            raise self.wrong(f"{field}.step", f"not a number: {op['step']!r}", "steps of a turn count from 1")
        if not isinstance(op["messages"], list):
            raise self.wrong(f"{field}.messages", "not a list", "write [] when nobody says anything")
        for number, message in enumerate(op["messages"]):
            self._message(f"{field}.messages[{number}]", message)

    def _compact(self, field: str, op: Mapping[str, Any]) -> None:
        ends = op["range"]
        if not isinstance(ends, list) or len(ends) != 2 or not all(isinstance(end, int) for end in ends):
            remedy = "write the first and the last position on the surface, counted from 0"
            raise self.wrong(f"{field}.range", f"not two positions: {ends!r}", remedy)

    def _message(self, field: str, message: Any) -> None:
        if (
            not isinstance(message, Mapping)
            or not isinstance(message.get("id"), str)
            or not isinstance(message.get("text"), str)
        ):
            raise self.wrong(field, "not a message", 'write e.g. {"id": "u1", "text": "fix the login"}')

    def _file(self, field: str, file: Any) -> None:
        kinds = [name for name in ("text", "base64", "symlink", "dir") if isinstance(file, Mapping) and name in file]
        if len(kinds) != 1:
            raise self.wrong(field, "not a file", "write exactly one of text, base64, symlink and dir")
        value = file[kinds[0]]
        if kinds[0] == "dir":
            return
        if not isinstance(value, str):
            raise self.wrong(f"{field}.{kinds[0]}", f"not a text: {value!r}", "write a text")
        if kinds[0] == "base64":
            try:
                b64decode(value, validate=True)
            except ValueError as error:
                raise self.wrong(f"{field}.base64", f"not base64: {error}", "write the bytes in base64") from None

    def _config(self, field: str, raw: Any) -> None:
        if not isinstance(raw, Mapping):
            raise self.wrong(field, "not an object", 'write e.g. {"maxBytes": 65536}')
        try:
            Config.from_mapping(raw)
        except ConfigError as error:
            remedy = "correct the setting (docs/config.md)"
            raise self.wrong(f"{field}.{error.key}", str(error), remedy) from None

    # -- captions

    def _caption(self, field: str, caption: Any, last: int) -> int:
        if not isinstance(caption, Mapping):
            raise self.wrong(field, "not a caption", 'write e.g. {"at": 0, "text": "…", "claims": [{"nothing": true}]}')
        self._names(field, caption, _CAPTION, {"at", "text", "claims"})
        at = caption["at"]
        count = len(self.row["ops"])
        if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < count:
            raise self.wrong(f"{field}.at", f"no operation {at!r}", f"operations are numbered 0 to {count - 1}")
        if at < last:
            raise self.wrong(f"{field}.at", f"{at} comes after {last}", "put the captions in the order of operations")
        for name in ("text", "question", "answer"):
            if name in caption:
                self._text(f"{field}.{name}", caption[name])
        if ("question" in caption) != ("answer" in caption):
            there, missing = ("question", "answer") if "question" in caption else ("answer", "question")
            raise self.wrong(f"{field}.{missing}", "is missing", f"a caption with a {there} has its {missing}, too")
        if not isinstance(caption["claims"], list) or not caption["claims"]:
            remedy = 'a caption makes at least one claim that can be checked, e.g. {"nothing": true}'
            raise self.wrong(f"{field}.claims", "not a list of claims", remedy)
        for number, claim in enumerate(caption["claims"]):
            problem = claim_problem(claim)
            if problem is not None:
                place = f"{field}.claims[{number}]"
                raise self.wrong(f"{place}.{problem[0]}" if problem[0] else place, problem[1], problem[2])
        return at

    # -- parts

    def _names(self, field: str, found: Mapping[str, Any], known: set[str], required: set[str]) -> None:
        where = f"{field}." if field else ""
        for name in found:
            if name not in known:
                near = get_close_matches(name, sorted(known), n=1)
                remedy = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(known))}"
                raise self.wrong(f"{where}{name}", "there is no such field", remedy)
        for name in sorted(required):
            if name not in found:
                raise self.wrong(f"{where}{name}", "is missing", "add it; docs/lessons.md describes every field")

    def _text(self, field: str, value: Any) -> None:
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(field, f"not a text: {value!r}", "write a sentence")
        if len(value) > MAX_TEXT:
            message = f"{len(value)} characters, a page shows {MAX_TEXT}"
            raise self.wrong(field, message, "shorten it, or make two pages of it")

    def _absolute(self, field: str, value: Any) -> None:
        if not isinstance(value, str) or not value.startswith("/"):
            raise self.wrong(field, f"not an absolute path: {value!r}", "write it from /, as in /home/ana/shop")
