"""Judging answers in the VirtualHome world, under any set of the evaluator's quirks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from eai.abilities.action_sequencing import judge_plan, run_plan, unread
from eai.abilities.answers import BoundPlan, bind, read_plan
from eai.diagnosis.goals import unmet_goals
from eai.diagnosis.judgement import Condition, Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.simulators.virtualhome import VirtualHomeSimulator
from eai.suites.virtualhome.executors import ExecutorRules
from eai.suites.virtualhome.quirks import DYNAMICS
from eai.suites.virtualhome.reader import UNLIKE, official_plan
from eai.suites.virtualhome.scene import with_whole_scene
from eai.suites.virtualhome.scoring import official_conditions
from eai.task import Task

__all__ = ["SCORING", "dropped", "execution", "judge_actions", "read_answer", "simulator"]

SCORING = frozenset({"one_relation_goal", "action_goals_sorted", "action_goals_by_text"})
"""Quirks of scoring the conditions of a goal."""


@cache
def simulator(semantics: Semantics) -> VirtualHomeSimulator:
    """The world under a semantics (built once)."""
    rules = ExecutorRules(semantics) if "executor_order" in semantics else None
    return VirtualHomeSimulator(semantics.quirks & DYNAMICS, rules=rules)


def execution(task: Task, answer: str, semantics: Semantics) -> Execution | None:
    """Run an answer again, to tell its story; None if it has grammar errors."""
    plan = read_answer(answer, task, semantics)
    return None if plan.findings else run_plan(plan, task, simulator(semantics))


def judge_actions(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge an answer to action sequencing (a :data:`~eai.suites.judges.Judge`)."""
    reason = dropped(task, semantics)
    if reason:
        return Judgement("excluded", notes=(reason,))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(unread(BoundPlan((), (finding,), ()), task), status="missing")
    plan = read_answer(answer, task, semantics)
    if "gold_shortcut" in semantics and _is_gold(plan, task):
        return _not_run(plan, task)
    return _settled(_judged(plan, task, semantics))


def _judged(plan: BoundPlan, task: Task, semantics: Semantics) -> Judgement:
    def score(task: Task, execution: Execution) -> tuple[Condition, ...]:
        return official_conditions(task, execution, semantics)

    return judge_plan(
        plan,
        task,
        simulator(semantics),
        score=score if semantics.quirks & SCORING else None,
        must_execute="success_without_execution" not in semantics,
    )


def read_answer(answer: str, task: Task, semantics: Semantics) -> BoundPlan:
    """Read a plan out of an answer, as the semantics says."""
    relevant = task.vocabulary.objects
    if "relevant_objects_only" not in semantics:
        task = with_whole_scene(task)
    if "pattern_reader" in semantics:
        return official_plan(answer, task, semantics, preferred=relevant)
    return bind(read_plan(answer), task.vocabulary)


def dropped(task: Task, semantics: Semantics) -> str:
    """Why a task is left out of the count; empty if it counts."""
    final = task.goal.final
    if "multi_relation_tasks_dropped" in semantics:
        relations = {formula for kind, formula in final[0] if kind == "relation"} if final else ()
        if len(relations) > 1:
            return (
                f"the task has {len(relations)} relation goals and is left out "
                "(multi_relation_tasks_dropped)"
            )
    if task.goal.actions or any(final) or "goalless_tasks_counted" in semantics:
        return ""
    return "the task has no goal and is left out"


def _is_gold(plan: BoundPlan, task: Task) -> bool:
    return not plan.findings and UNLIKE not in plan.notes and plan.actions in task.plans[:1]


def _not_run(plan: BoundPlan, task: Task) -> Judgement:
    judgement = unread(plan, task)
    note = "equal to the annotated plan: counted as executable, not run (gold_shortcut)"
    return replace(
        judgement,
        executable=True,
        executed=("done",) * len(plan.actions),
        findings=unmet_goals(judgement.goals),
        notes=(*judgement.notes, note),
    )


def _settled(judgement: Judgement) -> Judgement:
    """Where the published evaluator would stop with an exception, nothing is met."""
    crashes = tuple(f for f in judgement.findings if f.kind is ErrorKind.UNSCORABLE)
    if not crashes:
        return judgement
    goals = tuple(replace(goal, met=False) for goal in judgement.goals)
    return replace(
        judgement,
        success=False,
        executable=False,
        goals=goals,
        findings=(*(f for f in judgement.findings if f.step is not None), *unmet_goals(goals)),
    )
