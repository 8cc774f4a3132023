"""Settings: every refusal names its key, defaults are those of the README, and what is recovered from a record."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from engine_agent import Agent, moves, paths

from scopetrace.engine.config import Config, ConfigError
from scopetrace.engine.profile import PROFILE_0_1, PROFILE_0_2, PROFILE_NEXT, Profile
from scopetrace.model import Outcome


def test_the_defaults_are_those_of_the_readme() -> None:
    config = Config.from_mapping({"maxBytes": 65536})
    assert config.as_mapping() == {
        "maxBytes": 65536,
        "maxSourceBytes": 1024 * 1024,
        "maxTotalSourceBytes": 4 * 1024 * 1024,
        "projectRootMarkers": [".git"],
        "instructionFileCandidates": ["AGENTS.md", "CLAUDE.md"],
        "localInstructionFileCandidates": ["AGENTS.local.md", "CLAUDE.local.md"],
    }


@pytest.mark.parametrize(
    ("settings", "key", "says"),
    [
        ({}, "maxBytes", "is required"),
        ({"maxBytes": "65536"}, "maxBytes", "must be a number of bytes, not '65536'"),
        ({"maxBytes": True}, "maxBytes", "must be a number of bytes, not True"),
        ({"maxBytes": None}, "maxBytes", "must be a number of bytes, not None"),
        *(
            ({"maxBytes": 1, key: value}, key, f"must be a positive whole number of bytes, not {value!r}")
            for key in ("maxSourceBytes", "maxTotalSourceBytes")
            for value in (0, -1, 1.5, True, "1", -0.0, math.inf, math.nan, [1])
        ),
        ({"maxBytes": 1, "maxSourceBytes": None}, "maxSourceBytes", "not None"),
        *(
            ({"maxBytes": 1, key: value}, key, f"must be a list of names, not {value!r}")
            for key in ("projectRootMarkers", "instructionFileCandidates", "localInstructionFileCandidates")
            for value in ("AGENTS.md", [1], None, {"a": 1})
        ),
        ({"maxBytes": 1, "dshHome": 7}, "dshHome", "must be a path, not 7"),
        ({"maxBytes": 1, "agentsHome": []}, "agentsHome", "must be a path, not []"),
        ({"maxBytes": 1, "maxbytes": 2}, "maxbytes", "is not a setting; known are agentsHome"),
    ],
    ids=str,
)
def test_a_refused_setting_is_named(settings: dict[str, Any], key: str, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_mapping(settings)
    assert refused.value.key == key
    assert str(refused.value).startswith(f"{key}: ")
    assert says in str(refused.value)


def test_what_counts_as_a_number() -> None:
    config = Config.from_mapping({"maxBytes": 300.5, "maxSourceBytes": 8.0, "maxTotalSourceBytes": None})
    assert (config.max_bytes, config.max_source_bytes, config.max_total_source_bytes) == (300.5, 8, None)
    assert Config.from_mapping({"maxBytes": "Infinity"}).max_bytes == math.inf


def test_a_record_may_hold_keys_that_nobody_knows() -> None:
    assert Config.from_mapping({"maxBytes": 1, "later": True}, strict=False) == Config(1)


@pytest.mark.parametrize("budget", [0, -1, math.inf, -math.inf, math.nan])
def test_a_budget_that_disables_loading_probes_nothing(budget: float) -> None:
    agent = Agent({"/w/AGENTS.md": "text"}, maxBytes=budget)
    assert agent.context() is None
    assert agent.announced("/w/a/f") is None
    assert (agent.memory.stats, agent.memory.reads) == (0, [])
    assert Outcome.BUDGET_DISABLED in [decision.outcome for decision in agent.decisions]


def test_the_aggregate_cap_is_part_of_the_identity_only_when_configured() -> None:
    def identity(**settings: Any) -> dict[str, Any]:
        message = Agent({"/w/AGENTS.md": "text"}, **settings).context()
        assert message is not None
        assert message.source.baseline_identity is not None
        found: dict[str, Any] = json.loads(message.source.baseline_identity)
        return found

    assert "maxTotalSourceBytes" not in identity()
    assert "maxTotalSourceBytes" not in identity(maxTotalSourceBytes=None)
    assert list(identity(maxTotalSourceBytes=4194304).items())[-1] == ("maxTotalSourceBytes", 4194304)


def test_an_identity_gives_the_configuration_back() -> None:
    agent = Agent({"/w/AGENTS.md": "text"}, maxBytes=300.5, maxSourceBytes=77, projectRootMarkers=[".git", "go.mod"])
    message = agent.context()
    assert message is not None
    recovered = Config.from_identity(message.source.baseline_identity or "")
    assert recovered.as_mapping() == {**agent.config.as_mapping(), "maxTotalSourceBytes": None}
    with_total = Agent({"/w/AGENTS.md": "text"}, maxTotalSourceBytes=9).context()
    assert with_total is not None
    assert Config.from_identity(with_total.source.baseline_identity or "").max_total_source_bytes == 9


@pytest.mark.parametrize("identity", ["", "{", "[]", "null", '"x"'])
def test_a_damaged_identity_is_refused(identity: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_identity(identity)
    assert refused.value.key == "baselineIdentity"


@pytest.mark.parametrize("profile", [PROFILE_0_1, PROFILE_NEXT], ids=lambda profile: profile.name)
@pytest.mark.parametrize("setting", ["~", "~/", "~/conf/../.dsh/.", "~\\conf", "/conf", "conf", ""])
def test_a_configured_home_expands_its_tilde(profile: Profile, setting: str) -> None:
    """``~``, ``~/…`` and ``~\\…`` stand below the OS home; what follows ``~\\`` is one name on POSIX."""
    place, label = {
        "~": ("/h", "$DSH_HOME"),
        "~/": ("/h", "$DSH_HOME"),
        "~/conf/../.dsh/.": ("/h/.dsh", "~/.dsh"),
        "~\\conf": ("/h/conf", "$DSH_HOME"),
        "/conf": ("/conf", "$DSH_HOME"),
        "conf": ("/h/conf", "$DSH_HOME"),
        "": ("/h", "$DSH_HOME"),
    }[setting]
    agent = Agent({f"{place}/AGENTS.md": "own"}, profile=profile, environ={"DSH_HOME": "/not/this"}, dshHome=setting)
    assert paths(agent.context()) == [f"{label}/AGENTS.md"]


@pytest.mark.parametrize("variable", ["DSH_HOME", "DSH_AGENTS_HOME"])
@pytest.mark.parametrize("value", ["~", "~/conf", "~\\conf"])
def test_so_does_a_home_of_the_environment(variable: str, value: str) -> None:
    place = "/h" if value == "~" else "/h/conf"
    agent = Agent({f"{place}/AGENTS.md": "own"}, environ={variable: value})
    assert paths(agent.context()) == [f"${variable}/AGENTS.md"]


@pytest.mark.parametrize("value", ["~user/conf", "a~/conf"])
def test_other_tildes_are_names(value: str) -> None:
    agent = Agent({f"/h/{value}/AGENTS.md": "own"}, environ={"DSH_HOME": value})
    assert paths(agent.context()) == ["$DSH_HOME/AGENTS.md"]


@pytest.mark.parametrize("blank", ["", " ", "\t\n\u00a0\ufeff"])
def test_a_blank_variable_counts_as_unset(blank: str) -> None:
    agent = Agent({"/h/.dsh/AGENTS.md": "own"}, environ={"DSH_HOME": blank, "DSH_AGENTS_HOME": blank})
    assert paths(agent.context()) == ["~/.dsh/AGENTS.md"]


def test_profile_0_2_takes_the_home_from_the_environment_alone() -> None:
    files: dict[str, str | bytes] = {"/conf/AGENTS.md": "set", "/h/.dsh/AGENTS.md": "default"}
    assert paths(Agent(files, profile=PROFILE_0_2, dshHome="/conf").context()) == ["~/.dsh/AGENTS.md"]
    assert paths(Agent(files, profile=PROFILE_NEXT, dshHome="/conf").context()) == ["$DSH_HOME/AGENTS.md"]


def test_candidate_names_that_leave_the_directory_are_ignored() -> None:
    names = ["", ".", "..", "a/b", "a\\b", "RULES.md", "AGENTS.md", "RULES.md"]
    files: dict[str, str | bytes] = {"/w/RULES.md": "one", "/w/AGENTS.md": "two", "/w/a/b": "no", "/w/CLAUDE.md": "no"}
    agent = Agent(files, instructionFileCandidates=names, localInstructionFileCandidates=["AGENTS.md"])
    assert moves(agent.context()) == [("set", "RULES.md"), ("set", "AGENTS.md")]


def test_an_empty_list_turns_overlays_off() -> None:
    files: dict[str, str | bytes] = {"/w/AGENTS.md": "base", "/w/AGENTS.local.md": "overlay"}
    assert paths(Agent(files).context()) == ["AGENTS.md", "AGENTS.local.md"]
    assert paths(Agent(files, localInstructionFileCandidates=[]).context()) == ["AGENTS.md"]
