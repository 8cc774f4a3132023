"""Checks ``render-*`` vectors (FORMAT.md 2)."""

from __future__ import annotations

from typing import Any

from conformance_vectors import Mismatch, compare, number

from scopetrace.engine.profile import PROFILES
from scopetrace.engine.render import Rendered, render_baseline, render_changes
from scopetrace.model import Action, Change, InstructionFile


def check_render(row: dict[str, Any], profile_name: str) -> None:
    profile = PROFILES[profile_name]
    limit = number(row["maxBytes"])
    if "items" in row:
        items = [(_change(item["change"]), _file(item["file"])) for item in row["items"]]
        rendered = render_changes(
            items,
            limit,
            global_sentence=profile.global_sentence,
            shared_root=profile.shared_root,
            per_chain=profile.per_chain,
        )
        compare(row["expect"], {"text": rendered.text, "changes": list(rendered.carried)})
        _check_accounts(rendered, limit, len(items))
        return
    files = [_file(file) for file in row["files"]]
    rendered = render_baseline(
        files,
        limit,
        replaces_previous=row.get("replacePreviousBaseline", False),
        shared_root=profile.shared_root,
        per_chain=profile.per_chain,
    )
    observed = {
        "text": rendered.text,
        "omitted": [file.display_path for file in rendered.omitted],
        "truncated": [
            {
                "displayPath": cut.display_path,
                "originalBytes": cut.original_bytes,
                "includedBytes": cut.included_bytes,
            }
            for cut in rendered.truncated
        ],
        "represented" if "represented" in row["expect"] else "included": [
            file.absolute_path for file in rendered.represented
        ],
    }
    compare(row["expect"], observed)
    _check_accounts(rendered, limit, len(files))


def _check_accounts(rendered: Rendered, limit: float, count: int) -> None:
    """What is said about the budget has to add up to what was done."""
    for budget in rendered.budgets:
        if sum(segment.size for segment in budget.segments) != budget.used or budget.used > limit:
            raise Mismatch(f"budget does not add up: {budget}")
    if len(rendered.budgets) == 1 and rendered.budgets[0].used != len(rendered.text.encode()):
        raise Mismatch(f"{rendered.budgets[0].used} bytes used by a text of {len(rendered.text.encode())} bytes")
    if [fate.place for fate in rendered.fates] != list(range(count if rendered.budgets else 0)):
        raise Mismatch(f"not one fate a file: {rendered.fates}")


def _file(row: dict[str, str]) -> InstructionFile:
    return InstructionFile(row["absolutePath"], row["displayPath"], row["content"])


def _change(row: dict[str, str]) -> Change:
    return Change(Action(row["action"]), row["scope"], row["path"], row.get("digest"))
