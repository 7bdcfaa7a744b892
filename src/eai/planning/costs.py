"""What plans cost; apart from the planner, so that whoever evaluates plans need not load it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eai.logic import Atom
from eai.pddl import AndEffect, CostEffect, Domain, Effect, Problem
from eai.world import Action


def cost_of(domain: Domain, problem: Problem, plan: Sequence[Action]) -> float:
    """Return the cost of a valid plan: its length if the problem does not minimise costs."""
    if not problem.minimize:
        return float(len(plan))
    total = 0.0
    for action in plan:
        operator = domain.operators[action.name]
        names = [variable.name for variable in operator.parameters]
        binding = dict(zip(names, action.arguments, strict=True))
        for amount in amounts(operator.effect):
            if isinstance(amount, Atom):
                term = amount.substitute(binding)
                total += problem.values.get(term, 0.0) if isinstance(term, Atom) else 0.0
            else:
                total += amount
    return total


def amounts(effect: Effect) -> Iterator[float | Atom]:
    """Yield what an effect adds to the total cost: numbers, and function terms."""
    if isinstance(effect, CostEffect):
        yield effect.amount
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from amounts(part)
