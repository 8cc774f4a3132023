"""Answers made by hand, so that the panel's look does not depend on the words of real ones."""

from __future__ import annotations

from fake_timeline import ROOT

from scopetrace.explain.answer import Answer, Applying, Evidence, Moment, Reason

API = f"{ROOT}/services/api/AGENTS.md"

LATER = Answer(
    question="services/api/AGENTS.md",
    path="services/api/AGENTS.md",
    absolute_path=API,
    subject="candidate",
    at=20,
    seq=30,
    cwd=ROOT,
    project_root=ROOT,
    profile="0.2",
    standing="not-loaded",
    code="not-reached",
    headline="Not loaded: services/api/AGENTS.md waits for a read, write or edit in services/api",
    causes=(
        Reason(
            code="not-reached",
            sentence="services/api/AGENTS.md exists, but nothing has led the loader there yet; a read, write or "
            "edit in services/api would",
            facts={},
            absolute_path=API,
        ),
    ),
    evidence=(Evidence(kind="file", sentence="services/api/AGENTS.md, 60 B", facts={}, absolute_path=API),),
    when=(
        Moment(kind="announced", sentence="announced, after read of orders.py", facts={}, seq=47, later=True),
        Moment(kind="next-touch", sentence="a read, write or edit in services/api would announce it", facts={}),
    ),
)

BACKGROUND = Answer(
    question="services/api/app/ord\x1bers.py",
    path="services/api/app/ord\x1bers.py",
    absolute_path=f"{ROOT}/services/api/app/ord\x1bers.py",
    subject="file",
    at=20,
    seq=30,
    cwd=ROOT,
    project_root=ROOT,
    profile="0.2",
    standing="applies",
    code="files-apply",
    headline="4 files apply: AGENTS.md, services/AGENTS.md, services/api/AGENTS.md; CLAUDE.md is a duplicate",
    causes=(
        Reason(
            code="files-apply",
            sentence="4 files in force for services/api/app/ord\x1bers.py, from broad to specific: ~/.dsh/AGENTS.md, "
            "AGENTS.md, services/AGENTS.md, services/api/AGENTS.md",
            facts={},
        ),
        Reason(code="duplicate", sentence="CLAUDE.md is left out: it says the same as AGENTS.md", facts={}, seq=9),
        Reason(code="marker-found", sentence=f"project root is {ROOT}: it holds .git", facts={}, seq=9),
    ),
    evidence=(
        Evidence(kind="root", sentence=f"project root {ROOT}: it holds .git, a directory", facts={}, seq=9),
        Evidence(kind="touch", sentence="read of services/api/app/orders.py: touch-accepted", facts={}, seq=22),
    ),
    when=(
        Moment(kind="announced", sentence="AGENTS.md: announced, in the baseline", facts={}, seq=9),
        Moment(kind="announced", sentence="services/AGENTS.md: announced", facts={}, seq=30),
        Moment(kind="replaced", sentence="services/api/AGENTS.md: sent again", facts={}, seq=47, later=True),
    ),
    applies=tuple(
        Applying(
            directory=directory,
            name="AGENTS.md",
            path=f"{directory}/AGENTS.md".removeprefix("./"),
            absolute_path=f"{ROOT}/{directory}/AGENTS.md",
            code="loaded",
            size=size,
            seq=seq,
        )
        for directory, size, seq in ((".", 166, 9), ("services", 84, 30), ("services/api", 60, 30))
    ),
)
