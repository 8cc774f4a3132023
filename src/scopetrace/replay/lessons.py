"""Lessons: scenarios with captions, whose claims are checked against the engine. ``docs/lessons.md`` is the format.

The lessons that come with the program are JSON files in ``scopetrace/lessons/``; a team's own are files anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .claims import Claim, Finding, check_claim
from .lesson_moments import Moment, play
from .lesson_shape import LessonError, Shape
from .op_words import operation_words

if TYPE_CHECKING:
    from .steps import StepTimeline

ORDER = ("chain", "siblings", "budget", "nested", "changes", "compaction", "resume")
"""Lessons in the order in which they teach; others follow by name."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What is said about operation ``at``. ``question`` and ``answer`` are both empty or both there."""

    at: int
    text: str
    claims: tuple[Claim, ...]
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a lesson as a screen or a text draws it. Strings are raw, not yet safe for display.

    ``number`` counts from 1. ``at`` is the operation (and the row of the lesson's timeline) that the page is about;
    ``happened`` are the operations since the page before, in words, empty where the page adds to that one.
    ``findings`` are the caption's claims, held against what the engine did.
    """

    number: int
    total: int
    at: int
    caption: str
    happened: tuple[str, ...]
    findings: tuple[Finding, ...]
    question: str = ""
    answer: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson. ``name`` is the file's name without its extension, ``row`` the scenario in the conformance format."""

    name: str
    title: str
    teaches: str
    profile: str
    captions: tuple[Caption, ...]
    row: Mapping[str, Any] = field(repr=False)
    path: str = ""

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """What happened at each operation. Raises :class:`LessonError` when one cannot be played."""
        return self._under(self.profile)

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """All pages, in order. Raises :class:`LessonError` when an operation cannot be played."""
        return tuple(self._pages())

    @property
    def wrong(self) -> tuple[tuple[str, Finding], ...]:
        """Claims that do not hold, each with its place in the file (``captions[2].claims[0]``)."""
        return tuple(
            (f"captions[{page.number - 1}].claims[{number}]", finding)
            for page in self.pages
            for number, finding in enumerate(page.findings)
            if not finding.holds
        )

    def timeline(self) -> StepTimeline:
        """The lesson's scenario as a timeline; a page's ``at`` is an index into it."""
        from .played import open_scenario

        return open_scenario(self.row, self.profile)

    def unexpected(self) -> tuple[str, ...]:
        """Where the observations differ from the ``expect`` of the file (``expect[3].surface``); empty without one."""
        return tuple(
            f"expect[{number}].{name}"
            for number, (wanted, moment) in enumerate(zip(self.row.get("expect") or (), self.moments, strict=False))
            for name in sorted({*wanted, *moment.observed})
            if wanted.get(name) != moment.observed.get(name)
        )

    def verify(self) -> None:
        """Raises :class:`LessonError` for the first claim that does not hold, or the first unexpected observation."""
        for place, finding in self.wrong:
            message = f"the claim does not hold: {finding.said}"
            raise LessonError(self.path, place, message, "correct the claim and its caption, or the scenario")
        for place in self.unexpected():
            message = "the engine observes something else"
            raise LessonError(self.path, place, message, "correct the observation, or leave expect out")

    def _under(self, profile: str) -> tuple[Moment, ...]:
        try:
            return play(self.row, profile)
        except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
            message = f"the scenario cannot be played: {error!r}"
            raise LessonError(self.path, "ops", message, "compare it with the conformance format") from error

    def _pages(self) -> Iterator[Page]:
        others = {
            name: self._under(name)
            for name in {
                str(claim["under"]) for caption in self.captions for claim in caption.claims if "under" in claim
            }
        }
        told = -1
        for number, caption in enumerate(self.captions, start=1):
            findings = []
            for claim in caption.claims:
                moments = others[claim["under"]] if "under" in claim else self.moments
                findings.append(check_claim(claim, moments[caption.at]))
            happened = tuple(self._happened(told + 1, caption.at))
            yield Page(
                number, len(self.captions), caption.at, caption.text, happened, tuple(findings),
                caption.question, caption.answer,
            )  # fmt: skip
            told = caption.at

    def _happened(self, first: int, last: int) -> Iterator[str]:
        for op in self.row["ops"][first : last + 1]:
            yield operation_words(op, self.row["home"])


def lesson_from(row: Mapping[str, Any], path: str = "", name: str = "") -> Lesson:
    """A lesson from a decoded file. Raises :class:`LessonError` naming the field; claims are not checked yet."""
    Shape(row, path).check()
    captions = tuple(
        Caption(c["at"], c["text"], tuple(c["claims"]), c.get("question", ""), c.get("answer", ""))
        for c in row["captions"]
    )
    return Lesson(name or str(row.get("name", "")), row["title"], row["teaches"], row["profile"], captions, row, path)


def load_lesson(path: str | os.PathLike[str]) -> Lesson:
    """The lesson in a file (``.json``, or the first line of ``.jsonl``, also gzipped).

    Raises :class:`LessonError` (file, field, remedy) and :class:`OSError`; claims are not checked yet.
    """
    from .played import ScenarioError, read_scenario

    path = os.fspath(path)
    try:
        row = read_scenario(path)
    except ScenarioError as error:
        raise LessonError(path, error.place, error.message, "write one JSON object; docs/lessons.md") from None
    except (EOFError, ValueError) as error:
        raise LessonError(path, "", f"cannot be read: {error}", "check the path") from None
    return lesson_from(row, path, os.path.basename(path).partition(".")[0])


def lesson_dir() -> Path:
    """The directory of the lessons that come with the program."""
    return Path(str(resources.files("scopetrace"))) / "lessons"


def lessons() -> list[Lesson]:
    """All lessons that come with the program, in teaching order. Raises :class:`LessonError` when one is broken."""
    found = [load_lesson(path) for path in lesson_dir().glob("*.json")]
    return sorted(found, key=lambda one: (ORDER.index(one.name) if one.name in ORDER else len(ORDER), one.name))


def find_lesson(name: str) -> Lesson | None:
    """A shipped lesson by its name, its number in the list (from 1), or the beginning of one name only."""
    known = lessons()
    if name.isascii() and name.isdigit():
        number = int(name)
        return known[number - 1] if 1 <= number <= len(known) else None
    exact = [lesson for lesson in known if lesson.name == name]
    starting = exact or [lesson for lesson in known if name and lesson.name.startswith(name)]
    return starting[0] if len(starting) == 1 else None
