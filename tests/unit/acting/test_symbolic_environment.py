"""Tasks of symbolic worlds, acted in step by step."""

from __future__ import annotations

import pytest
from small_behavior import (
    OFFICIAL as BEHAVIOR_OFFICIAL,
    STRICT as BEHAVIOR_STRICT,
    SUITE as BEHAVIOR,
    kitchen,
    task_in,
)
from small_virtualhome import action, small_task

from eai.abilities import Plans
from eai.acting.tasks import PlanGoal
from eai.acting.views import Viewed
from eai.semantics import Semantics
from eai.simulators import (
    BehaviorSimulator,
    Environment,
    Observation,
    SeenObject,
    SymbolicEnvironment,
)
from eai.suites.behavior.interaction import OBSERVED as SCENE
from eai.suites.household import Household
from eai.suites.virtualhome.interaction import environment
from eai.suites.virtualhome.quirks import QUIRKS
from eai.task import Task
from eai.world import Action

STRICT = Semantics("strict")
OFFICIAL = Semantics.of("official", QUIRKS, version="eai-eval 1.0.5")
FRIDGE = (
    "inside fridge.3 kitchen.1; closed fridge.3; can_open fridge.3; plugged_in fridge.3; "
    "inside milk.4 kitchen.1; inside milk.4 fridge.3; grabbable milk.4; "
    "inside table.5 kitchen.1; surfaces table.5"
)


def fridge() -> SymbolicEnvironment:
    task = small_task(FRIDGE, relations=["ontop milk.4 table.5"])
    return environment(task, STRICT)


def seen(observation: Observation) -> dict[str, SeenObject]:
    return {each.name: each for each in observation.objects}


def test_a_state_is_observed_as_objects_in_places() -> None:
    found = seen(fridge().reset())
    assert found["milk.4"] == SeenObject("milk.4", "thing", {}, "fridge.3", "in")
    assert found["fridge.3"].properties == {"open": False, "plugged_in": True}
    assert found["fridge.3"].inside == "kitchen.1"


def test_a_step_that_fails_changes_nothing_and_says_why() -> None:
    world = fridge()
    before = world.reset()
    result = world.step(action("grab milk.4"))
    assert not result.success
    assert result.code == "missing_step"
    assert "milk.4" in result.message
    assert result.observation == before
    assert result.resolved == action("grab milk.4")


def test_and_the_episode_goes_on() -> None:
    world = fridge()
    world.reset()
    steps = ["grab milk.4", "walk fridge.3", "open fridge.3", "grab milk.4"]
    results = [world.step(action(step)) for step in steps]
    assert [result.success for result in results] == [False, True, True, True]
    last = results[-1].observation
    assert last.held == ("milk.4",)
    assert last.focus == "fridge.3"
    assert seen(last)["fridge.3"].properties["open"] is True
    assert seen(last)["fridge.3"].properties["near"] is True
    assert world.execution.executed == ("failed", "done", "done", "done")


def test_what_holds_already_is_a_failure_of_its_own_kind() -> None:
    world = fridge()
    world.reset()
    for step in ("walk fridge.3", "open fridge.3"):
        assert world.step(action(step)).success
    again = world.step(action("open fridge.3"))
    assert (again.success, again.code) == (False, "additional_step")


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (Action("fly", ("milk.4",)), "action_hallucination"),
        (Action("GRAB", ("milk.4",)), "action_hallucination"),
        (Action("grab", ("cow.9",)), "object_hallucination"),
        (Action("grab", ("milk.4", "milk.4")), "argument_number"),
        (Action("grab"), "argument_number"),
    ],
)
def test_what_the_world_does_not_know_is_a_failed_step(step: Action, code: str) -> None:
    world = fridge()
    before = world.reset()
    result = world.step(step)
    assert (result.success, result.code) == (False, code)
    assert result.message
    assert result.observation == before


def test_a_reset_starts_over() -> None:
    world = fridge()
    before, state = world.reset(), set(world.state().atoms())
    world.step(action("walk fridge.3"))
    assert world.reset() == before
    assert set(world.state().atoms()) == state
    assert world.execution.executed == ()


def test_the_state_is_a_copy() -> None:
    world = fridge()
    world.reset()
    world.state().add("open", ("fridge.3",))
    assert seen(world.observation)["fridge.3"].properties["open"] is False


def test_the_suites_own_rules_decide() -> None:
    task = small_task("inside bed.3 bedroom.2; lieable bed.3")
    strict, official = environment(task, STRICT), environment(task, OFFICIAL)
    step = action("sleep")
    assert strict.step(step).code == "missing_step"
    assert official.step(step).code == "missing_step"
    assert strict.simulator.rules is not official.simulator.rules


def test_an_object_that_is_irrelevant_is_observed_if_something_is_in_it() -> None:
    task = small_task(FRIDGE, irrelevant=["fridge.3", "table.5"])
    found = seen(environment(task, STRICT).reset())
    assert found["milk.4"].inside == "fridge.3"
    assert "table.5" not in found


def test_parts_are_there_once_something_is_sliced() -> None:
    task = task_in(kitchen())
    world = SymbolicEnvironment(task, BehaviorSimulator(), observed=SCENE, present="present")
    parts = {name for name in task.start.universe.names if "_part_" in name}
    assert parts
    assert not parts & seen(world.reset()).keys()
    task.start.add("sliced", (next(iter(sorted(parts))),))
    assert seen(world.reset()).keys() & parts


def test_goals_are_watched_by_the_states_of_environments_of_other_kinds() -> None:
    task = small_task(FRIDGE)
    other: Environment = Viewed(fridge(), ())
    score = Plans(STRICT).conditions
    plain = PlanGoal(task, score).update(fridge(), None, None)
    assert PlanGoal(task, score).update(other, None, None) == plain


def in_order() -> tuple[Household, Task]:
    suite = Household()
    found = (suite.task(name) for name in suite.task_ids())
    return suite, next(task for task in found if " then " in task.goal.text)


def test_where_the_order_counts_the_end_alone_is_not_enough() -> None:
    suite, task = in_order()
    semantics = suite.semantics("strict")
    world = suite.environment(task, semantics)
    monitor = suite.episode_rules(task, semantics).goal()
    world.reset()
    status = monitor.update(world, None, None)
    assert status.conditions[-1].text == task.goal.text
    assert not status.reached
    for step in task.plans[0]:
        status = monitor.update(world, step, world.step(step))
    assert status.reached


@pytest.mark.parametrize("semantics", [BEHAVIOR_STRICT, BEHAVIOR_OFFICIAL], ids=str)
def test_a_scene_of_behavior_is_acted_in(semantics: Semantics) -> None:
    task = task_in(kitchen())
    rules = BEHAVIOR.episode_rules(task, semantics)
    assert {"jar_3", "apple_5"} <= set(rules.objects)
    assert set(rules.views) == {"room", "near", "blind"}
    answers = "Action: CLOSE jar_3\nAction: OPEN jar 3\nAction: OPEN jar_4"
    result = BEHAVIOR.evaluate("interaction", task, answers, semantics)
    assert result.success
    assert result.executed == ("skipped", "done")
    assert [goal.met for goal in result.goals] == [True]
    world = BEHAVIOR.environment(task, semantics)
    found = seen(world.reset())
    assert found["jar_3"].properties["open"] is False
    assert found["apple_5"].type == "apple.n.01"
