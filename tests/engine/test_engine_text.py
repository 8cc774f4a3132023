"""Text rules beyond the ``paths`` vectors: laws, numbers and what has no vector."""

from __future__ import annotations

import hashlib
import json
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopetrace.engine.text import (
    FRAME_CLOSE,
    ecma_json,
    ecma_number,
    escape_frame,
    sha1_hex,
    trim,
    trimmed_digest,
    truncate_utf8,
    utf8_bytes,
    utf8_len,
)

TEXT = st.text(st.characters(exclude_categories=("Cs",)))


@pytest.mark.parametrize("kept", [*map(chr, range(0x1C, 0x20)), "\x85", "\x08", "\x0e", "\u180e", "\u200b", "\u2060"])
def test_trim_keeps_what_python_or_the_eye_would_take_for_a_space(kept):
    assert trim(f" {kept}rule{kept}\n") == f"{kept}rule{kept}"


def test_trim_takes_exactly_the_white_space_and_line_ends_of_ecmascript():
    taken = {chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000 and not trim(chr(code))}
    assert taken == {
        *"\t\n\v\f\r ", "\u00a0", "\u1680", *map(chr, range(0x2000, 0x200B)),
        "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff",
    }  # fmt: skip


@given(TEXT, st.integers(-3, 40) | st.floats())
def test_truncation_is_the_longest_prefix_within_the_limit(text, limit):
    kept = truncate_utf8(text, limit)
    assert text.startswith(kept)
    assert len(kept.encode()) <= max(limit, 0) or kept == "" or limit == math.inf
    if kept != text:
        assert not len(text[: len(kept) + 1].encode()) <= limit


def test_truncation_of_odd_limits():
    assert truncate_utf8("abc", 2.99) == "ab"
    assert truncate_utf8("abc", -1) == truncate_utf8("abc", math.nan) == truncate_utf8("abc", -math.inf) == ""
    assert truncate_utf8("abc", math.inf) == "abc"
    assert truncate_utf8("", -5) == ""


@given(TEXT)
def test_lengths_and_digests_are_those_of_the_utf8_bytes(text):
    assert utf8_len(text) == len(text.encode())
    assert sha1_hex(text) == hashlib.sha1(text.encode()).hexdigest()
    assert trimmed_digest(f"\ufeff {text}\u2029") == trimmed_digest(text)


def test_lone_surrogates_count_as_the_replacement_character():
    assert utf8_bytes("a\ud800b") == "a\ufffdb".encode()
    assert utf8_len("\udc00") == 3
    assert utf8_len("\ud83d\ude00") == 4
    assert sha1_hex("\ud800") == sha1_hex("\ufffd")
    assert truncate_utf8("\ud800ab", 4) == "\ufffda"
    assert truncate_utf8("\ud800ab", 5) == "\ud800ab"


@given(TEXT.map(lambda text: text.replace("x", FRAME_CLOSE)))
def test_an_escaped_text_never_closes_the_frame_and_grows_by_one_byte_a_tag(text):
    escaped = escape_frame(text)
    assert FRAME_CLOSE not in escaped
    assert len(escaped) == len(text) + text.count(FRAME_CLOSE)
    assert escape_frame(escaped) == escaped


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (65536, "65536"),
        (300.0, "300"),
        (300.5, "300.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-1.5, "-1.5"),
        (0, "0"),
        (-0.0, "0"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (123456789012345680000, "123456789012345680000"),
        (999999999999999934463, "999999999999999900000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (2**53 + 1, "9007199254740992"),
        (10**400, "Infinity"),
        (-(10**400), "-Infinity"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_print_as_in_ecmascript(value, printed):
    assert ecma_number(value) == printed


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_reads_back(value):
    assert float(ecma_number(value)) == value


def test_json_is_compact_unescaped_and_survives_odd_values():
    value = {"é": ['q"', "\\", "\x00\x1f\x7f\u2028\U0001f600", 1.5, 7.0, True, False, None, (), {}], "b": "\ud800"}
    printed = ecma_json(value)
    assert (
        printed
        == '{"é":["q\\"","\\\\","\\u0000\\u001f\x7f\u2028\U0001f600",1.5,7,true,false,null,[],{}],"b":"\\ud800"}'
    )
    assert json.loads(printed)["b"] == "\ud800"
    assert ecma_json([math.nan, math.inf]) == "[null,null]"
    with pytest.raises(TypeError, match="set"):
        ecma_json({1})
