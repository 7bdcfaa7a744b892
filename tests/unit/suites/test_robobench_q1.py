"""Plans of RoboBench, judged by nodes and by a rollout."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from itertools import permutations
from typing import Any

import pytest
from robobench_plans import FIGURE_6, text_of

from eai.errors import InputError
from eai.suites.robobench import judge_plan
from eai.suites.robobench.plans import Step, read_answer, read_gold
from eai.suites.robobench.score import Gold
from eai.suites.robobench.suite import RoboBenchExamples

GOLD = RoboBenchExamples().items
WORKED = [
    json.loads(line)
    for line in resources.files("eai.data.tasks.robobench_examples")
    .joinpath("worked.jsonl")
    .read_text("utf-8")
    .splitlines()
]
PLANS = [one for one in WORKED if GOLD[one["id"]].ability == "multi_step_plan"]
STEPS = [str(step) for step in read_gold(FIGURE_6)]
TWO_CHAINS = {"1": [2], "2": [3], "4": [5], "5": [6]}


def scores(gold: str, plan: str, **options: object) -> tuple[int, int | None]:
    score = judge_plan(gold, plan, **options)  # type: ignore[arg-type]
    return score.node, score.completion


def without(*left_out: int) -> str:
    kept = [step for i, step in enumerate(STEPS, start=1) if i not in left_out]
    return ", ".join(f"{i}-{step}" for i, step in enumerate(kept, start=1))


@pytest.mark.parametrize("one", PLANS, ids=lambda one: one["id"])
def test_worked_examples(one: Any) -> None:
    node, completion = scores(GOLD[one["id"]].gold, one["output"])
    assert one["node"] in (None, node)
    assert completion == one["completion"]


def test_gold_plans_are_worth_everything() -> None:
    items = [item for item in GOLD.values() if item.ability == "multi_step_plan"]
    found = {item.id: scores(item.gold, item.gold, dag=item.dag) for item in items}
    assert found == dict.fromkeys(found, (10, 10))
    assert len(found) > 50


def test_what_is_left_out_is_lost() -> None:
    assert scores(FIGURE_6, without(2)) == (8, 5)  # it is not held
    assert scores(FIGURE_6, without(3)) == (8, 0)  # the gripper stays busy
    assert scores(FIGURE_6, ", ".join(reversed(STEPS))) == (10, 0)
    drawer = "1-open(drawer), 2-move_to(none, cup), 3-pick_up(cup), 4-place(cup, drawer)"
    assert scores(drawer, "1-move_to(none, cup), 2-pick_up(cup), 3-place(cup, drawer)") == (7, 0)
    route = "1-go_forward(tv), 2-turn_left(), 3-go_forward(shower), 4-turn_right(), "
    assert scores(f"{route}5-go_forward(toilet)", route) == (8, 6)


def test_orders_of_two_chains_and_one_gripper() -> None:
    found: Counter[tuple[int, int | None, bool]] = Counter()
    for order in permutations(range(6)):
        if [i for i in order if i < 3] == [0, 1, 2] and [i for i in order if i > 2] == [3, 4, 5]:
            score = judge_plan(FIGURE_6, ", ".join(STEPS[i] for i in order), TWO_CHAINS)
            assert score.is_linear_extension
            found[score.node, score.completion, bool(score.resource_conflicts)] += 1
    assert found == {(10, 10, False): 8, (10, 5, True): 12}


def test_a_gold_order_is_kept() -> None:
    gold = "1-pick_up(cup), 2-place(cup, tray), 3-press(none, button)"
    early = "1-press(none, button), 2-pick_up(cup), 3-place(cup, tray)"
    assert scores(gold, early) == (10, 10)
    score = judge_plan(gold, early, {"1": [2], "2": [3]})
    assert (score.node, score.completion, score.precedence) == (10, 5, (1, 2))
    assert [each.early for each in score.milestones] == [False, True]
    assert not score.is_linear_extension


SHAPES = [
    {"1": ["2"], "2": ["3"]},
    [[1, 2], [2, 3]],
    {"nodes": [{"id": "a", "label": "pick_up(cup)"}, {"id": "b", "action": "2-place(cup, tray)"},
               {"id": "c", "label": 3}], "edges": [{"source": "a", "target": "b"}, ["b", "c"]]},
    ["1-pick_up(cup) -> 2-place(cup, tray)", "place(cup, tray) -> press(none, button)"],
    "1 -> 2 -> 3",
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_a_gold_order(shape: object) -> None:
    gold = "1-pick_up(cup), 2-place(cup, tray), 3-press(none, button)"
    score = judge_plan(gold, gold, shape)
    assert score.gold.order == ((0, 1), (1, 2))
    assert score.notes == ()


@pytest.mark.parametrize("shape", [{"1": [2], "2": [1]}, [["1", "9"]], 7, "no", {"1": 2}, [{}]])
def test_an_unusable_gold_order_is_said(shape: object) -> None:
    gold = "1-pick_up(cup), 2-place(cup, tray)"
    score = judge_plan(gold, gold, shape)
    assert (score.node, score.completion) == (10, 10)
    assert "the gold order cannot be read" in score.notes[0]


def test_of_alike_steps_those_match_that_keep_the_order() -> None:
    gold = "1-pick_up(a), 2-place(a, tray), 3-pick_up(a), 4-place(a, box)"
    score = judge_plan(gold, "1-place(a, tray), 2-pick_up(a), 3-place(a, box)")
    assert score.matched == (None, 0, 1, 2)
    assert score.precedence == (0, 2)
    assert score.is_linear_extension
    again = judge_plan(
        "1-pick_up(a), 2-place(a, tray)", "1-place(a, tray), 2-pick_up(a), 3-place(a, tray)"
    )
    assert again.matched == (1, 2)
    swapped = judge_plan(gold, "1-place(a, box), 2-pick_up(a), 3-place(a, tray)")
    assert not swapped.is_linear_extension


def test_other_skills_reach_the_same_end() -> None:
    drawer = "1-pull(drawer, open), 2-pick_up(cup), 3-place(cup, drawer), 4-push(drawer, close)"
    other = "1-open(drawer), 2-pick_up(cup), 3-insert(cup, drawer), 4-close(drawer)"
    assert scores(drawer, other) == (2, 10)
    assert scores("1-press(none, lamp_switch)", "1-turn_on(lamp_switch)") == (0, 10)
    assert scores("1-press(none, red_button)", "1-push(red_button, down)") == (0, 10)
    spoon = "1-pick_up(spoon), 2-scoop(spoon, rice, pot), 3-pour(spoon, rice, bowl)"
    assert scores(spoon, "1-pick_up(pot), 2-pour(pot, rice, bowl)") == (0, 10)
    assert scores(spoon, "1-pick_up(spoon), 2-pour(spoon, rice, bowl)") == (6, 0)


def test_what_is_done_has_to_stay() -> None:
    gold = "1-pick_up(cup), 2-place(cup, tray)"
    score = judge_plan(gold, f"{gold}, 3-pick_up(cup)")
    assert (score.node, score.completion) == (10, 0)
    [tray] = score.milestones
    assert (tray.milestone.text, tray.since, tray.lost_by) == ("at(cup, tray)", 2, 3)
    open_first = "1-pull(drawer, open), 2-pick_up(cup), 3-place(cup, drawer)"
    shut_early = "1-pull(drawer, open), 2-push(drawer, close), 3-pick_up(cup), 4-place(cup, drawer)"
    assert scores(open_first, shut_early) == (10, 0)


def test_what_is_taken_out_of_what_is_opened_was_inside() -> None:
    gold = "1-pull(drawer, open), 2-pick_up(spoon), 3-place(spoon, tray)"
    assert scores(gold, "1-pick_up(spoon), 2-place(spoon, tray)") == (6, 0)
    scene = "(closed drawer) (at spoon table)"
    assert scores(gold, "1-pick_up(spoon), 2-place(spoon, tray)", scene=scene) == (6, 5)


def test_two_arms() -> None:
    gold = "1-left:pick_up(cup), 2-left:transfer(left, right, cup), 3-right:place(cup, tray)"
    assert scores(gold, "1-left:pick_up(cup), 2-right:place(cup, tray)") == (6, 0)
    assert scores(gold, "1-right:pick_up(cup), 2-right:place(cup, tray)") == (3, 10)
    both = "1-left:pick_up(box), right:pick_up(box), 2-left:place(box, mat), right:place(box, mat)"
    assert scores(both, both) == (10, 10)
    one_arm = "1-left:pick_up(a), right:pick_up(b), 2-left:place(a, c), right:place(b, c)"
    assert judge_plan(FIGURE_6, one_arm).resource_conflicts == (2,)


def test_what_gold_does_itself_is_waived() -> None:
    gold = "1-place(cup, tray), 2-pick_up(pen), 3-pick_up(cap), 4-insert(cap, pen)"
    score = judge_plan(gold, gold)
    assert (score.node, score.completion) == (10, 10)
    assert [*map(str, score.gold.waived)] == ["place: not held", "pick_up: gripper busy"]


def test_unknown_contents_match_any_and_greedy_may_miss_some() -> None:
    gold = "1-scoop(spoon, unknown, pot), 2-scoop(spoon, rice, pot)"
    assert judge_plan(gold, "1-scoop(spoon, soup, pot), 2-scoop(spoon, rice, pot)").node == 10
    gold = "1-pour(pot, unknown, unknown), 2-pour(pot, unknown, bowl)"
    plan = "1-pour(pot, rice, bowl), 2-pour(pot, rice, cup)"
    assert judge_plan(gold, plan).node == 10
    assert judge_plan(gold, plan, quirks=frozenset(("greedy_matching",))).node == 5


def test_names() -> None:
    gold = "1-pick_up(red_cup), 2-place(red_cup, upper_drawer)"
    for plan in (
        "1-pick_up(the red mug), 2-place(Red-Cup, top_drawer_handle)",
        "1-pick_up(cup), 2-place(cup, drawer)",
    ):
        assert judge_plan(gold, plan).node == 10
    for plan in ("1-pick_up(blue_cup)", "1-pick_up(plate)", "1-place(red_cup, lower_drawer)"):
        assert judge_plan(gold, plan).node == 0
    two = "1-pick_up(red_cup), 2-place(red_cup, tray), 3-pick_up(blue_cup)"
    assert judge_plan(two, "1-pick_up(cup)").node == 0  # which one?
    strict = frozenset(("marks_said_alike",))
    assert judge_plan(gold, "1-pick_up(cup)", quirks=strict).node == 0
    loose = frozenset(("first_release_names",))
    fruit = "1-pick_up(apple)"
    assert judge_plan(fruit, "1-pick_up(fruit)").node == 0
    assert judge_plan(fruit, "1-pick_up(fruit)", quirks=loose).node == 10


def test_a_resolver_decides_what_is_left_open() -> None:
    score = judge_plan("1-pick_up(cola)", "1-pick_up(soda)", resolver=lambda _a, _b: "same")
    assert (score.node, score.names_asked) == (10, 1)
    with pytest.raises(InputError, match="the resolver of names said"):
        judge_plan("1-pick_up(cola)", "1-pick_up(soda)", resolver=lambda _a, _b: "yes")


def test_an_empty_goal() -> None:
    gold = "1-left:no_ops, right:move_to(none, book)"
    assert scores(gold, "") == (0, 10)
    assert judge_plan(gold, "", quirks=frozenset()).score is None


@pytest.mark.parametrize(
    "text",
    [
        "1-pick_up(cup), 2-place(cup, tray)",
        "pick_up(cup)\nplace(cup, tray)",
        "Sure.\n1. pick_up(cup)\n2. Place(cup, tray)\nThis works (I hope).",
        '```json\n["1-pick_up(cup)", "2-place(cup, tray)"]\n```',
        "<think>1-grasp(x)</think> 7-pick_up(cup), 7-place(cup, tray)",
        "First I thought of 1-grasp(cup). Final answer: 1-pick_up(cup), 2-place(cup, tray)",
    ],
)
def test_how_answers_are_written(text: str) -> None:
    steps = read_answer(text).steps
    assert [(step.skill, step.arguments) for step in steps] == [
        ("pick_up", ("cup",)),
        ("place", ("cup", "tray")),
    ]


def test_lines_of_two_arms() -> None:
    plan = "1-left:no_ops, right:grasp('2'_block), 2-right:hold('2'_block), 3-mobile(sofa)"
    steps = read_gold(plan)
    assert steps[:2] == (Step(1, "no_ops", (), "left"), Step(1, "grasp", ("'2'_block",), "right"))
    assert text_of(steps) == plan
    assert read_answer("Left arm: no_ops, Right arm: grasp(cup)").steps == (
        Step(1, "no_ops", (), "left"),
        Step(1, "grasp", ("cup",), "right"),
    )


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("1-third:pick_up(cup)", "there is no arm 'third'"),
        ("1-lift(cup)", "there is no skill 'lift'"),
        ("1-place(cup)", "place has 1 arguments and takes 2 (object, target)"),
        ("1-pick_up(cup(red), (x))", "pick_up has 2 arguments and takes 1 (object)"),
    ],
)
def test_steps_that_are_impossible(text: str, mistake: str) -> None:
    score = judge_plan("1-pick_up(cup)", text)
    assert (score.node, score.failures) == (0, {0: mistake})


@pytest.mark.parametrize(
    "text", ["", "pick up the cup", "1-lift(cup)", "1-pick_up(cup", "1-pick_up(a, b)"]
)
def test_gold_is_read_strictly(text: str) -> None:
    with pytest.raises(InputError):
        read_gold(text)


def test_an_answer_that_cannot_be_read() -> None:
    assert judge_plan("1-pick_up(cup)", "I would lift it.").problem
    assert judge_plan("1-pick_up(cup)", "pick_up(cup) " * 10_001).problem
    assert judge_plan("1-pick_up(cup)", "1-no_ops, " * 1_000_000).problem
    assert not judge_plan("1-pick_up(cup)", "").problem
    assert judge_plan("1-pick_up(杯子)", "1-pick_up(杯子)").node == 10


def test_the_ledger_says_what_became_of_every_step() -> None:
    score = judge_plan(FIGURE_6, without(2))
    failed = score.ledger[1]
    assert (failed.done, failed.reason, failed.node) == (False, "not held", 2)
    assert score.ledger[-1].changes[0] == "at(strawberry, plate)"
    assert (score.executability, score.precision, round(score.f1, 3)) == (0.8, 1.0, 0.909)


def test_a_name_of_any_length_takes_no_time() -> None:
    assert judge_plan("1-pick_up(cup)", "1-pick_up(" + "of " * 100_000 + ")").node == 0


def test_a_plan_may_be_a_list_of_steps() -> None:
    gold = ["1-pick_up(cup)", "2-place(cup, tray)"]
    assert judge_plan(gold, ["1-pick_up(cup)"]).node == 5


@pytest.mark.parametrize(
    ("gold", "plan"),
    [
        ("pick_up(flash_drive)", "pick_up(usb_stick)"),
        ("pick_up(light_bulb)", "pick_up(bulb)"),
        ("pick_up(the_red_light_bulb)", "pick_up(red_bulb)"),
        ("pick_up(spectacles)", "pick_up(glasses)"),
        ("pick_up(remote_control)", "pick_up(remote)"),
    ],
)
def test_what_has_two_names_is_one_thing(gold: str, plan: str) -> None:
    assert scores(f"1-{gold}", f"1-{plan}")[0] == 10


def test_a_lid_is_pulled_open_as_well_as_turned_up() -> None:
    gold = "1-turn(laptop_lid, up, open), 2-press(none, power_button)"
    assert scores(gold, "1-pull(laptop_lid, up), 2-press(none, power_button)") == (5, 10)


def test_what_a_gold_plan_supposes_twice_is_waived_and_no_milestone() -> None:
    gold = Gold("1-scoop(spoon, rice, shelf), 2-pour(shelf, cup, shelf)")
    assert [each.operator for each in gold.waived] == ["scoop", "pour"]
    assert gold.milestones == ()


DRAWER = "1-open(drawer), 2-pick_up(pen), 3-place(pen, drawer), 4-close(drawer)"
TRUNK = "1-open(lid), 2-pick_up(toy), 3-place(toy, box), 4-close(lid)"
WASH = (
    "1-open(washing_machine), 2-pick_up(shirt), 3-place(shirt, washing_machine), "
    "4-close(washing_machine), 5-turn_on(washing_machine)"
)


@pytest.mark.parametrize(
    ("gold", "plan"),
    [
        ("1-pick_up(cup), 2-place(cup, window_sill)", "pick_up(cup), place(cup, windowsill)"),
        ("1-pick_up(toothbrush)", "pick_up(tooth-brush)"),
        ("1-pick_up(water_bottle)", "pick_up(WaterBottle)"),
        ("1-pick_up(can), 2-place(can, trash_can)", "pick_up(can), place(can, trashcan)"),
        (
            "1-pick_up(pot), 2-place(pot, countertop)",
            "pick_up(pot), place(pot, kitchen counter top)",
        ),
    ],
)
def test_names_are_spelled_apart_and_in_one(gold: str, plan: str) -> None:
    assert scores(gold, plan) == (10, 10)


def test_names_that_are_not_taken_for_one_of_gold_are_notes() -> None:
    score = judge_plan(
        "1-pick_up(cup), 2-place(cup, kitchen_table)", "pick_up(cup), place(cup, coffee_table)"
    )
    assert (score.node, score.completion, len(score.notes)) == (5, 0, 1)


def test_what_is_closed_early_and_opened_again_in_time_is_in_order() -> None:
    order = ["1 -> 2", "2 -> 3", "3 -> 4"]
    again = (
        "open(drawer), close(drawer), open(drawer), pick_up(pen), place(pen, drawer), close(drawer)"
    )
    assert scores(DRAWER, again, dag=order) == (10, 10)
    early = "open(drawer), close(drawer), pick_up(pen), place(pen, drawer)"
    assert scores(DRAWER, early, dag=order) == (10, 0)


def test_what_adds_up_counts_each_time() -> None:
    fold = "1-fold(towel, middle), 2-fold(towel, middle), 3-fold(towel, middle)"
    assert scores(fold, "fold(towel, middle), fold(towel, middle)") == (6, 6)
    assert scores("1-fold(towel, middle)", fold) == (10, 10)
    arms = "1-left:fold(towel, middle), right:fold(towel, middle)"
    assert scores(arms, arms) == (10, 10)


def test_a_parallel_branch_needs_no_door_of_another() -> None:
    gold = "1-open(drawer), 2-pick_up(apple), 3-place(apple, bowl), 4-close(drawer)"
    plan = "pick_up(apple), place(apple, bowl)"
    assert scores(gold, plan, dag=["1 -> 4", "2 -> 3"]) == (5, 3)
    assert scores(gold, plan, dag=["1 -> 2", "2 -> 3", "3 -> 4"]) == (5, 0)


def test_a_lid_of_its_own_shuts_its_box() -> None:
    assert scores(TRUNK, TRUNK) == (10, 10)
    assert scores(TRUNK, "pick_up(toy), place(toy, box)") == (5, 0)
    pot = "1-pick_up(lid), 2-place(lid, table), 3-pick_up(egg), 4-place(egg, pot)"
    assert scores(pot, pot) == (10, 10)
    assert scores(pot, "pick_up(egg), place(egg, pot)") == (5, 0)


def test_a_machine_is_turned_on_while_it_is_shut() -> None:
    assert scores(WASH, WASH) == (10, 10)
    assert scores(WASH, WASH.partition(", 5")[0]) == (8, 7)
    assert scores(WASH, WASH.replace("4-close(washing_machine), ", "")) == (8, 5)
