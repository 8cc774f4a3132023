"""The documents as pydantic models: validation of what was written, and JSON Schema for those who read it.

Source: the classes of ``report.documents``. Imported only when a schema is asked for: pydantic
costs a tenth of a second.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from scopetrace.explain.answer import Answer

from . import documents, lesson_docs

SCHEMAS: dict[str, type[Any]] = {
    "timeline": documents.TimelineDoc,
    "frame": documents.FrameDoc,
    "tree": documents.TreeDoc,
    "show": documents.ShowDoc,
    "answer": Answer,
    "audit": documents.AuditDoc,
    "message": documents.MessageAtDoc,
    "sessions": documents.SessionsDoc,
    "outcomes": documents.OutcomesDoc,
    "lessons": lesson_docs.LessonsDoc,
    "lesson": lesson_docs.LessonDoc,
    "error": documents.ErrorDoc,
}
"""Documents by the middle part of their ``schema``."""


@cache
def adapter(name: str) -> TypeAdapter[Any]:
    """The pydantic model of a document. Raises :class:`KeyError` for a name that is not in :data:`SCHEMAS`."""
    return TypeAdapter(SCHEMAS[name])


def json_schema(name: str) -> dict[str, Any]:
    """JSON Schema (2020-12) of a document, with its version in ``$id``."""
    schema = adapter(name).json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema["properties"]["schema"]["const"],
        **schema,
    }


def parse(data: Any) -> documents.Document:
    """The document in decoded JSON. Raises ``pydantic.ValidationError``, or :class:`ValueError` for another schema."""
    text = data.get("schema") if isinstance(data, dict) else None
    parts = text.split("/") if isinstance(text, str) else []
    if len(parts) != 3 or parts[0] != "scopetrace" or parts[1] not in SCHEMAS:
        raise ValueError(f"not a scopetrace document: schema {text!r}")
    document: documents.Document = adapter(parts[1]).validate_python(data)
    return document
