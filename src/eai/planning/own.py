"""Our planner: ground, search, and check the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eai.budget import BeyondBudgetError, Budget, Meter
from eai.errors import InputError
from eai.pddl.model import Domain, Problem
from eai.planning.declarations import objection
from eai.planning.greedy import search_greedily
from eai.planning.grounding import ground
from eai.planning.limits import (
    Limits,
    MemoryLimitError,
    TimeLimitError,
)
from eai.planning.nodes import Search, finish
from eai.planning.novelty import search_by_width
from eai.planning.optimal import search_breadth_first, search_by_cost
from eai.planning.pairs import ExcludedError
from eai.planning.portfolio import search_in_turns
from eai.planning.results import Outcome, PlanningResult
from eai.planning.task import GroundAction, Task

__all__ = ["OWN", "OwnEngine"]

_VERSION = "3"
"""Changes whenever the plans or proofs that are found may change."""


@dataclass(frozen=True, slots=True)
class OwnEngine:
    """One of our searches as an engine.

    Args:
        name: Its name.
        search: The search.
        optimal: Whether its plans are the cheapest there are.
    """

    name: str
    search: Callable[[Task, Limits], Search]
    optimal: bool = False

    @property
    def version(self) -> str:
        """Version of the planning room."""
        return _VERSION

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
        budget: Budget | Meter | None = None,
    ) -> PlanningResult:
        """Plan; see :func:`eai.planning.plan`.

        Raises:
            InputError: If a limit is not positive.
        """
        limits = Limits(time=time_limit, memory=memory_limit, budget=budget)
        outcome, reason, found = self._solve(domain, problem, limits)
        return PlanningResult(
            outcome=outcome,
            plan=None if found is None else tuple([step.action for step in found]),
            engine=self.name,
            version=self.version,
            reason=reason,
            optimal=self.optimal and found is not None,
            expanded=limits.meter.states,
        )

    def _solve(
        self, domain: Domain, problem: Problem, limits: Limits
    ) -> tuple[Outcome, str, list[GroundAction] | None]:
        try:
            if (why := objection(domain, problem)) is not None:
                return Outcome.REJECTED, why, None
            task = ground(domain, problem, limits=limits)
            if not task.reachable:
                return Outcome.UNSOLVABLE, "the goal is out of reach even without deletions", None
            found = finish(self.search(task, limits))
        except ExcludedError:
            return (
                Outcome.UNSOLVABLE,
                "no pairs of literals that can be true lead to the goal",
                None,
            )
        except InputError as error:
            return Outcome.REJECTED, str(error), None
        except RecursionError:
            return Outcome.REJECTED, "a condition or effect is nested too deeply", None
        except TimeLimitError:
            return Outcome.TIME_LIMIT, f"after {limits.meter.states} states", None
        except MemoryLimitError:
            return Outcome.MEMORY_LIMIT, f"after {limits.meter.states} states", None
        except BeyondBudgetError as error:
            return Outcome.BEYOND_BUDGET, str(error), None
        if found is None:
            return Outcome.UNSOLVABLE, f"all {limits.meter.states} reachable states were seen", None
        return Outcome.SOLVED, f"found after {limits.meter.states} states", found


OWN = {
    engine.name: engine
    for engine in (
        OwnEngine("eai", search_in_turns),
        OwnEngine("eai-width", search_by_width),
        OwnEngine("eai-greedy", search_greedily),
        OwnEngine("eai-optimal", search_by_cost, optimal=True),
        OwnEngine("eai-breadth-first", search_breadth_first),
    )
}
"""Our engines by name."""
