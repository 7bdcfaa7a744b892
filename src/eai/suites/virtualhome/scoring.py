"""Goal conditions as ``eai-eval`` 1.0.5 scores them."""

from __future__ import annotations

from dataclasses import replace

from eai.diagnosis.goals import action_conditions, condition_of
from eai.diagnosis.judgement import Condition
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.simulators.virtualhome import object_class
from eai.task import ActionGoal, Task
from eai.world.trajectory import Step, Trajectory

__all__ = ["official_conditions"]


def official_conditions(
    task: Task, execution: Execution, semantics: Semantics
) -> tuple[Condition, ...]:
    """Judge the conditions of a goal under the quirks of the published evaluator."""
    trajectory = execution.trajectory
    conditions: list[Condition] = []
    relation_met = False
    for kind, formula in task.goal.final[0]:
        condition = condition_of(kind, formula, trajectory)
        if kind == "relation" and "one_relation_goal" in semantics:
            if relation_met:
                condition = replace(condition, met=False, lost_by=None)
            relation_met = relation_met or condition.met
        conditions.append(condition)
    goals = tuple(dict.fromkeys(task.goal.actions))
    if "action_goals_sorted" in semantics:
        goals = tuple(sorted(goals, key=str))
    if "action_goals_by_text" in semantics:
        return (*conditions, *_by_text(goals, trajectory))
    return (*conditions, *action_conditions(goals, trajectory))


def _by_text(goals: tuple[ActionGoal, ...], trajectory: Trajectory) -> tuple[Condition, ...]:
    starts: list[int] = []
    texts: list[str] = []
    length = 0
    for step in trajectory.steps:
        starts.append(length)
        texts.append(_text(step))
        length += len(texts[-1]) + 1
    whole = " ".join(texts)
    at, broken = 0, False
    conditions: list[Condition] = []
    for goal in goals:
        found = None if broken else _find(goal, whole, at)
        broken = broken or found is None
        since = None
        if found is not None:
            index, name = found
            at = index + len(name)
            position = sum(start <= index for start in starts) - 1
            since = trajectory.steps[position].number
        conditions.append(Condition("action", str(goal), found is not None, since=since))
    return tuple(conditions)


def _find(goal: ActionGoal, text: str, at: int) -> tuple[int, str] | None:
    for name in goal.names:
        index = text.find(name.upper(), at)
        if index >= 0:
            return index, name
    return None


def _text(step: Step) -> str:
    objects = [
        f"<{object_class(name)}> ({name.rpartition('.')[2]})" for name in step.action.arguments
    ]
    return " ".join([f"[{step.action.name.upper()}]", *objects])
