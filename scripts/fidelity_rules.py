"""Rules that only the loader's README states, and the tests that hold this project to them.

``scripts/make_fidelity.py`` prints the list and refuses a test that does not exist.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """A rule in words, the test file below ``tests/`` and the tests in it."""

    subject: str
    file: str
    tests: tuple[str, ...]


_READING = "engine/test_engine_reading.py"
_BASELINE = "engine/test_engine_baseline.py"
_RECONCILE = "engine/test_engine_reconcile.py"
_CONFIG = "engine/test_engine_config.py"
_COMPOSE = "engine/test_engine_compose.py"
_PROVIDERS = "engine/test_engine_providers.py"

RULES = (
    Rule(
        "`maxTotalSourceBytes` across one baseline",
        _BASELINE,
        (
            "test_the_aggregate_cap_is_spent_in_loading_order",
            "test_bytes_count_not_characters",
            "test_what_cannot_be_used_spends_nothing",
            "test_a_duplicate_was_read_and_is_paid_for",
            "test_the_single_file_cap_stays_in_force_below_the_aggregate",
            "test_every_baseline_starts_with_the_whole_cap",
        ),
    ),
    Rule(
        "`maxTotalSourceBytes` across one reconciliation batch",
        _RECONCILE,
        (
            "test_the_aggregate_cap_spans_a_batch",
            "test_over_the_aggregate_is_temporary_and_holds_the_group_back",
            "test_a_held_back_group_has_spent_what_it_read",
            "test_files_of_an_unchanged_version_cost_nothing",
        ),
    ),
    Rule(
        "a batch beside a baseline has a cap of its own",
        _BASELINE,
        ("test_a_batch_beside_a_baseline_has_a_cap_of_its_own",),
    ),
    Rule(
        "`maxTotalSourceBytes` in the identity only when configured",
        _CONFIG,
        ("test_the_aggregate_cap_is_part_of_the_identity_only_when_configured",),
    ),
    Rule(
        "growth after the probe, unknown size: the caps hold, one byte more proves it",
        _READING,
        (
            "test_the_cap_holds_whatever_the_metadata_said",
            "test_growth_counts_against_what_is_left_of_the_aggregate",
            "test_growth_in_a_dynamic_pass_is_temporary",
        ),
    ),
    Rule(
        "strict UTF-8: overlong forms, surrogates, beyond U+10FFFF, a file that ends inside a character",
        _READING,
        ("test_utf8_is_strict", "test_the_ends_of_what_is_valid"),
    ),
    Rule(
        "a character cut at the cap is too long, not invalid; a file truncated at the cap is invalid",
        _READING,
        (
            "test_a_character_cut_at_the_cap_is_oversize_not_invalid",
            "test_a_character_ending_exactly_at_the_cap_is_whole",
            "test_a_file_truncated_at_exactly_the_cap_is_invalid",
        ),
    ),
    Rule(
        "one leading byte order mark is dropped before hashing and is no content",
        _READING,
        (
            "test_one_leading_mark_is_dropped_before_hashing",
            "test_a_second_mark_is_content",
            "test_the_mark_counts_in_a_reported_size_alone",
            "test_a_mark_does_not_eat_into_the_aggregate",
        ),
    ),
    Rule(
        "every provider counts the mark alike", "workspace/test_workspace_read_limit.py", ("test_the_mark_comes_along",)
    ),
    Rule(
        "a NUL among the first 8192 bytes: not text",
        _READING,
        ("test_a_nul_among_the_first_8192_bytes_is_not_text", "test_the_mark_counts_among_the_8192"),
    ),
    Rule(
        "what cannot be read is skipped in a baseline, temporary in a dynamic pass",
        _READING,
        ("test_in_a_dynamic_pass_what_cannot_be_read_is_temporary",),
    ),
    Rule(
        "cancellation reaches probes and reads; a pre-step fails, a projection warns",
        _READING,
        (
            "test_cancellation_ends_a_pre_step_with_an_error",
            "test_cancellation_of_a_projection_warns_and_loses_the_touch",
        ),
    ),
    Rule(
        "`~`, `~/…`, `~\\…` expand in settings and environment; blank variables count as unset",
        _CONFIG,
        (
            "test_a_configured_home_expands_its_tilde",
            "test_so_does_a_home_of_the_environment",
            "test_other_tildes_are_names",
            "test_a_blank_variable_counts_as_unset",
        ),
    ),
    Rule("a refused setting is named", _CONFIG, ("test_a_refused_setting_is_named",)),
    Rule(
        "a non-positive or non-finite `maxBytes` turns loading off",
        _CONFIG,
        ("test_a_budget_that_disables_loading_probes_nothing",),
    ),
    Rule(
        "no provider: loading is a no-op until there is one",
        _COMPOSE,
        (
            "test_without_a_provider_loading_is_a_no_op",
            "test_loading_begins_when_the_provider_comes",
            "test_a_provider_that_goes_keeps_what_is_visible_and_drops_what_waits",
        ),
    ),
    Rule(
        "links on a real disk: to a file, out of the project, to a directory, dangling, a loop, 40 and 41 in a row",
        _PROVIDERS,
        (
            "test_a_link_to_a_file_loads_its_target",
            "test_a_link_out_of_the_project_is_followed_and_flagged",
            "test_a_link_to_a_directory_is_absence",
            "test_a_dangling_link_is_absence_and_loads_when_its_target_comes",
            "test_a_loop_is_no_proof_of_absence",
            "test_chains_of_links_are_followed_forty_times",
        ),
    ),
    Rule(
        "a FIFO, a socket, a directory named like a candidate: absent, never opened",
        _PROVIDERS,
        (
            "test_a_fifo_or_socket_is_absence_and_is_never_opened",
            "test_a_directory_named_like_a_candidate_is_absence",
        ),
    ),
    Rule(
        "permission denied is no proof of absence",
        _PROVIDERS,
        (
            "test_permission_denied_while_probing_is_no_proof_of_absence",
            "test_permission_denied_while_reading_leaves_what_was_loaded",
            "test_a_failing_marker_on_disk_fails_the_step",
        ),
    ),
    Rule("nothing on disk is changed", _PROVIDERS, ("test_nothing_on_disk_is_changed",)),
)
