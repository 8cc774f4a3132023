"""Three generations of the loader's rules as switches of one engine.

Each difference of ``design/PROFILES.md`` is one field here and nowhere else; ``docs/profiles.md`` explains them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Profile:
    """A generation of rules. Every field is one difference; the comment names it in ``design/PROFILES.md``."""

    name: str
    shared_root: bool = True  # D1: the agents home is a second user-global root, one group with the harness home
    global_sentence: bool = True  # D2: a user-global file is announced as applying to all work
    reserved_escape: bool = True  # D3: project directories named like a user-global scope are shown as ./NAME
    label_keeps_name: bool = True  # D4: user-global display path is LABEL/NAME in a reconciliation, not LABEL/AGENTS.md
    dedup_by_group: bool = True  # D5: a baseline collapses duplicates by group, not by display directory
    duplicates_reconciled: bool = True  # D6: suppressed duplicates are reconciled, not excluded for good
    cache_duplicates: bool = True  # D7: versions of duplicates are remembered
    read_failure_holds_group: bool = True  # D8: an unreadable candidate holds its whole group back
    probe_failure_holds_group: bool = True  # D9: so does a failing probe of a candidate that is not in force
    block_unreached_paths: bool = True  # D10: paths of a held-back group stay blocked for later groups
    pending_after_root: bool = True  # D11: the project root is looked for before a pending context is taken
    pending_needs_identity: bool = True  # D12: a pending context is taken only under the prepared identity
    follow_cwd: bool = True  # D13: changes of the working directory are followed
    home_setting: bool = False  # D14: the setting dshHome counts
    per_chain: bool = False  # next: user-global and project files have a budget each

    def switches(self) -> dict[str, bool]:
        """Every switch by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "name"}


PROFILE_0_2 = Profile("0.2")
PROFILE_NEXT = Profile("next", home_setting=True, per_chain=True)
PROFILE_0_1 = Profile(
    "0.1",
    shared_root=False,
    global_sentence=False,
    reserved_escape=False,
    label_keeps_name=False,
    dedup_by_group=False,
    duplicates_reconciled=False,
    cache_duplicates=False,
    read_failure_holds_group=False,
    probe_failure_holds_group=False,
    block_unreached_paths=False,
    pending_after_root=False,
    pending_needs_identity=False,
    follow_cwd=False,
    home_setting=True,
)

PROFILES = {profile.name: profile for profile in (PROFILE_0_1, PROFILE_0_2, PROFILE_NEXT)}
DEFAULT_PROFILE = PROFILE_NEXT


def profile_for_format(version: int) -> Profile:
    """The rules that sessions of a log format ran under (formats 0 to 3: ``0.1``, 4: ``0.2``)."""
    return PROFILE_0_2 if version >= 4 else PROFILE_0_1
