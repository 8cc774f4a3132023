"""A hand-made timeline of a small monorepo: enough of everything that the inspector draws, without loader or log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scopetrace.model import (
    Action,
    BudgetReport,
    CandidateState,
    Change,
    Comparison,
    Decision,
    Frame,
    Message,
    Outcome,
    Row,
    RowKind,
    RunInfo,
    ScopeNode,
    Segment,
    SegmentKind,
    Source,
    Stage,
    Truncation,
    Verdict,
)

ROOT = "/home/dev/demo-monorepo"
NAMES = ("AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md")
SIZES = {
    "user-global/.dsh": 71,
    "user-global/.agents": 82,
    "AGENTS.md": 166,
    "AGENTS.local.md": 57,
    "services/AGENTS.md": 84,
    "services/api/AGENTS.md": 60,
    "services/api/CLAUDE.md": 55,
}
BASELINE_TEXT = """<system-reminder>
The following workspace instructions apply to this session.

Instructions from: ~/.dsh/AGENTS.md

# Dev's habits

- Prefer small commits.

Instructions from: AGENTS.md

# Storefront monorepo

- Package manager: pnpm. Never run npm.
- Use tabs in Makefiles, spaces elsewhere.
- Run `make check` before you say you are done.
</system-reminder>"""
UPDATE_TEXT = """<system-reminder>
Additional instructions from: services/AGENTS.md

These instructions apply to work under `services`. Use them as guidance when relevant; more specific instructions take \
precedence. They do not override system, developer, or direct user instructions.

# Services

- Python 3.12, typed, no global state.
- Every endpoint has a test.

Additional instructions from: services/api/AGENTS.md

# API

- FastAPI only. Return problem+json on errors.
</system-reminder>"""


def scope(directory: str, name: str) -> str:
    return f"{directory}\0{name}"


def display(directory: str, name: str) -> str:
    return name if directory == "." else f"{directory}/{name}"


def probe(directory: str, name: str, outcome: Outcome, **facts: object) -> Decision:
    path = display(directory, name)
    return Decision(Stage.PROBE, outcome, 0, scope(directory, name), path, f"{ROOT}/{path}", facts)  # type: ignore[arg-type]


def decided(stage: Stage, outcome: Outcome, directory: str, name: str, **facts: object) -> Decision:
    path = display(directory, name)
    return Decision(stage, outcome, 0, scope(directory, name), path, f"{ROOT}/{path}", facts)  # type: ignore[arg-type]


def new_file(directory: str, name: str, size: int, digest: str, left: int) -> list[Decision]:
    return [
        probe(directory, name, Outcome.PRESENT, size=size),
        decided(Stage.READ, Outcome.READ, directory, name, size=size, digest=digest),
        decided(Stage.DEDUP, Outcome.KEPT, directory, name, digest=digest),
        decided(Stage.BUDGET, Outcome.WHOLE, directory, name, size=size, left=left),
        decided(Stage.RECONCILE, Outcome.SET, directory, name, size=size, digest=digest),
    ]


def unchanged(directory: str, name: str, path: str, size: int) -> list[Decision]:
    base = Decision(Stage.READ, Outcome.UNCHANGED_VERSION, 0, scope(directory, name), path, path, {"size": size})
    return [base, replace(base, stage=Stage.RECONCILE, outcome=Outcome.UNCHANGED)]


def update_decisions() -> tuple[Decision, ...]:
    out = new_file("services", "AGENTS.md", 84, "a41c09d2f0be", 64_612)
    out += [probe("services", name, Outcome.ABSENT) for name in NAMES[1:]]
    out += new_file("services/api", "AGENTS.md", 60, "09f2d1c6aa01", 64_553)
    out += new_file("services/api", "CLAUDE.md", 55, "77b0e15c9d13", 64_498)
    out += [probe("services/api", name, Outcome.ABSENT) for name in NAMES[2:]]
    out += unchanged("user-global", "AGENTS.md", "~/.dsh/AGENTS.md", 71)
    out += unchanged("user-global-agents", "AGENTS.md", "~/.agents/AGENTS.md", 82)
    out += unchanged(".", "AGENTS.md", "AGENTS.md", 166)
    out += [decided(Stage.DEDUP, Outcome.DUPLICATE, ".", "CLAUDE.md", of="AGENTS.md", size=166)]
    out += unchanged(".", "AGENTS.local.md", "AGENTS.local.md", 57)
    return tuple(out)


def baseline_decisions() -> tuple[Decision, ...]:
    out = [Decision(Stage.ROOT, Outcome.MARKER_FOUND, facts={"root": ROOT, "marker": ".git", "cwd": "."})]
    for directory, name, size in ((".", "AGENTS.md", 166), (".", "AGENTS.local.md", 57)):
        out += new_file(directory, name, size, "5d0a91f3c0de", 64_000)[:-1]
    out.append(probe(".", "CLAUDE.md", Outcome.PRESENT, size=166))
    out.append(decided(Stage.DEDUP, Outcome.DUPLICATE, ".", "CLAUDE.md", of="AGENTS.md", size=166))
    out.append(decided(Stage.BUDGET, Outcome.OMITTED, "docs", "AGENTS.md", needs=9216, left=4021, limit=65536))
    out.append(Decision(Stage.LIFECYCLE, Outcome.BASELINE_COMPOSED, facts={"files": 4}))
    return tuple(out)


def state(directory: str, name: str, outcome: Outcome, size: int | None = None, path: str = "") -> CandidateState:
    shown = path or display(directory, name)
    return CandidateState(scope(directory, name), name, shown, f"{ROOT}/{shown}", outcome, size)


def tree(update: bool, started: bool) -> tuple[ScopeNode, ...]:
    loaded = Outcome.LOADED if started else Outcome.NOT_REACHED
    nested = Outcome.LOADED if update else Outcome.NOT_REACHED
    unreached = Outcome.NOT_REACHED
    api = ScopeNode(
        "services/api",
        "api",
        "",
        update,
        (state("services/api", "AGENTS.md", nested, 60), state("services/api", "CLAUDE.md", nested, 55)),
    )
    worker = ScopeNode("services/worker", "worker", "", False, (state("services/worker", "CLAUDE.md", unreached, 41),))
    services = ScopeNode(
        "services",
        "services",
        "",
        update,
        (
            state("services", "AGENTS.md", nested, 84),
            *(state("services", name, Outcome.ABSENT) for name in NAMES[1:] if update),
        ),
        (api, worker),
    )
    web = ScopeNode(
        "web",
        "web",
        "",
        False,
        (state("web", "AGENTS.md", unreached, 230), state("web", "CLAUDE.md", unreached, 12_288)),
    )
    docs = ScopeNode("docs", "docs", "", False, (state("docs", "AGENTS.md", unreached, 9216),))
    root = ScopeNode(
        ".",
        ".",
        "project root · .git",
        True,
        (
            state(".", "AGENTS.md", loaded, 166),
            state(".", "CLAUDE.md", Outcome.DUPLICATE if started else unreached, 166),
            state(".", "AGENTS.local.md", loaded, 57),
        ),
        (services, web, docs),
    )
    return (
        ScopeNode(
            "user-global", "~/.dsh", "", True, (state("user-global", "AGENTS.md", loaded, 71, "~/.dsh/AGENTS.md"),)
        ),
        ScopeNode(
            "user-global-agents",
            "~/.agents",
            "",
            True,
            (state("user-global-agents", "AGENTS.md", loaded, 82, "~/.agents/AGENTS.md"),),
        ),
        root,
    )


def message(text: str, *, baseline: bool, changes: Sequence[Change], id: str) -> Message:
    return Message(id, (text,), Source("agent-instructions", tuple(changes), baseline))


BASELINE = message(
    BASELINE_TEXT,
    baseline=True,
    changes=[
        Change(Action.SET, scope("user-global", "AGENTS.md"), "~/.dsh/AGENTS.md", "1f" * 20),
        Change(Action.SET, scope("user-global-agents", "AGENTS.md"), "~/.agents/AGENTS.md", "2e" * 20),
        Change(Action.SET, scope(".", "AGENTS.md"), "AGENTS.md", "5d" * 20),
        Change(Action.SET, scope(".", "AGENTS.local.md"), "AGENTS.local.md", "6c" * 20),
    ],
    id="m-9",
)
UPDATE = message(
    UPDATE_TEXT,
    baseline=False,
    changes=[
        Change(Action.SET, scope("services", "AGENTS.md"), "services/AGENTS.md", "a4" * 20),
        Change(Action.SET, scope("services/api", "AGENTS.md"), "services/api/AGENTS.md", "09" * 20),
        Change(Action.SET, scope("services/api", "CLAUDE.md"), "services/api/CLAUDE.md", "77" * 20),
    ],
    id="m-30",
)
REPLACED = message(
    UPDATE_TEXT.replace("problem+json", "plain JSON"),
    baseline=False,
    changes=[Change(Action.REPLACE, scope("services/api", "AGENTS.md"), "services/api/AGENTS.md", "0a" * 20)],
    id="m-47",
)
BASELINE_BUDGET = BudgetReport(
    "baseline",
    "all",
    65_536,
    60_812,
    (
        Segment(SegmentKind.FRAME, 40),
        Segment(SegmentKind.INTRO, 620),
        Segment(SegmentKind.FILE, 71, "~/.dsh/AGENTS.md"),
        Segment(SegmentKind.FILE, 24_082, "~/.agents/AGENTS.md"),
        Segment(SegmentKind.FILE, 34_166, "AGENTS.md"),
        Segment(SegmentKind.FILE, 1_833, "AGENTS.local.md"),
    ),
    (("docs/AGENTS.md", 9_216),),
    (Truncation("AGENTS.md", 40_218, 34_021),),
)
UPDATE_BUDGET = BudgetReport(
    "update",
    "all",
    65_536,
    983,
    (
        Segment(SegmentKind.FRAME, 40),
        Segment(SegmentKind.INTRO, 744),
        Segment(SegmentKind.FILE, 84, "services/AGENTS.md"),
        Segment(SegmentKind.FILE, 60, "services/api/AGENTS.md"),
        Segment(SegmentKind.FILE, 55, "services/api/CLAUDE.md"),
    ),
)

_ROWS: tuple[tuple[int, RowKind, str, str, dict[str, object]], ...] = (
    (0, RowKind.OTHER, "session", "started", {}),
    (1, RowKind.SYSTEM, "system", "system prompt", {"on_surface": True}),
    (4, RowKind.INBOX, "inbox", "+ “Totals are wrong for empty orders.”", {}),
    (6, RowKind.TURN, "turn/start", "turn 1", {"turn": 1}),
    (7, RowKind.STEP, "step/start", "turn 1 · step 1", {"turn": 1, "step": 1}),
    (8, RowKind.PROMPT, "user", "“Totals are wrong for empty orders.”", {"turn": 1, "step": 1, "on_surface": True}),
    (9, RowKind.INSTRUCTIONS, "instructions", "baseline · 4 files set", {"turn": 1, "step": 1, "on_surface": True}),
    (11, RowKind.ASSISTANT, "assistant", "“I will look at the services.”", {"turn": 1, "step": 1, "on_surface": True}),
    (12, RowKind.TOOL, "bash", "ls services", {"turn": 1, "step": 1}),
    (13, RowKind.RESULT, "result", "api worker AGENTS.md", {"turn": 1, "step": 1, "on_surface": True}),
    (15, RowKind.STEP, "step/end", "no touch", {"turn": 1, "step": 1}),
    (19, RowKind.STEP, "step/start", "turn 1 · step 2", {"turn": 1, "step": 2}),
    (21, RowKind.ASSISTANT, "assistant", "“Two files look relevant.”", {"turn": 1, "step": 2, "on_surface": True}),
    (22, RowKind.TOOL, "read", "services/api/app/orders.py", {"turn": 1, "step": 2, "touch": "o"}),
    (23, RowKind.TOOL, "read", "services/api/tests/test_orders.py", {"turn": 1, "step": 2, "touch": "t"}),
    (24, RowKind.RESULT, "result", "ok", {"turn": 1, "step": 2, "on_surface": True}),
    (25, RowKind.RESULT, "result", "no such file: tests/test_orders.py", {"turn": 1, "step": 2, "error": True}),
    (26, RowKind.STEP, "step/end", "2 touches released → projection", {"turn": 1, "step": 2}),
    (27, RowKind.INBOX, "inbox", "+ context queued for the next step", {"turn": 1, "step": 2}),
    (29, RowKind.STEP, "step/start", "turn 1 · step 3", {"turn": 1, "step": 3}),
    (
        30,
        RowKind.INSTRUCTIONS,
        "instructions",
        "3 files set · services, services/api",
        {"turn": 1, "step": 3, "on_surface": True},
    ),
    (32, RowKind.ASSISTANT, "assistant", "edit services/api/app/orders.py", {"turn": 1, "step": 3, "on_surface": True}),
    (34, RowKind.TOOL, "edit", "services/api/app/orders.py", {"turn": 1, "step": 3, "touch": "o"}),
    (35, RowKind.RESULT, "result", "ok", {"turn": 1, "step": 3, "on_surface": True}),
    (40, RowKind.COMPACTION, "compaction", "events 1-24 replaced by a summary", {"turn": 1, "step": 3}),
    (44, RowKind.RESUME, "resume", "a new run begins", {"turn": 2}),
    (
        47,
        RowKind.INSTRUCTIONS,
        "instructions",
        "1 file replaced · services/api",
        {"turn": 2, "step": 1, "on_surface": True},
    ),
    (48, RowKind.PROMPT, "user", "“And the worker?”", {"turn": 2, "step": 1, "on_surface": True}),
    (49, RowKind.OTHER, "turn/end", "completed", {"turn": 2, "step": 1}),
)


@dataclass
class FakeTimeline:
    """See :class:`scopetrace.model.TimelineView`."""

    rows: list[Row] = field(default_factory=list)
    complete: bool = True
    title: str = "demo-monorepo"
    frames_asked: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.rows:
            self.rows = [
                Row(index, seq, kind, label, text, **more)  # type: ignore[arg-type]
                for index, (seq, kind, label, text, more) in enumerate(_ROWS)
            ]

    @property
    def info(self) -> RunInfo:
        return RunInfo(
            self.title, "s-1", "4", ROOT, "/home/dev", "0.2", 65_536, "from the log", "recorded changes", "log.jsonl"
        )

    def __len__(self) -> int:
        return len(self.rows)

    def row(self, index: int) -> Row:
        return self.rows[index]

    def raw(self, index: int) -> str:
        row = self.rows[index]
        return json.dumps({"seq": row.seq, "type": row.label, "text": row.text, "nested": {"turn": row.turn}})

    def frame(self, index: int) -> Frame:
        self.frames_asked.append(index)
        seq = self.rows[index].seq
        decisions: tuple[Decision, ...] = ()
        budgets: tuple[BudgetReport, ...] = ()
        messages: tuple[Message, ...] = ()
        if seq == 9:
            decisions, budgets, messages = baseline_decisions(), (BASELINE_BUDGET,), (BASELINE,)
        elif seq == 30:
            decisions, budgets, messages = update_decisions(), (UPDATE_BUDGET,), (UPDATE,)
        elif seq == 22:
            decisions = (
                Decision(
                    Stage.LIFECYCLE,
                    Outcome.TOUCH_ACCEPTED,
                    facts={"tool": "read", "touched": "services/api/app/orders.py", "cwd": "."},
                ),
            )
        elif seq == 47:
            decisions = (
                decided(
                    Stage.RECONCILE, Outcome.REPLACE, "services/api", "AGENTS.md", size=70, before="09f2", digest="0a0a"
                ),
            )
            messages = (UPDATE,)
        visible = tuple(row.seq for row in self.rows[: index + 1] if row.on_surface)
        return Frame(
            index,
            seq,
            ("pre-step",) if decisions else (),
            decisions,
            messages,
            budgets,
            tuple(item for item in self.comparisons if item.seq == seq),
            visible,
            (),
            ROOT,
            ROOT,
            seq < 47,
        )

    def tree(self, index: int) -> tuple[ScopeNode, ...]:
        seq = self.rows[index].seq
        return tree(seq >= 30, seq >= 9)

    @property
    def changes(self) -> Sequence[int]:
        return [index for index, row in enumerate(self.rows) if row.kind is RowKind.INSTRUCTIONS]

    @property
    def comparisons(self) -> Sequence[Comparison]:
        known = {
            9: Comparison(Verdict.EQUAL, 9, BASELINE, BASELINE),
            30: Comparison(Verdict.EQUAL, 30, UPDATE, UPDATE),
            47: Comparison(Verdict.DIFFERENT, 47, REPLACED, UPDATE, ("blocks", "changes"), ""),
        }
        return [known[row.seq] for row in self.rows if row.seq in known]

    def index_of(self, seq: int) -> int | None:
        return next((index for index, row in enumerate(self.rows) if row.seq == seq), None)

    def shadowed_by(self, index: int, at: int) -> int | None:
        return 40 if self.rows[index].seq <= 24 and self.rows[at].seq >= 40 else None

    def file_text(self, absolute_path: str, index: int) -> str | None:
        if absolute_path.endswith("services/api/AGENTS.md"):
            return "# API\n\n- FastAPI only.\n" + ("- Plain JSON.\n" if self.rows[index].seq >= 47 else "")
        return None


def empty_timeline() -> FakeTimeline:
    fake = FakeTimeline()
    fake.rows = []
    return fake
