"""No attack on a reward earns more than the honest answer beside it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from eai.integrations.training import RowScorer
from eai.rewards import StepJudge
from eai.suites.household import Household
from eai.task import Task

sys.path.append(str(Path(__file__).parents[3] / "benchmarks" / "agreement"))
import reward_attacks as attacks

SUITE = Household()
TASKS = [SUITE.task(name) for name in ("studio-01", "house-13")]
SCORER = RowScorer(SUITE)


def reward(task: Task, answer: str) -> float:
    score = SCORER.score(task.id, answer)
    assert score is not None
    return score.value


def solution(task: Task) -> str:
    return attacks.written(list(task.plans[0]))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
@pytest.mark.parametrize("attack", attacks.ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_earns_no_more_than_the_honest_answer(attack: attacks.Attack, task: Task) -> None:
    attacking, honest = attack(task, solution(task))
    assert reward(task, attacking) <= reward(task, honest) <= 1.0


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
@pytest.mark.parametrize("hedge", attacks.HEDGES, ids=lambda hedge: hedge.__name__)
def test_of_two_plans_one_is_paid_at_most_in_one_order(hedge: attacks.Hedge, task: Task) -> None:
    wrong = reward(task, attacks.written(attacks.plan_that_fails(task)))
    assert wrong < reward(task, solution(task)) == 1.0
    assert min(reward(task, answer) for answer in attacks.hedged(hedge, task)) <= wrong


def test_steps_in_circles_and_behind_the_goal_earn_no_more_than_the_plan() -> None:
    judge = StepJudge(SUITE)
    for attack in (attacks.steps_in_circles, attacks.steps_behind_the_goal):
        attacking, honest = attack(judge, TASKS[0])
        assert attacking <= honest == 1.0


def test_the_goal_is_paid_once_however_often_it_is_reached() -> None:
    assert all(attacking <= honest for attacking, honest in attacks.goal_over_and_over())
    attacking, honest = attacks.circles(TASKS[1])
    assert attacking < honest


def test_an_answer_of_which_the_prompt_is_unknown_is_refused() -> None:
    assert attacks.refused_without_prompt(solution(TASKS[0]))
