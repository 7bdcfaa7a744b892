"""Landmark cuts on tasks drawn at random, against a search that looks at every state."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, ground
from eai.planning.conditions import IMPOSSIBLE, Condition, holds
from eai.planning.cuts import LandmarkCuts, search_cheapest
from eai.planning.searches import search_by_cost
from eai.planning.task import GroundTask, finish
from eai.world.bits import bits

ATOMS = 5
FAR = float("inf")


def random_task(random: Random) -> GroundTask:
    """A task over a few atoms, with actions that cost nothing among others."""
    actions = []
    for number in range(7):
        needed, changed = (random.sample(range(ATOMS), random.randint(1, 2)) for _ in range(2))
        condition = " ".join(
            random.choice(["(p{})", "(p{})", "(not (p{}))"]).format(i) for i in needed
        )
        effect = " ".join(
            random.choice(["(p{})", "(p{})", "(not (p{}))"]).format(i) for i in changed
        )
        cost = random.choice([0, 0, 1, 2, 5])
        actions.append(
            f"(:action a{number} :precondition (and {condition})"
            f" :effect (and {effect} (increase (total-cost) {cost})))"
        )
    predicates = " ".join(f"(p{i})" for i in range(ATOMS))
    domain = parse_domain(
        "(define (domain d) (:requirements :negative-preconditions :action-costs)"
        f" (:predicates {predicates}) (:functions (total-cost)) {' '.join(actions)})"
    )
    goal = " ".join(f"(p{i})" for i in random.sample(range(ATOMS), random.randint(1, 3)))
    initial = " ".join(f"(p{i})" for i in range(ATOMS) if random.random() < 0.3)
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:init {initial} (= (total-cost) 0))"
        f" (:goal (and {goal})) (:metric minimize (total-cost)))",
        domain=domain,
    )
    return ground(domain, problem, limits=Limits())


def every_state(task: GroundTask) -> list[int]:
    """All states, those among them that no action leads to, where much is out of reach."""
    choices = [(1 << 2 * i, 2 << 2 * i) for i in range(len(task.atoms))]
    return [sum(literals) for literals in product(*choices)]


def cheapest(task: GroundTask) -> dict[int, float]:
    """The cost from each state to the goal, by going over all states until none falls."""
    states = every_state(task)
    cost = {state: 0.0 if holds(task.goal, state) else FAR for state in states}
    has_changed = True
    while has_changed:
        has_changed = False
        for state in states:
            for action in task.actions:
                if not holds(action.condition, state):
                    continue
                total = action.cost + cost[task.successor(state, action)]
                if total < cost[state]:
                    cost[state], has_changed = total, True
    return cost


def dearest(task: GroundTask, state: int) -> float:
    """The cost of the goal if the dearest literal of a condition counts for all (h-max)."""
    cost = dict.fromkeys(bits(state), 0.0)
    has_changed = True

    def of(condition: Condition) -> float:
        if condition == IMPOSSIBLE:
            return FAR
        assert not condition.clauses
        assert not condition.choices
        return max((cost.get(literal, FAR) for literal in bits(condition.every)), default=0.0)

    while has_changed:
        has_changed = False
        for action in task.actions:
            total = of(action.condition) + action.cost
            for literal in bits(action.effect):
                if total < cost.get(literal, FAR):
                    cost[literal], has_changed = total, True
    return of(task.goal)


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_is_never_below_that_of_the_dearest_literal(seed: int) -> None:
    # Helmert and Domshlak (2009): each cut lowers the dearest literal by what it charges.
    task = random_task(Random(seed))
    cuts = LandmarkCuts(task, Limits())
    for state in every_state(task):
        assert cuts.bound(state) >= dearest(task, state)


@pytest.mark.parametrize("seed", range(40))
def test_bounds_and_cheapest_plans_are_those_of_all_states(seed: int) -> None:
    task = random_task(Random(seed))
    cost = cheapest(task)
    cuts = LandmarkCuts(task, Limits())
    for state, least in cost.items():
        assert cuts.bound(state) <= least
        assert (cuts.bound(state) == 0) or least > 0
    for search in (search_cheapest, search_by_cost):
        found = finish(search(task, Limits()))
        total = FAR if found is None else sum(action.cost for action in found)
        assert total == cost[task.initial]


def test_the_tasks_are_of_all_kinds() -> None:
    costs = [cheapest(task)[task.initial] for task in map(random_task, map(Random, range(40)))]
    assert 0 in costs
    assert FAR in costs
    assert sum(0 < cost < FAR for cost in costs) >= 5
