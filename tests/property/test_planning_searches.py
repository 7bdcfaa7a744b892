"""Plans, proofs and costs agree with an exhaustive search in all states."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from itertools import count, product
from math import inf

from hypothesis import HealthCheck, given, settings, strategies as st
from strategies_planning import planning_tasks
from strategies_world import Scene, questions

from eai.logic import Atom, Formula
from eai.pddl import AndEffect, CostEffect, Domain, Operator, Problem
from eai.planning import Outcome, plan, validate
from eai.planning.own import BREADTH_FIRST, GREEDY, WIDTH, OwnEngine
from eai.world import State, World
from eai.world.bits import bits

thorough = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
STATES = 300
"""So many states are searched at most."""

Facts = frozenset[Atom]
Task = tuple[Domain, Problem]


def _scene(question: tuple[Scene, Formula]) -> Task:
    scene, goal = question
    facts = scene.facts
    problem = Problem("odd", "small", objects=scene.objects, initial=facts, goal=goal)
    return scene.domain, problem


tasks = st.one_of(planning_tasks(), planning_tasks(), questions().map(_scene))


def _cost(operator: Operator, problem: Problem) -> float:
    if not problem.minimize:
        return 1.0
    assert isinstance(operator.effect, AndEffect)
    last = operator.effect.parts[-1]
    assert isinstance(last, CostEffect)
    assert isinstance(last.amount, float)
    return last.amount


def least_cost(domain: Domain, problem: Problem, *, states: int = STATES) -> float | None:
    """Least cost of a plan; infinite if there is none; None if there are too many states.

    Dijkstra's search in the engine, which is tested against the definitions itself.
    """
    world = World(domain)
    start = world.state(problem.objects, problem.initial)
    best: dict[Facts, float] = {frozenset(start.atoms()): 0.0}
    order = count()
    queue: list[tuple[float, int, State]] = [(0.0, next(order), start)]
    actions = [
        (name, numbers, _cost(operator, problem))
        for name, operator in domain.operators.items()
        for numbers in product(*(bits(start.universe.mask(v.types)) for v in operator.parameters))
    ]
    while queue:
        cost, _, state = heappop(queue)
        if cost > best[frozenset(state.atoms())]:
            continue
        if world.holds(state, problem.goal):
            return cost
        if len(best) > states:
            return None
        for name, numbers, more in actions:
            if world.first_failure(state, name, numbers) < 0:
                after = state.copy()
                world.apply(after, name, numbers)
                key = frozenset(after.atoms())
                if cost + more < best.get(key, inf):
                    best[key] = cost + more
                    heappush(queue, (cost + more, next(order), after))
    return inf


@thorough
@given(tasks)
def test_the_cheapest_plan_costs_what_an_exhaustive_search_says(task: Task) -> None:
    domain, problem = task
    least = least_cost(domain, problem)
    found = plan(domain, problem, engine="eai-optimal", time_limit=5)
    if least is None:
        assert found.outcome is not Outcome.REJECTED
    elif least == inf:
        assert found.outcome is Outcome.UNSOLVABLE
    else:
        assert found.solved, found
        assert found.cost == least
        assert found.optimal


@thorough
@given(tasks)
def test_the_shortest_plan_is_as_long_as_an_exhaustive_search_says(task: Task) -> None:
    domain, problem = task[0], replace(task[1], metric=None)
    least = least_cost(domain, problem)
    found = plan(domain, problem, engine=BREADTH_FIRST, time_limit=5)
    if found.plan is not None and least is not None:
        assert len(found.plan) == least
    assert least is None or found.solved == (least < inf)


@thorough
@given(tasks, st.sampled_from(["eai", WIDTH, GREEDY]))
def test_every_search_finds_a_plan_or_proves_that_there_is_none(
    task: Task, engine: str | OwnEngine
) -> None:
    domain, problem = task
    found = plan(domain, problem, engine=engine, time_limit=5)
    least = least_cost(domain, problem)
    if found.plan is not None:
        assert found.solved
        assert validate(domain, problem, found.plan).valid
    if least is not None:
        assert found.outcome is (Outcome.UNSOLVABLE if least == inf else Outcome.SOLVED)
