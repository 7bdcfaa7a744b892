"""PDDL problems as worlds of generated tasks: a problem with another goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eai.contract import TaskWorld, final_goal
from eai.logic import And, Formula
from eai.pddl import Problem, format_condition, format_problem
from eai.suites.pddl.tasks import PddlTask
from eai.task import Task


def pose(task: Task, name: str, literals: Sequence[Formula]) -> Task:
    """Return the task of a problem with another name and goal, without its metric.

    Args:
        task: A task of the problem.
        name: Name of the new task.
        literals: The literals of its goal.
    """
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    old, condition = task.problem, And(tuple(literals))
    problem = Problem(name, old.domain, old.objects, old.initial, condition, old.values)
    return replace(
        task,
        id=name,
        problem=problem,
        texts=(task.texts[0], format_problem(problem)),
        goal=final_goal(literals, format_condition(condition)),
        # Notes and annotations are about the goal that the problem had.
        metadata={},
    )


WORLD = TaskWorld(pose=pose)
"""The world of the suites ``pddl:PATH``."""
