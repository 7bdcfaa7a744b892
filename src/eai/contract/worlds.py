"""Worlds of generated tasks: where they begin, what their goals ask for, and in which words.

A suite announces its world in the group ``eai.worlds`` of entry points, under its name or its
scheme (``pddl``), or names one in the attribute ``world_name`` of its class. A suite without one
is a world all the same if its plans follow the definitions (:class:`eai.abilities.Plans`): the goal
of a task is then a formula, in the words of its predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eai.abilities import Plans
from eai.contract.extensions import extension
from eai.contract.registry import given_suite
from eai.contract.suite import PLANS, Suite, refuse_without
from eai.errors import InputError
from eai.logic import And, Formula, format_formula
from eai.plugins import announced, find_object
from eai.task import Goal, Task, literal_kind
from eai.task.goals import goal_from_formula
from eai.world import Change, State

GROUP = "eai.worlds"
"""The group of entry points."""

Wording = tuple[str, str]
"""A literal as a clause (``"{0} is on {1}"``) and as an order (``"put {0} on {1}"``)."""


Settling = Callable[[State, Sequence[Change]], list[Change]]
"""A function that makes the changes in a state that follow by themselves from those of an action,
and returns them."""


def final_goal(literals: Sequence[Formula], text: str) -> Goal:
    """Return the goal that literals hold at the end, which has no formula beside them."""
    listed = tuple([(literal_kind(literal), literal) for literal in literals])
    return Goal(text, final=(listed,), whole=False)


def pose(task: Task, name: str, literals: Sequence[Formula]) -> Task:
    """Return a task with a name and a goal, which is a formula."""
    condition = And(tuple(literals))
    goal = goal_from_formula(condition, format_formula(condition))
    return replace(task, id=name, goal=goal, metadata={})


@dataclass(frozen=True)
class TaskWorld:
    """How tasks are generated in a suite's scenes (:func:`eai.generate`).

    Args:
        wordings: Literals that goals may ask for, each with its wording: ``"open"``, and
            ``"not open"`` for its negation. Empty: any literal, in the words of its predicate.
        pose: ``(task, name, literals)`` returns the task of a scene with another name and goal.
        settle: ``(state, changes)`` makes the changes in a state that follow by themselves from
            those of an action, and returns them; None if there are none. Initial states are
            settled.
        suite: Returns the suite whose tasks are the scenes, if no suite has the world's name.
    """

    wordings: Mapping[str, Wording] = field(default_factory=dict)
    pose: Callable[[Task, str, Sequence[Formula]], Task] = pose
    settle: Settling | None = None
    suite: Callable[[], Suite] | None = None


def given_world(source: str | Suite) -> tuple[Suite, TaskWorld]:
    """Return the suite for a world's name, and its world.

    Raises:
        UnknownNameError: If there is no such suite, or its answers are no plans.
        InputError: If tasks cannot be generated in it.
    """
    origin = announced(GROUP).get(source) if isinstance(source, str) else None
    if origin is not None:
        world = find_object(origin.target, what=f"the world {origin.name!r}")
        if isinstance(world, TaskWorld) and world.suite is not None:
            return world.suite(), world
    suite = given_suite(source)
    refuse_without(suite, PLANS)
    return suite, _world_of(suite)


def _world_of(suite: Suite) -> TaskWorld:
    """Return the part of a suite that generates tasks in its world.

    Raises:
        InputError: If the suite reads plans in its own way and announces no such part.
    """
    # Suites of one's own in a format that comes with eai have the world of the format.
    world = extension(GROUP, suite, name=getattr(suite, "world_name", None))
    if isinstance(world, TaskWorld):
        return world
    # No subclass: it may read or score plans by more than the formula of the goal.
    if type(suite.plans(suite.semantics("strict"))) is Plans:
        return TaskWorld()
    raise InputError(
        f"no tasks are generated in the suite {suite.name!r}: it reads plans and goals in a way "
        "of its own",
        expected=f"one of {', '.join(announced(GROUP))}",
        mend=f"announce an eai.contract.TaskWorld in {GROUP}",
    )
