"""The domain of an environment, its annotated operators and problems, and planning in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from eai.semantics import Semantics
from eai.suites.transition.counts import TextCounts
from eai.suites.transition.data import ActionModel, TransitionShelf

if TYPE_CHECKING:
    # Counting the logic form as published needs no PDDL and no planner: both are loaded on demand.
    from eai.pddl.model import Domain, Operator, Problem
    from eai.pddl.reader import ReadOperator
    from eai.planning import PlanningResult

__all__ = ["TIME_LIMIT", "Environment", "environment"]

TIME_LIMIT = 5.0
"""Seconds of processor time for one search; the published evaluator waits 100 or 200."""


class Environment:
    """An environment as a planning domain; what was read or planned once is kept.

    Args:
        shelf: Where its operators and problems are read from.
    """

    def __init__(self, shelf: TransitionShelf) -> None:
        self._shelf = shelf
        self._read: dict[str, ReadOperator | None] = {}
        self._counts: dict[Semantics, TextCounts] = {}
        self._problems: dict[str, Problem] = {}
        self._results: dict[tuple[str, tuple[Operator, ...], float], PlanningResult] = {}

    @property
    def model(self) -> ActionModel:
        """What all its tasks share.

        Raises:
            DataMissingError: If the official data was not fetched.
        """
        return self._shelf.common

    @cached_property
    def domain(self) -> Domain:
        """Its domain: types and predicates, no operators."""
        from eai.pddl.reader import read_domain

        domain, _ = read_domain(self.model.head, source=self._shelf.environment)
        return domain

    @cached_property
    def operators(self) -> Mapping[str, Operator]:
        """Its annotated operators by name."""
        found = {name: self.read(str(text)) for name, text in self.model.operators.items()}
        return {name: read.operator for name, read in found.items() if read is not None}

    def read(self, text: str) -> ReadOperator | None:
        """Read one operator against the domain; None if there is none."""
        from eai.pddl.reader import read_actions

        if text not in self._read:
            found, _ = read_actions(text, domain=self.domain)
            self._read[text] = found[0] if found else None
        return self._read[text]

    def counts(self, semantics: Semantics) -> TextCounts:
        """Return what counts operators as they are written."""
        found = self._counts.get(semantics)
        if found is None:
            found = TextCounts(self.model.operators, self.model.categories, semantics)
            self._counts[semantics] = found
        return found

    def problem(self, task: str) -> Problem:
        """Return the planning problem of a task; its facts stay even if they are ill typed.

        Raises:
            UnknownNameError: If there is no such task.
        """
        from eai.pddl.reader import read_problem

        if task not in self._problems:
            self._problems[task], _ = read_problem(self._shelf.task(task).problem)
        return self._problems[task]

    def gold_plan(self, task: str) -> tuple[tuple[str, ...], ...]:
        """Return a plan with the annotated operators: the words of each step.

        Raises:
            UnknownNameError: If there is no such task.
        """
        return self._shelf.task(task).plan

    def domain_with(self, operators: Iterable[Operator]) -> Domain:
        """Return the domain with these operators."""
        return replace(self.domain, operators={operator.name: operator for operator in operators})

    def plan(
        self, task: str, operators: tuple[Operator, ...], *, seconds: float = TIME_LIMIT
    ) -> PlanningResult:
        """Search a plan for a task with these operators.

        Args:
            task: The task.
            operators: The operators.
            seconds: Processor time for it. What was found within :data:`TIME_LIMIT` before
                counts, too.
        """
        keys = [(task, operators, limit) for limit in (TIME_LIMIT, seconds)]
        found = next((self._results[key] for key in keys if key in self._results), None)
        if found is None:
            found = self._planned(self.problem(task), operators, seconds)
            self._results[keys[-1]] = found
        return found

    def _planned(
        self, problem: Problem, operators: tuple[Operator, ...], seconds: float
    ) -> PlanningResult:
        from eai.planning import Outcome, PlanningResult, ground, plan
        from eai.suites.transition.translation import STOP, stopping

        marked = tuple([stopping(operator) for operator in operators])
        if marked != operators:
            aimed = replace(problem, goal=STOP)
            if ground(self.domain_with(marked), aimed).reachable:
                reason = "an action makes something true of a variable that nothing binds"
                return PlanningResult(Outcome.REJECTED, reason=reason)
        return plan(self.domain_with(operators), problem, time_limit=seconds)


@cache
def environment(name: str) -> Environment:
    """Return an environment of the official release.

    Args:
        name: ``"virtualhome"`` or ``"behavior"``.

    Raises:
        UnknownNameError: If there is no such environment.
    """
    return Environment(TransitionShelf(name))
