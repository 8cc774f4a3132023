"""Copying through the terminal (OSC 52), and a file where the terminal may not take it.

No answer comes back from a terminal, so whether it takes the text is judged by its name and by the size.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

LIMIT = 74_994
"""Bytes of text that terminals take in one OSC 52 sequence; several cut or drop what is longer."""


def doubt(environ: Mapping[str, str], size: int) -> str:
    """Why the terminal may not take a text of ``size`` bytes; empty when nothing speaks against it."""
    if size > LIMIT:
        return "it is long for a terminal's clipboard"
    term = environ.get("TERM", "")
    if term in ("", "dumb", "linux"):
        return "this terminal has no clipboard"
    if environ.get("TMUX"):
        return "tmux hands it on only with set-clipboard on"
    if term.startswith("screen"):
        return "screen does not hand it on"
    if environ.get("TERM_PROGRAM") == "Apple_Terminal" or environ.get("VTE_VERSION"):
        return "this terminal does not take copies from programs"
    return ""


def keep(text: str) -> str:
    """Write the exact text to a file that only its owner reads, and return its path. Raises :class:`OSError`."""
    handle, path = tempfile.mkstemp(prefix="scopetrace-copy-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(text)
    return path
