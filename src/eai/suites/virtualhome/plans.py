"""Plans in the VirtualHome world, under any set of the published evaluator's quirks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from eai.abilities.action_sequencing import Plans, unread
from eai.answers import BoundPlan, bind, read_plan
from eai.diagnosis.goals import action_conditions, condition_of, unmet_goals
from eai.diagnosis.result import Condition, Result
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.simulators.virtualhome import VirtualHomeSimulator, object_class
from eai.suites.virtualhome.executors import ExecutorRules
from eai.suites.virtualhome.quirks import DYNAMICS
from eai.suites.virtualhome.reader import UNLIKE, official_plan
from eai.task import ActionGoal, Task
from eai.world.action import Action
from eai.world.trajectory import Step, Trajectory

__all__ = ["VirtualHomePlans", "simulator"]

_SCORING = frozenset({"one_relation_goal", "action_goals_sorted", "action_goals_by_text"})
"""Quirks of scoring the conditions of a goal."""


@cache
def simulator(semantics: Semantics) -> VirtualHomeSimulator:
    """The world under a semantics (built once)."""
    rules = ExecutorRules(semantics) if "executor_order" in semantics else None
    return VirtualHomeSimulator(semantics.quirks & DYNAMICS, rules=rules)


class VirtualHomePlans(Plans):
    """How plans are read, run and scored where the world is VirtualHome."""

    def simulator(self, task: Task, semantics: Semantics) -> VirtualHomeSimulator:
        """The world under a semantics."""
        return simulator(semantics)

    def excluded(self, task: Task, semantics: Semantics) -> str:
        """Why a task is left out of the count; empty if it counts."""
        final = task.goal.final
        if "multi_relation_tasks_dropped" in semantics:
            relations = {formula for kind, formula in (final or ((),))[0] if kind == "relation"}
            if len(relations) > 1:
                return (
                    f"the task has {len(relations)} relation goals and is left out "
                    "(multi_relation_tasks_dropped)"
                )
        if task.goal.actions or any(final) or "goalless_tasks_counted" in semantics:
            return ""
        return "the task has no goal and is left out"

    def read(self, task: Task, answer: str, semantics: Semantics) -> BoundPlan:
        """Read a plan out of an answer, as the semantics says."""
        narrow = "relevant_objects_only" in semantics
        known = task.vocabulary if narrow else task.readable
        if "pattern_reader" in semantics:
            return official_plan(answer, known, semantics, preferred=task.vocabulary.objects)
        return bind(read_plan(answer), known)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan: each object as name and number."""
        return f"[{', '.join(map(_written, plan))}]"

    def conditions(
        self, task: Task, execution: Execution | None, semantics: Semantics
    ) -> tuple[Condition, ...]:
        """Score the conditions of a goal under the quirks of the published evaluator."""
        if execution is None or not semantics.quirks & _SCORING:
            return super().conditions(task, execution, semantics)
        return _official_conditions(task, execution.trajectory, semantics)

    def must_execute(self, semantics: Semantics) -> bool:
        """Whether a plan that stops early cannot be successful."""
        return "success_without_execution" not in semantics

    def by_definition(self, semantics: Semantics) -> bool:
        """Whether the verdict is that of the definitions."""
        return not semantics.quirks

    def evaluate_plan(self, task: Task, plan: BoundPlan, semantics: Semantics) -> Result:
        """Evaluate a plan that was read."""
        if "gold_shortcut" in semantics and _is_gold(plan, task):
            return _not_run(plan, task)
        return _settled(super().evaluate_plan(task, plan, semantics))


def _written(step: Action) -> str:
    """A step; ``[ ]`` if it has no objects, which every reader sees."""
    entries = [part for name in step.arguments for part in _parted(name)]
    name = json.dumps(step.name.upper())
    return f"{{{name}: {json.dumps(entries) if entries else '[ ]'}}}"


def _parted(name: str) -> list[str]:
    head, _, number = name.rpartition(".")
    return [head, number] if head else [name]


def _is_gold(plan: BoundPlan, task: Task) -> bool:
    return not plan.findings and UNLIKE not in plan.notes and plan.actions in task.plans[:1]


def _not_run(plan: BoundPlan, task: Task) -> Result:
    result = unread(plan, task)
    note = "equal to the annotated plan: counted as executable, not run (gold_shortcut)"
    return replace(
        result,
        executable=True,
        executed=("done",) * len(plan.actions),
        findings=unmet_goals(result.goals),
        notes=(*result.notes, note),
    )


def _settled(result: Result) -> Result:
    """Where the published evaluator would stop with an exception, nothing is met."""
    crashes = tuple(f for f in result.findings if f.kind is ErrorKind.UNSCORABLE)
    if not crashes:
        return result
    goals = tuple(replace(goal, met=False) for goal in result.goals)
    return replace(
        result,
        success=False,
        executable=False,
        goals=goals,
        findings=(*(f for f in result.findings if f.step is not None), *unmet_goals(goals)),
    )


def _official_conditions(
    task: Task, trajectory: Trajectory, semantics: Semantics
) -> tuple[Condition, ...]:
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
