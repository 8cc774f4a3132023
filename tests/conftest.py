"""What every test shares."""

from __future__ import annotations

import os

from hypothesis import settings
from textual import _wait

# A pilot waits for a quiet stretch several times a key, 20 ms long by default: that was most of the suite's time.
# What counts as quiet (1 ms of work in the stretch) stays as it is.
_wait.SLEEP_GRANULARITY = 1 / 200

# The suite tries the same inputs every time, so that a change is what turns it red; `make laws` and `make fuzz` try
# others. Machines are shared and slow at times: time is measured in benchmarks and nowhere here.
settings.register_profile(
    "suite", deadline=None, derandomize=not (os.environ.get("SCOPETRACE_LAWS") or os.environ.get("SCOPETRACE_FUZZ"))
)
settings.load_profile("suite")
