"""Markdown and HTML: no content breaks out of its place."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from scopetrace.model import TimelineView
from scopetrace.report import build, parts
from scopetrace.report.html import timeline_html
from scopetrace.report.markdown import code, escaped, fenced, timeline_markdown

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\ud800-\udfff]")


class Tags(HTMLParser):
    """Checks that every tag closes, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.data: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.data.append(data)


def test_html_is_well_formed_and_self_contained(view: TimelineView) -> None:
    written = "".join(timeline_html(parts.info_doc(view.info), build.telling_frames(view), build.totals_doc(view)))
    tags = Tags()
    tags.feed(written)
    tags.close()
    assert tags.open == []
    assert tags.seen == {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "p",
        "span",
        "details",
        "summary",
        "pre",
    }
    assert not CONTROL.search(written)
    assert "src=" not in written
    assert "href=" not in written
    assert "<system-reminder>\nRoot rules é\n</system-reminder>" in "".join(tags.data)
    assert "recorded ≠ computed" in written


def test_html_opens_what_differs(view: TimelineView) -> None:
    written = "".join(timeline_html(parts.info_doc(view.info), build.telling_frames(view), build.totals_doc(view)))
    assert written.count("<details open>") == 1
    assert written.count("<details>") == 1


def test_markdown_holds_the_text_in_a_fence(view: TimelineView) -> None:
    written = "".join(timeline_markdown(parts.info_doc(view.info), build.telling_frames(view), build.totals_doc(view)))
    assert not CONTROL.search(written)
    assert "```text\n<system-reminder>\nRoot rules é\n</system-reminder>\n```\n" in written
    assert "## 5 · turn 1, step 1 · instructions" in written
    assert "Record against claim: **different** (blocks, changes)" in written


@pytest.mark.parametrize("text", ["```", "a ```` b\n```\n", "`````````", "", "x\n"])
def test_fence_is_longer_than_any_run_inside(text: str) -> None:
    first, *inner, last = fenced(text).rstrip("\n").split("\n")
    fence = first.removesuffix("text")
    assert last == fence
    assert fence not in "\n".join(inner)


@pytest.mark.parametrize(("text", "shown"), [("a`b", "``a`b``"), ("`", "`` ` ``"), ("x", "`x`"), (" ", "`   `")])
def test_code_span(text: str, shown: str) -> None:
    assert code(text) == shown


def test_inline_text_is_escaped() -> None:
    assert escaped("<b>[x](y)*_\n") == "\\<b\\>\\[x\\]\\(y\\)\\*\\_␊"
