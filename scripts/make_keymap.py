"""Write docs/keys.md from the inspector's table of actions; ``--check`` only says whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from scopetrace.tui.actions import keymap_markdown

PAGE = Path(__file__).resolve().parent.parent / "docs" / "keys.md"


def main(arguments: list[str]) -> int:
    """Write or check the page; returns the exit code."""
    text = keymap_markdown()
    if "--check" in arguments:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print("docs/keys.md is not what the table of actions says; run: python scripts/make_keymap.py", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
