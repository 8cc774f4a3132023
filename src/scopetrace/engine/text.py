"""Text as the loader measures, trims, hashes and cuts it: ECMAScript rules on UTF-8 bytes.

Sources: ``design/ENGINE.md`` "Trim, escape, truncate"; ``paths`` vectors ``truncateUtf8``, ``escapeFrame``,
``trimmedDigest``, ``contentDigest``.

Lone surrogates never come out of a file (reads are strict UTF-8) but can stand in a session log. They are
measured, hashed and cut as U+FFFD, which is what the original's UTF-8 encoder writes for them; surrogate pairs held
as two code points count as the one character they mean. Strings are never changed where no bytes are asked for.
"""

from __future__ import annotations

import hashlib
import json
import math
import re

FRAME_OPEN = "<system-reminder>"
FRAME_CLOSE = "</system-reminder>"
FRAME_CLOSE_ESCAPED = "<\\/system-reminder>"

_WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def trim(text: str) -> str:
    """Trim as ECMAScript ``String.prototype.trim``: unlike ``str.strip``, U+FEFF goes, U+001C-1F and U+0085 stay."""
    return text.strip(_WHITE_SPACE)


def utf8_bytes(text: str) -> bytes:
    """UTF-8 bytes of ``text``; lone surrogates become U+FFFD (see the module's docstring)."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def utf8_len(text: str) -> int:
    """Length of ``text`` in UTF-8 bytes, in constant time for ASCII."""
    return len(text) if text.isascii() else len(utf8_bytes(text))


def sha1_hex(text: str) -> str:
    """SHA-1 of the UTF-8 bytes of ``text``, 40 hex digits: the digest that sources record."""
    return hashlib.sha1(utf8_bytes(text), usedforsecurity=False).hexdigest()


def trimmed_digest(text: str) -> str:
    """SHA-1 of the trimmed text: the key under which siblings count as duplicates."""
    return sha1_hex(trim(text))


def truncate_utf8(text: str, max_bytes: float) -> str:
    """The longest prefix of whole code points within ``max_bytes`` bytes.

    A fraction is dropped; a negative limit or NaN leaves nothing.
    """
    if len(text) * 4 <= max_bytes:
        return text
    data = utf8_bytes(text)
    if len(data) <= max_bytes:
        return text
    if not max_bytes >= 1:
        return ""
    return data[: cut_point(data, math.trunc(max_bytes))].decode()


def cut_point(data: bytes, limit: int) -> int:
    """The largest code point boundary of UTF-8 ``data`` that is not beyond ``limit`` (``0 <= limit < len(data)``)."""
    while limit > 0 and data[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit


def escape_frame(text: str) -> str:
    """Escape the closing frame tag so that repository text cannot end the frame. One byte longer per tag."""
    return text.replace(FRAME_CLOSE, FRAME_CLOSE_ESCAPED)


def ecma_number(value: float) -> str:
    """A number as ECMAScript's ``Number::toString`` prints it; integers are taken as doubles, as the original does."""
    try:
        number = float(value)
    except OverflowError:
        return "Infinity" if value > 0 else "-Infinity"
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    # The value is 0.DIGITS times ten to the power of POINT; repr yields the shortest digits, as ECMAScript asks.
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    if 0 < point <= 21:
        if len(digits) <= point:
            return sign + digits.ljust(point, "0")
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"{sign}{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}{power}"


def ecma_json(value: object) -> str:
    """Compact JSON as ``JSON.stringify`` writes it, for strings, numbers, lists and string-keyed dicts.

    Nothing beyond ASCII is escaped except lone surrogates; non-finite numbers become ``null``.
    """
    match value:
        case str():
            quoted = json.dumps(value, ensure_ascii=False)
            return _LONE_SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}", quoted)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return ecma_number(value) if not isinstance(value, float) or math.isfinite(value) else "null"
        case list() | tuple():
            return f"[{','.join(map(ecma_json, value))}]"
        case dict():
            return f"{{{','.join(f'{ecma_json(key)}:{ecma_json(item)}' for key, item in value.items())}}}"
        case _:
            raise TypeError(f"{type(value).__name__} has no place in JSON")
