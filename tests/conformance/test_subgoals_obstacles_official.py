"""What annotated plans reach has no obstacle at the start."""

from __future__ import annotations

from itertools import takewhile

import pytest

from eai.abilities.subgoals.achievers import obstacles
from eai.contract import Suite
from eai.logic import And, Atom, Formula, Not
from eai.simulators import BehaviorSimulator, Simulator, VirtualHomeSimulator, execute
from eai.suites.behavior.suite import Behavior
from eai.suites.virtualhome import VirtualHome
from eai.task import Task
from eai.world import State

pytestmark = [pytest.mark.official, pytest.mark.heavy]

CASES = [(VirtualHome(), VirtualHomeSimulator(), 20), (Behavior(), BehaviorSimulator(), 3)]


def _changes(before: State, after: State) -> list[Formula]:
    """The literals that hold after, and not before."""
    was, now = frozenset(before.atoms()), frozenset(after.atoms())
    made: list[Atom] = sorted(now - was, key=str)
    lost: list[Atom] = sorted(was - now, key=str)
    return [*made, *map(Not, lost)]


def _checked(task: Task, simulator: Simulator) -> int:
    """How many literals of the last state have no obstacle at the start, nor all together."""
    operators = tuple(simulator.world.domain.operators)
    # One annotated plan has a misspelt action in it.
    plan = list(takewhile(lambda action: action.name in operators, task.plans[0]))
    done = execute(simulator, task.start, plan, agent=task.agent)
    made = _changes(task.start, done.trajectory.final)
    for condition in [*made, And(tuple(made))]:
        found = obstacles(
            simulator.world, task.start, condition, agent=task.agent, operators=operators
        )
        assert not found, (task.id, condition, found)
    return len(made)


@pytest.mark.parametrize(("suite", "simulator", "every"), CASES, ids=["virtualhome", "behavior"])
def test_what_annotated_plans_reach_has_no_obstacle(
    suite: Suite, simulator: Simulator, every: int
) -> None:
    names = list(suite.task_ids())[::every]
    checked = [_checked(suite.task(name), simulator) for name in names]
    assert sum(checked) > 100
