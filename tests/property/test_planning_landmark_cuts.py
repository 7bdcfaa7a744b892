"""Landmark cuts on tasks drawn at random, against a search that looks at every state."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, ground
from eai.planning.conditions import holds
from eai.planning.cuts import LandmarkCuts, search_cheapest
from eai.planning.searches import search_by_cost
from eai.planning.task import GroundTask, finish

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


def reachable(task: GroundTask) -> set[int]:
    """Every state that actions lead to."""
    states, pending = {task.initial}, [task.initial]
    while pending:
        state = pending.pop()
        for action in task.actions:
            if not holds(action.condition, state):
                continue
            after = task.successor(state, action)
            if after not in states:
                states.add(after)
                pending.append(after)
    return states


def cheapest(task: GroundTask) -> dict[int, float]:
    """The cost from each reachable state to the goal, by going over all states until none falls."""
    states = reachable(task)
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


@pytest.mark.parametrize("seed", range(40))
def test_bounds_and_cheapest_plans_are_those_of_all_states(seed: int) -> None:
    task = random_task(Random(seed))
    cost = cheapest(task)
    cuts = LandmarkCuts(task, Limits())
    for state, least in cost.items():
        assert cuts.bound(state) <= least
        assert (cuts.bound(state) == 0) or least > 0
    for search in (search_cheapest, search_by_cost):
        found = finish(search(replace(task), Limits()))
        total = FAR if found is None else sum(action.cost for action in found)
        assert total == cost[task.initial]


def test_the_tasks_are_of_all_kinds() -> None:
    costs = [cheapest(task)[task.initial] for task in map(random_task, map(Random, range(40)))]
    assert 0 in costs
    assert FAR in costs
    assert sum(0 < cost < FAR for cost in costs) >= 5
