"""Replay every recording below a folder and print recorded / computed / equal for each log.

The folder is named by ``SCOPETRACE_RECORDINGS`` (default: the copies in ``tests/recordings``). Exits with 1 when a
message differs from what the rules give, 2 when a folder cannot be opened.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from scopetrace.model import Verdict
from scopetrace.replay import open_session
from scopetrace.sessions import Bundle, LogError

DEFAULT = Path(__file__).parents[1] / "tests" / "recordings"


def main() -> int:
    folder = Path(os.environ.get("SCOPETRACE_RECORDINGS") or DEFAULT)
    totals = [0, 0, 0]
    worst = 0
    print(f"{'recording':<30} {'log':<18} rules  recorded  computed  equal  copied")
    for manifest in sorted(folder.glob("*/recording.json")):
        try:
            bundle = Bundle.open(manifest.parent)
            for path in (bundle.main, *bundle.children, *bundle.earlier):
                timeline = open_session(path)
                found = timeline.comparisons
                copied = sum(one.verdict is Verdict.NOT_COMPARABLE for one in found)
                recorded = sum(one.recorded is not None for one in found) - copied
                computed = sum(one.computed is not None for one in found)
                equal = sum(one.verdict is Verdict.EQUAL for one in found)
                role = record.role if (record := bundle.log_record(path)) else "main"
                bad = recorded != equal or computed != equal
                worst = max(worst, int(bad))
                for at, number in enumerate((recorded, computed, equal)):
                    totals[at] += number
                print(
                    f"{bundle.name:<30} {role:<18} {timeline.info.profile:<5}  {recorded:>8}  {computed:>8}  {equal:>5}"
                    f"  {copied:>6}{'  DIFFERS' if bad else ''}"
                )
        except LogError as error:
            print(f"{manifest.parent.name:<30} {error}", file=sys.stderr)
            worst = 2
    print(f"{'all':<49} {'':<5}  {totals[0]:>8}  {totals[1]:>8}  {totals[2]:>5}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
