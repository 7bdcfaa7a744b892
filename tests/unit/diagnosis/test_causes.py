"""What was caused by what, on plans that can be checked by hand."""

from __future__ import annotations

import json

import pytest
from causes_worlds import THINGS, steps, workshop_task

from eai.diagnosis import ErrorKind
from eai.diagnosis.causes import Link, causes
from eai.errors import InputError
from eai.suites.household import Household
from eai.task import Task
from eai.world import Action

SUITE = Household()


def household(name: str) -> Task:
    return SUITE.task(name)


def test_a_goal_rests_on_the_steps_that_made_it_so() -> None:
    task = workshop_task("painted(box)", initially=["wet box"])
    found = causes(task, steps("open_door; press; dry; paint box"))
    [goal] = found.goals
    assert (goal.met, goal.since, goal.rests_on) == (True, 4, (1, 3, 4))
    assert goal.because == (Link("painted(box)", 4),)
    assert found.idle == (2,)


def test_a_step_knows_what_it_uses_and_who_uses_it() -> None:
    found = causes(workshop_task("painted(box)"), steps("open_door; paint box; paint can"))
    door, paint, can = found.steps
    assert paint.uses == (Link("door_open()", 1),)
    assert door.users == (2, 3)
    assert paint.serves == ("painted(box)",)
    assert can.serves == ()


def test_an_alternative_that_holds_from_the_start_is_preferred() -> None:
    task = workshop_task("painted(box)", initially=["window_open"])
    assert causes(task, steps("open_door; paint box")).idle == (1,)


def test_a_failure_names_who_made_the_obstacle() -> None:
    task = workshop_task("painted(box)", initially=["door_open"])
    found = causes(task, steps("press; slam; paint box; press"))
    failure = found.failure
    assert failure is not None
    assert (failure.step, failure.kind, failure.rests_on) == (3, ErrorKind.WRONG_ORDER, (2,))
    [need] = failure.conditions
    assert (need.condition, need.held_until, need.destroyed_by) == ("aired()", 1, 2)
    assert need.because == (Link("not door_open()", 2),)
    assert [step.outcome for step in found.steps] == ["done", "done", "failed", "not reached"]
    assert [step.number for step in found.steps] == [1, 2, 3, 4]
    assert found.idle == (1,)


def test_a_condition_that_no_step_touches_has_no_cause() -> None:
    found = causes(workshop_task("painted(box)"), steps("press; paint box"))
    assert found.failure is not None
    [need] = found.failure.conditions
    assert (need.because, need.held_until) == ((), None)
    assert "aired() does not hold and never did" in str(found)


def test_a_lost_goal_names_the_step_that_lost_it() -> None:
    found = causes(workshop_task("painted(box)"), steps("open_door; paint box; soak box"))
    [goal] = found.goals
    assert (goal.met, goal.lost_by) == (False, 3)
    assert goal.because == (Link("not painted(box)", 3),)
    assert found.idle == (1, 2)


def test_recursive_predicates_are_traced_through_their_derivation() -> None:
    task = workshop_task("nested(can, pot)")
    found = causes(task, steps("put can box; put box pot"))
    assert found.goals[0].because == (Link("in(can, box)", 1), Link("in(box, pot)", 2))
    # Nothing may be in anything else when it is put somewhere; the rest is open.
    assert found.order.count() == 2


def test_a_conditional_effect_rests_on_its_condition() -> None:
    found = causes(workshop_task("wet(can)"), steps("put can box; press; soak box"))
    assert found.goals[0].rests_on == (1, 3)
    assert found.idle == (2,)


def test_what_keeps_an_effect_from_happening_counts_too() -> None:
    task = workshop_task("painted(can)", initially=["in can box", "door_open"])
    found = causes(task, steps("take can box; paint can; soak box"))
    # Had the can stayed in the box, the last step would have washed the paint off.
    assert found.goals[0].rests_on == (1, 2)
    assert found.idle == (3,)
    assert found.order.precedes(1, 3)


def test_threats_are_kept_out_of_the_way() -> None:
    task = workshop_task("painted(box)", "not door_open()")
    found = causes(task, steps("open_door; paint box; close_door; press"))
    assert found.order.edges == ((1, 2), (2, 3))
    assert found.order.count() == 4


def test_a_step_that_is_passed_over_keeps_its_reasons() -> None:
    task = workshop_task("door_open()", initially=["door_open"])
    found = causes(task, steps("press; open_door"))
    assert [step.outcome for step in found.steps] == ["done", "skipped"]
    assert found.idle == (1, 2)
    assert found.failure is None


def test_demanded_actions_keep_their_order() -> None:
    task = workshop_task(actions=["press", "look"])
    found = causes(task, steps("open_door; press; look"))
    assert found.order.precedes(2, 3)
    assert [goal.rests_on for goal in found.goals] == [(2,), (2, 3)]
    assert found.idle == (1,)


def test_demanded_actions_in_the_wrong_order_are_not_set_right_by_chance() -> None:
    task = workshop_task(actions=["dry", "press"])
    found = causes(task, steps("press; dry; open_door"))
    assert [goal.met for goal in found.goals] == [True, False]
    assert found.order.precedes(1, 2)


def test_the_links_of_a_goal_in_time_keep_their_order() -> None:
    task = workshop_task(formula="lit() then (painted(box) and LOOK())", initially=["door_open"])
    found = causes(task, steps("paint can; press; paint box; look"))
    assert not found.fixed
    goal = found.goals[-1]
    assert (goal.kind, goal.met, goal.rests_on) == ("formula", True, (2, 3, 4))
    assert found.idle == (1,)


def test_a_goal_in_time_that_is_not_taken_apart_fixes_the_order() -> None:
    task = workshop_task(formula="G not wet(box)")
    found = causes(task, steps("press; open_door"))
    assert found.fixed
    assert found.order.count() == 1
    assert found.idle == ()
    assert "the goal is temporal" in str(found)


def test_a_goal_that_one_object_meets_rests_on_one() -> None:
    task = workshop_task("exists x - thing. (painted(x))", initially=["door_open", "painted pot"])
    assert causes(task, steps("paint box; paint can")).idle == (1, 2)


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Action("fly"), ErrorKind.ACTION_HALLUCINATION),
        (Action("paint", ("moon",)), ErrorKind.OBJECT_HALLUCINATION),
        (Action("paint"), ErrorKind.ARGUMENT_NUMBER),
        (Action("paint", ("robot",)), ErrorKind.ARGUMENT_NUMBER),
        (Action("paint", ("robot", *THINGS)), ErrorKind.ARGUMENT_NUMBER),  # all objects
        (Action("paint", ("robot", *THINGS, "moon")), ErrorKind.OBJECT_HALLUCINATION),
    ],
)
def test_what_the_world_does_not_know_is_where_the_plan_stops(
    step: Action, kind: ErrorKind
) -> None:
    found = causes(workshop_task("lit()"), (Action("press"), step))
    assert found.failure is not None
    assert (found.failure.step, found.failure.kind) == (2, kind)
    assert found.failure.message.startswith(f"{step}: ")
    assert found.goals[0].met


def test_the_same_plan_has_the_same_causes() -> None:
    task, plan = workshop_task("lit()"), steps("press; open_door")
    assert causes(task, plan) == causes(task, plan)
    assert repr(causes(task, plan).order) == "PartialOrder([1, 2], [])"


def test_an_empty_plan_has_causes_too() -> None:
    found = causes(workshop_task("lit()"), ())
    assert not found.goals[0].met
    assert (found.idle, found.order.count()) == ((), 1)


def test_leaving_a_step_out_takes_along_what_needs_it() -> None:
    found = causes(workshop_task("lit()"), steps("open_door; paint box; press"))
    assert found.idle == (1, 2)
    assert found.without(1) == steps("press")
    assert found.without(2) == steps("open_door; press")
    assert found.needed() == steps("press")


def test_a_step_that_serves_a_goal_cannot_be_left_out() -> None:
    found = causes(workshop_task("lit()"), steps("press"))
    with pytest.raises(InputError, match="step 1 cannot be left out"):
        found.without(1)


def test_hands_that_are_full_name_what_they_hold() -> None:
    task = household("studio-02")
    plan = [
        Action("walk", ("kitchen_cabinet.55",)),
        Action("open", ("kitchen_cabinet.55",)),
        Action("grab", ("drinking_glass.59",)),
        Action("walk", ("fridge.40",)),
        Action("open", ("fridge.40",)),
        Action("grab", ("juice.44",)),
        Action("close", ("fridge.40",)),
        Action("open", ("fridge.40",)),
    ]
    failure = causes(task, plan).failure
    assert failure is not None
    [need] = failure.conditions
    assert need.condition == "hand_free(character.5)"
    held = [("holds_rh(character.5, drinking_glass.59)", 3), ("holds_lh(character.5, juice.44)", 6)]
    assert [(link.fact, link.maker) for link in need.because] == held


def test_the_text_of_a_failure_reads_from_failure_to_cause() -> None:
    task = workshop_task("painted(box)", initially=["door_open"])
    assert str(causes(task, steps("press; slam; paint box"))).splitlines() == [
        "2 of 3 steps can be done",
        "Step 3 fails (wrong_order): paint(box): aired() does not hold; it held until step 2, "
        "slam(), made it false",
        "  aired() does not hold; it held after step 1, until step 2",
        "    not door_open() since step 2, slam()",
        "Goal",
        "  unmet painted(box)",
        "Step 1, press() supports no goal",
        "2 valid orderings",
    ]


def test_causes_are_json() -> None:
    data = causes(workshop_task("painted(box)"), steps("press; paint box")).as_dict()
    again = json.loads(json.dumps(data))
    assert again["failure"]["kind"] == "missing_step"
    assert again["order"] == {"steps": [1], "edges": []}
    assert again["orders"] == 1


def test_what_was_so_from_the_start_was_made_by_no_step() -> None:
    [door, paint] = causes(workshop_task("painted(box)"), steps("open_door; paint box")).steps
    assert door.uses == (Link("not door_open()", 0),)
    assert paint.uses == (Link("door_open()", 1),)


@pytest.mark.parametrize(("plan", "orders"), [("", 1), ("press", 1), ("press; open_door", 2)])
def test_the_story_counts_orderings_where_there_are_several(plan: str, orders: int) -> None:
    found = causes(workshop_task("painted(box)"), steps(plan))
    assert found.order.count() == orders
    assert (f"{orders} valid orderings" in str(found)) == (orders > 1)


@pytest.mark.parametrize(
    ("initially", "plan", "history"),
    [
        ([], "open_door; paint box", "met   painted(box) since step 2, rests on steps 1, 2"),
        (["door_open"], "paint box", "met   painted(box) since step 1, rests on step 1"),
        (["painted box"], "press", "met   painted(box) from the start"),
        ([], "press", "unmet painted(box)"),
        (["painted box"], "soak box", "unmet painted(box) (lost by step 1)"),
    ],
)
def test_the_story_tells_since_when_a_condition_is_met(
    initially: list[str], plan: str, history: str
) -> None:
    story = str(causes(workshop_task("painted(box)", initially=initially), steps(plan)))
    assert f"  {history}" in story.splitlines()


def test_where_a_condition_speaks_of_a_sequence_no_step_is_idle() -> None:
    # It holds without its left side, so that no step is known to serve it, nor to be idle.
    task = workshop_task(formula="(lit() then painted(box)) -> door_open()")
    found = causes(task, steps("press; press; open_door; close_door"))
    assert found.idle == ()
    assert found.fixed
    assert [goal.rests_on for goal in found.goals] == [()]
