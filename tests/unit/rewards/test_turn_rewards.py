"""Rewards of turns, and graded rewards of episodes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

import eai
from eai.acting import Episode, format_action, replay, unobserved, write_answers
from eai.agents import RandomAgent
from eai.diagnosis import Condition, GoalStatus
from eai.errors import InputError, UnknownNameError
from eai.rewards import Reward, TurnReward, potential

SUITE = eai.suite("household")
STRICT = SUITE.semantics("strict")
SOLUTION = ["Action: WALK light.34", "Action: SWITCHON light.34"]


def played(task: str, answers: list[str]) -> Episode:
    loaded = SUITE.task(task)
    rules = SUITE.episode_rules(loaded, STRICT)
    environment = unobserved(SUITE.environment(loaded, STRICT))
    return replay(environment, answers, rules=rules, task=task)


def test_a_turn_is_worth_what_it_adds_to_the_share_of_conditions() -> None:
    episode = played("studio-01", SOLUTION)
    assert TurnReward().of(episode) == (0.0, 1.0)
    assert TurnReward("binary").of(episode) == (0.0, 1.0)
    assert TurnReward(step_cost=0.25).of(episode) == (-0.25, 0.75)


def test_going_in_circles_pays_nothing() -> None:
    one, two = (Condition("state", name, met=True) for name in "ab")
    none = GoalStatus.of((replace(one, met=False), replace(two, met=False)))
    half = GoalStatus.of((one, replace(two, met=False)))
    reward = TurnReward()
    assert reward(none, half) == 0.5
    assert reward(none, half) + reward(half, none) == 0.0


def test_all_conditions_without_the_goal_are_worth_less_than_the_goal() -> None:
    met = (Condition("state", "a", met=True),)
    assert potential(GoalStatus(True, met)) == 1.0
    assert potential(GoalStatus(False, met)) == 0.5


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_rewards_add_up_to_what_was_gained(seed: int) -> None:
    dice = Random(seed)
    task = SUITE.task(dice.choice(list(SUITE.task_ids())))
    rules = SUITE.episode_rules(task, STRICT)
    chance = RandomAgent(task.vocabulary.actions, rules.objects, seed=seed)
    answers = [format_action(step) for step in task.plans[0] if dice.random() < 0.9]
    for _ in range(dice.randrange(6)):
        answers.insert(dice.randrange(len(answers) + 1), chance([]))
    episode = played(task.id, answers)
    assert episode.begun
    gained = potential(episode.goal) - potential(episode.begun)
    assert sum(TurnReward().of(episode)) == pytest.approx(gained)
    assert sum(TurnReward("binary").of(episode)) == float(episode.success)


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        TurnReward("graded")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cost"):
        TurnReward(step_cost=-1)
    with pytest.raises(InputError, match="how far"):
        TurnReward().of(replace(played("studio-01", SOLUTION), begun=None))


@pytest.mark.parametrize("suite", ["household", "asgardbench"])
def test_episodes_are_graded_in_every_suite(suite: str) -> None:
    chosen = eai.suite(suite)
    task = {"household": "studio-09", "asgardbench": "turn_on_tv__FloorPlan202_V1"}[suite]
    acted = eai.interact(chosen, task, "oracle", semantics="strict")
    reward = Reward(chosen, "interaction")
    answers = [turn.answer for turn in acted.episode.turns]
    values = [reward.score(task, [write_answers(answers[:n])])[0] for n in range(len(answers) + 1)]
    assert values[-1] == 1.0
    assert max(values[:-1]) <= 0.6
    assert values[0] == 0.0
    assert reward.score(task, [acted.output, None, "no"]) == [1.0, 0.0, 0.0]
    binary = Reward(chosen, "interaction", kind="binary")
    assert binary.score(task, [acted.output, "no"]) == [1.0, 0.0]


def test_failed_turns_take_something_off_a_graded_reward() -> None:
    reward = Reward("household", "interaction")
    task = SUITE.task("studio-09")
    plan = [format_action(step) for step in task.plans[0]]
    clean = reward.attempt("studio-09", write_answers(plan[:-1]))
    messy = reward.attempt("studio-09", write_answers(["Action: OPEN x", *plan[:-1]]))
    assert (clean.left, clean.goals) == (0.0, messy.goals)
    assert messy.left > 0
    assert reward.weights.value(messy) <= reward.weights.value(clean)
    with pytest.raises(InputError, match="repair"):
        Reward("household", "interaction", kind="repair")


def test_failed_turns_count_in_lengths_of_the_reference_plan_up_to_one() -> None:
    reward = Reward("household", "interaction")
    length = SUITE.episode_rules(SUITE.task("studio-09"), STRICT).reference_steps
    assert length
    for failed in (1, length, 2 * length):
        answers = write_answers([f"Action: OPEN x{number}" for number in range(failed)])
        assert reward.attempt("studio-09", answers).left == min(failed / length, 1.0)
