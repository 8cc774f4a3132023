"""A made-up timeline: five events, an equal and a different message, and hostile strings wherever text can stand."""

from __future__ import annotations

from collections.abc import Sequence

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

HOSTILE = "\x1b]52;c;eA==\x07[/x]\u202e\u200b\ud800\x9b31m"
DIGEST = "a3b83c7217d8e3c852e762f36d7bc3ae08a8ee84"


def message(name: str, text: str, *changes: Change, baseline: bool = False) -> Message:
    return Message(
        name, (text,), Source("agent-instructions", changes, baseline, '{"maxBytes":600}' if baseline else None)
    )


BASELINE = message(
    "m1",
    "<system-reminder>\nRoot rules é\n</system-reminder>",
    Change(Action.SET, ".\0AGENTS.md", "AGENTS.md", DIGEST),
    baseline=True,
)
RECORDED = message("m2", "nested " + HOSTILE, Change(Action.REMOVE, f"{HOSTILE}\0AGENTS.md", f"{HOSTILE}/AGENTS.md"))
COMPUTED = message("m3", "nested", Change(Action.REPLACE, "app\0AGENTS.md", "app/AGENTS.md", DIGEST))


class FakeTimeline:
    """What a report may ask of a timeline, without a log, an engine or files."""

    info = RunInfo(
        title="fix " + HOSTILE,
        session_id="s-1",
        format="4",
        cwd="/home/dev/shop",
        home="/home/dev",
        profile="0.2",
        budget=600.0,
        config_source="from the log",
        workspace_source="from the bundle",
        notes=("files of today stand in for 2 of 3 files",),
    )
    complete = True
    rows = (
        Row(0, 0, RowKind.SYSTEM, "system", "left out"),
        Row(1, 4, RowKind.PROMPT, "user", "fix the login" + HOSTILE, turn=1),
        Row(2, 5, RowKind.INSTRUCTIONS, "instructions", "baseline", turn=1, step=1, on_surface=True),
        Row(3, 9, RowKind.TOOL, "read", "app/x.py", turn=1, step=1, touch="app/x.py"),
        Row(4, 12, RowKind.INSTRUCTIONS, "instructions", "", turn=1, step=2, on_surface=True),
    )
    comparisons: Sequence[Comparison] = (
        Comparison(Verdict.EQUAL, 5, BASELINE, BASELINE),
        Comparison(Verdict.DIFFERENT, 12, RECORDED, COMPUTED, ("blocks", "changes"), "the file " + HOSTILE),
    )
    changes: Sequence[int] = (2, 4)

    def __len__(self) -> int:
        return len(self.rows)

    def advance(self, rows: int | None = None) -> bool:
        return True

    def row(self, index: int) -> Row:
        return self.rows[index]

    def raw(self, index: int) -> str:
        return "{}"

    def frame(self, index: int) -> Frame:
        decisions = {
            2: (
                Decision(Stage.ROOT, Outcome.MARKER_FOUND, facts={"marker": ".git", "root": "/home/dev/shop"}),
                Decision(
                    Stage.BUDGET,
                    Outcome.TRUNCATED,
                    scope=".\0AGENTS.md",
                    path="AGENTS.md",
                    facts={"size": 9216, "included": 421, "limit": 600.0},
                ),
                Decision(
                    Stage.PROBE,
                    Outcome.UNAVAILABLE,
                    scope="x\0CLAUDE.md",
                    path="x/CLAUDE.md",
                    facts={"reason": HOSTILE},
                ),
            )
        }.get(index, ())
        budget = BudgetReport(
            "baseline",
            "all",
            600.0,
            598,
            (Segment(SegmentKind.FRAME, 100), Segment(SegmentKind.FILE, 421, "AGENTS.md")),
            (("~/.dsh/AGENTS.md", 77),),
            (Truncation("AGENTS.md", 9216, 421),),
        )
        here = tuple(item for item in self.comparisons if item.seq == self.rows[index].seq)
        return Frame(
            index=index,
            seq=self.rows[index].seq,
            operations=("pre-step",) if index == 2 else (),
            decisions=decisions,
            messages=tuple(item.computed for item in here if item.computed is not None),
            budgets=(budget,) if index == 2 else (),
            comparisons=here,
            visible=(0, 5),
            inbox=(),
            cwd="/home/dev/shop",
            project_root="/home/dev/shop",
            agrees_so_far=index < 4,
        )

    def tree(self, index: int) -> tuple[ScopeNode, ...]:
        def state(name: str, outcome: Outcome, size: int | None = None, changed: bool = False) -> CandidateState:
            return CandidateState(f".\0{name}", name, name, f"/home/dev/shop/{name}", outcome, size, changed)

        inner = ScopeNode("app", "app", "", False, (state("AGENTS.md", Outcome.NOT_REACHED, 10),))
        root = ScopeNode(
            ".",
            "shop",
            "project root",
            True,
            (
                state("AGENTS.md", Outcome.LOADED_CUT, 9216, True),
                state("CLAUDE.md", Outcome.ABSENT),
                state("CLAUDE.local.md", Outcome.ABSENT),
            ),
            (inner,),
        )
        return (ScopeNode("user-global", "~/.dsh", "", True, (state("AGENTS.md", Outcome.OMITTED, 77),)), root)

    def index_of(self, seq: int) -> int | None:
        return next((row.index for row in self.rows if row.seq == seq), None)

    def shadowed_by(self, index: int, at: int) -> int | None:
        return None

    def file_text(self, absolute_path: str, index: int) -> str | None:
        return None
