"""How one code is said: a phrase for the headline, a sentence, a page."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """``glyph`` is one cell, ``tone`` a colour role, ``phrase`` completes "Not loaded: …"."""

    glyph: str
    tone: str
    word: str
    phrase: str
    sentence: str
    page: str
