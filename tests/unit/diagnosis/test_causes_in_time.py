"""Goals that speak of time, alternatives of a goal, and the story that is told of both."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from causes_worlds import steps, verdict, workshop_task

from eai.diagnosis import ErrorKind
from eai.diagnosis.causes import Causes, GoalCause, Link, causes
from eai.errors import InputError
from eai.planning import PartialOrder
from eai.task import Task


def check(task: Task, found: Causes) -> None:
    """What counts as idle can go, and every order that is left open has the same verdict."""
    before = verdict(task, found.plan)
    assert before[0]
    for step in found.idle:
        assert verdict(task, found.without(step))[0], f"without step {step}"
    for order in permutations(found.order.steps):
        if found.order.permits(order):
            assert verdict(task, [found.plan[number - 1] for number in order])[0], order


@pytest.mark.parametrize(
    ("formula", "plan", "idle", "rests_on"),
    [
        # The last two positions in order, although the first condition holds again later.
        ("lit() then not lit()", "press; press; press; soak can", (4,), (1, 2, 3)),
        ("lit() then not lit()", "press; press; soak can", (3,), (1, 2)),
        (
            "exists x - thing. (wet(x) then painted(x))",
            "open_door; soak can; dry; paint can; press",
            (5,),
            (1, 2, 3, 4),
        ),
        (
            "forall x - thing. (LOOK() then painted(x))",
            "press; look; open_door; paint box; paint can; put box can; paint pot",
            (6,),
            (1, 2, 3, 4, 5, 7),
        ),
        (
            "(lit() then LOOK()) and (aired() then wet(can))",
            "press; open_door; look; put box pot; soak can; press",
            (4,),
            (1, 2, 3, 5, 6),
        ),
        (
            "(lit() then LOOK()) or (aired() then painted(box))",
            "open_door; paint box; press; put can pot",
            (3,),
            (1, 2, 4),
        ),
        ("OPEN_DOOR() then PRESS() then LOOK()", "open_door; press; look", (), (1, 2, 3)),
    ],
)
def test_a_goal_in_time_rests_on_the_links_that_hold(
    formula: str, plan: str, idle: tuple[int, ...], rests_on: tuple[int, ...]
) -> None:
    task = workshop_task(formula=formula)
    found = causes(task, steps(plan))
    assert not found.fixed
    assert found.idle == idle
    assert found.goals[-1] == GoalCause(
        "formula", formula, True, None, None, found.goals[-1].because, rests_on
    )
    check(task, found)


@pytest.mark.parametrize(
    ("formula", "plan"),
    [
        ("not (lit() then not lit())", "press; open_door"),
        ("(lit() then LOOK()) -> (aired() then wet(can))", "press; open_door"),
        # which of the two sides makes it true is not decided, even if both hold
        ("(lit() then LOOK()) -> (aired() then wet(can))", "open_door; soak can"),
        ("(lit() then LOOK()) -> (aired() then wet(can))", "press; look; open_door; soak can"),
        ("G not wet(box)", "press; open_door"),
        (
            "(not (lit() then not lit())) and (aired() then LOOK())",
            "press; open_door; soak can; look",
        ),
        ("exists x - thing. (not (wet(x) then painted(x)))", "press; open_door"),
        # parts in order that are themselves in order
        (
            "((lit() then LOOK()) or aired()) then painted(box)",
            "open_door; press; look; paint box",
        ),
        (
            "(lit() or (aired() then LOOK())) then painted(box)",
            "open_door; press; look; paint box",
        ),
    ],
)
def test_what_a_goal_in_time_denies_is_not_taken_apart(formula: str, plan: str) -> None:
    task = workshop_task(formula=formula)
    found = causes(task, steps(plan))
    assert found.goals[-1].met
    assert found.fixed
    assert found.idle == ()
    assert found.order.count() == 1
    assert (found.goals[-1].because, found.goals[-1].rests_on) == ((), ())


def test_a_formula_that_does_not_hold_fixes_the_order_only_of_what_else_is_met() -> None:
    unmet = causes(workshop_task("painted(box)", formula="G lit()"), steps("press; open_door"))
    assert not unmet.fixed
    assert [goal.met for goal in unmet.goals] == [False, False]
    met = causes(workshop_task("aired()", formula="G lit()"), steps("press; open_door"))
    assert met.fixed
    assert [(goal.kind, goal.met) for goal in met.goals] == [("state", True), ("formula", False)]


def test_a_formula_about_the_last_state_says_no_more_than_its_conditions() -> None:
    task = workshop_task("lit()", formula="lit()")
    found = causes(task, steps("open_door; press"))
    assert [(goal.kind, goal.met) for goal in found.goals] == [("state", True)]
    assert found.idle == (1,)


def test_the_alternative_with_the_largest_share_is_taken_apart() -> None:
    options = (["painted(box)", "wet(can)"], ["lit()", "wet(pot)"])
    for first, second in (options, options[::-1]):
        task = workshop_task(*first, otherwise=second)
        found = causes(task, steps("press; open_door"))
        assert [(goal.condition, goal.met) for goal in found.goals] == [
            ("lit()", True),
            ("wet(pot)", False),
        ]


def test_while_no_alternative_is_met_what_the_others_rest_on_is_not_idle() -> None:
    task = workshop_task("painted(box)", "aired()", otherwise=["lit()", "wet(can)", "wet(box)"])
    found = causes(task, steps("open_door; press; put can pot"))
    assert [goal.condition for goal in found.goals] == ["painted(box)", "aired()"]
    assert found.idle == (3,)
    met = causes(task, steps("open_door; press; paint box"))
    assert all(goal.met for goal in met.goals)
    assert met.idle == (2,)


def test_a_demanded_action_needs_what_it_needs_and_keeps_its_place() -> None:
    found = causes(workshop_task(actions=["look"]), steps("open_door; press; look; press"))
    [goal] = found.goals
    assert (goal.since, goal.rests_on, goal.because) == (3, (2, 3), (Link("lit()", 2),))
    assert found.idle == (1, 4)


def test_the_story_tells_what_an_unmet_condition_rests_on_and_of_a_met_one_nothing() -> None:
    task = workshop_task("painted(box)", "wet(can)")
    story = str(causes(task, steps("open_door; paint box; soak box; soak can"))).splitlines()
    assert "  unmet painted(box) (lost by step 3)" in story
    assert "    not painted(box) since step 3, soak(box)" in story
    assert "  met   wet(can) since step 4, rests on step 4" in story
    assert not [line for line in story if line.startswith("    wet(can)")]


def test_the_story_of_a_failure_says_each_condition_once() -> None:
    found = causes(workshop_task("painted(box)", initially=["wet box"]), steps("paint box"))
    assert found.failure is not None
    assert found.failure.kind is ErrorKind.MISSING_STEP
    story = str(found).splitlines()
    assert sum(failed.condition in line for failed in found.failure.conditions for line in story)
    assert story[0] == "0 of 1 steps can be done"


def test_orders_that_are_too_many_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = causes(workshop_task("lit()"), steps("press"))
    assert found.as_dict()["orders"] == 1
    monkeypatch.setattr(PartialOrder, "count", lambda _self: None)
    last = str(found).splitlines()[-1]
    assert "orderings" in last
    assert not any(character.isdigit() for character in last)
    assert found.as_dict()["orders"] is None
    assert "orderings" in found._repr_html_()


def test_the_order_without_a_seed_is_that_of_seed_0() -> None:
    found = causes(
        workshop_task("lit()"), steps("soak box; soak can; soak pot; put box can; press")
    )
    assert found.reordered() == found.reordered(0)
    assert len({found.reordered(seed) for seed in range(5)}) > 1
    assert found.reordered(0) != found.reordered(1)


def test_a_step_that_is_not_idle_cannot_be_left_out() -> None:
    task = workshop_task("painted(box)")
    for plan, idle in (
        ("open_door; paint box", ()),
        ("open_door; press; paint box; look", (2, 4)),
    ):
        found = causes(task, steps(plan))
        assert found.idle == idle
        for step in {0, *range(1, len(found.plan) + 2)} - {*idle}:
            with pytest.raises(InputError) as caught:
                found.without(step)
            assert str(step) in caught.value.what
            assert [int(each) for each in re.findall(r"\d+", str(caught.value.expected))] == [*idle]
