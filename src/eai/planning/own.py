"""Our planner: ground the task, search, and run the plan that is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic, thread_time

from eai.budget import BeyondBudgetError, Budget, Meter
from eai.errors import InputError
from eai.nesting import on_own_stack
from eai.pddl import (
    Domain,
    Problem,
)
from eai.planning.cuts import search_cheapest
from eai.planning.declarations import objection
from eai.planning.engines.fast_downward import FastDownward
from eai.planning.engines.package import KAIROS
from eai.planning.grounding import ground
from eai.planning.limits import Limits, MemoryLimitError, TimeLimitError
from eai.planning.portfolio import ExcludedError, search_in_turns
from eai.planning.results import Engine, Outcome, PlanningResult
from eai.planning.searches import (
    search_breadth_first,
    search_by_width,
    search_greedily,
)
from eai.planning.task import GroundTask, Plan, Search, finish
from eai.world import Action

_MIN_TIME_S = 0.001
"""Minimum processor time of a search."""


_VERSION = "9"
"""Changes whenever the plans or proofs that are found may change."""

_BUDGET_BEFORE_HELPER = Budget(
    states=20_000, actions=1_000_000, instances=8_000_000, bytes=120_000_000
)
"""Budget of a search in Python before another planner is asked: some seconds, but counted."""

_HELPER_HINT = "hint: pip install up-fast-downward, which is asked when a search takes long"


def helpers(*, shortest: bool = False) -> Sequence[Engine]:
    """Return the installed external planners that take over large tasks, in order.

    Args:
        shortest: Whether plans have to be the cheapest, and proved to be.
    """
    engines: tuple[Engine, ...] = (FastDownward(), KAIROS)
    if shortest:
        # LM-cut supports neither conditional effects nor derived predicates, but blind search does.
        engines = (
            FastDownward(("--alias", "seq-opt-lmcut"), optimal=True),
            FastDownward(("--search", "astar(blind())"), optimal=True),
        )
    return [engine for engine in engines if engine.version]


def _first_helper() -> Engine | None:
    """Return the planner that takes over what is too large: the first one that is installed."""
    return next(iter(helpers()), None)


@dataclass(frozen=True, slots=True)
class OwnEngine:
    """A planner of this package as an engine.

    Args:
        name: Name of the engine.
        search: The search.
        optimal: Whether its plans are the cheapest there are.
        share: Budget of the search before another planner is asked, if one is installed; None:
            none ever is. Nor is one asked in a call with a budget.
    """

    name: str
    search: Callable[[GroundTask, Limits], Search]
    optimal: bool = False
    share: Budget | None = None

    @property
    def version(self) -> str:
        """Version of the planner, followed by that of the external planner it falls back on."""
        if not self.share:
            return _VERSION
        helper = _first_helper()
        if helper is None:
            return _VERSION
        return f"{_VERSION} {helper.version}"

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
        budget: Budget | Meter | None = None,
    ) -> PlanningResult:
        """Find a plan; see :func:`eai.planning.plan`.

        Raises:
            InputError: If a limit is not positive.
        """
        # With a budget the outcome has to be the same on every machine, whatever is installed.
        if self.share is None or budget is not None:
            limits = Limits(time=time_limit, memory=memory_limit, budget=budget)
            return self._solve(domain, problem, limits)
        helper = _first_helper()
        if helper is not None:
            return self._solve_with_helper(helper, domain, problem, time_limit, memory_limit)
        result = self._solve(domain, problem, Limits(time=time_limit, memory=memory_limit))
        if result.outcome in _OUTCOMES_AT_LIMIT:
            return replace(result, reason=f"{result.reason}\n{_HELPER_HINT}")
        return result

    def _solve_with_helper(
        self,
        helper: Engine,
        domain: Domain,
        problem: Problem,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        """Search for a part of the time, then call a helper, then search on.

        Args:
            helper: The planner of somebody else.
            domain: The domain.
            problem: The problem.
            time_limit: Seconds of processor time for all of it; None for no limit.
            memory_limit: Megabytes for each of the searches; None for no limit.
        """
        start = thread_time()
        first_share = Limits(time=time_limit, memory=memory_limit, budget=self.share)
        result = self._solve(domain, problem, first_share)
        if result.outcome is not Outcome.BEYOND_BUDGET:
            return result
        seconds_left: float | None = None
        helper_limit: float | None = None
        if time_limit is not None:
            seconds_left = time_limit - (thread_time() - start)
            helper_limit = max(seconds_left, 1.0)  # Fast Downward takes whole seconds
        helper_start = monotonic()
        helper_result = helper.solve(
            domain, problem, time_limit=helper_limit, memory_limit=memory_limit
        )
        # Our search goes on only if the helper rejected the task or crashed.
        if helper_result.settled or helper_result.outcome in _OUTCOMES_AT_LIMIT:
            reason = f"{helper.name} took over, because {result.reason}: {helper_result.reason}"
            return replace(helper_result, reason=reason, expanded=result.expanded)
        if seconds_left is not None:
            # The helper may run in another process, so thread_time() does not count its work. Its
            # processor time is at most the clock time that has passed.
            seconds_left = max(seconds_left - (monotonic() - helper_start), _MIN_TIME_S)
        return self._solve(domain, problem, Limits(time=seconds_left, memory=memory_limit))

    @on_own_stack
    def _solve(self, domain: Domain, problem: Problem, limits: Limits) -> PlanningResult:
        """Search within some limits, without a helper."""
        outcome, reason, steps = self._search(domain, problem, limits)
        plan: list[Action] | None = None
        if steps is not None:
            plan = [step.action for step in steps]
        states = limits.meter.states
        return PlanningResult.of(self, outcome, reason, plan, optimal=self.optimal, expanded=states)

    def _search(
        self, domain: Domain, problem: Problem, limits: Limits
    ) -> tuple[Outcome, str, Plan | None]:
        """Ground the task and search.

        Args:
            domain: The domain.
            problem: The problem.
            limits: Limits of time, memory and budget.

        Returns:
            How it ended; a sentence that says why; and the plan, if there is one.
        """
        # A limit may be reached anywhere, so all endings are distinguished here.
        meter = limits.meter
        try:
            why_not = objection(domain, problem)
            if why_not is not None:
                return Outcome.REJECTED, why_not, None
            task = ground(domain, problem, limits=limits)
            # Without delete effects more is reachable, so this proves that there is no plan.
            if not task.reachable:
                reason = "the goal is out of reach even if delete effects are ignored"
                return Outcome.UNSOLVABLE, reason, None
            steps = finish(self.search(task, limits))
        except ExcludedError:
            reason = "no pair of literals that can be true together leads to the goal"
            return Outcome.UNSOLVABLE, reason, None
        except InputError as error:
            return Outcome.REJECTED, str(error), None
        except TimeLimitError:
            return Outcome.TIME_LIMIT, f"after {meter.states} states", None
        except MemoryLimitError:
            return Outcome.MEMORY_LIMIT, f"after {meter.states} states", None
        except BeyondBudgetError as error:
            return Outcome.BEYOND_BUDGET, str(error), None
        if steps is None:
            return Outcome.UNSOLVABLE, f"all {meter.states} reachable states were seen", None
        return Outcome.SOLVED, f"found after {meter.states} states", steps


_OUTCOMES_AT_LIMIT = (Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT)
"""Outcomes after which no resources are left for another search."""

OWN = {
    engine.name: engine
    for engine in (
        OwnEngine("eai", search_in_turns, share=_BUDGET_BEFORE_HELPER),
        OwnEngine("eai-optimal", search_cheapest, optimal=True),
    )
}
"""Our engines by name."""

WIDTH = OwnEngine("width", search_by_width)
GREEDY = OwnEngine("greedy", search_greedily)
"""The two searches that take turns in ``eai``, each alone."""

BREADTH_FIRST = OwnEngine("breadth-first", search_breadth_first)
"""The plainest search, which finds a plan with the fewest actions: others are compared with it."""
