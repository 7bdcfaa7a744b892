"""Episodes of tasks that plans are written for: one implementation for all of their suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from eai.abilities.answers import Binder, PlanReading, ReadStep
from eai.diagnosis.judgement import Condition
from eai.interaction.briefs import PlainBrief
from eai.interaction.limits import ConsecutiveFailures, HardLimit, Limit, Repeats
from eai.interaction.plan_goals import PlanGoal
from eai.interaction.replies import Reply, read_reply
from eai.interaction.rules import EpisodeRules
from eai.interaction.views import View
from eai.logic import format_formula
from eai.simulators.base import Execution
from eai.task import Task, Vocabulary

__all__ = ["task_limits", "task_reader", "task_rules"]

_REFUSALS = {
    "affordance": "affordance",
    "missing_step": "state",
    "wrong_order": "state",
    "additional_step": "state",
}
"""Kind of error of a step to the reason under which a report of episodes counts it."""


def task_rules(
    task: Task,
    *,
    score: Callable[[Task, Execution], tuple[Condition, ...]],
    ordered: bool = False,
    excluded: str = "",
    vocabulary: Vocabulary | None = None,
    views: Mapping[str, Callable[[], tuple[View, ...]]] | None = None,
) -> EpisodeRules:
    """Say what an episode of a task is.

    Args:
        task: The task.
        score: Judges the conditions of its goal on an execution.
        ordered: Whether the order in which the goal demands things counts.
        excluded: Why the task does not count; empty if it does.
        vocabulary: The names that an answer may use, if these are more than those of the task.
        views: Policies of partial observation by name.
    """
    names = tuple(name for name in task.start.universe.names if name in task.vocabulary.objects)
    return EpisodeRules(
        goal=lambda: PlanGoal(task, score, ordered=ordered),
        read=task_reader(vocabulary or task.vocabulary),
        brief=PlainBrief(_demand(task), task.vocabulary.actions, names),
        limits=task_limits(task),
        objects=names,
        views=views or {},
        reference_steps=len(task.plans[0]) if task.plans else None,
        refusals=_REFUSALS,
        excluded=excluded,
    )


def task_limits(task: Task) -> tuple[Limit, ...]:
    """The limits of an episode, by the length n of the annotated plan.

    Twice as many turns as the plan has steps, at least 20 (50 if there is no plan); 8 times the
    same; 10 failures in a row. These are the numbers of AsgardBench's paper (section 3), without
    its soft limit.
    """
    steps = len(task.plans[0]) if task.plans else 25
    return (Repeats(8), ConsecutiveFailures(10), HardLimit(max(2 * steps, 20)))


def task_reader(vocabulary: Vocabulary) -> Callable[[str], Reply]:
    """Make a reader of answers that looks names up as it is done for whole plans.

    Args:
        vocabulary: The names that an answer may use.
    """
    binder = Binder(vocabulary)

    def read(text: str) -> Reply:
        reply = read_reply(text)
        if reply.action is None:
            return reply
        step = ReadStep(reply.action.name, reply.action.arguments)
        bound = binder.bind(PlanReading((step,)))
        if bound.findings:
            finding = bound.findings[0]
            return reply.refused(finding.kind, finding.message)
        return replace(reply, action=bound.actions[0])

    return read


def _demand(task: Task) -> str:
    """What to do: the instruction, and what has to be true at the end."""
    conditions = [format_formula(formula) for _, formula in next(iter(task.goal.final), ())]
    actions = [f"the action {' or '.join(goal.names).upper()}" for goal in task.goal.actions]
    goal = [task.goal.text] if task.goal.text else [*conditions, *actions]
    lines = [task.instruction, *(["What has to be reached:"] if goal else []), *goal]
    return "\n".join(filter(None, lines))
