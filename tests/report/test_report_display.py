"""The text-safety boundary."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopetrace.report.display import MAX_MARKS, safe, safe_line, safe_text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b]52;c;cGF3bmVk\x07", "␛]52;c;cGF3bmVk␇"),
        ("\x00\x7f", "␀␡"),
        ("a\nb\tc\r", "a␊b␉c␍"),
        ("\x9b31m", "<U+009B>31m"),
        ("abc\u202edcb", "abc<U+202E>dcb"),
        ("\u2066x\u2069", "<U+2066>x<U+2069>"),
        ("a\u200bb\u200dc\u2060", "a<U+200B>b<U+200D>c<U+2060>"),
        ("\ufeffx", "<U+FEFF>x"),
        ("so\u00adft", "so<U+00AD>ft"),
        ("line\u2028para\u2029", "line<U+2028>para<U+2029>"),
        ("\U000e0041\U000e007f", "<U+E0041><U+E007F>"),
        ("\ud800", "<U+D800>"),
        ("\uffff\U0010ffff", "<U+FFFF><U+10FFFF>"),
        ("\u3164\u115f\u2800", "<U+3164><U+115F><U+2800>"),
        ("❤\ufe0f", "❤<U+FE0F>"),
        ("x\u00a0y", "x<U+00A0>y"),
        ("\ue0b0", "<U+E0B0>"),
        ("Grüße 中文\u3000字 é e\u0301", "Grüße 中文\u3000字 é e\u0301"),
        ("[/x] [tool.ruff] \\[b]", "[/x] [tool.ruff] \\[b]"),
    ],
)
def test_shows_what_would_be_obeyed_or_unseen(raw: str, shown: str) -> None:
    assert safe_line(raw) == shown
    assert safe(raw) == shown


def test_text_keeps_line_feeds_and_nothing_else() -> None:
    assert safe_text("a\r\nb\x85c\x0bd\x0ce\u2028f\n") == "a␍\nb<U+0085>c␋d␌e<U+2028>f\n"


def test_text_expands_tabs_from_the_start_of_each_line() -> None:
    assert safe_text("a\tb\n\tc", tab_size=4) == "a   b\n    c"
    assert safe_text("a\tb", tab_size=0) == "a␉b"


def test_line_shows_tabs_as_asked() -> None:
    assert safe_line("a\tb", tab="→") == "a→b"


@pytest.mark.parametrize("mark", ["\u0301", "\u20dd", "\U0001d167\u0301"])
def test_floods_of_marks_are_bounded(mark: str) -> None:
    shown = safe_line("e" + mark * 500)
    marks = sum(unicodedata.category(char) in ("Mn", "Me") for char in shown)
    assert marks <= MAX_MARKS or "\U0001d167" in mark  # Mc marks take a cell of their own
    assert "<U+" in shown


def test_a_few_marks_stay() -> None:
    text = "a" + "\u0301" * MAX_MARKS + "b"
    assert safe_line(text) == text


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_dangerous_survives(text: str) -> None:
    shown = safe_line(text)
    assert all(char.isprintable() or char == "\u3000" for char in shown)
    assert safe_text(text).count("\n") == text.count("\n")
    assert all(char.isprintable() or char in "\n\u3000" for char in safe_text(text))
    assert safe_line(shown) == shown


def test_every_code_point() -> None:
    for start in range(0, sys.maxunicode + 1, 0x1000):
        block = "".join(map(chr, range(start, min(start + 0x1000, sys.maxunicode + 1))))
        for char in safe_line(block):
            assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"), hex(ord(char))
