"""Action sequencing: a plan is run in the world and judged by the goal (paper, section 2.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from eai.abilities.answers import BoundPlan
from eai.diagnosis.goals import goal_conditions, unmet_conditions, unmet_goals
from eai.diagnosis.judgement import Condition, Evidence, Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError
from eai.logic import evaluate
from eai.simulators.base import Execution, Simulator, execute
from eai.task import Task
from eai.world.action import Action
from eai.world.trajectory import Trajectory

__all__ = ["Scorer", "judge_plan", "paper_score", "run_plan", "unread"]

Scorer = Callable[[Task, Execution], tuple[Condition, ...]]
"""Judges the conditions of a task's goal on an execution."""


def run_plan(plan: BoundPlan, task: Task, simulator: Simulator) -> Execution:
    """Run a plan that has no grammar errors from the task's initial state."""
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    return execute(simulator, task.start, plan.actions, agent=task.agent, demanded=demanded)


def judge_plan(
    plan: BoundPlan,
    task: Task,
    simulator: Simulator,
    *,
    score: Scorer | None = None,
    must_execute: bool = True,
) -> Judgement:
    """Judge a plan that was read out of an answer.

    Args:
        plan: The plan, with the grammar errors that were found in it.
        task: The task.
        simulator: Where to run it.
        score: How goal conditions are judged; by default on the final state, as the paper says.
        must_execute: Whether a plan that stops early can be successful.
    """
    if plan.findings:
        return unread(plan, task)
    try:
        execution = run_plan(plan, task, simulator)
    except InputError:
        ill_typed = _ill_typed(plan, task, simulator)
        if not ill_typed:
            raise
        return unread(replace(plan, findings=ill_typed), task)
    trajectory = execution.trajectory
    goals = (score or paper_score)(task, execution)
    executable = execution.completed
    formula = task.goal.formula
    holds, evidence = None, None
    if formula is not None:
        holds = evaluate(formula, trajectory).holds
        if not holds:
            # The changes are enough to come back to the end of the trajectory.
            seen = Trajectory(trajectory.world, trajectory.start, trajectory.steps)
            evidence = Evidence(seen, formula)
    return Judgement(
        "judged",
        success=all(goal.met for goal in goals) and (executable or not must_execute),
        executable=executable,
        plan=tuple(map(str, plan.actions)),
        executed=execution.executed,
        findings=(
            *execution.findings,
            *unmet_goals(goals, trajectory),
        ),
        goals=goals,
        formula=task.goal.text,
        formula_holds=holds,
        notes=plan.notes,
        evidence=evidence,
    )


def _ill_typed(plan: BoundPlan, task: Task, simulator: Simulator) -> tuple[Finding, ...]:
    """The steps whose arguments the domain does not accept."""
    task.start.universe.number(task.agent)  # a task without its agent is not the model's error
    checked = (
        _type_error(action, number, task, simulator)
        for number, action in enumerate(plan.actions, start=1)
    )
    return tuple(finding for finding in checked if finding is not None)


def _type_error(action: Action, number: int, task: Task, simulator: Simulator) -> Finding | None:
    try:
        simulator.world.numbers(task.start, action.name, (task.agent, *action.arguments))
    except InputError as error:
        message = f"{action}: {error.what}"
        if error.expected:
            message += f", but {error.where} takes {error.expected}"
        return Finding(ErrorKind.ARGUMENT_NUMBER, message, step=number, action=str(action))
    return None


def paper_score(task: Task, execution: Execution) -> tuple[Condition, ...]:
    """Judge the conditions of a goal on the final state, as the paper says."""
    return goal_conditions(task.goal, execution.trajectory)


def unread(plan: BoundPlan, task: Task) -> Judgement:
    """The judgement on an answer with grammar errors: no step is run, no goal is met."""
    steps = plan.written or tuple(map(str, plan.actions))
    return Judgement(
        "judged",
        plan=steps,
        executed=("not reached",) * len(steps),
        findings=plan.findings,
        goals=unmet_conditions(task.goal),
        formula=task.goal.text,
        notes=plan.notes,
    )
