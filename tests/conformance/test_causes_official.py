"""Causes of the official gold plans: idle steps can go, open orders lead to the same goals."""

from __future__ import annotations

import pytest

from eai.abilities import evaluate_plan
from eai.answers import BoundPlan
from eai.diagnosis import Result
from eai.diagnosis.causes import causes
from eai.simulators import BehaviorSimulator, Simulator, VirtualHomeSimulator
from eai.suites.behavior import Behavior
from eai.suites.behavior.plans import BehaviorPlans
from eai.suites.virtualhome import VirtualHome
from eai.task import Task
from eai.world import Action

pytestmark = [pytest.mark.official, pytest.mark.heavy]

STRICT = Behavior().semantics("strict")


@pytest.fixture(scope="module")
def virtualhome() -> list[Task]:
    suite = VirtualHome()
    return [suite.task(name) for name in suite.task_ids()]


@pytest.fixture(scope="module")
def behavior() -> list[Task]:
    suite = Behavior()
    return [suite.task(name) for name in suite.task_ids()]


def evaluated(task: Task, plan: tuple[Action, ...], simulator: Simulator) -> Result:
    score = None
    if isinstance(simulator, BehaviorSimulator):
        score = BehaviorPlans(STRICT).conditions
    return evaluate_plan(BoundPlan(plan, ()), task, simulator, score=score)


def told(result: Result) -> tuple[object, ...]:
    """The verdict, and which conditions are met (their order is the scorer's affair)."""
    goals = sorted((goal.text, goal.met) for goal in result.goals)
    return result.success, result.executable, goals


def check(tasks: list[Task], simulator: Simulator, orders: int = 2) -> tuple[int, int, int, int]:
    """Check every gold plan; count steps, idle steps, plans with a choice, orders executed."""
    steps = idle = open_orders = executed = 0
    for task in tasks:
        plan = task.plans[0]
        found = causes(task, plan)
        before = told(evaluated(task, plan, simulator))
        steps, idle = steps + len(plan), idle + len(found.idle)
        for step in found.idle:
            assert told(evaluated(task, found.without(step), simulator)) == before, task.id
        if found.idle:
            assert told(evaluated(task, found.needed(), simulator)) == before, task.id
        count = found.order.count()
        if count == 1:
            continue
        open_orders += 1
        rest = () if found.failure is None else plan[found.failure.step - 1 :]
        for seed in range(orders):
            again = (*found.reordered(seed), *rest)
            assert told(evaluated(task, again, simulator)) == before, (task.id, seed)
            executed += 1
    return steps, idle, open_orders, executed


def test_virtualhome_gold_plans(virtualhome: list[Task]) -> None:
    assert len(virtualhome) == 342
    assert check(virtualhome, VirtualHomeSimulator()) == (2978, 1211, 234, 468)


def test_behavior_gold_plans(behavior: list[Task]) -> None:
    assert len(behavior) == 100
    assert check(behavior, BehaviorSimulator()) == (1455, 154, 95, 190)
