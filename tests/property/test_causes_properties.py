"""What causes promise: what serves nothing can go, and any order that is left open works."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice, permutations

import pytest
from causes_worlds import OPERATORS, THINGS, steps, verdict, workshop_task
from hypothesis import given, settings, strategies as st

from eai.diagnosis import Causes
from eai.diagnosis.causes import causes
from eai.suites.household import Household
from eai.task import Task
from eai.world import Action

SUITE = Household()
Plan = tuple[Action, ...]
Verdict = tuple[bool, bool, tuple[tuple[str, bool], ...]]

FACTS = ("lit", "door_open", "window_open", "aired", "painted box", "wet can", "in can box")
CONDITIONS = (
    "lit()",
    "not lit()",
    "aired()",
    "painted(box)",
    "not painted(box) or wet(can)",
    "nested(can, pot)",
    "not nested(can, pot)",
    "wet(can)",
    "forall x - thing. (painted(x) -> not wet(x))",
    "exists x - thing. (painted(x) and wet(x))",
    "exists x - thing. (nested(x, pot))",
    "painted(can)",
)
FORMULAS = (
    "lit() then not lit()",
    "aired() then painted(box)",
    "LOOK() then lit()",
    "wet(can) then not wet(can)",
    "(lit() then painted(can)) and (aired() then wet(can))",
    "(lit() then LOOK()) or (aired() then painted(box))",
    "exists x - thing. (wet(x) then painted(x))",
    "G not wet(box)",
    "not (lit() then not lit())",
)

objects = st.sampled_from(THINGS)
action = st.sampled_from(sorted(OPERATORS)).flatmap(
    lambda name: st.tuples(*[objects] * OPERATORS[name]).map(lambda names: Action(name, names))
)
tasks: st.SearchStrategy[Task] = st.builds(
    lambda first, facts, formula, actions, otherwise: workshop_task(
        *first, initially=facts, formula=formula, actions=actions, otherwise=otherwise
    ),
    st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3, unique=True),
    st.sets(st.sampled_from(FACTS[:3] + FACTS[4:])).map(sorted),
    st.just("") | st.sampled_from(FORMULAS),
    st.lists(st.sampled_from(["look", "press", "dry"]), max_size=2),
    st.lists(st.sampled_from(CONDITIONS), max_size=2, unique=True),
)
plans: st.SearchStrategy[Plan] = st.lists(action, max_size=5).map(tuple)


def rest_of(found: Causes) -> Plan:
    """What comes from the failure on."""
    return () if found.failure is None else found.plan[found.failure.step - 1 :]


def same(one: Verdict, other: Verdict) -> bool:
    """Whether verdicts agree, and what is not met; of alternatives that are met, any will do."""
    return one[:2] == other[:2] and unmet(one) == unmet(other)


def unmet(one: Verdict) -> list[str]:
    return [text for text, met in one[2] if not met]


def check_idle_steps(task: Task, found: Causes) -> None:
    before = verdict(task, found.plan)
    for step in found.idle:
        assert same(verdict(task, found.without(step)), before), f"without step {step}"
    assert same(verdict(task, found.needed()), before)


@settings(max_examples=120)
@given(tasks, plans)
def test_idle_steps_can_be_left_out_of_any_plan(task: Task, plan: Plan) -> None:
    check_idle_steps(task, causes(task, plan))


@settings(max_examples=50)
@given(tasks, plans)
def test_every_order_that_is_left_open_has_the_same_verdict(task: Task, plan: Plan) -> None:
    found = causes(task, plan)
    before = verdict(task, plan)
    some = (each for each in permutations(found.order.steps) if found.order.permits(each))
    for order in islice(some, 20):
        again = (*(plan[number - 1] for number in order), *rest_of(found))
        assert same(verdict(task, again), before), order


@settings(max_examples=50)
@given(tasks, plans)
def test_causes_are_data_and_text_without_surprises(task: Task, plan: Plan) -> None:
    found = causes(task, plan)
    assert json.loads(json.dumps(found.as_dict()))["idle"] == list(found.idle)
    assert len(found.steps) == len(plan)
    assert str(found).startswith(f"{len(found.order.steps)} of {len(plan)} steps")
    for step in found.steps:
        assert all(link.maker < step.number for link in step.uses)
        assert all(user > step.number for user in step.users)
    success, executable, _ = verdict(task, plan)
    assert executable is (found.failure is None)
    assert success is (executable and all(goal.met for goal in found.goals))


# ------------------------------------------------------------------ household
@cache
def known(name: str) -> Task:
    return SUITE.task(name)


def damaged(name: str) -> st.SearchStrategy[tuple[str, Plan]]:
    """A reference plan with a few steps taken from another place, or from another plan."""
    own = [step for plan in known(name).plans for step in plan]
    edit = st.tuples(st.sampled_from(["drop", "put"]), st.integers(0, 20), st.sampled_from(own))

    def change(plan: Plan, edits: list[tuple[str, int, Action]]) -> tuple[str, Plan]:
        wrong = list(plan)
        for kind, at, new in edits:
            place = at % (len(wrong) + 1)
            wrong[place : place + (kind == "drop")] = [new] if kind == "put" else []
        return name, tuple(wrong)

    return st.builds(change, st.sampled_from(known(name).plans), st.lists(edit, max_size=3))


household = st.sampled_from(SUITE.task_ids()).flatmap(damaged)


@pytest.mark.heavy
def test_reference_plans_of_the_household_keep_their_verdict() -> None:
    orders = 0
    for name in SUITE.task_ids():
        task = known(name)
        for plan in task.plans:
            found = causes(task, plan)
            check_idle_steps(task, found)
            orders += found.order.count() or 0
            for seed in range(2):
                assert verdict(task, found.reordered(seed)) == verdict(task, plan)
    assert orders > len(SUITE.task_ids())


@settings(max_examples=50)
@given(household, st.integers(0, 9))
def test_damaged_plans_of_the_household_keep_their_verdict(
    example: tuple[str, Plan], seed: int
) -> None:
    name, plan = example
    task = known(name)
    found = causes(task, plan)
    check_idle_steps(task, found)
    again = (*found.reordered(seed), *rest_of(found))
    assert verdict(task, again)[:2] == verdict(task, plan)[:2]


def test_a_plan_of_one_kind_of_everything() -> None:
    task = workshop_task("painted(box)", "nested(can, pot)")
    plan = steps("press; open_door; put can box; put box pot; paint box; slam; open_window")
    found = causes(task, plan)
    assert found.idle == (1, 6, 7)
    check_idle_steps(task, found)
