"""Results of planning, and the protocol of an engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol

from eai.pddl import Domain, Problem
from eai.world import Action


class Outcome(str, Enum):
    """Outcomes of planning. Only the first two say something about the problem."""

    SOLVED = "solved"
    """A plan was found, and our engine ran it to the goal."""
    UNSOLVABLE = "unsolvable"
    """It was proved that there is no plan."""
    BEYOND_BUDGET = "beyond the budget"
    """The search would take more than the budget has, on every machine."""
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    INCOMPLETE = "incomplete"
    """The search ended at a bound, or an incomplete engine gave up."""
    REJECTED = "rejected"
    """The engine did not take the domain or the problem."""
    INVALID_PLAN = "invalid plan"
    """The engine returned a plan that our engine does not run to the goal."""
    CRASHED = "crashed"
    NOT_INSTALLED = "not installed"


@cache
def version_of(distribution: str) -> str:
    """Return the version of a distribution, or "" if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


@dataclass(frozen=True)
class PlanningResult:
    """The result of one call of a planner.

    Args:
        outcome: How planning ended.
        plan: The actions; None unless a plan was returned.
        engine: Name of the engine.
        version: Its version.
        reason: Proof or explanation of the outcome, one sentence.
        cost: Total cost of the plan (its length if actions have no costs).
        optimal: Whether no plan is cheaper.
        seconds: Processor time, children included.
        expanded: States that the search expanded, if the engine says so.
    """

    outcome: Outcome
    plan: tuple[Action, ...] | None = None
    engine: str = "eai"
    version: str = ""
    reason: str = ""
    cost: float | None = None
    optimal: bool = False
    seconds: float = 0.0
    expanded: int | None = None

    @classmethod
    def of(
        cls,
        engine: Engine,
        outcome: Outcome,
        reason: str,
        plan: Iterable[Action] | None = None,
        *,
        optimal: bool = False,
        expanded: int | None = None,
    ) -> PlanningResult:
        """Return the result of a call of an engine.

        Args:
            engine: The engine.
            outcome: How planning ended.
            reason: Proof or explanation of the outcome, one sentence.
            plan: The actions; None unless a plan was returned.
            optimal: Whether the engine finds cheapest plans only.
            expanded: States that the search expanded, if the engine says so.
        """
        # ``optimal`` describes the engine, and has no meaning without a plan.
        steps = None if plan is None else tuple(plan)
        return cls(
            outcome,
            steps,
            engine.name,
            engine.version,
            reason,
            optimal=optimal and steps is not None,
            expanded=expanded,
        )

    @property
    def solved(self) -> bool:
        """Whether there is a plan that our engine ran to the goal."""
        return self.outcome is Outcome.SOLVED

    @property
    def settled(self) -> bool:
        """Whether the question was answered: there is a plan, or it is proved there is none."""
        return self.outcome in (Outcome.SOLVED, Outcome.UNSOLVABLE)

    def __str__(self) -> str:
        lines = [f"{self.outcome.value} ({self.engine}): {self.reason}"]
        lines += [f"{number}. {action}" for number, action in enumerate(self.plan or (), start=1)]
        return "\n".join(lines)


class Engine(Protocol):
    """A planner. Every ending of planning is a result; exceptions are for wrong calls."""

    @property
    def name(self) -> str:
        """Its name in results."""

    @property
    def version(self) -> str:
        """Its version; results are kept under it."""

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        """Find a plan.

        Args:
            domain: The domain.
            problem: The problem.
            time_limit: Seconds of processor time; None for no limit.
            memory_limit: Megabytes; None for no limit.
        """
