"""Fitting text into cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scopetrace.tui.present.spans import (
    Cell,
    Span,
    clip,
    columns,
    cut_end,
    cut_middle,
    spread,
    text_of,
    width_of,
    wrap,
)

WORDS = st.text(st.sampled_from("ab/. 中é-"), max_size=40)


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("AGENTS.md", 9, "AGENTS.md"),
        ("packages/app/src/AGENTS.md", 20, "packages/…/AGENTS.md"),
        ("packages/app/src/AGENTS.md", 12, "…/AGENTS.md"),
        ("packages/app/src/AGENTS.md", 10, "pack…TS.md"),
        ("packages/app/AGENTS.md", 1, "…"),
        ("packages/app/AGENTS.md", 0, ""),
    ],
)
def test_paths_are_cut_in_the_middle(text: str, width: int, cut: str) -> None:
    assert cut_middle(text, width) == cut


@given(WORDS, st.integers(0, 30))
def test_cuts_fit(text: str, width: int) -> None:
    assert cell_len(cut_middle(text, width)) <= width
    assert cell_len(cut_end(text, width)) <= width
    assert width_of(clip((Span(text), Span(text)), width)) <= width


@given(WORDS, WORDS, st.integers(0, 60))
def test_columns_fill_the_width_exactly(first: str, second: str, width: int) -> None:
    line = columns(width, [Cell(first, width=8), Cell(second, cut="middle"), Cell("12 B", width=6, align="right")])
    assert width_of(line) <= width
    if width >= 20:
        assert width_of(line) == width
        assert text_of(line).endswith("  12 B")


def test_optional_columns_go_first() -> None:
    cells = [Cell("a long enough path", cut="middle"), Cell("99 B", width=8, align="right", optional=1)]
    assert text_of(columns(16, cells)) == "a long…ough path"
    assert "99 B" in text_of(columns(30, cells))


@given(WORDS, st.integers(4, 40))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wrapping_keeps_numbers_and_units_together() -> None:
    assert wrap("in full; 64 612 B left", 15) == ["in full;", "64 612 B left"]


def test_the_right_side_of_a_spread_wins() -> None:
    assert text_of(spread(12, (Span("left side"),), (Span("right"),))) == "left…  right"
