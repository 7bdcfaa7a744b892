from __future__ import annotations

import pytest

from eai.diagnosis import ErrorKind
from eai.errors import InputError, UnknownNameError
from eai.logic import Atom
from eai.simulators import VirtualHomeSimulator, execute
from eai.world import Action

SIMULATOR = VirtualHomeSimulator()
START = SIMULATOR.world.state(
    {"kitchen": "room", "me": "character", "fridge": "thing", "milk": "thing"},
    [
        Atom("inside", ("me", "kitchen")),
        Atom("inside", ("fridge", "kitchen")),
        Atom("inside", ("milk", "fridge")),
        Atom("can_open", ("fridge",)),
        Atom("closed", ("fridge",)),
        Atom("grabbable", ("milk",)),
    ],
)


def plan(*steps: str) -> list[Action]:
    return [Action(words[0], tuple(words[1:])) for words in map(str.split, steps)]


def test_a_plan_that_runs_to_its_end() -> None:
    before = list(START.atoms())
    steps = plan("walk fridge", "open fridge", "grab milk", "close fridge")
    execution = execute(SIMULATOR, START, steps, agent="me")
    assert execution.executed == ("done",) * 4
    assert execution.completed
    assert execution.findings == ()
    assert [step.action for step in execution.trajectory.steps] == steps
    assert [step.number for step in execution.trajectory.steps] == [1, 2, 3, 4]
    assert execution.trajectory.final.holds("holds_rh", ("me", "milk"))
    assert list(START.atoms()) == before


def test_the_empty_plan_is_completed() -> None:
    execution = execute(SIMULATOR, START, [], agent="me")
    assert execution.executed == ()
    assert execution.completed
    assert execution.trajectory.length == 1
    assert list(execution.trajectory.final.atoms()) == list(START.atoms())


def test_a_failed_step_ends_the_plan() -> None:
    steps = plan("walk fridge", "grab milk", "open fridge")
    execution = execute(SIMULATOR, START, steps, agent="me")
    assert execution.executed == ("done", "failed", "not reached")
    assert not execution.completed
    [finding] = execution.findings
    assert (finding.kind, finding.step) == (ErrorKind.MISSING_STEP, 2)
    assert execution.trajectory.length == 2


def test_a_skipped_step_does_not_end_the_plan() -> None:
    steps = plan("walk fridge", "open fridge", "open fridge", "grab milk")
    execution = execute(SIMULATOR, START, steps, agent="me")
    assert execution.executed == ("done", "done", "skipped", "done")
    assert execution.completed
    assert [(f.kind, f.step) for f in execution.findings] == [(ErrorKind.ADDITIONAL_STEP, 3)]
    assert [step.number for step in execution.trajectory.steps] == [1, 2, 4]


def test_what_the_goal_demands_is_not_additional() -> None:
    steps = plan("walk fridge", "walk fridge")
    [finding] = execute(SIMULATOR, START, steps, agent="me").findings
    assert finding.kind is ErrorKind.ADDITIONAL_STEP
    demanded = execute(SIMULATOR, START, steps, agent="me", demanded=frozenset({"walk"}))
    assert demanded.findings == ()
    assert demanded.executed == ("done", "done")


@pytest.mark.parametrize(
    ("step", "error", "message"),
    [
        ("wlak fridge", UnknownNameError, "did you mean 'walk'"),
        ("walk fridg", UnknownNameError, "did you mean 'fridge'"),
        ("walk", InputError, "walk takes 2 arguments, not 1"),
    ],
)
def test_names_must_be_known(step: str, error: type[InputError], message: str) -> None:
    with pytest.raises(error, match=message):
        execute(SIMULATOR, START, plan(step), agent="me")


def test_the_agent_must_be_a_character() -> None:
    with pytest.raises(InputError, match="'milk' is a thing"):
        execute(SIMULATOR, START, plan("walk fridge"), agent="milk")
