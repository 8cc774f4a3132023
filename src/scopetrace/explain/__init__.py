"""Storey 5: a question (path, step) becomes an answer: verdict, chain of causes, evidence, and when.

Nothing is decided a second time here: answers are read off the loader's decisions, the states of scopes and the files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer, Applying, Evidence, Moment, Reason
    from .answering import why

__all__ = ["Answer", "Applying", "Evidence", "Moment", "Reason", "why"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".answering" if name == "why" else ".answer", __name__), name)
