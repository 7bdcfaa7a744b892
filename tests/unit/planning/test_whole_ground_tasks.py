"""Whole ground tasks: all actions that can be reached, with the engine's effects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

import pytest
from fixtures_pddl import FOLDER

from eai.logic import TRUE
from eai.pddl import load_domain, load_problem
from eai.planning import Successors, ground
from eai.world import State, World

MAX_STATES = 60


@pytest.mark.parametrize("name", ["blocks-and-boxes", "briefcase", "gripper"])
def test_every_state_has_the_successors_that_the_engine_finds(name: str) -> None:
    domain = load_domain(FOLDER / f"{name}.pddl")
    problem = load_problem(FOLDER / f"{name}-problem.pddl", domain=domain)
    world = World(domain)
    start = world.state(problem.objects, problem.initial)
    task = ground(domain, replace(problem, goal=TRUE), whole=True)
    successors = Successors(task)
    states = {task.initial: start}
    pending = [task.initial]
    for ground_state in islice(_popped(pending), MAX_STATES):
        state = states[ground_state]
        reached: dict[str, State] = _reached(world, state)
        applicable = successors.applicable(ground_state)
        assert {str(action.action) for action in applicable} == reached.keys()
        for action in applicable:
            after = task.successor(ground_state, action)
            expected = reached[str(action.action)]
            changed = set(expected.facts()) != set(state.facts())
            assert (after != ground_state) is changed
            for number, atom in enumerate(task.atoms):
                assert bool(after >> 2 * number & 1) is world.holds(expected, atom)
            if after not in states:
                states[after] = expected
                pending.append(after)
    assert len(states) > 5


def _popped(pending: list[int]) -> Iterator[int]:
    while pending:
        yield pending.pop(0)


def _reached(world: World, state: State) -> dict[str, State]:
    """Return the state after each action that can be done, tried one by one."""
    reached = {}
    universe = state.universe
    for name, operator in world.domain.operators.items():
        ranges = [universe.of_types(parameter.types) for parameter in operator.parameters]
        for arguments in product(*ranges):
            numbers = world.numbers(state, name, arguments)
            if world.first_failure(state, name, numbers) < 0:
                after = state.copy()
                world.apply(after, name, numbers)
                reached[f"{name}({', '.join(arguments)})"] = after
    return reached
