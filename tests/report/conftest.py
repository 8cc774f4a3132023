"""The made-up timeline as a fixture."""

from __future__ import annotations

import pytest
from report_fake import FakeTimeline


@pytest.fixture
def view() -> FakeTimeline:
    return FakeTimeline()
