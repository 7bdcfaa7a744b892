"""Validation of a plan as its definition says: step by step in one state of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from eai.errors import InputError
from eai.pddl import Domain, Problem, format_condition
from eai.planning import Validation, broken_constraints, declared, metric_value
from eai.planning.metrics import executed
from eai.world import Action, World

__all__ = ["validated_plainly"]


def validated_plainly(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Validation:
    """Return the validation of a plan, with nothing remembered from other plans."""
    if not domain.has_numbers and not problem.has_numbers:
        domain, problem = declared(domain, problem)
    if domain.has_costs or problem.metric is not None:
        domain = domain.with_numbers
    world = World(domain)
    state = world.state(problem.objects, problem.initial, problem.values)
    for number, action in enumerate(plan, start=1):
        try:
            numbers = world.numbers(state, action.name, action.arguments)
        except InputError as error:
            reason = f"{action} is not an action of the task: {error.what}"
            return Validation(False, reason, number)
        failing = world.first_failure(state, action.name, numbers)
        if failing >= 0:
            test = world.test(action.name, failing, action.arguments)
            reason = world.why_undefined(state, test) or format_condition(test, legal_names=True)
            return Validation(False, f"{action} is not applicable: {reason}", number)
        world.apply(state, action.name, numbers)
    if not world.holds(state, problem.goal):
        reason = "the goal does not hold after the last action"
        undefined = world.why_undefined(state, problem.goal)
        return Validation(False, f"{reason}: {undefined}" if undefined else reason)
    trajectory = executed(domain, problem, plan)
    broken = broken_constraints(domain, problem, trajectory)
    if broken:
        return Validation(False, f"a constraint is violated on the way: {broken[0]}")
    try:
        return Validation(True, cost=metric_value(domain, problem, trajectory))
    except InputError as error:
        return Validation(True, f"the metric has no value: {error.what}")
