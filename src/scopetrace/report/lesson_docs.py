"""Lessons as documents: what ``scopetrace learn --json`` writes. Sizes are bytes, strings raw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from scopetrace.replay.lessons import Lesson, Page


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDoc:
    """A caption's claim as the lesson has it, whether it holds, and in prose what the engine did."""

    claim: Mapping[str, Any]
    holds: bool
    glyph: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDoc:
    """A page. ``at`` is the operation it is about, ``happened`` what came since the page before, in prose."""

    number: int
    at: int
    caption: str
    happened: tuple[str, ...]
    claims: tuple[ClaimDoc, ...]
    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonDoc:
    """A lesson, page by page. ``unexpected`` names the observations that differ from the file's ``expect``."""

    schema: Literal["scopetrace/lesson/1"] = "scopetrace/lesson/1"
    name: str
    title: str
    teaches: str
    profile: str
    path: str
    holds: bool
    unexpected: tuple[str, ...]
    pages: tuple[PageDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonHeadDoc:
    """A lesson in a list. ``pages`` and ``questions`` are counts."""

    name: str
    title: str
    teaches: str
    profile: str
    pages: int
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonsDoc:
    """The lessons that come with the program, in teaching order."""

    schema: Literal["scopetrace/lessons/1"] = "scopetrace/lessons/1"
    lessons: tuple[LessonHeadDoc, ...]


def lesson_doc(lesson: Lesson) -> LessonDoc:
    """A lesson with its claims checked. Raises :class:`~scopetrace.replay.lesson_shape.LessonError`."""
    unexpected = lesson.unexpected()
    return LessonDoc(
        name=lesson.name,
        title=lesson.title,
        teaches=lesson.teaches,
        profile=lesson.profile,
        path=lesson.path,
        holds=not lesson.wrong and not unexpected,
        unexpected=unexpected,
        pages=tuple(map(_page, lesson.pages)),
    )


def lessons_doc(lessons: Sequence[Lesson]) -> LessonsDoc:
    """A list of lessons; nothing is played."""
    return LessonsDoc(
        lessons=tuple(
            LessonHeadDoc(
                name=lesson.name,
                title=lesson.title,
                teaches=lesson.teaches,
                profile=lesson.profile,
                pages=len(lesson.captions),
                questions=sum(1 for caption in lesson.captions if caption.question),
            )
            for lesson in lessons
        )
    )


def _page(page: Page) -> PageDoc:
    return PageDoc(
        number=page.number,
        at=page.at,
        caption=page.caption,
        happened=page.happened,
        claims=tuple(ClaimDoc(claim=f.claim, holds=f.holds, glyph=f.glyph, said=f.said) for f in page.findings),
        question=page.question,
        answer=page.answer,
    )
