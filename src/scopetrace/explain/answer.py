"""An answer: verdict, causes, evidence and moments, as plain values that text, JSON and screen share.

Sizes are bytes, digests SHA-1 hex, strings raw (not yet safe for display). ``seq`` is an event of the timeline, which
every reader can open; sentences are rendered by :mod:`scopetrace.explain.sentences` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scopetrace.model import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One link in the chain of causes. ``code`` is a :class:`~.codes.Code` or an outcome of the loader."""

    code: str
    sentence: str
    facts: Mapping[str, Fact]
    path: str = ""
    absolute_path: str = ""
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Something to look at: ``kind`` is a :class:`~.codes.Kind`; ``absolute_path`` and ``seq`` lead there."""

    kind: str
    sentence: str
    facts: Mapping[str, Fact]
    absolute_path: str = ""
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When it happened (``seq``), or what would make it happen: ``kind`` is a :class:`~.codes.When`.

    ``later`` marks what lies after the step that was asked about.
    """

    kind: str
    sentence: str
    facts: Mapping[str, Fact]
    seq: int | None = None
    later: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Applying:
    """An instruction file that applies to a place, or would. ``code`` is its state; ``seq`` what announced it."""

    directory: str
    name: str
    path: str
    absolute_path: str
    code: str
    size: int | None
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Why a path is loaded or not at a step, or what applies there.

    ``question`` is the path as it was asked for, ``path`` as the model would see it. ``at`` is the row and ``seq`` its
    event (-1 for a gap). ``code`` is the first cause; ``headline`` says verdict and first cause in at most 100
    characters. ``applies`` runs from broad to specific: where files disagree, the last one takes precedence.
    """

    schema: Literal["scopetrace/answer/1"] = "scopetrace/answer/1"
    question: str
    path: str
    absolute_path: str
    subject: str
    at: int
    seq: int
    cwd: str
    project_root: str
    profile: str
    standing: str
    code: str
    headline: str
    causes: tuple[Reason, ...]
    evidence: tuple[Evidence, ...]
    when: tuple[Moment, ...]
    applies: tuple[Applying, ...] = ()
    would_load: tuple[Applying, ...] = ()
