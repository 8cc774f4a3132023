"""Byte counts as people read them. Exact where a decision hangs on it, short where a column has no room."""

from __future__ import annotations

import math

_UNITS = ("KiB", "MiB", "GiB", "TiB")


def grouped(number: float) -> str:
    """``9216`` as ``9 216``; a fraction (budgets may be fractional) is kept: ``100.25``."""
    if not math.isfinite(number):
        return str(number)
    if number == int(number):
        return f"{int(number):,}".replace(",", " ")
    whole, _, fraction = f"{number:,}".partition(".")
    return f"{whole.replace(',', ' ')}.{fraction}"


def exact_bytes(size: float) -> str:
    """Every byte: ``9 216 B``."""
    return f"{grouped(size)} B"


def short_bytes(size: float) -> str:
    """At most one decimal: ``812 B``, ``1.2 KiB``, ``64 KiB``, ``3.1 MiB``."""
    if not math.isfinite(size) or abs(size) < 1024:
        return exact_bytes(size)
    value = float(size)
    for unit in _UNITS:
        value /= 1024
        if round(value, 1) < 1024 or unit == _UNITS[-1]:
            break
    return f"{value:.1f}".removesuffix(".0") + f" {unit}"


def both_bytes(size: float) -> str:
    """Exact and short: ``9 216 B (9 KiB)``; below one KiB only the exact count."""
    return (
        exact_bytes(size)
        if abs(size) < 1024 or not math.isfinite(size)
        else f"{exact_bytes(size)} ({short_bytes(size)})"
    )
