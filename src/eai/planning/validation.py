"""Running a plan in our engine, from the initial state to the goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic.formula import Atom
from eai.pddl import format_condition
from eai.pddl.model import Domain, Operator, Problem
from eai.planning.declarations import declared
from eai.planning.schemas import amounts
from eai.world.action import Action
from eai.world.transition import world_of

__all__ = ["Validation", "validate"]


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether a plan works.

    Args:
        valid: Whether every action is applicable and the goal holds at the end.
        reason: What is wrong; empty if nothing is.
        step: 1-based number of the first action that fails; None if all can be done.
        cost: Total cost of a valid plan: its length if the problem does not minimise costs.
    """

    valid: bool
    reason: str = ""
    step: int | None = None
    cost: float | None = None


def validate(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Validation:
    """Run a plan.

    Args:
        domain: The domain. What it does not declare but mentions is taken as declared.
        problem: The problem.
        plan: The actions.

    Raises:
        InputError: If the domain cannot be run (it says why).
    """
    domain, problem = declared(domain, problem)
    world = world_of(domain)
    state = world.state(problem.objects, problem.initial)
    for step, action in enumerate(plan, start=1):
        try:
            numbers = world.numbers(state, action.name, action.arguments)
        except InputError as error:
            return Validation(False, f"{action} is no action of the task: {error.what}", step)
        failing = world.operator(action.name).first_failure(state, *numbers)
        if failing >= 0:
            test = world.test(action.name, failing, action.arguments)
            unmet = format_condition(test, legal_names=True)  # undeclared names may be in it
            return Validation(False, f"{action} is not applicable: {unmet}", step)
        world.apply(state, action.name, numbers)
    if not world.holds(state, problem.goal):
        return Validation(False, "the goal does not hold after the last action")
    return Validation(True, cost=_cost(domain, problem, plan))


def _cost(domain: Domain, problem: Problem, plan: Sequence[Action]) -> float:
    if not problem.minimize:
        return float(len(plan))
    return sum(
        _amount(amount, domain.operators[action.name], action, problem)
        for action in plan
        for amount in amounts(domain.operators[action.name].effect)
    )


def _amount(amount: float | Atom, operator: Operator, action: Action, problem: Problem) -> float:
    if not isinstance(amount, Atom):
        return amount
    names = [variable.name for variable in operator.parameters]
    term = amount.substitute(dict(zip(names, action.arguments, strict=True)))
    return problem.values.get(term, 0.0) if isinstance(term, Atom) else 0.0
