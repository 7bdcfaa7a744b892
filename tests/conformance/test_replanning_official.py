"""Replanning on the official tasks, where the official data is there."""

import pytest

import eai
from eai.agents import Assignment, OracleAgent, ScriptedAgent, format_plan
from eai.agents.replanning import Chance

EVERY = {"virtualhome": 10, "behavior": 12}


def assignments(name: str, semantics: str) -> list[Assignment]:
    suite = eai.suite(name)
    found = [Assignment.of(suite, i, semantics) for i in suite.task_ids()[:: EVERY[name]]]
    return [each for each in found if each.evaluate("[]").status == "evaluated" and each.task.plans]


def gold(assignment: Assignment) -> str:
    return format_plan(assignment.suite.name, assignment.task.plans[0])


@pytest.mark.heavy
@pytest.mark.official
@pytest.mark.parametrize("name", EVERY)
def test_the_oracle_lifts_broken_plans_to_the_rate_of_annotated_plans(name: str) -> None:
    solved = mended = 0
    for each in assignments(name, "strict"):
        if not each.evaluate(gold(each)).success:
            continue
        solved += 1
        broken = format_plan(name, each.task.plans[0][:-1])
        oracle = OracleAgent(each.suite, each.task, semantics=each.semantics)
        result = eai.replan(
            each.suite,
            each.task,
            ScriptedAgent([broken], then=oracle),
            semantics=each.semantics,
            max_attempts=2,
        )
        mended += result.success
    assert mended == solved > 5


@pytest.mark.official
@pytest.mark.parametrize("semantics", ["strict", "official"])
@pytest.mark.parametrize("name", EVERY)
def test_an_action_that_fails_by_chance_ends_the_plan_there(name: str, semantics: str) -> None:
    cut = 0
    for each in assignments(name, semantics):
        whole = each.evaluate(gold(each))
        result, failed = Chance(0.2, 3).evaluate(each, gold(each), 1)
        if failed is None:
            assert result == whole
            continue
        cut += 1
        assert result.executed[failed - 1] == "failed"
        assert not result.executable
        assert len(result.goals) == len(whole.goals)
        assert all(finding.step is None or finding.step < failed for finding in result.findings)
    assert cut > 2


@pytest.mark.heavy
@pytest.mark.official
def test_the_planner_finds_plans_in_the_official_worlds() -> None:
    for name, task in (("virtualhome", "27_2"), ("virtualhome", "478_1")):
        each = Assignment.of(name, task, "strict")
        oracle = OracleAgent(each.suite, each.task, semantics="strict", annotated=False)
        assert each.evaluate(oracle.answer).success
