"""What pairs of literals exclude has no plan."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from eai.pddl import Domain, Problem
from eai.planning import Limits, Outcome, ground, plan
from eai.planning.own import BREADTH_FIRST
from eai.planning.portfolio import ExcludedError, exclude_goal
from eai.planning.task import finish
from strategies_planning import planning_tasks, random_task


def _excluded(domain: Domain, problem: Problem) -> bool:
    task = ground(domain, problem)
    if not task.reachable:
        return False
    try:
        finish(exclude_goal(task, Limits()))
    except ExcludedError:
        return True
    return False


@settings(max_examples=60)
@given(planning_tasks())
def test_what_pairs_exclude_has_no_plan(task: tuple[Domain, Problem]) -> None:
    domain, problem = replace(task[0], axioms=()), task[1]
    if _excluded(domain, problem):
        found = plan(domain, problem, engine=BREADTH_FIRST)
        assert found.outcome is Outcome.UNSOLVABLE


@pytest.mark.heavy
def test_most_of_what_has_no_plan_for_more_than_one_reason_is_excluded() -> None:
    excluded = without = 0
    for seed in range(600):
        domain, problem = random_task(Random(seed))
        domain = replace(domain, axioms=())
        task = ground(domain, problem)
        if task.reachable and not plan(domain, problem).solved:
            without += 1
            excluded += _excluded(domain, problem)
    assert excluded >= without - 1 > 1
