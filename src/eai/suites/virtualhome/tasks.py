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
from eai.task import ActionGoal, Goal, Vocabulary

if TYPE_CHECKING:
    from eai.logic import Formula
    from eai.pddl import Domain
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


@cache
def domain_names() -> Vocabulary:
    """All but the objects: actions, states, relations and properties; no rules, no bookkeeping."""
    known = Vocabulary.of(simulators.virtualhome_domain(), ())
    predicates = {name: n for name, n in known.predicates.items() if not name.startswith("from_")}
    return replace(known, predicates=predicates)


class HomeTask(StartedTask):
    """A task in the VirtualHome world; answers may mention all that is in its scene."""

    __slots__ = ("_readable",)

    _readable: Vocabulary

    @property
    def world(self) -> World:
        """The world without the oddities of the published executors."""
        return simulators.VirtualHomeSimulator().world

    @property
    def readable(self) -> Vocabulary:
        """The vocabulary with every object of the scene, the relevant ones first."""
        if hasattr(self, "_readable"):  # merged once: every answer to the task is read with it
            return self._readable
        known, names = self.vocabulary, self.start.universe.names
        if len(known.objects) != len(names):
            everything, members = _by_class(names)
            classes = dict(known.classes)
            for kind, objects in members.items():
                more = [each for each in objects if each not in known.objects]
                if more:
                    classes[kind] = (*classes.get(kind, ()), *more)
            known = replace(known, objects=everything, classes=classes)
        object.__setattr__(self, "_readable", known)
        return known


@lru_cache(maxsize=64)
def _by_class(names: tuple[str, ...]) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    """The objects of a scene, as a set and by class: many tasks are about the same scene."""
    return frozenset(names), by_class((name, object_class(name)) for name in names)


class WrittenGoal(Goal):
    """A goal whose formula and conditions are made when they are first asked for.

    Given are the formula as text, perhaps empty, and predicate and objects of each condition.
    """

    __slots__ = ("_conditions",)

    _conditions: _Rows

    def __init__(self, text: str, conditions: _Rows, actions: tuple[ActionGoal, ...]) -> None:
        given = {"text": text, "_conditions": conditions, "actions": actions}
        for name, value in {**given, "whole": False, "is_path": False}.items():
            object.__setattr__(self, name, value)

    @property
    def formula(self) -> Formula | None:
        """The formula as a tree; None if there is none."""
        return _parsed(self.text) if self.text else None

    @property
    def final(self) -> _Final:
        """The conditions on the final state; there are no alternatives."""
        return _final(self._conditions)

    def __reduce__(self) -> tuple[Any, ...]:
        return WrittenGoal, (self.text, self._conditions, self.actions)


@lru_cache(maxsize=1024)
def _final(rows: _Rows) -> _Final:
    atoms = [logic.Atom(predicate, tuple(terms)) for predicate, *terms in rows]
    return (tuple(("state" if len(each.terms) == 1 else "relation", each) for each in atoms),)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Formula:
    known, source = domain_names(), f"goal of {simulators.virtualhome_domain().name}"
    vocabulary = logic.LogicVocabulary(known.predicates, known.actions, None)
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
        """Return the goal of a task; its formula is parsed when it is first asked for.

        A condition or an action that is annotated twice is one.
        """
        conditions = dict.fromkeys(map(tuple, task.goal["final"]))
        actions = (action.lower().split("|") for action in dict.fromkeys(task.goal["actions"]))
        demanded = tuple(ActionGoal(tuple(names)) for names in actions)
        return WrittenGoal(task.goal["text"], tuple(conditions), demanded)

    def class_of(self, name: str) -> str:
        """Return the class of an object: its name without the id."""
        return object_class(name)
