"""Which panes are on the screen, for a size. Widths and heights are cells."""

from __future__ import annotations

from enum import StrEnum

from .spans import Line, Span


class Pane(StrEnum):
    """A pane; the value is its widget's id."""

    SCOPES = "scopes"
    DECISIONS = "decisions"
    BUDGET = "budget"
    MESSAGE = "message"
    TIMELINE = "timeline"


TITLES = {pane: f"{number} {pane.value.capitalize()}" for number, pane in enumerate(Pane, 1)}
"""``1 Scopes`` …: the number is the key that focuses the pane."""


class Shape(StrEnum):
    """How the panes share the screen; the value is the screen's CSS class."""

    REDUCED = "-reduced"
    ZOOMED = "-zoomed"
    NARROW = "-narrow"
    MIDDLE = "-middle"
    WIDE = "-wide"


MIN_WIDTH, MIN_HEIGHT = 60, 20
TWO_COLUMNS, THREE_COLUMNS = 100, 140


def shape_for(width: int, height: int) -> Shape:
    """Three columns from 140 cells, two from 100, tabs below, one pane at a time below 60x20."""
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return Shape.REDUCED
    if width < TWO_COLUMNS:
        return Shape.NARROW
    return Shape.MIDDLE if width < THREE_COLUMNS else Shape.WIDE


def sharing(shape: Shape) -> tuple[Pane, ...]:
    """The panes that share one place and are switched like tabs."""
    match shape:
        case Shape.REDUCED | Shape.ZOOMED:
            return tuple(Pane)
        case Shape.NARROW:
            return (Pane.SCOPES, Pane.DECISIONS, Pane.BUDGET, Pane.MESSAGE)
        case Shape.MIDDLE:
            return (Pane.DECISIONS, Pane.MESSAGE)
        case Shape.WIDE:
            return ()


def visible_panes(shape: Shape, front: Pane) -> frozenset[Pane]:
    """Panes on the screen; ``front`` is the pane of the shared place that was used last."""
    shared = sharing(shape)
    if not shared:
        return frozenset(Pane)
    shown = front if front in shared else shared[0]
    return frozenset(pane for pane in Pane if pane not in shared or pane is shown)


def tab_titles(pane: Pane, shape: Shape) -> Line:
    """The title of a pane: its own name, and the dimmed names of those it shares its place with."""
    shared = sharing(shape)
    if pane not in shared:
        return (Span(TITLES[pane], "strong"),)
    out: list[Span] = []
    short = shape is Shape.REDUCED
    for number, other in enumerate(shared):
        if number:
            out.append(Span(" " if short else "  "))
        name = TITLES[other] if other is pane or not short else TITLES[other][:1]
        out.append(Span(name, "strong" if other is pane else "dim"))
    return tuple(out)


def tab_at(pane: Pane, shape: Shape, x: int) -> Pane | None:
    """The pane whose name stands at column ``x`` of the title text."""
    at = 0
    shared = iter(sharing(shape))
    for text, _ in tab_titles(pane, shape):
        if not text.strip():
            at += len(text)
            continue
        other = next(shared, None)
        if at <= x < at + len(text):
            return other
        at += len(text)
    return None


def column_widths(shape: Shape, width: int) -> str:
    """Columns of the pane grid, as a Textual value. Scopes needs 40 cells for words and sizes, and never over 60."""
    scopes = max(40, min(60, width * 27 // 100))
    if shape is Shape.WIDE:
        return f"{scopes} 1fr 1fr"
    return f"{max(40, width * 2 // 5)} 1fr" if shape is Shape.MIDDLE else "1fr"


def budget_height(height: int) -> int:
    """Rows of the Budget pane with its border, steady from step to step."""
    return 5 if height < 36 else 7 if height < 46 else 10


def timeline_height(height: int) -> int:
    """Rows of the Timeline pane with its border."""
    return max(7, height * 3 // 10)
