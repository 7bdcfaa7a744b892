"""Actions that fail by chance: what becomes of the plan, and how often."""

from __future__ import annotations

import pytest

import eai
from eai.agents import Assignment, Replanning, ScriptedAgent, format_plan
from eai.agents.replanning import Chance
from eai.report import wilson
from eai.suites.household import Household

HOUSEHOLD = Household()
SHORT = HOUSEHOLD.task("studio-05")
GOLD = format_plan("household", SHORT.plans[0])
Z_9999 = 3.890591886413092
"""The tests throw the same dice each time; the interval leaves room for an unlucky seed."""


def attempts(p: float, seed: int, *, most: int = 1, answer: str = GOLD) -> Replanning:
    return eai.replan(
        HOUSEHOLD,
        SHORT,
        ScriptedAgent([answer]),
        max_attempts=most,
        failure_probability=p,
        seed=seed,
        prompt="",
    )


def test_an_action_that_always_fails_ends_every_plan_at_its_first_step() -> None:
    (attempt,) = attempts(1.0, 0).attempts
    result = attempt.result
    assert attempt.failed_by_chance == 1
    assert result.executed == ("failed", "not reached", "not reached", "not reached")
    assert not result.executable
    assert not result.success
    assert not any(goal.met for goal in result.goals)
    assert any("failed by chance" in note for note in result.notes)


def test_bad_luck_is_no_mistake_and_the_agent_is_told_so() -> None:
    (attempt,) = attempts(1.0, 0).attempts
    assert all(finding.step is None for finding in attempt.result.findings)
    assert "Step 1, wakeup(), had no effect: the action failed by chance" in attempt.feedback


def test_what_was_reached_before_the_bad_luck_counts() -> None:
    found = next(
        result
        for seed in range(100)
        for (result, failed) in [Chance(0.3, seed).evaluate(_assignment(), GOLD, 1)]
        if failed == 2
    )
    assert found.executed == ("done", "failed", "not reached", "not reached")
    assert len(found.plan) == 4


def test_the_same_seed_throws_the_same_dice() -> None:
    assert attempts(0.3, 7, most=3) == attempts(0.3, 7, most=3)
    assert len({attempts(0.3, seed).attempts[0].failed_by_chance for seed in range(30)}) > 2


def test_each_attempt_throws_them_anew() -> None:
    failed = [a.failed_by_chance for a in attempts(0.6, 1, most=8).attempts]
    assert len(set(failed)) > 1


def test_what_cannot_be_read_cannot_fail_by_chance() -> None:
    (attempt,) = attempts(1.0, 0, answer="no plan").attempts
    assert attempt.failed_by_chance is None
    assert attempt.result.findings[0].kind == "parsing"


def test_skipped_steps_are_not_executed_and_cannot_fail() -> None:
    official = Assignment.of("household", "house-01", "official")
    task = official.task
    twice = [*task.plans[0], task.plans[0][-1]]
    failed = {
        Chance(0.9, seed).evaluate(official, format_plan("household", twice), 1)[1]
        for seed in range(50)
    }
    assert official.evaluate(format_plan("household", twice)).executed[-1] == "skipped"
    assert failed <= {1, 2, None}


@pytest.mark.heavy
@pytest.mark.parametrize(("p", "most"), [(0.05, 1), (0.2, 1), (0.1, 3), (0.3, 3)])
def test_measured_rates_match_theory(p: float, most: int) -> None:
    """A plan of n steps survives with (1 - p)^n, one of k attempts with 1 - (1 - (1 - p)^n)^k."""
    trials = 400
    solved = sum(attempts(p, seed, most=most).success for seed in range(trials))
    survives = (1 - p) ** len(SHORT.plans[0])
    expected = 100 * (1 - (1 - survives) ** most)
    low, high = wilson(solved, trials, z=Z_9999)
    assert low <= expected <= high
    # The interval is narrow enough to tell the cases from each other.
    assert high - low < 20


@pytest.mark.heavy
def test_rates_over_tasks_of_different_length_match_theory() -> None:
    p, seeds = 0.1, range(4)
    names = HOUSEHOLD.task_ids()
    expected = executed = 0.0
    for name in names:
        assignment = Assignment.of(HOUSEHOLD, name)
        plan = assignment.task.plans[0]
        answer = format_plan("household", plan)
        for seed in seeds:
            executed += Chance(p, seed).evaluate(assignment, answer, 1)[0].executable
            expected += (1 - p) ** len(plan)
    trials = len(names) * len(seeds)
    low, high = wilson(round(executed), trials, z=Z_9999)
    assert low <= 100 * expected / trials <= high


def _assignment() -> Assignment:
    return Assignment.of(HOUSEHOLD, SHORT)
