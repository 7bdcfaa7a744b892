"""The steps of a plan, however it is given: actions, texts, an answer, or what was judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from eai.diagnosis.judgement import Judgement
from eai.errors import InputError, told
from eai.report.record import Record
from eai.task import Task
from eai.world.action import Action

if TYPE_CHECKING:
    from eai.diagnosis.causes.result import Causes

__all__ = ["PlanLike", "causes", "checked_task", "readable", "steps_of"]

PlanLike = Union[Sequence[Action], Sequence[str], str, Record, Judgement]
"""A plan: actions, their texts, an answer from which they are read, or a judged answer."""

_PLANS = "a sequence of eai.Action, a list of texts such as 'walk(light.34)', the text of an answer"
_MEND = "give the plan: task.plans[0], record.judgement.plan, or the text of an answer"


def causes(task: Task, plan: PlanLike) -> Causes:
    """Say what in a plan was caused by what.

    The plan is run from the task's initial state under the rules that follow from the domain
    (semantics ``strict``), up to the first step that fails.

    Args:
        task: The task.
        plan: The steps, their texts, an answer, or a record or judgement whose plan is meant.

    Raises:
        UnknownNameError: If the agent, or something in the goal, is not in the task.
        InputError: If there is no task or no plan to be read in what is given, or the domain
            cannot be run (it says why).
    """
    from eai.diagnosis.causes import causes as causes_of

    problem = checked_task(task)
    return causes_of(problem, steps_of(problem, plan))


def checked_task(task: object) -> Task:
    """Return a task as it is.

    Raises:
        InputError: If it is none.
    """
    if isinstance(task, Task):
        return task
    name = task if isinstance(task, str) else getattr(task, "task", "studio-01")
    suite = getattr(task, "suite", "household")
    raise InputError(
        f"{told(task)} is no task",
        expected="a task of a suite (eai.Task)",
        mend=f'eai.suite("{suite}").task("{name}")',
    )


def steps_of(task: Task, plan: PlanLike) -> tuple[Action, ...]:
    """Return the steps of a plan.

    Args:
        task: The task; its vocabulary says what names without numbers mean.
        plan: The steps, their texts, an answer, or a record or judgement whose plan is meant.

    Returns:
        The steps; those with names that do not exist, or with a wrong number of objects, stay as
        they were written.

    Raises:
        InputError: If it is no plan, cannot be read, or is a record of another task.
    """
    if isinstance(plan, str):
        return _read(task, plan)
    if isinstance(plan, Record):
        return _of_record(task, plan)
    if isinstance(plan, Judgement):
        return _of_texts(task, plan.plan)
    if isinstance(plan, Mapping) or not isinstance(plan, Iterable):
        raise InputError(f"{told(plan)} is no plan", expected=_PLANS, mend=_MEND)
    items: list[Any] = list(plan)
    if all(isinstance(item, Action) for item in items):
        return tuple(items)
    texts = [str(item) if isinstance(item, Action) else item for item in items]
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise InputError(f"step {number} is {told(text)}", expected=_PLANS, mend=_MEND)
    return _of_texts(task, texts)


def _of_record(task: Task, record: Record) -> tuple[Action, ...]:
    if record.task != task.id:
        raise InputError(
            f"the record is of the task {record.task!r}, not of {task.id!r}",
            mend=f'eai.suite("{record.suite}").task("{record.task}")',
        )
    if record.judgement.plan:
        return _of_texts(task, record.judgement.plan)
    return _read(task, record.output)


def _of_texts(task: Task, texts: Sequence[str]) -> tuple[Action, ...]:
    """Steps from one text each."""
    if not texts:
        return ()
    from eai.abilities.answers import read_plan

    for number, text in enumerate(texts, start=1):
        if len(read_plan(text).steps) != 1:
            raise InputError(f"text {number} is no step: {text!r}", expected=_PLANS, mend=_MEND)
    return _read(task, "\n".join(texts))


def _read(task: Task, answer: str) -> tuple[Action, ...]:
    from eai.abilities.answers import bind, read_plan

    reading = read_plan(answer)
    plan = bind(reading, readable(task).vocabulary)
    wrong = {finding.step for finding in plan.findings}
    if None in wrong or len(plan.actions) + len(wrong) != len(reading.steps):
        raise InputError(
            f"the answer is not a plan: {plan.findings[0].message}",
            where=f"task {task.id}",
            expected="an answer whose steps can all be read",
            mend="write it without what cannot be read; of an answer that was cut off, ask again",
        )
    known = iter(plan.actions)
    return tuple(
        Action(step.name.lower(), tuple(step.arguments)) if number in wrong else next(known)
        for number, step in enumerate(reading.steps, start=1)
    )


def readable(task: Task) -> Task:
    """Return a task with all names that an answer may use.

    Args:
        task: The task.
    """
    if task.start.layout.domain.name != "virtualhome":
        return task
    from eai.suites.virtualhome.scene import with_whole_scene

    return with_whole_scene(task)
