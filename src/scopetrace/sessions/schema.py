"""Rows of a session log: the header as a validated model, events as small frozen values.

Source: ``formats/session-log.md`` sections 3 and 4. A row is decoded once, by msgspec; what msgspec refuses and
ECMAScript's ``JSON.parse`` accepts (lone surrogates, numbers out of range) goes through the standard library.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import msgspec
from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError

from .errors import ErrorCode, LogError
from .frames import GapKind
from .vocabulary import KNOWN_TYPES, NEWEST_FORMAT

MAX_SEQ = 2**53 - 1
"""The greatest event number: what ECMAScript still counts exactly."""


class Header(BaseModel):
    """First line of a log. ``cwd`` is the directory the session was opened in, never rewritten by later changes.

    ``created_at`` is milliseconds. Fields this program does not know are kept.
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    type: Literal["session"]
    version: StrictInt = Field(ge=0)
    id: str = Field(min_length=1)
    created_at: int | None = Field(None, alias="createdAt")
    cwd: str | None = None
    parent_session: str | None = Field(None, alias="parentSession")
    is_seeded: bool = Field(False, alias="isSeeded")
    seed_length: int | None = Field(None, alias="seedLength")
    origin: str | None = None
    delegation_depth: int = Field(0, alias="delegationDepth")
    agent_preset: Any = Field(None, alias="agentPreset")


@dataclass(frozen=True, slots=True)
class SeqRanges:
    """Event numbers as inclusive ranges; never expanded to more memory than the log itself takes.

    ``malformed`` tells that the row held something else too, which was left out.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    malformed: bool = False

    def __iter__(self) -> Iterator[int]:
        for start, end in self.ranges:
            yield from range(start, end + 1)

    def __len__(self) -> int:
        return sum(end - start + 1 for start, end in self.ranges)

    def __contains__(self, seq: object) -> bool:
        return isinstance(seq, int) and any(start <= seq <= end for start, end in self.ranges)

    def covers(self, seqs: Iterable[int]) -> bool:
        """Whether all of these are in here; one sweep, not one look a number."""
        ranges = iter(sorted(self.ranges))
        reach = -1
        for seq in sorted(seqs):
            while seq > reach:
                start, end = next(ranges, (seq + 1, seq))
                if start > seq:
                    return False
                reach = max(reach, end)
        return True


NO_SEQS = SeqRanges()


@dataclass(frozen=True, slots=True)
class SurfaceOp:
    """What an event does to the visible surface.

    ``append`` pushes it; ``replace`` puts it in the place of the nodes from ``start`` to ``end`` (both event numbers
    of visible nodes, inclusive by position). ``invalid`` is anything else a row held there.
    """

    op: Literal["append", "replace", "invalid"]
    start: int = -1
    end: int = -1


APPEND = SurfaceOp("append")
INVALID_OP = SurfaceOp("invalid")


class Event(msgspec.Struct, frozen=True, eq=False):
    """One event of a session.

    ``time`` is wall-clock milliseconds and not monotonic; ``data`` is the row's payload as JSON values and must not
    be changed. ``sources`` are the expanded ``sourceEventSeqs``. ``index`` counts the events of the log from 0;
    ``offset`` and ``inner`` are the place of the row (see :class:`~scopetrace.sessions.frames.Batch`). Text may hold
    lone surrogates, as ECMAScript strings may.
    """

    seq: int
    type: str
    time: int
    data: dict[str, Any]
    index: int
    offset: int
    inner: int = 0
    surface_op: SurfaceOp | None = None
    sources: SeqRanges = NO_SEQS
    ignorable: bool = False

    @property
    def known(self) -> bool:
        """Whether this program knows the type. An unknown type that is not ``ignorable`` stops the runtime itself."""
        return self.type in KNOWN_TYPES


class Row(msgspec.Struct, rename="camel"):
    """A row as it is stored; one event, or several when packed."""

    type: str
    seq: int | None = None
    time: int | float = 0
    data: dict[str, Any] = {}
    surface_op: Any = None
    source_event_seqs: Any = None
    ignorable: bool = False
    seq0: int | None = None
    time0: int | float = 0


class Nothing(msgspec.Struct, frozen=True):
    """Any JSON object, gone over and not kept."""


class Head(msgspec.Struct, rename="camel", gc=False):
    """What of a row decides about its place; the rest is checked for syntax and passed over. Fields as in :class:`Row`.

    Text inside what is passed over is not checked for UTF-8. A line that this does not fit may still be a row.
    """

    type: str
    seq: int | None = None
    data: Nothing = Nothing()
    surface_op: Any = None
    ignorable: bool = False
    seq0: int | None = None


class RowError(Exception):
    """A line that is no event; ``kind`` is the gap it leaves."""

    def __init__(self, kind: GapKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


_ROW = msgspec.json.Decoder(Row)
decode_head = msgspec.json.Decoder(Head).decode
"""Decode the head of one line; raises :class:`msgspec.DecodeError` or :class:`RecursionError`."""


def decode_row(line: bytes) -> Row:
    """Decode one line. Raises :class:`RowError` when it is not JSON or not shaped like an event."""
    try:
        return _ROW.decode(line)
    except (msgspec.DecodeError, RecursionError):
        pass
    value = decode_json(line)
    if not isinstance(value, dict):
        raise RowError(GapKind.NOT_AN_EVENT, f"the line is {_json_kind(value)}, not an object")
    try:
        return msgspec.convert(value, Row, strict=True)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the second: a surrogate where a number belongs
        return _repair(value, error)


def _repair(value: dict[str, Any], error: Exception) -> Row:
    """Keep a row whose type, payload and number are good although something beside them is not."""
    kept: dict[str, Any] = {
        key: value[key] for key in ("type", "seq", "seq0", "data", "surfaceOp", "sourceEventSeqs") if key in value
    }
    kept["ignorable"] = value.get("ignorable") is True
    for key in ("time", "time0"):
        if isinstance(value.get(key), float | int):
            kept[key] = milliseconds(value[key])
    for key in ("seq", "seq0"):
        number = value.get(key)
        if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
            kept[key] = int(number)
    try:
        return msgspec.convert(kept, Row, strict=True)
    except (msgspec.ValidationError, UnicodeEncodeError):
        reason = str(error).replace("Object missing", "the row misses").replace(" - at `$", " at `")
        raise RowError(GapKind.NOT_AN_EVENT, reason[:1].lower() + reason[1:]) from None


def milliseconds(value: float) -> int:
    """A recorded time as a whole number; 0 for what is no time."""
    return int(value) if math.isfinite(value) else 0


def decode_json(line: bytes) -> Any:
    """Any JSON text as ``JSON.parse`` would take it. Raises :class:`RowError` when it would not."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise RowError(GapKind.NOT_JSON, f"the line is not UTF-8 at byte {error.start}") from None
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise RowError(GapKind.NOT_JSON, f"the line is not JSON ({error.msg} at character {error.pos})") from None
    except ValueError as error:
        raise RowError(GapKind.NOT_JSON, f"the line is not JSON ({error})") from None
    except RecursionError:
        raise RowError(GapKind.NOT_JSON, "the line nests too deeply") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _json_kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "an array"}
    return names.get(type(value), "something else")


def parse_header(line: bytes, path: str) -> Header:
    """Validate the header line. Raises :class:`LogError` ``not-a-log`` or ``newer-format``, naming the field."""
    remedy = "name a session.v4.jsonl[.zstd], session.v3.jsonl[.zstd] or session.jsonl[.zstd] file"
    try:
        value = decode_json(line)
    except RowError as error:
        raise LogError(ErrorCode.NOT_A_LOG, path, "line 1", f"not a session log: {error.reason}", remedy) from None
    if not isinstance(value, dict) or value.get("type") != "session":
        message = "not a session log: the first line is no session header"
        raise LogError(ErrorCode.NOT_A_LOG, path, "line 1", message, remedy)
    version = value.get("version")
    if isinstance(version, int) and version > NEWEST_FORMAT:
        message = f"log format {version} is newer than {NEWEST_FORMAT}, the newest this program reads"
        raise LogError(ErrorCode.NEWER_FORMAT, path, "line 1, field version", message, "update scopetrace")
    try:
        return Header.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "header"
        message = f"not a session log: bad header ({first['msg']})"
        raise LogError(ErrorCode.NOT_A_LOG, path, f"line 1, field {field}", message, remedy) from None


def parse_surface_op(value: Any) -> SurfaceOp | None:
    """The operation in either spelling; ``None`` when the row has none."""
    if value is None:
        return None
    if value == "append":
        return APPEND
    if isinstance(value, dict) and value.get("op") == "replace":
        start: Any = value.get("startSeq", value.get("start"))
        end: Any = value.get("endSeq", value.get("end"))
        if _is_seq(start) and _is_seq(end):
            return SurfaceOp("replace", start, end)
    return INVALID_OP


def parse_sources(value: Any) -> SeqRanges:
    """``sourceEventSeqs`` with its ``[start, end]`` pairs understood."""
    if value is None:
        return NO_SEQS
    if not isinstance(value, list):
        return SeqRanges((), True)
    ranges: list[tuple[int, int]] = []
    for item in value:
        if _is_seq(item):
            ranges.append((item, item))
        elif isinstance(item, list) and len(item) == 2 and _is_seq(item[0]) and _is_seq(item[1]) and item[0] <= item[1]:
            ranges.append((item[0], item[1]))
    return SeqRanges(tuple(ranges), len(ranges) != len(value))


def _is_seq(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_SEQ
