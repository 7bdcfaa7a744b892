"""Least repair of plans in the household suite."""

from __future__ import annotations

from dataclasses import replace

import pytest

import eai
from eai.abilities.plans import repair, target_of
from eai.planning import RepairBounds, Target, least_repair
from eai.planning.repair import EditKind
from eai.simulators import VirtualHomeSimulator
from eai.task import Task
from eai.world import Action


@pytest.fixture(scope="module", name="task")
def _task() -> Task:
    suite = eai.suite("household")
    return max((suite.task(name) for name in suite.task_ids()), key=lambda t: len(t.plans[0]))


def _first(task: Task, name: str) -> int:
    return next(i for i, step in enumerate(task.plans[0]) if step.name == name)


def test_plan_that_works_needs_no_edit(task: Task) -> None:
    found = repair(task, task.plans[0])
    assert (found.distance, found.optimal, found.score, found.edits) == (0, True, 1.0, ())
    assert str(found) == "the plan works"


def test_missing_grab_is_put_in(task: Task) -> None:
    plan = list(task.plans[0])
    gone = plan.pop(_first(task, "grab"))
    found = repair(task, plan)
    assert found.edits is not None
    (edit,) = found.edits
    assert (edit.kind, edit.new, edit.mistake) == (EditKind.INSERT, gone, "missing_step")
    assert found.optimal
    assert 0 < found.score < 1


def test_edit_of_every_repair_is_told_from_others(task: Task) -> None:
    plan = list(task.plans[0])
    gone = plan.pop()
    found = repair(task, plan)
    assert found.edits is not None
    (edit,) = found.edits
    assert (edit.new, edit.necessary) == (gone, True)
    assert found.irredundant > 1


def test_step_on_unknown_object_is_taken_out(task: Task) -> None:
    plan = list(task.plans[0])
    plan.insert(3, Action("grab", ("unicorn.1",)))
    found = repair(task, plan)
    assert found.edits is not None
    (edit,) = found.edits
    assert (edit.kind, edit.step, edit.mistake) == (EditKind.DELETE, 4, "additional_step")


def test_step_in_the_wrong_place_is_moved(task: Task) -> None:
    plan = list(task.plans[0])
    step = plan.pop(_first(task, "grab"))
    plan.append(step)
    found = repair(task, plan)
    assert found.edits is not None
    (edit,) = found.edits
    assert (edit.kind, edit.old, edit.mistake) == (EditKind.MOVE, step, "wrong_order")


def test_wrong_object_is_replaced(task: Task) -> None:
    plan = list(task.plans[0])
    at = _first(task, "grab")
    right = plan[at]
    plan[at] = Action("grab", ("fridge.201",))
    found = repair(task, plan)
    assert found.edits is not None
    (edit,) = found.edits
    assert (edit.kind, edit.new, edit.mistake) == (EditKind.REPLACE, right, "wrong_object")


def test_empty_plan_gets_the_reference_beyond_the_bounds(task: Task) -> None:
    found = repair(task, (), bounds=RepairBounds(edits=0))
    assert found.repaired == task.plans[0]
    assert (found.distance, found.bound, found.optimal) == (len(task.plans[0]), 1, False)
    assert found.score == 0.0
    most = len(task.plans[0]) - 1
    assert f"work; whether 1 to {most} are enough is not known:" in str(found)


def test_what_is_not_settled_is_said_apart_from_what_is_proved(task: Task) -> None:
    found = repair(task, ())
    assert found.edits is not None
    unsettled = replace(found, edits=found.edits[:3], bound=2)
    assert str(unsettled).startswith(
        "3 edits would make the plan work; fewer than 2 are proved not to be enough, and"
        " whether 2 are enough is not known:"
    )


def test_without_reference_nothing_is_found_beyond_the_bounds(task: Task) -> None:
    found = least_repair(
        VirtualHomeSimulator().world,
        task.start,
        (),
        target_of(task),
        agent=task.agent,
        bounds=RepairBounds(edits=0),
    )
    assert (found.found, found.bound, found.score) == (False, 1, 0.0)
    assert str(found) == "no repair found; it takes at least 1 edit"


def test_bounds_are_whole_numbers_from_zero(task: Task) -> None:
    with pytest.raises(eai.EaiError, match="the bound edits is -1"):
        repair(task, (), bounds=RepairBounds(edits=-1))


def test_repair_needs_nothing_for_an_empty_target(task: Task) -> None:
    world = VirtualHomeSimulator().world
    assert least_repair(world, task.start, (), Target(), agent=task.agent).distance == 0
