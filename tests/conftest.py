"""What every test shares."""

from __future__ import annotations

from textual import _wait

# A pilot waits for a quiet stretch several times a key, 20 ms long by default: that was most of the suite's time.
# What counts as quiet (1 ms of work in the stretch) stays as it is.
_wait.SLEEP_GRANULARITY = 1 / 200
