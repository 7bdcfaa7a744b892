"""VirtualHome's tasks.

An object is called ``class.id`` (``washing_machine.1001``) and is a ``room``, a ``character`` or
a ``thing``. Objects are numbered by ascending id.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, final

from eai import simulators
from eai.simulators import object_class
from eai.suites.store import StartedTask, StoredTask, TaskStore
from eai.suites.virtualhome.goals import goal_of
from eai.task import Goal, Vocabulary

if TYPE_CHECKING:
    from eai.pddl import Domain
    from eai.suites.virtualhome.release import HomeArchive
    from eai.world import World

AGENT = "character.65"
"""The character that acts in every task."""


class HomeTask(StartedTask):
    """A task in the VirtualHome world; answers may mention all that is in its scene."""

    __slots__ = ()

    @property
    def world(self) -> World:
        """The world without the oddities of the published executors."""
        return simulators.VirtualHomeSimulator().world

    @property
    def readable(self) -> Vocabulary:
        """The vocabulary with every object of the scene, the relevant ones first."""
        known, names = self.vocabulary, self.start.universe.names
        if len(known.objects) == len(names):
            return known
        everything, members = _by_class(names)
        classes = dict(known.classes)
        for kind, objects in members.items():
            more = [each for each in objects if each not in known.objects]
            if more:
                classes[kind] = (*classes.get(kind, ()), *more)
        return replace(known, objects=everything, classes=classes)


@lru_cache(maxsize=64)
def _by_class(names: tuple[str, ...]) -> tuple[frozenset[str], dict[str, list[str]]]:
    """The objects of a scene, as a set and by class: many tasks are about the same scene."""
    members: dict[str, list[str]] = {}
    for name in names:
        members.setdefault(object_class(name), []).append(name)
    return frozenset(names), members


@final
class HomeStore(TaskStore):
    """VirtualHome's stored tasks, which share the flat."""

    name = "virtualhome"
    form = HomeTask
    agent = AGENT

    def archive(self, wheel: Path) -> HomeArchive:
        """Open the release."""
        from eai.suites.virtualhome.release import HomeArchive

        return HomeArchive(wheel)

    @property
    def domain(self) -> Domain:
        """VirtualHome's domain."""
        return simulators.virtualhome_domain()

    def goal(self, task: StoredTask) -> Goal:
        """Return the goal of a task; its formula is parsed when it is first asked for."""
        return goal_of(task.goal)

    def class_of(self, name: str) -> str:
        """Return the class of an object: its name without the id."""
        return object_class(name)
