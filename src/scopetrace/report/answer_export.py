"""An answer as Markdown and as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from scopetrace.explain.answer import Answer

from .answer_text import answer_lines
from .html import page
from .markdown import code, escaped


def answer_markdown(answer: Answer) -> Iterator[str]:
    """An answer: the headline as title, then one list a part."""
    yield f"# {escaped(answer.headline)}\n\n"
    yield f"- {code(answer.absolute_path)}\n- after event {answer.seq}, rules {escaped(answer.profile)}\n"
    yield "\n## Why\n\n"
    for cause in answer.causes:
        event = "" if cause.seq is None else f" — event {cause.seq}"
        yield f"- {escaped(cause.sentence)} ({code(cause.code)}){event}\n"
    for title, files in (("Applies here, from broad to specific", answer.applies), ("Would load", answer.would_load)):
        if files:
            yield f"\n## {title}\n\n"
            yield from (f"- {code(one.path)} ({code(one.code)})\n" for one in files)
    if answer.when:
        yield "\n## When\n\n"
        for moment in answer.when:
            place = "ahead" if moment.seq is None else f"event {moment.seq}"
            yield f"- {place}: {escaped(moment.sentence)}\n"
    if answer.evidence:
        yield "\n## Evidence\n\n"
        yield from (f"- {escaped(one.kind)}: {escaped(one.sentence)}\n" for one in answer.evidence)


def answer_html(answer: Answer) -> Iterator[str]:
    """An answer: the lines of its text, in colour."""
    yield from page(answer.headline, answer_lines(answer))


def exported_answer(answer: Answer, form: str) -> Iterator[str]:
    """An answer as ``json``, ``md`` or ``html``, piece by piece."""
    if form == "json":
        from .json_text import to_json

        return iter((to_json(answer) + "\n",))
    return answer_markdown(answer) if form == "md" else answer_html(answer)
