"""VirtualHome's tasks, and the names of its domain that answers may use.

An object is called ``class.id`` (``washing_machine.1001``) and is a ``room``, a ``character`` or
a ``thing``. Objects are numbered by ascending id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from eai import logic, simulators
from eai.simulators import object_class
from eai.suites.shared.store import StartedTask, StoredTask, TaskStore, by_class
from eai.task import ActionGoal, Goal, Task, Vocabulary

if TYPE_CHECKING:
    from eai.logic import Formula
    from eai.pddl import Domain
    from eai.semantics import Semantics
    from eai.suites.virtualhome.release import HomeArchive
    from eai.world import World

_Rows = tuple[tuple[str, ...], ...]
_Final = tuple[tuple[tuple[str, "Formula"], ...], ...]

AGENT = "character.65"
"""The character that acts in every task."""

RELATIONS: Mapping[str, str] = {
    "ON": "ontop",
    "INSIDE": "inside",
    "BETWEEN": "between",
    "CLOSE": "next_to",
    "FACING": "facing",
    "HOLDS_RH": "holds_rh",
    "HOLDS_LH": "holds_lh",
}
"""Relation of a scene graph to predicate of the domain."""

NO_GOAL = "the task has no goal and is left out"
"""Why a task without a goal is not evaluated."""


def goalless_count(semantics: Semantics) -> bool:
    """Return whether tasks without a goal are evaluated."""
    return "goalless_tasks_counted" in semantics


def answer_names(task: Task, semantics: Semantics) -> Vocabulary:
    """Return the names that an answer to a task may use."""
    if "relevant_objects_only" in semantics:
        return task.vocabulary
    return task.readable


@cache
def domain_names() -> Vocabulary:
    """Return the actions, states, relations and properties of the domain, without objects."""
    vocabulary = Vocabulary.of(simulators.virtualhome_domain(), ())
    # Predicates that begin with "from_" are bookkeeping of the domain.
    predicates = {
        name: arity for name, arity in vocabulary.predicates.items() if not name.startswith("from_")
    }
    return replace(vocabulary, predicates=predicates)


class HomeTask(StartedTask):
    """A task in the VirtualHome world. Answers may mention every object of its scene."""

    __slots__ = ("_readable",)

    _readable: Vocabulary

    @property
    def world(self) -> World:
        """The world without the oddities of the published executors."""
        return simulators.VirtualHomeSimulator().world

    @property
    def readable(self) -> Vocabulary:
        """The vocabulary with every object of the scene, relevant ones first.

        It is computed once, as every answer to the task is read with it.
        """
        if hasattr(self, "_readable"):
            return self._readable
        vocabulary = self.vocabulary
        relevant_objects = vocabulary.objects
        scene_names = self.start.universe.names
        has_other_objects = len(relevant_objects) != len(scene_names)
        if has_other_objects:
            all_objects, objects_by_class = _by_class(scene_names)
            classes = dict(vocabulary.classes)
            for class_name, objects in objects_by_class.items():
                # A class in a plan means its first object, so relevant objects come first.
                others = [name for name in objects if name not in relevant_objects]
                if others:
                    classes[class_name] = (*classes.get(class_name, ()), *others)
            vocabulary = replace(vocabulary, objects=all_objects, classes=classes)
        # Tasks are frozen, apart from this cache.
        object.__setattr__(self, "_readable", vocabulary)
        return vocabulary


@lru_cache(maxsize=64)
def _by_class(names: tuple[str, ...]) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    """Return the objects of a scene as a set and by class; cached, as many tasks share a scene."""
    return frozenset(names), by_class((name, object_class(name)) for name in names)


class WrittenGoal(Goal):
    """A goal that is kept as text until its formula or conditions are needed.

    Args:
        text: The formula; empty if there is none.
        conditions: Predicate and objects of each condition on the final state.
        actions: Actions that have to be done on the way.
    """

    __slots__ = ("_conditions",)

    _conditions: _Rows

    def __init__(self, text: str, conditions: _Rows, actions: tuple[ActionGoal, ...]) -> None:
        """Keep the text and the conditions as they are stored."""
        # Goal is a frozen dataclass, and its initializer would require the parsed formula.
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "_conditions", conditions)
        object.__setattr__(self, "actions", actions)
        object.__setattr__(self, "whole", False)
        object.__setattr__(self, "is_path", False)

    @property
    def formula(self) -> Formula | None:
        """The formula as a tree; None if there is none."""
        return _parse(self.text) if self.text else None

    @property
    def final(self) -> _Final:
        """The conditions on the final state; there are no alternatives."""
        return _final(self._conditions)

    def __reduce__(self) -> tuple[Any, ...]:
        return WrittenGoal, (self.text, self._conditions, self.actions)


@lru_cache(maxsize=1024)
def _final(rows: _Rows) -> _Final:
    """Return the conditions of a goal as its only alternative."""
    conditions: list[tuple[str, Formula]] = []
    for predicate, *terms in rows:
        kind = "state" if len(terms) == 1 else "relation"
        conditions.append((kind, logic.Atom(predicate, tuple(terms))))
    return (tuple(conditions),)


@lru_cache(maxsize=1024)
def _parse(text: str) -> Formula:
    """Return the formula of a goal; cached, as each task is loaded many times."""
    names, source = domain_names(), f"goal of {simulators.virtualhome_domain().name}"
    vocabulary = logic.LogicVocabulary(names.predicates, names.actions, None)
    return logic.parse_formula(text, vocabulary=vocabulary, source=source)


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
        """Return the goal of a task. Its formula is parsed on first use.

        A condition or an action that is annotated twice counts once.
        """
        conditions = dict.fromkeys(map(tuple, task.goal["final"]))
        actions = [
            ActionGoal(tuple(alternatives.lower().split("|")))
            for alternatives in dict.fromkeys(task.goal["actions"])
        ]
        return WrittenGoal(task.goal["text"], tuple(conditions), tuple(actions))

    def class_of(self, name: str) -> str:
        """Return the class of an object: its name without the id."""
        return object_class(name)
