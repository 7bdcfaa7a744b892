"""BEHAVIOR's tasks: from the compact files to :class:`eai.task.Task`.

A task is a demo; objects have their names in the simulator (``jar_0``), as in plans.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from eai.simulators.behavior import AGENT, BehaviorSimulator, initial_state
from eai.suites.behavior.compact import Common, CompactTask
from eai.suites.behavior.goals import BddlGoal, bind_names
from eai.suites.behavior.scenes import category_of, scene_of
from eai.suites.behavior.shelf import Shelf
from eai.task import Task, Vocabulary
from eai.world.action import Action
from eai.world.transition import World

__all__ = ["BehaviorTask", "TaskLibrary", "behavior_task_ids", "load_task"]


def load_task(task: str) -> Task:
    """Load one task from the cache.

    Args:
        task: Its identifier, the name of the demo.

    Raises:
        UnknownNameError: If there is no such task.
        DataMissingError: If the official data was not fetched.
    """
    return _library(Shelf().folder).load(task)


def behavior_task_ids() -> tuple[str, ...]:
    """Return the identifiers of all tasks, in the order of the release.

    Raises:
        DataMissingError: If the official data was not fetched.
    """
    return _library(Shelf().folder).ids


@cache
def _library(folder: Path) -> TaskLibrary:
    return TaskLibrary(Shelf(folder))


class BehaviorTask(Task):
    """A task in the BEHAVIOR world."""

    __slots__ = ()

    @property
    def world(self) -> World:
        """The world without the oddities of the published simulator."""
        return BehaviorSimulator().world


class TaskLibrary:
    """All tasks, loaded one by one.

    Args:
        shelf: Where they are read from.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    @property
    def ids(self) -> tuple[str, ...]:
        """Identifiers of all tasks, in the order of the release."""
        return self._shelf.ids

    def load(self, task: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If neither the task nor the release is in the cache.
        """
        found = self._shelf.task(task)
        names = {bddl: name for name, bddl, _ in found.objects}
        start = initial_state(scene_of(found))
        objects = tuple(name for name in start.universe.names if name != AGENT)
        return BehaviorTask(
            id=found.id,
            name=found.activity.replace("_", " "),
            instruction=found.instruction,
            start=start,
            agent=AGENT,
            goal=BddlGoal(bind_names(found.goal, names)),
            vocabulary=_vocabulary(found, objects, self._shelf.common),
            plans=(_plan(found),),
            metadata={
                "release": "eai-eval 1.0.5",
                "activity": found.activity,
                "scene": found.place,
            },
        )


def _vocabulary(task: CompactTask, objects: tuple[str, ...], common: Common) -> Vocabulary:
    """The names of an answer; a category stands for its objects, pieces have none."""
    classes: dict[str, tuple[str, ...]] = {}
    for name, _, _ in task.objects:
        category = category_of(name)
        classes[category] = (*classes.get(category, ()), name)
    return Vocabulary(common.actions, common.predicates, frozenset(objects), classes)


def _plan(task: CompactTask) -> tuple[Action, ...]:
    """The annotated plan as it stands, misspelt action names included."""
    return tuple(
        Action(action.lower(), tuple(name.strip() for name in objects.split(",")))
        for action, objects in task.plan
    )
