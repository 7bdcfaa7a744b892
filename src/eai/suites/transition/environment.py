"""The domain of an environment, its annotated operators and problems, and planning in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from eai import pddl
from eai.budget import BeyondBudgetError, Budget, Meter
from eai.suites.transition.counts import Counts
from eai.suites.transition.data import ActionModel, OperatorSource, OperatorStore

if TYPE_CHECKING:
    from eai.pddl import Domain, Operator, Problem, ReadOperator
    from eai.planning import PlanningResult
    from eai.semantics import Semantics

_TIME_LIMIT, _MEMORY_LIMIT = 120.0, 2000.0
"""Seconds of processor time and megabytes for one search: a safety net below the budget, which ends
a search long before. A search that they end says nothing about an answer."""
_KEPT = 1 << 10
"""Number of operators and plans that are cached: models repeat themselves, to the letter."""


class OperatorEnvironment:
    """An environment as a planning domain, with caches of read operators and found plans.

    Args:
        store: Where its action model and its tasks come from.
    """

    def __init__(self, store: OperatorSource) -> None:
        """Create the caches, which are freed together with the environment."""
        self._store = store
        self._results = lru_cache(maxsize=_KEPT)(self._search_plan)
        self.read = lru_cache(maxsize=_KEPT)(self._read_operator)
        """Reads one operator against the domain; None if there is none."""
        self.translated = lru_cache(maxsize=_KEPT)(self._translate)
        """Returns an operator as Fast Downward 24.06 reads it, or the reason why it refuses it."""
        self.counts = cache(self._make_counts)
        """Returns the object that counts operators under a semantics."""
        self.problem = cache(self._read_problem)
        """Returns the planning problem of a task. Facts with wrong types are kept."""

    @property
    def model(self) -> ActionModel:
        """Action model of the environment."""
        return self._store.model

    @cached_property
    def domain(self) -> Domain:
        """Its domain: types and predicates, no operators."""
        domain, _ = pddl.read_domain(self.model.head, source=self._store.environment)
        return domain

    @cached_property
    def operators(self) -> Mapping[str, Operator]:
        """Its annotated operators by name."""
        operators = {}
        for name, text in self.model.operators.items():
            read = self.read(str(text))
            if read is not None:
                operators[name] = read.operator
        return operators

    def plan(
        self, task: str, operators: tuple[Operator, ...], *, budget: Budget | None = None
    ) -> PlanningResult:
        """Search a plan for a task with these operators, within a budget."""
        return self._results(task, operators, budget or Budget())

    def _read_operator(self, text: str) -> ReadOperator | None:
        """Read the first operator in a text against the domain; None if there is none."""
        operators, _ = pddl.read_actions(text, domain=self.domain)
        return next(iter(operators), None)

    def _translate(self, name: str, text: str) -> Operator | str:
        """Return an operator as Fast Downward 24.06 takes it, or why it does not."""
        from eai.suites.transition.translation import translate_operator  # only for a planner

        return translate_operator(name, text, self.domain.predicates)

    def _make_counts(self, semantics: Semantics) -> Counts:
        """Return what counts operators under a semantics."""
        return Counts(self.model.categories, semantics)

    def _read_problem(self, task: str) -> Problem:
        """Return the planning problem of a task, without the findings about it."""
        problem, _ = pddl.read_problem(self._store.task(task).metadata["problem"])
        return problem

    def _search_plan(
        self, task: str, operators: tuple[Operator, ...], budget: Budget
    ) -> PlanningResult:
        """Search a plan for a task with some operators, as the published planner would.

        Operators that its translator does not take are rejected without a search.

        Args:
            task: Identifier of the task.
            operators: The operators.
            budget: The budget of the search.
        """
        # Imported only here: nothing else in this class needs a planner.
        from eai.planning import plan
        from eai.suites.transition.translation import with_equality

        domain, problem = with_equality(_with(self.domain, operators), self.problem(task))
        meter = budget.meter()
        rejection = _reject_unbound_effects(domain, problem, operators, meter)
        if rejection is not None:
            return rejection
        return plan(
            domain, problem, time_limit=_TIME_LIMIT, memory_limit=_MEMORY_LIMIT, budget=meter
        )


def _reject_unbound_effects(
    domain: Domain, problem: Problem, operators: tuple[Operator, ...], meter: Meter
) -> PlanningResult | None:
    """Return the result if the published translator would stop at an operator, or else None.

    The translator stops if an action has an effect on a variable that nothing binds, and the action
    can be reached when deletions are ignored.

    Args:
        domain: The domain with the operators.
        problem: The problem.
        operators: The operators.
        meter: Counts the work.
    """
    from eai.planning import Limits, Outcome, PlanningResult, ground
    from eai.suites.transition.translation import STOP, mark_unbound_effects

    marked_operators = mark_unbound_effects(operators)
    if not marked_operators:
        return None
    # The marked operators reach the goal STOP exactly if such an action can be reached.
    stop_problem = replace(problem, goal=STOP)
    stop_domain = _with(domain, marked_operators)
    try:
        is_reached = ground(stop_domain, stop_problem, limits=Limits(budget=meter)).reachable
    except BeyondBudgetError as error:
        return PlanningResult(Outcome.BEYOND_BUDGET, reason=str(error))
    if not is_reached:
        return None
    reason = "an action makes something true of a variable that nothing binds"
    return PlanningResult(Outcome.REJECTED, reason=reason)


def _with(domain: Domain, operators: Iterable[Operator]) -> Domain:
    """Return a domain with other operators."""
    return replace(domain, operators={operator.name: operator for operator in operators})


@cache
def environment(name: str) -> OperatorEnvironment:
    """Return an environment of the official release: ``"virtualhome"`` or ``"behavior"``."""
    return OperatorEnvironment(OperatorStore(name))
