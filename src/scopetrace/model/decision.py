"""A decision as the deciding code reports it, and the reporter it reports to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .message import BudgetReport
from .outcomes import Outcome, Stage

Fact = str | int | float | bool | None | tuple[str, ...]
"""A typed parameter of a decision; sizes are bytes."""

_NO_FACTS: Mapping[str, Fact] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of the loader, with the facts that decided it.

    ``pass_index`` numbers the passes of one operation (a step end may run several projections, a pre-step runs
    one composition). ``scope`` is the scope key ``directory NUL name`` or ``""`` for decisions that are about no
    candidate; ``path`` is the display path the model would see; ``absolute_path`` where the provider was asked.
    ``facts`` carries what decided: sizes (bytes), digests (SHA-1 hex), siblings, versions, event numbers.
    """

    stage: Stage
    outcome: Outcome
    pass_index: int = 0
    scope: str = ""
    path: str = ""
    absolute_path: str = ""
    facts: Mapping[str, Fact] = field(default_factory=lambda: _NO_FACTS)

    @property
    def directory(self) -> str:
        """Scope directory (``user-global``, ``.``, ``packages/app`` …)."""
        return self.scope.partition("\0")[0]

    @property
    def name(self) -> str:
        """Candidate file name, empty when the decision is about no candidate."""
        return self.scope.partition("\0")[2]


class Reporter:
    """Receives decisions. This base class ignores them; pass ``None`` where not even the call is wanted."""

    def decide(self, decision: Decision) -> None:
        """Take note of one decision."""

    def budget(self, report: BudgetReport) -> None:
        """Take note of how one budget of the pass was spent."""


class Recorder(Reporter):
    """Keeps every decision, in the order of deciding."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.budgets: list[BudgetReport] = []

    def decide(self, decision: Decision) -> None:
        self.decisions.append(decision)

    def budget(self, report: BudgetReport) -> None:
        self.budgets.append(report)
