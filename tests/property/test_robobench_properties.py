"""What holds of the scores of any plan of RoboBench."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given, strategies as st
from robobench_plans import chains, disturbed, gold_plan, numbered, reached_directly, text_of

from eai.suites.robobench import judge_plan
from eai.suites.robobench.plans import Step, read_answer, read_gold

seeds = st.integers(0, 10_000)


@given(seeds)
def test_gold_plans_are_worth_everything_and_are_read_as_written(seed: int) -> None:
    gold = gold_plan(seed)
    text = text_of(gold)
    assert [*read_gold(text)] == gold
    score = judge_plan(text, text)
    assert (score.node, score.completion, score.executability) == (10, 10, 1.0)


@given(seeds, seeds)
def test_words_around_a_plan_change_no_step(seed: int, other: int) -> None:
    plan = text_of(disturbed(gold_plan(seed), other))
    steps = read_answer(plan).steps
    assert read_answer(f"Here it is.\n{plan}\nDone.").steps == steps
    in_arms = plan.replace("-", "-left:")
    assert read_answer(f"Here it is.\n{in_arms}").steps == read_answer(in_arms).steps


@given(seeds, seeds)
def test_harmless_changes_change_nothing(seed: int, other: int) -> None:
    gold, dice = gold_plan(seed), random.Random(other)
    plan = disturbed(gold, other)
    score = judge_plan(text_of(gold), text_of(plan))

    def renamed(text: str) -> str:
        return text.replace("apple", "zwieback").replace("pear", "wombat")

    idle = [*plan]
    idle.insert(dice.randint(0, len(plan)), Step(1, "no_ops"))
    prose = "First:\n" + ".\nThen ".join(map(str, plan)) + "\nThat is all."
    for new_gold, text in (
        (renamed(text_of(gold)), renamed(text_of(plan))),
        (text_of(gold), text_of(numbered(idle))),
        (text_of(gold), prose if plan else ""),
    ):
        new = judge_plan(new_gold, text)
        assert (new.node, new.completion) == (score.node, score.completion)


@given(seeds, seeds)
def test_nodes_do_not_depend_on_order_and_deletion_never_adds_any(seed: int, other: int) -> None:
    gold, dice = gold_plan(seed), random.Random(other)
    plan = disturbed(gold, other)
    node = judge_plan(text_of(gold), text_of(plan)).node
    shuffled = dice.sample(plan, len(plan))
    assert judge_plan(text_of(gold), text_of(numbered(shuffled))).node == node
    if plan:
        shuffled.pop()
        assert judge_plan(text_of(gold), text_of(numbered(shuffled))).node <= node


@given(seeds)
def test_without_its_only_producer_a_milestone_is_lost(seed: int) -> None:
    gold = gold_plan(seed)
    whole = judge_plan(text_of(gold), text_of(gold))
    for each in whole.milestones:
        at = each.milestone.step
        if [(s.skill, s.arguments) for s in gold].count((gold[at].skill, gold[at].arguments)) > 1:
            continue
        rest = [step for i, step in enumerate(gold) if i != at]
        new = judge_plan(text_of(gold), text_of(numbered(rest)))
        lost = {m.milestone.step for m in new.milestones if not m.reached}
        assert at in lost


@given(seeds, seeds)
def test_milestones_are_what_the_states_say(seed: int, other: int) -> None:
    gold = gold_plan(seed)
    score = judge_plan(text_of(gold), text_of(disturbed(gold, other)))
    for each in score.milestones:
        assert each.reached == reached_directly(each.milestone, score.execution.trajectory)


@given(seeds, seeds)
def test_every_order_that_one_gripper_allows_is_worth_everything(seed: int, other: int) -> None:
    parts, dice = chains(seed), random.Random(other)
    gold = numbered([call for part in parts for call in part])
    lines, order = iter(range(1, len(gold) + 1)), list[list[int]]()
    for part in parts:
        order += [*map(list, pairwise([next(lines) for _ in part]))]
    plan, waiting, busy = list[tuple[str, tuple[str, ...]]](), [[*part] for part in parts], -1
    while any(waiting):
        able = [i for i, part in enumerate(waiting) if part]
        free = [i for i in able if waiting[i][0][0] != "pick_up" or busy < 0]
        at = dice.choice(free)
        plan.append(waiting[at].pop(0))
        busy = {"pick_up": at, "place": -1}.get(plan[-1][0], busy)
    score = judge_plan(text_of(gold), text_of(numbered(plan)), order)
    assert (score.node, score.completion, score.notes) == (10, 10, ())
    alike = len({(step.skill, step.arguments) for step in gold}) < len(gold)
    assert score.is_linear_extension or alike  # those are matched from left to right


@given(st.text() | st.text("1-:(),_ pick_uplaceleftno\n\"'"))
def test_nothing_that_a_model_writes_is_an_exception(text: str) -> None:
    score = judge_plan("1-left:pick_up(cup), right:no_ops, 2-left:place(cup, tray)", text)
    assert 0 <= score.node <= 10
    assert [*read_answer(text).steps] == [*score.plan]
