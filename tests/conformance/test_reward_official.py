"""Rewards on the official tasks: their verdicts are the evaluator's."""

from __future__ import annotations

import random
from functools import partial

import pytest
from needs import facts, recordings

from eai.contract import PLANS, execution_of
from eai.errors import InputError
from eai.predictions import load_predictions
from eai.rewards import Reward
from eai.rewards.attempts import NOTHING
from eai.rewards.progress import Progress, _evaluated_attempt_function
from eai.suites.behavior import Behavior
from eai.suites.virtualhome import VirtualHome

pytestmark = pytest.mark.official

OUTPUTS = ("eai", "model_outputs", "virtualhome", "action_sequencing")
ANSWERS = facts(*OUTPUTS)


@pytest.fixture(scope="module")
def suite() -> VirtualHome:
    return VirtualHome()


@pytest.fixture(scope="module")
def reward(suite: VirtualHome) -> Reward:
    return Reward(suite)


@pytest.mark.heavy
def test_all_tasks_but_those_without_a_goal_can_be_rewarded(
    suite: VirtualHome, reward: Reward
) -> None:
    goalless = {
        name
        for name in suite.task_ids()
        if not suite.task(name).goal.actions and not any(suite.task(name).goal.final)
    }
    assert reward.tasks() == [name for name in suite.task_ids() if name not in goalless]


def test_tasks_without_a_goal_cannot_be_rewarded_under_official_either(suite: VirtualHome) -> None:
    reward = Reward(suite, semantics="official")
    for name in ("84_1", "93_1", "339_1", "627_1"):
        with pytest.raises(InputError, match="excludes it under 'strict'"):
            reward.score(name, ['{"SLEEP": [ ]}'])


def test_operators_cannot_be_rewarded_where_an_empty_answer_solves(suite: VirtualHome) -> None:
    strict = Reward(suite, "transition_modeling", kind="binary")
    assert strict.score("27_2", ["", "(:action)"]) == [0.0, 0.0]
    official = Reward(suite, "transition_modeling", kind="binary", semantics="official")
    with pytest.raises(InputError, match="an empty answer solves it"):
        official.score("27_2", [""])


def test_all_reference_plans_but_two_are_worth_one(suite: VirtualHome, reward: Reward) -> None:
    below = [
        name
        for name in reward.tasks()
        if reward.score(name, ["\n".join(map(str, suite.task(name).plans[0]))]) != [1.0]
    ]
    assert len(below) == 2


@pytest.mark.parametrize("place", range(0, 70, 9))
def test_rewards_of_behavior_are_those_of_its_evaluator(place: int) -> None:
    suite = Behavior()
    name = suite.task_ids()[place]
    strict, task = suite.semantics("strict"), suite.task(name)
    evaluated = partial(suite.evaluate, PLANS, task, semantics=strict)
    plainly = _evaluated_attempt_function(task, evaluated, None, are_plans=True)
    progress = Progress(task, task.world)
    reward, dice = Reward(suite), random.Random(name)
    for edits in range(12):
        plan = list(task.plans[0])
        for _ in range(edits % 4):
            step = plan.pop(dice.randrange(len(plan)))
            plan.insert(dice.randrange(len(plan) + 1), step)
        text = "\n".join(map(str, plan[: len(plan) - edits // 4]))
        expected = plainly(text)
        if not expected.solved:
            execution = execution_of(suite, task, text, strict)
            expected = NOTHING if execution is None else progress.measure(execution)
        assert expected.solved or edits, "the reference plan solves its task"
        assert reward.attempt(name, text) == expected


@recordings(*OUTPUTS)
@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_the_answers_of_models_are_worth_one_where_the_evaluate_says_solved(
    suite: VirtualHome, semantics: str
) -> None:
    meaning, made = suite.semantics(semantics), Reward(suite, semantics=semantics)
    tasks = set(made.tasks())
    for path in sorted(ANSWERS.iterdir())[::2]:
        for raw, text in load_predictions(path).items.items():
            name = suite.canonical_id(raw)
            if name in tasks:
                evaluated = suite.evaluate("action_sequencing", suite.task(name), text, meaning)
                (value,) = made.score(name, [text])
                assert (value == 1.0) is evaluated.success
                assert value == 1.0 or value <= 0.9
