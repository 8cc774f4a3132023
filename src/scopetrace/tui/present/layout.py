"""Which panes are on the screen, for a size. Widths and heights are cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
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


def tab_places(pane: Pane, shape: Shape) -> list[tuple[Pane, int]]:
    """The panes named in the title of a pane, and the column of the title text at which each name starts."""
    at = 0
    places: list[tuple[Pane, int]] = []
    shared = iter(sharing(shape) or (pane,))
    for text, _ in tab_titles(pane, shape):
        if text.strip() and (other := next(shared, None)) is not None:
            places.append((other, at))
        at += len(text)
    return places


def tab_at(pane: Pane, shape: Shape, x: int) -> Pane | None:
    """The pane whose name stands at column ``x`` of the title text."""
    if pane not in sharing(shape):
        return None
    names = [text for text, _ in tab_titles(pane, shape) if text.strip()]
    for (other, start), name in zip(tab_places(pane, shape), names, strict=True):
        if start <= x < start + len(name):
            return other
    return None


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the reader added to the sizes that a shape has by itself: cells and rows, negative for less.

    ``split`` goes from Message to Decisions where they stand side by side.
    """

    scopes: int = 0
    split: int = 0
    budget: int = 0
    timeline: int = 0


SMALLEST_COLUMN, SMALLEST_PANE = 24, 4


def column_widths(shape: Shape, width: int, sizes: Sizes = Sizes()) -> str:
    """Columns of the pane grid, as a Textual value. Scopes needs 40 cells for words and sizes, and never over 60."""
    if shape not in (Shape.WIDE, Shape.MIDDLE):
        return "1fr"
    scopes = _scopes_width(shape, width, sizes)
    if shape is Shape.MIDDLE or not sizes.split:
        return f"{scopes} 1fr" if shape is Shape.MIDDLE else f"{scopes} 1fr 1fr"
    rest = width - scopes
    return f"{scopes} {_within(rest // 2 + sizes.split, SMALLEST_COLUMN, rest - SMALLEST_COLUMN)} 1fr"


def _scopes_width(shape: Shape, width: int, sizes: Sizes) -> int:
    usual = max(40, min(60, width * 27 // 100)) if shape is Shape.WIDE else max(40, width * 2 // 5)
    others = 2 if shape is Shape.WIDE else 1
    return _within(usual + sizes.scopes, SMALLEST_COLUMN, width - others * SMALLEST_COLUMN)


def budget_height(height: int, sizes: Sizes = Sizes()) -> int:
    """Rows of the Budget pane with its border, steady from step to step."""
    usual = 5 if height < 36 else 7 if height < 46 else 10
    return _within(usual + sizes.budget, 3, height // 2)


def timeline_height(height: int, sizes: Sizes = Sizes()) -> int:
    """Rows of the Timeline pane with its border."""
    return _within(max(7, height * 3 // 10) + sizes.timeline, SMALLEST_PANE, height - 12)


def _within(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))


def resized(sizes: Sizes, pane: Pane, shape: Shape, wider: int, taller: int, screen: tuple[int, int]) -> Sizes:
    """The sizes after a pane became wider (cells) or taller (rows), or the other way when negative.

    Nothing grows beyond what is there, and what has no room left stays as it is: ``screen`` is width and height.
    """
    width, height = screen
    new = sizes
    if pane is not Pane.TIMELINE and shape in (Shape.MIDDLE, Shape.WIDE):
        if pane is Pane.SCOPES:
            new = replace(new, scopes=new.scopes + wider)
        elif shape is Shape.MIDDLE:
            new = replace(new, scopes=new.scopes - wider)
        else:
            new = replace(new, split=new.split + (-wider if pane is Pane.MESSAGE else wider))
    if shape not in (Shape.ZOOMED, Shape.REDUCED):
        if pane is Pane.TIMELINE:
            new = replace(new, timeline=new.timeline + taller)
        elif shape is Shape.NARROW or pane is Pane.SCOPES or (pane is Pane.MESSAGE and shape is Shape.WIDE):
            new = replace(new, timeline=new.timeline - taller)
        else:
            new = replace(new, budget=new.budget + (taller if pane is Pane.BUDGET else -taller))
    if _measures(new, shape, width, height) == _measures(sizes, shape, width, height):
        return sizes
    return new


def _measures(sizes: Sizes, shape: Shape, width: int, height: int) -> tuple[object, ...]:
    return column_widths(shape, width, sizes), budget_height(height, sizes), timeline_height(height, sizes)
