"""The kinds of mistakes in plans of RoboBench."""

from __future__ import annotations

import time

import pytest
from robobench_plans import gold_plan, numbered, text_of

from eai.rewards import Reward
from eai.suites.robobench import judge_plan
from eai.suites.robobench.mistakes import MISTAKES, mistakes_of
from eai.suites.robobench.plans import Step

CUP = "1-pick_up(cup), 2-place(cup, tray)"
CASES = [
    ("missing_steps", CUP, "1-pick_up(cup)"),
    ("missing_steps", CUP, "1-place(cup, tray)"),
    ("impossible_actions", CUP, "1-lift(cup), 2-place(cup, tray)"),
    ("impossible_actions", CUP, "1-pick_up(cup), 2-place(cup)"),
    ("redundant_steps", CUP, f"{CUP}, 3-press(none, lamp)"),
    ("redundant_steps", CUP,
     "1-pick_up(pen), 2-place(pen, box), 3-pick_up(cup), 4-place(cup, tray)"),
    ("wrong_function", CUP, "1-pick_up(cup), 2-pour(cup, water, tray)"),
    ("wrong_function", "1-cut(knife, bread, board)", "1-wipe(knife, bread, board)"),
    ("parameter_mismatch", CUP, "1-pick_up(cup), 2-place(cup, shelf)"),
    ("parameter_mismatch", "1-insert(key, lock)", "1-insert(key, door)"),
    ("wrong_object", CUP, "1-pick_up(pen), 2-place(pen, tray)"),
    ("wrong_object", "1-press(none, lamp)", "1-press(none, radio)"),
    ("physics_violations", "1-pick_up(a), 2-place(a, b), 3-pick_up(c), 4-place(c, b)",
     "1-pick_up(a), 2-pick_up(c), 3-place(a, b), 4-place(c, b)"),
    ("physics_violations", "1-pull(drawer, open), 2-pick_up(cup), 3-place(cup, drawer)",
     "1-pick_up(cup), 2-place(cup, drawer), 3-pull(drawer, open)"),
    ("spatial_reasoning", "1-turn(tap, clockwise, open)", "1-turn(tap, anticlockwise, open)"),
    ("spatial_reasoning", "1-pull(drawer, outward)", "1-pull(drawer, inward)"),
    ("css_reference", "1-pick_up(3), 2-place(3, 5)", "1-pick_up(cup), 2-place(cup, 5)"),
    ("css_reference", "1-press(none, 2)", "1-press(none, button)"),
    ("dual_arm_assignment", "1-left:pick_up(cup), 2-left:place(cup, tray)",
     "1-right:pick_up(cup), 2-left:place(cup, tray)"),
    ("dual_arm_assignment", "1-left:grasp(cup), right:grasp(lid)",
     "1-right:grasp(cup), right:grasp(lid)"),
]  # fmt: skip


def kinds(gold: str, plan: str, **options: object) -> set[str]:
    return {each.kind for each in mistakes_of(judge_plan(gold, plan), **options)}  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "gold", "plan"), CASES)
def test_kinds(kind: str, gold: str, plan: str) -> None:
    assert kind in kinds(gold, plan)


def test_aliasing_needs_a_list_of_what_looks_alike() -> None:
    alike = [frozenset(("salt", "sugar")), frozenset(("purple_cup", "violet_glass"))]
    assert kinds("1-pick_up(salt)", "1-pick_up(sugar)") == {"wrong_object"}
    assert kinds("1-pick_up(salt)", "1-pick_up(sugar)", confusions=alike) == {"aliasing"}
    plan = "1-pick_up(violet_glass)"
    assert kinds("1-pick_up(purple_cup)", plan, confusions=alike) == {"aliasing"}
    assert {kind for kind, *_ in CASES} | {"aliasing"} == set(MISTAKES)


def test_a_mistake_says_the_step_and_what_was_expected() -> None:
    [mistake] = mistakes_of(judge_plan(CUP, "1-pick_up(cup), 2-place(cup, shelf)"))
    assert (
        str(mistake) == "parameter_mismatch: step 2, place(cup, shelf); expected: place(cup, tray)"
    )


@pytest.mark.heavy
def test_right_plans_have_none() -> None:
    alarms = plans = 0
    for seed in range(150):
        gold = gold_plan(seed)
        variants = [gold, numbered([Step(1, "no_ops"), *gold])]
        variants.append(numbered([("move_to", ("none", "apple")), *gold]))
        for plan in variants:
            plans += 1
            alarms += bool(kinds(text_of(gold), text_of(plan)))
        plans += 1
        renamed = text_of(gold).replace("pull(", "pull(the ").replace("_drawer", "-drawer_handle")
        alarms += bool(kinds(text_of(gold), renamed))
    assert alarms <= 0.02 * plans


def test_a_long_plan_takes_no_time() -> None:
    begin = time.process_time()
    plan = ", ".join(f"{i}-press(none, lamp_{i})" for i in range(1_500))
    found = mistakes_of(judge_plan(CUP, f"{plan}, {CUP}"))
    assert [each.kind for each in found[:2]] == ["redundant_steps"] * 2
    assert time.process_time() - begin < 5


def test_the_score_is_the_graded_reward() -> None:
    reward = Reward("robobench-examples", ability="multi_step_plan")
    name = "worked/fig6"
    assert reward.score(name, ["1-pick_up(carrot), 2-place(carrot, plate)", ""]) == [0.4, 0.0]
