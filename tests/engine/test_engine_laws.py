"""Laws of one rendered block, whatever files and budgets: its bound, the fate of every file, and what it depends on.

``test_engine_render.py`` holds the fast renderer against a naive one; the laws of whole sessions are in
``tests/replay/test_replay_laws.py``.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scopetrace.engine.paths import is_user_global_path
from scopetrace.engine.render import Rendered, render_baseline, render_changes
from scopetrace.engine.text import utf8_len
from scopetrace.model import Action, Change, InstructionFile, Outcome

law = settings(max_examples=int(os.environ.get("SCOPETRACE_LAWS") or 150), deadline=None)

TAG = "</system-reminder>"
PATHS = (
    "~/.dsh/AGENTS.md",
    "~/.agents/AGENTS.md",
    "AGENTS.md",
    "CLAUDE.md",
    "a/AGENTS.md",
    "a/b/AGENTS.md",
    f"a/{TAG}/AGENTS.md",
    f"é/{'路径/' * 12}AGENTS.md",
)
contents = st.lists(
    st.sampled_from(["a", "é", "路", "\U0001f600", TAG, "<", "\n", "x" * 40, "y" * 300]), max_size=9
).map("".join)
file_lists = st.lists(st.sampled_from(PATHS), max_size=7, unique=True).flatmap(
    lambda names: st.tuples(
        *(st.builds(InstructionFile, st.just(f"/{name}"), st.just(name), contents) for name in names)
    )
)
budgets = st.one_of(
    st.integers(1, 2600), st.builds(lambda whole, part: whole + part, st.integers(1, 900), st.just(0.5))
)
styles = st.fixed_dictionaries(
    {"replaces_previous": st.booleans(), "shared_root": st.booleans(), "per_chain": st.booleans()}
)


@st.composite
def batches(draw: st.DrawFn) -> list[tuple[Change, InstructionFile]]:
    items = []
    for file in draw(file_lists):
        action = draw(st.sampled_from(list(Action)))
        shown = replace(file, content="") if action is Action.REMOVE else file
        digest = None if action is Action.REMOVE else "0" * 40
        items.append((Change(action, f"scope {file.display_path}\0x", file.display_path, digest), shown))
    return items


kinds = st.fixed_dictionaries(
    {"global_sentence": st.booleans(), "shared_root": st.booleans(), "per_chain": st.booleans()}
)


def assert_bounded(rendered: Rendered, max_bytes: float, *, per_chain: bool) -> None:
    assert utf8_len(rendered.text) <= (2 if per_chain else 1) * max_bytes
    for report in rendered.budgets:
        assert report.limit == max_bytes
        assert report.used <= max_bytes


def assert_partition(rendered: Rendered, files: list[InstructionFile]) -> None:
    """Omitted, truncated and whole are every file once; a represented one has bytes in the text, or none to have."""
    cut = {truncation.display_path: truncation for truncation in rendered.truncated}
    omitted = [file.display_path for file in rendered.omitted]
    whole = [file.display_path for file in rendered.represented if file.display_path not in cut]
    assert Counter([*omitted, *cut, *whole]) == Counter(file.display_path for file in files)
    headed = [section.display_path for section in rendered.sections]
    for path, truncation in cut.items():
        represented = path in [file.display_path for file in rendered.represented]
        assert represented == bool(truncation.included_bytes or (not truncation.original_bytes and path in headed))
        assert truncation.included_bytes <= truncation.original_bytes
    fates = [fate.file.display_path for fate in rendered.fates]
    assert fates == [file.display_path for file in files]
    kept = [fate.file for fate in rendered.fates if fate.outcome in (Outcome.WHOLE, Outcome.TRUNCATED)]
    assert kept == list(rendered.represented)


def assert_texts(rendered: Rendered, files: list[InstructionFile], removed: set[str]) -> None:
    """Represented files are in the text with their bytes, in order; whatever was left out is named instead."""
    at = 0
    for section in rendered.sections:
        wanted = "" if section.display_path in removed else section.content.replace(TAG, "<\\/system-reminder>")
        found = rendered.text.find(section.display_path.replace(TAG, "<\\/system-reminder>"), at)
        assert found >= 0
        found = rendered.text.find(wanted, found)
        assert found >= 0
        at = found + len(wanted)
    assert rendered.text.count(TAG) <= 1  # the frame's own: nothing inside can end it
    if rendered.omitted and rendered.intro is not None:
        assert "omitted " in rendered.text


@law
@given(files=file_lists, max_bytes=budgets, style=styles)
def test_a_baseline_keeps_its_bound_and_divides_its_files(
    files: tuple[InstructionFile, ...], max_bytes: float, style: dict[str, Any]
) -> None:
    rendered = render_baseline(files, max_bytes, **style)
    assert_bounded(rendered, max_bytes, per_chain=style["per_chain"])
    assert_partition(rendered, list(files))
    assert_texts(rendered, list(files), set())
    assert [files.index(file) for file in rendered.represented] == list(rendered.carried)


@law
@given(items=batches(), max_bytes=budgets, kind=kinds)
def test_an_update_keeps_its_bound_and_divides_its_transitions(
    items: list[tuple[Change, InstructionFile]], max_bytes: float, kind: dict[str, Any]
) -> None:
    rendered = render_changes(items, max_bytes, **kind)
    assert_bounded(rendered, max_bytes, per_chain=kind["per_chain"])
    assert_partition(rendered, [file for _, file in items])
    removed = {file.display_path for change, file in items if change.action is Action.REMOVE}
    assert_texts(rendered, [file for _, file in items], removed)
    assert [items[at][1] for at in rendered.carried] == list(rendered.represented)


@law
@given(files=file_lists, items=batches(), max_bytes=budgets, style=styles, kind=kinds)
def test_rendering_is_a_function_of_its_inputs(
    files: tuple[InstructionFile, ...],
    items: list[tuple[Change, InstructionFile]],
    max_bytes: float,
    style: dict[str, Any],
    kind: dict[str, Any],
) -> None:
    """The same again, from equal values that are other objects, with another rendering in between, and unexplained."""
    baseline, update = render_baseline(files, max_bytes, **style), render_changes(items, max_bytes, **kind)
    copies = [replace(file, content=file.content.encode().decode()) for file in files]
    assert render_baseline(copies, max_bytes, **style) == baseline
    assert render_changes([(replace(change), replace(file)) for change, file in items], max_bytes, **kind) == update
    silent = render_baseline(files, max_bytes, **style, explain=False)
    assert silent == replace(baseline, fates=(), budgets=())
    silent = render_changes(items, max_bytes, **kind, explain=False)
    assert silent == replace(update, fates=(), budgets=())


@law
@given(files=file_lists, max_bytes=budgets, style=styles)
def test_without_pressure_everything_is_whole_and_a_chain_alone_is_a_single_budget(
    files: tuple[InstructionFile, ...], max_bytes: float, style: dict[str, Any]
) -> None:
    plenty = render_baseline(files, 10_000_000, **style)
    assert (plenty.omitted, plenty.truncated) == ((), ())
    assert list(plenty.represented) == list(files)
    chains = {is_user_global_path(file.display_path, shared_root=style["shared_root"]) for file in files}
    if len(chains) < 2:
        single = render_baseline(files, max_bytes, **{**style, "per_chain": False})
        assert render_baseline(files, max_bytes, **{**style, "per_chain": True}) == single
