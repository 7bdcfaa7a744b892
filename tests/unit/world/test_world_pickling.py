"""Worlds, states and trajectories can be sent to other processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from eai.contract import execution_of
from eai.suites.household import Household

PLAN = '[{"FIND": ["light", "34"]}, {"SWITCHON": ["light", "34"]}]'


@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_an_execution_is_the_same_elsewhere(semantics: str) -> None:
    suite = Household()
    execution = execution_of(suite, suite.task("studio-01"), PLAN, suite.semantics(semantics))
    assert execution is not None
    for other in (pickle.loads(pickle.dumps(execution)), copy.deepcopy(execution)):
        assert other.executed == execution.executed
        there, here = other.trajectory, execution.trajectory
        assert set(there.final.atoms()) == set(here.final.atoms())
        for position in range(1, here.length):
            assert list(there.added(position)) == list(here.added(position))
            assert list(there.deleted(position)) == list(here.deleted(position))


def test_a_world_that_was_sent_goes_on_elsewhere() -> None:
    suite = Household()
    task = suite.task("studio-01")
    execution = execution_of(suite, task, PLAN, suite.semantics("strict"))
    assert execution is not None
    there = pickle.loads(pickle.dumps(execution.trajectory))
    for trajectory in (there, execution.trajectory):
        world, state = trajectory.world, trajectory.final.copy()
        assert state.holds("on", ("light.34",))
        numbers = world.numbers(state, "switchoff", (task.agent, "light.34"))
        world.apply(state, "switchoff", numbers)
        assert state.holds("off", ("light.34",))
