"""Bytes of logs: whole, torn, rotten, padded, hostile."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions_helpers import frame, zstd

from scopetrace.sessions.frames import DEFAULT_LIMITS, Batch, Gap, GapKind, Limits, LineCutter, plain_batches, split
from scopetrace.sessions.zstdframes import FrameReader

A, B, C = b'{"a":1}\n{"a":2}\n', b'{"b":1}\n', b'{"c":1}\n{"c":2}\n{"c":3}\n'


def unpack(data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[list[bytes], list[Gap]]:
    items = list(FrameReader(io.BytesIO(data), len(data), limits).batches())
    found = [line.data for item in items if isinstance(item, Batch) for line in split(item)]
    return found, [item for item in items if isinstance(item, Gap)]


def text(*parts: bytes) -> list[bytes]:
    return b"".join(parts).split(b"\n")[:-1]


def test_all_frames_are_read_with_places() -> None:
    data = frame(A) + frame(B) + frame(C)
    reader = FrameReader(io.BytesIO(data), len(data), Limits())
    found = [line for item in reader.batches() if isinstance(item, Batch) for line in split(item)]
    assert [line.data for line in found] == text(A, B, C)
    second, third = len(frame(A)), len(frame(A)) + len(frame(B))
    assert [(line.offset, line.inner) for line in found] == [
        (0, 0), (0, 8), (second, 0), (third, 0), (third, 8), (third, 16),
    ]  # fmt: skip
    assert reader.frames == 3


@pytest.mark.parametrize("cut", range(1, len(frame(C))))
def test_a_tail_torn_at_any_byte_costs_only_the_tail(cut: int) -> None:
    found, gaps = unpack(frame(A) + frame(B) + frame(C)[:cut])
    assert found[:3] == text(A, B)
    assert found[3:] == text(C)[: len(found) - 3]
    assert [gap.kind for gap in gaps] == [GapKind.TORN_TAIL]
    assert gaps[0].offset == len(frame(A) + frame(B))
    assert gaps[0].skipped == cut
    assert gaps[0].harmless


def test_complete_lines_of_a_torn_frame_are_kept() -> None:
    rows = b"".join(b'{"r":"%d"}\n' % random.Random(n).getrandbits(4000) for n in range(400))
    packed = frame(rows)
    found, gaps = unpack(frame(A) + packed[: len(packed) * 3 // 4])
    assert 100 < len(found) < 402
    assert found == text(A, rows)[: len(found)]
    assert [gap.kind for gap in gaps] == [GapKind.TORN_TAIL]


@pytest.mark.parametrize("at", range(5, len(frame(B))))
def test_a_flipped_bit_anywhere_in_a_frame_never_passes_and_never_stops(at: int) -> None:
    broken = bytearray(frame(B))
    broken[at] ^= 0x10
    found, gaps = unpack(frame(A) + bytes(broken) + frame(C))
    assert found == text(A, C)
    assert [gap.kind for gap in gaps] == [GapKind.CORRUPT_FRAME]
    assert (gaps[0].offset, gaps[0].skipped) == (len(frame(A)), len(frame(B)))
    assert not gaps[0].harmless


def test_a_wrong_checksum_in_the_last_frame_is_rot_and_no_tear() -> None:
    broken = bytearray(frame(B))
    broken[-1] ^= 1
    found, gaps = unpack(frame(A) + bytes(broken))
    assert found == text(A)
    assert [gap.kind for gap in gaps] == [GapKind.CORRUPT_FRAME]
    assert "checksum" in gaps[0].reason


def test_a_frame_cut_off_before_others_is_named_and_passed_over() -> None:
    found, gaps = unpack(frame(A) + frame(B)[:-3] + frame(C))
    assert found == text(A, C)
    assert [gap.kind for gap in gaps] == [GapKind.CORRUPT_FRAME]


@pytest.mark.parametrize("garbage", [b"x", b"garbage between", b"\0" * 100, b"(\xb5/", b"\x28\xb5\x2f\xfd" * 5])
def test_garbage_between_frames(garbage: bytes) -> None:
    found, gaps = unpack(frame(A) + garbage + frame(C))
    assert found == text(A, C)
    assert [gap.offset for gap in gaps] == [len(frame(A))]
    assert gaps[0].skipped == len(garbage)
    assert not gaps[0].harmless


def test_zero_bytes_at_the_end_are_harmless() -> None:
    found, gaps = unpack(frame(A) + b"\0" * 5000)
    assert found == text(A)
    assert [(gap.kind, gap.skipped, gap.harmless) for gap in gaps] == [(GapKind.PADDING, 5000, True)]


def test_skippable_frames_are_skipped() -> None:
    skip = b"\x5a\x2a\x4d\x18" + (6).to_bytes(4, "little") + b"(\xb5/\xfd12"
    found, gaps = unpack(skip + frame(A) + skip + frame(B) + skip)
    assert (found, gaps) == (text(A, B), [])
    found, gaps = unpack(frame(A) + skip[:-2])
    assert found == text(A)
    assert [gap.kind for gap in gaps] == [GapKind.TORN_TAIL]


def test_a_frame_that_ends_inside_a_line_loses_that_rest() -> None:
    found, gaps = unpack(frame(b'{"a":1}\n{"half') + frame(b'":2}\n{"b":1}\n'))
    assert found == [b'{"a":1}', b'":2}', b'{"b":1}']
    assert [(gap.kind, gap.inner) for gap in gaps] == [(GapKind.CORRUPT_FRAME, 8)]


def test_a_line_above_the_limit_is_passed_over_in_constant_memory() -> None:
    limits = Limits(line=1000, held=4000)
    long = b'{"x":"' + b"y" * 3_000_000 + b'"}\n'
    found, gaps = unpack(frame(A + long + B) + frame(C), limits)
    assert found == text(A, B, C)
    assert [(gap.kind, gap.skipped, gap.inner) for gap in gaps] == [(GapKind.TOO_LARGE, len(long), len(A))]
    assert "1000 bytes" in gaps[0].reason


def test_a_line_of_exactly_the_limit_is_kept() -> None:
    for size, expected in ((1000, 1), (1001, 0)):
        for step in (1, 7, 999, 1000, 1001, 5000):
            data = b"z" * size + b"\n"
            cutter = LineCutter(0, False, Limits(line=1000))
            items = [item for at in range(0, len(data), step) for item in cutter.feed(data[at : at + step])]
            kept = [item for item in items if isinstance(item, Batch)]
            # A line that arrives in one piece is in memory already: only what must be collected is bounded.
            assert len(kept) == (expected or int(step > size)), (size, step)


def test_a_bomb_is_given_up() -> None:
    bomb = frame(b"\0" * 40_000_000)
    assert len(bomb) < 4000
    found, gaps = unpack(frame(A) + bomb + frame(C), Limits(bomb_size=4 << 20, bomb_ratio=100, line=1 << 20))
    assert found == text(A, C)
    assert [gap.kind for gap in gaps] == [GapKind.TOO_LARGE]


def test_the_search_after_damage_is_bounded() -> None:
    # Every start of a frame here unpacks well for a while and then fails.
    inner = frame(b"a" * 2_000_000)[:-4] + b"bad!"
    data = frame(A) + inner * 200
    found, gaps = unpack(data, Limits(held=1 << 10, rescan_ratio=0))
    assert found[:2] == text(A)
    assert gaps
    assert sum(gap.kind is GapKind.CORRUPT_FRAME for gap in gaps) <= 200


def test_large_frames_are_handed_out_before_their_end() -> None:
    rows = b"".join(b'{"n":%d}\n' % n for n in range(200_000))
    data = frame(rows)
    reader = FrameReader(io.BytesIO(data), len(data), Limits(held=1 << 16))
    first = next(iter(reader.batches()))
    assert isinstance(first, Batch)
    assert len(first.data) < len(rows) // 2


@given(
    rows=st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=20),
    tail=st.binary(max_size=10).map(lambda b: b.replace(b"\n", b"")),
    cuts=st.lists(st.integers(0, 400), max_size=12),
)
def test_chunk_borders_carry_no_meaning(rows: list[bytes], tail: bytes, cuts: list[int]) -> None:
    data = b"".join(row + b"\n" for row in rows) + tail
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    cutter = LineCutter(0, False, Limits())
    items = [item for a, b in pairwise(edges) for item in cutter.feed(data[a:b])]
    found = [line for item in items if isinstance(item, Batch) for line in split(item)]
    assert [line.data for line in found] == rows
    assert all(data[line.offset : line.offset + len(line.data)] == line.data for line in found)
    assert cutter.rest == len(tail)
    ends = list(cutter.end("cut"))
    assert [gap.skipped for gap in ends] == ([len(tail)] if tail else [])


def test_plain_files_keep_complete_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(A + B[:-1])
    with path.open("rb") as file:
        items = list(plain_batches(file))
    assert [line.data for item in items if isinstance(item, Batch) for line in split(item)] == text(A)
    gaps = [item for item in items if isinstance(item, Gap)]
    assert [(gap.kind, gap.offset, gap.skipped) for gap in gaps] == [(GapKind.TORN_TAIL, len(A), len(B) - 1)]


def test_the_test_frames_carry_checksums() -> None:
    assert frame(A)[4] & 4
    assert zstd.decompress(frame(A)) == A
