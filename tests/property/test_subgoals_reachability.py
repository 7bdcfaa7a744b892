"""What is said to be out of reach is reached by no sequence of actions."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from random import Random

from hypothesis import given, settings, strategies as st
from strategies_planning import planning_tasks, random_task

from eai.abilities.subgoals.achievers import obstacles
from eai.abilities.subgoals.exclusion import exclusive
from eai.budget import Budget
from eai.logic import And, Atom, Exists, Formula, Not, Or, Variable
from eai.pddl import Domain, Operator, Problem
from eai.world import State, World

_STATES = 150
_X, _Z = Variable("x"), Variable("z")


def _states(world: World, start: State, operators: list[str], agent: str) -> list[State]:
    """The states that the agent reaches, breadth-first, up to a number."""
    seen, found = {frozenset(start.atoms())}, [start]
    for state in found:  # it grows meanwhile
        for after in _successors(world, state, operators, agent):
            key = frozenset(after.atoms())
            if key not in seen:
                seen.add(key)
                found.append(after)
        if len(found) > _STATES:
            break
    return found


def _successors(world: World, state: State, operators: list[str], agent: str) -> list[State]:
    first, count = state.universe.number(agent), len(state.universe.names)
    made = []
    for name in operators:
        arity = len(world.operator(name).operator.parameters)
        for others in product(range(count), repeat=arity - 1):
            if world.first_failure(state, name, (first, *others)) < 0:
                after = state.copy()
                world.apply(after, name, (first, *others))
                made.append(after)
    return made


def _conditions(domain: Domain, problem: Problem) -> list[Formula]:
    """The goal and its conjuncts in some ways, every literal, and literals of some object."""
    assert isinstance(problem.goal, And)
    parts = problem.goal.operands
    conditions = [problem.goal, *parts, *map(Not, parts), Or(parts), Not(problem.goal)]
    for name, predicate in domain.predicates.items():
        for things in product(problem.objects, repeat=predicate.arity):
            conditions += [Atom(name, things), Not(Atom(name, things))]
        if predicate.arity == 2:
            for thing in problem.objects:
                conditions.append(Exists((_Z,), Atom(name, (_Z, thing))))
                conditions.append(Exists((_Z,), Not(Atom(name, (thing, _Z)))))
    return conditions


def _check(domain: Domain, problem: Problem) -> int:
    """Compare with all states; returns how many conditions were said to be out of reach."""
    world, agent = World(domain), "a"
    start = world.state(dict(problem.objects), problem.initial)
    operators = list(domain.operators)[:-1]
    states = _states(world, start, operators, agent)
    said = 0
    for condition in _conditions(domain, problem):
        if obstacles(world, start, condition, agent=agent, operators=operators):
            said += 1
            assert not any(world.holds(state, condition) for state in states)
    return said


@settings(max_examples=60)
@given(planning_tasks())
def test_nothing_that_can_be_reached_has_an_obstacle(task: tuple[Domain, Problem]) -> None:
    _check(*task)


def test_many_conditions_of_random_worlds_have_an_obstacle() -> None:
    assert sum(_check(*random_task(Random(seed))) for seed in range(40)) > 40


_TIED_TWICE = And((Atom("tied", ("a", "a")), Atom("tied", ("a", "b"))))


def _asking_for_none(operator: Operator) -> Operator:
    none = Not(Exists((_Z,), Atom("tied", (_X, _Z))))
    return replace(operator, precondition=And((operator.precondition, none)))


@settings(max_examples=60)
@given(planning_tasks(), st.integers(0, 5))
def test_what_excludes_each_other_never_holds_together(
    task: tuple[Domain, Problem], asking: int
) -> None:
    domain, problem = task
    operators = {
        name: _asking_for_none(operator) if number < asking else operator
        for number, (name, operator) in enumerate(domain.operators.items())
    }
    world = World(replace(domain, operators=operators))
    start = world.state(dict(problem.objects), problem.initial)
    if _excluded(world, start, _TIED_TWICE):
        states = _states(world, start, list(operators), "a")
        assert not any(world.holds(state, _TIED_TWICE) for state in states)


def _excluded(world: World, start: State, condition: Formula) -> tuple[Formula, ...]:
    """Return what is proved never to hold together, from effects and conditions of actions only."""
    return exclusive(
        world,
        start,
        condition,
        agent="a",
        operators=tuple(world.domain.operators),
        is_never_true=lambda _: False,
        meter=Budget.unlimited().meter(),
    )


def _pairs_excluded(domain: Domain, problem: Problem) -> int:
    """Compare every pair of literals with all states; returns how many pairs were excluded."""
    world = World(domain)
    start = world.state(dict(problem.objects), problem.initial)
    states = _states(world, start, list(domain.operators), "a")
    atoms = sorted({atom for state in states for atom in state.atoms()}, key=str)
    literals = [*atoms[:8], *map(Not, atoms[:4])]
    excluded = 0
    for one, other in combinations(literals, 2):
        if _excluded(world, start, And((one, other))):
            excluded += 1
            assert not any(world.holds(s, one) and world.holds(s, other) for s in states)
    return excluded


@settings(max_examples=60)
@given(planning_tasks())
def test_no_pair_that_is_reached_is_excluded(task: tuple[Domain, Problem]) -> None:
    _pairs_excluded(*task)


def test_pairs_of_random_worlds_are_excluded() -> None:
    # 4 literals and their negations are excluded in each of them without any proof.
    assert sum(_pairs_excluded(*random_task(Random(seed))) - 4 for seed in range(20)) > 20
