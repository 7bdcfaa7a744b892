"""Judging action sequences in the BEHAVIOR world, under any set of the evaluator's quirks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from eai.abilities.action_sequencing import judge_plan, run_plan, unread
from eai.abilities.answers import BoundPlan
from eai.diagnosis.judgement import Condition, Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.simulators.behavior import BehaviorSimulator
from eai.suites.behavior.executors import ExecutorRules
from eai.suites.behavior.quirks import DYNAMICS
from eai.suites.behavior.reader import read_answer
from eai.suites.behavior.scoring import blank_conditions, score_goal
from eai.task import Task

__all__ = ["judge_actions", "rerun", "simulator"]


@cache
def simulator(semantics: Semantics) -> BehaviorSimulator:
    """The world under a semantics (built once)."""
    rules = ExecutorRules(semantics) if "executor_order" in semantics else None
    return BehaviorSimulator(semantics.quirks & DYNAMICS, rules=rules)


def judge_actions(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge an answer to action sequencing; None stands for a missing one.

    Args:
        task: A BEHAVIOR task.
        answer: What the model wrote.
        semantics: Which quirks are on.
    """
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(_unread(BoundPlan((), (finding,)), task, semantics), status="missing")
    plan = read_answer(answer, task, semantics)
    if plan.findings:
        return _unread(plan, task, semantics)
    return _judged(plan, task, semantics)


def rerun(task: Task, answer: str, semantics: Semantics) -> Execution | None:
    """Run an answer again, to tell its story; None if it has grammar errors."""
    plan = read_answer(answer, task, semantics)
    return None if plan.findings else run_plan(plan, task, simulator(semantics))


def _judged(plan: BoundPlan, task: Task, semantics: Semantics) -> Judgement:
    def score(task: Task, execution: Execution) -> tuple[Condition, ...]:
        return score_goal(task, execution, semantics)

    return judge_plan(
        plan,
        task,
        simulator(semantics),
        score=score,
        must_execute="success_without_execution" not in semantics,
    )


def _unread(plan: BoundPlan, task: Task, semantics: Semantics) -> Judgement:
    return replace(unread(plan, task), goals=blank_conditions(task, semantics))
