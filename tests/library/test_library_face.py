"""The public face of the library: what the README shows works, and importing it costs nothing."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scopetrace

ROOT = Path(__file__).parents[2]


def test_the_snippet_of_the_readme_prints_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"## Library\n\n```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```", text, re.DOTALL)
    assert found is not None
    monkeypatch.chdir(ROOT)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(found[1], "README.md", "exec"), {})
    assert out.getvalue() == found[2]


def test_every_public_name_is_there_and_documented() -> None:
    assert sorted(scopetrace.__all__) == scopetrace.__all__
    for name in scopetrace.__all__:
        value = getattr(scopetrace, name)
        assert name == "__version__" or (value.__doc__ or "").strip(), name
    assert dir(scopetrace) == scopetrace.__all__
    with pytest.raises(AttributeError):
        _ = scopetrace.nothing_of_this_name


def test_importing_the_library_imports_nothing_else() -> None:
    program = "import sys, scopetrace; print(*(m for m in sys.modules if m.startswith('scopetrace.')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_types_travel_with_the_package() -> None:
    assert (Path(scopetrace.__file__).parent / "py.typed").exists()


def test_a_message_that_is_not_there_is_an_error() -> None:
    session = scopetrace.open_session(ROOT / "sample_sessions" / "demo-monorepo")
    with pytest.raises(LookupError):
        scopetrace.message_text(session, 3)
    assert scopetrace.message_text(session, 9) == scopetrace.message_text(session, 9, computed=True)
