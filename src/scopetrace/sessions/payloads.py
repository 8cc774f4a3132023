"""Payloads of the events that matter, as validated models; made only when somebody asks.

Source: ``formats/session-log.md`` sections 6 and 9. Foreign fields are allowed and left alone.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from .schema import Event


class Payload(BaseModel):
    """Base of all payload models."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class MessageRecord(Payload):
    """A message as a row holds it: content blocks and source are kept as JSON values. Old rows have no ``id``."""

    content: list[Any] | str = Field(default_factory=list)
    source: Any = None
    role: StrictStr | None = None
    id: StrictStr = ""


class Splice(Payload):
    """An edit of the inbox: at ``start``, ``removed`` messages go and ``inserted`` come.

    ``outcome`` ``canceled`` on a removal from ``next-step`` is the hand-over to the step, not a loss.
    """

    target: Literal["next-turn", "next-step"]
    start: StrictInt = Field(ge=0)
    removed: StrictInt = Field(0, alias="removedCount", ge=0)
    inserted: list[MessageRecord] = Field(default_factory=list)
    outcome: StrictStr | None = None


class ToolCallRecord(Payload):
    """A tool call; ``arguments`` is the raw text the model wrote, JSON or not."""

    call_id: StrictStr = Field(alias="callId")
    name: StrictStr
    arguments: Any = ""


class SubCallRecord(Payload):
    """A call made by a running program; ``arguments`` is a JSON value. The start row has no outcome yet."""

    root_call_id: StrictStr = Field(alias="rootCallId")
    parent_call_id: StrictStr = Field(alias="parentCallId")
    sub_call_id: StrictStr = Field(alias="subCallId")
    name: StrictStr
    arguments: Any = None
    is_error: StrictBool = Field(False, alias="isError")


class Boundary(Payload):
    """Start or end of a turn or step."""

    turn: StrictInt
    step: StrictInt | None = None


class DirectoryChange(Payload):
    """The effective working directory from here on (absolute)."""

    cwd: StrictStr = Field(min_length=1)


P = TypeVar("P", bound=Payload)


def payload(event: Event, model: type[P]) -> P | None:
    """The event's payload as ``model``; ``None`` when it does not fit (see :func:`misfit` for why)."""
    try:
        return model.model_validate(event.data)
    except ValidationError:
        return None


def misfit(event: Event, model: type[Payload]) -> str | None:
    """Which field of the payload does not fit ``model``, in words; ``None`` when all fit."""
    try:
        model.model_validate(event.data)
    except ValidationError as error:
        first = error.errors()[0]
        return f"field data.{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None
