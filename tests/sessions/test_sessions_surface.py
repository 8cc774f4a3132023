"""The visible surface against a naive list, and what it does with operations that make no sense."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from scopetrace.sessions import Event, SeqRanges, Surface, SurfaceOp
from scopetrace.sessions.schema import APPEND


def event(seq: int, op: SurfaceOp | None = APPEND, kind: str = "user/message", cites: tuple[int, ...] = ()) -> Event:
    sources = SeqRanges(tuple((seq, seq) for seq in cites))
    return Event(seq, kind, 0, {}, seq, 0, surface_op=op, sources=sources)


def replace(seq: int, start: int, end: int, cites: tuple[int, ...] = (), kind: str = "user/message") -> Event:
    return event(seq, SurfaceOp("replace", start, end), kind, cites)


def test_replacement_is_by_position_not_by_number() -> None:
    surface = Surface()
    for seq in (7, 8, 9, 17, 22):
        assert surface.apply(event(seq))
    assert surface.apply(replace(47, 17, 17, (17,)))
    assert surface.visible == (7, 8, 9, 47, 22)
    assert surface.apply(replace(51, 8, 47, (8, 9, 47)))
    assert surface.visible == (7, 51, 22)
    assert surface.replaced(51) == (8, 9, 47)
    assert [surface.at(seq) for seq in (6, 8, 30, 47, 50, 51, 99)] == [
        (), (7, 8), (7, 8, 9, 17, 22), (7, 8, 9, 47, 22), (7, 8, 9, 47, 22), (7, 51, 22), (7, 51, 22),
    ]  # fmt: skip
    assert (surface.shadowed_by(17), surface.shadowed_by(47), surface.shadowed_by(22)) == (47, 51, None)
    assert (surface.shadowed_by(17, at=46), surface.shadowed_by(17, at=47)) == (None, 47)
    assert surface.shadowed_by(1234) is None
    assert [surface.is_visible(17, at) for at in (16, 17, 46, 47)] == [False, True, True, False]
    assert surface.problems == []


def test_other_events_leave_the_surface_alone() -> None:
    surface = Surface()
    assert not surface.apply(event(0, None, "step/start"))
    assert surface.visible == ()
    assert surface.problems == []


def test_operations_on_hidden_nodes_are_passed_over_and_reported() -> None:
    surface = Surface()
    for seq in (1, 2, 3):
        surface.apply(event(seq))
    surface.apply(replace(4, 1, 2, (1, 2)))
    assert not surface.apply(replace(5, 1, 3))
    assert not surface.apply(replace(6, 99, 99))
    assert not surface.apply(replace(7, 3, 4))
    assert surface.visible == (4, 3)
    assert [(problem.seq, problem.applied) for problem in surface.problems] == [(5, False), (6, False), (7, False)]
    assert "replaces 1, not visible" in surface.problems[0].reason
    assert "replaces 99, not visible" in surface.problems[1].reason
    assert "stands before" in surface.problems[2].reason


def test_odd_rows_are_reported() -> None:
    surface = Surface()
    surface.apply(event(0, kind="system/message"))
    surface.apply(event(1))
    surface.apply(event(2, None))
    surface.apply(event(3, SurfaceOp("invalid")))
    surface.apply(event(4, kind="step/start"))
    surface.apply(replace(5, 1, 4, (1,)))
    surface.apply(replace(6, 0, 0, (0,)))
    surface.apply(event(5))
    assert surface.visible == (6, 5)
    assert [(problem.seq, problem.applied) for problem in surface.problems] == [
        (2, False), (3, False), (4, True), (5, True), (6, True), (5, False),
    ]  # fmt: skip


def test_the_system_prompt_may_replace_itself() -> None:
    surface = Surface()
    surface.apply(event(0, kind="system/message"))
    surface.apply(replace(1, 0, 0, (0,), kind="system/message"))
    surface.apply(replace(2, 1, 1, (1,), kind="system/message"))
    assert surface.visible == (2,)
    assert surface.problems == []


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_against_a_naive_list(steps: list[tuple[bool, int, int]]) -> None:
    surface, naive, history = Surface(), [], {}
    for seq, (append, first, second) in enumerate(steps):
        if append or not naive:
            surface.apply(event(seq))
            naive = [*naive, seq]
        else:
            begin, end = sorted((first % len(naive), second % len(naive)))
            gone = tuple(naive[begin : end + 1])
            surface.apply(replace(seq, naive[begin], naive[end], gone))
            naive = [*naive[:begin], seq, *naive[end + 1 :]]
            assert surface.replaced(seq) == gone
        history[seq] = tuple(naive)
        assert surface.visible == tuple(naive)
    assert surface.problems == []
    for seq, visible in reversed(history.items()):
        assert surface.at(seq) == visible
        for node in history:
            assert surface.is_visible(node, seq) == (node in visible)
            assert (surface.shadowed_by(node, seq) is not None) == (node <= seq and node not in visible)


def test_a_hundred_thousand_events_are_no_matter() -> None:
    surface = Surface()
    for seq in range(100_000):
        if seq % 1000 == 999:
            surface.apply(replace(seq, seq - 900, seq - 1, tuple(range(seq - 900, seq))))
        else:
            surface.apply(event(seq))
    assert len(surface.visible) == 10_000
    assert surface.at(49_998)[-1] == 49_998
    assert len(surface.at(49_999)) == 5000


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(1, 200))
def test_earlier_surfaces_in_any_order_of_asking(seed: int, span: int) -> None:
    words = random.Random(seed)
    surface, naive, history = Surface(), [], []
    for seq in range(300):
        if words.random() < 0.4 and naive:
            begin = words.randrange(len(naive))
            end = min(len(naive) - 1, begin + words.randrange(span))
            surface.apply(replace(seq, naive[begin], naive[end], tuple(naive)))
            naive[begin : end + 1] = [seq]
        else:
            surface.apply(event(seq))
            naive.append(seq)
        history.append(tuple(naive))
    assert surface.problems == []
    for seq in words.choices(range(300), k=60):
        assert surface.at(seq) == history[seq]


def test_a_million_nodes_take_little_memory() -> None:
    surface = Surface()
    for seq in range(0, 1_000_000, 2):
        surface.append(seq)
    assert len(surface) == 500_000
    assert surface.memory <= 500_000 * 24
    assert surface.shadowed_by(999_998) is None
    assert surface.is_visible(500, 500)


def test_a_flood_of_problems_is_counted_and_not_kept() -> None:
    surface = Surface()
    for seq in range(5000):
        surface.apply(event(seq, SurfaceOp("invalid")))
    assert surface.problem_count == 5000
    assert len(surface.problems) == 1000
