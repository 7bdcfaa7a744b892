"""VirtualHome's tasks: from the compact files to :class:`eai.task.Task`.

An object is called ``class.id`` (``washing_machine.1001``) and is a ``room``, a ``character`` or
a ``thing``. Objects are numbered by ascending id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eai.errors import UnknownNameError
from eai.simulators.virtualhome_model import object_class
from eai.suites.virtualhome.compact import CompactTask, Listed
from eai.suites.virtualhome.shelf import Shelf
from eai.task import Goal, Task, Vocabulary

if TYPE_CHECKING:
    from eai.suites.virtualhome.starts import Starts
    from eai.world.action import Action
    from eai.world.state import State
    from eai.world.transition import World

__all__ = ["AGENT", "HomeTask", "StoredTask", "TaskLibrary", "load_task", "task_ids"]

AGENT = "character.65"
"""The character that acts in every task."""


def load_task(task: str) -> Task:
    """Load one task from the cache.

    Args:
        task: Its identifier (``"27_2"``).

    Raises:
        UnknownNameError: If there is no such task.
        DataMissingError: If the official data was not fetched.
    """
    return _library(Shelf().folder).load(task)


def task_ids() -> tuple[str, ...]:
    """Return the identifiers of all tasks, in the order of the annotation.

    Raises:
        DataMissingError: If the official data was not fetched.
    """
    return _library(Shelf().folder).ids


@cache
def _library(folder: Path) -> TaskLibrary:
    return TaskLibrary(Shelf(folder))


class HomeTask(Task):
    """A task in the VirtualHome world; answers may mention all that is in its scene."""

    __slots__ = ()

    @property
    def world(self) -> World:
        """The world without the oddities of the published executors."""
        from eai.simulators.virtualhome import VirtualHomeSimulator

        return VirtualHomeSimulator().world

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


class StoredTask(HomeTask):
    """A task whose parts are read when they are first asked for.

    Few abilities need all of them: the initial state alone takes half of the time that loading
    a task takes, and is no part of what goals or operators are compared with.
    """

    __slots__ = ("_library",)

    @classmethod
    def of(cls, library: TaskLibrary, task: str, name: str) -> StoredTask:
        """Make a task of which only the names are known yet."""
        made = object.__new__(cls)
        metadata = {"release": "eai-eval 1.0.5", "scene": 1}
        known = {"id": task, "name": name, "agent": AGENT, "metadata": metadata}
        for field, value in {**known, "_library": library}.items():
            object.__setattr__(made, field, value)
        return made

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        # Python only comes here for what is not filled in yet.
        if name not in _PARTS:
            raise AttributeError(f"a task has no attribute {name!r}")
        value = _PARTS[name](self._library, self._library.stored(self.id))
        object.__setattr__(self, name, value)
        return value


class TaskLibrary:
    """All tasks, loaded one by one.

    Args:
        shelf: Where they are read from.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._last: CompactTask | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Identifiers of all tasks, in the order of the release."""
        return tuple(self._shelf.scene.names)

    def load(self, task: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If neither the task nor the release is in the cache.
            DataError: If the release has facts of the task that the domain does not declare.
        """
        names = self._shelf.scene.names
        if task not in names:
            raise UnknownNameError("task", task, names)
        if not self._shelf.holds(task):
            self.stored(task)
        return StoredTask.of(self, task, names[task])

    def stored(self, task: str) -> CompactTask:
        """Return a task as it is stored; the last one is kept for its other parts."""
        last = self._last
        if last is None or last.id != task:
            self._last = last = self._shelf.task(task)
        return last

    def start(self, task: CompactTask) -> State:
        """Build its initial state."""
        return self._starts.start_of(task)

    def goal(self, task: CompactTask) -> Goal:
        """Return its goal."""
        from eai.suites.virtualhome.goals import goal_of

        return goal_of(task, self._names_in(task))

    def vocabulary(self, task: CompactTask) -> Vocabulary:
        """Return what an answer to it may mention."""
        from eai.suites.virtualhome.vocabulary import vocabulary_of

        return vocabulary_of(task, self._names_in(task))

    def plans(self, task: CompactTask) -> tuple[tuple[Action, ...], ...]:
        """Return the annotated plan."""
        from eai.world.action import Action

        steps = [
            Action(action.lower(), tuple(f"{name}.{number}" for name, number in objects))
            for action, objects in task.program
        ]
        return (tuple(steps),)

    @cached_property
    def _starts(self) -> Starts:
        from eai.suites.virtualhome.starts import Starts

        return Starts(self._shelf.scene)

    @cached_property
    def _names(self) -> dict[int, str]:
        return _named(self._shelf.scene.nodes)

    def _names_in(self, task: CompactTask) -> Mapping[int, str]:
        return {**self._names, **_named(task.nodes)}


_PARTS: Mapping[str, Callable[[TaskLibrary, CompactTask], object]] = {
    "instruction": lambda _, task: task.description,
    "start": TaskLibrary.start,
    "goal": TaskLibrary.goal,
    "vocabulary": TaskLibrary.vocabulary,
    "plans": TaskLibrary.plans,
}


def _named(nodes: list[Listed]) -> dict[int, str]:
    return {number: f"{class_name}.{number}" for number, class_name, _ in nodes}
