"""VirtualHome's tasks: from the compact files to :class:`eai.task.Task`.

An object is called ``class.id`` (``washing_machine.1001``) and is a ``room``, a ``character`` or
a ``thing``. Objects are numbered by ascending id. The state of the scene that all tasks share is
built once; a task's state is a copy of it, enlarged by the task's own objects, with the facts
flipped in which the task differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from eai.errors import DataError
from eai.logic import LogicVocabulary, parse_formula
from eai.logic.formula import Atom, Formula
from eai.simulators.virtualhome import class_predicates, virtualhome_domain
from eai.suites.virtualhome.compact import CompactTask, Facts, Listed
from eai.suites.virtualhome.shelf import Shelf
from eai.task import ActionGoal, Goal, Task, Vocabulary
from eai.world.action import Action
from eai.world.state import Layout, State
from eai.world.universe import Universe

__all__ = ["AGENT", "RELATIONS", "TaskLibrary", "WrittenGoal", "load_task", "task_ids"]

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

_TYPES = {"Rooms": "room", "Characters": "character"}


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


class WrittenGoal(Goal):
    """A goal whose formula is parsed when it is first asked for.

    Args:
        text: The formula as text; empty if there is none.
        final: See :class:`eai.task.Goal`.
        actions: See :class:`eai.task.Goal`.
    """

    __slots__ = ()

    def __init__(
        self,
        text: str,
        final: tuple[tuple[tuple[str, Formula], ...], ...],
        actions: tuple[ActionGoal, ...],
    ) -> None:
        for name, value in (("text", text), ("final", final), ("actions", actions)):
            object.__setattr__(self, name, value)

    @property
    def formula(self) -> Formula | None:
        """The formula as a tree; None if there is none."""
        return _parsed(self.text) if self.text else None

    def __reduce__(self) -> tuple[Any, ...]:
        return WrittenGoal, (self.text, self.final, self.actions)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Formula:
    domain = virtualhome_domain()
    vocabulary = LogicVocabulary(_predicates(), _actions(), None)
    return parse_formula(text, vocabulary=vocabulary, source=f"goal of {domain.name}")


@cache
def _actions() -> Mapping[str, int]:
    """Operator name to the number of objects that a plan gives it: all but the agent."""
    return {
        name: len(operator.parameters) - 1
        for name, operator in virtualhome_domain().operators.items()
    }


@cache
def _predicates() -> Mapping[str, int]:
    """Predicate name to arity: states, relations and properties; no rules, no bookkeeping."""
    domain = virtualhome_domain()
    return {
        name: predicate.arity
        for name, predicate in domain.predicates.items()
        if name not in domain.derived and not name.startswith("from_")
    }


class TaskLibrary:
    """All tasks, loaded one by one.

    Args:
        shelf: Where they are read from.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._layout = Layout(virtualhome_domain())

    @property
    def ids(self) -> tuple[str, ...]:
        """Identifiers of all tasks, in the order of the release."""
        return tuple(self._shelf.scene.names)

    def load(self, task: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If neither the task nor the release is in the cache.
        """
        found = self._shelf.task(task)
        names = {**self._names, **_named(found.nodes)}
        return Task(
            id=found.id,
            name=found.name,
            instruction=found.description,
            start=self._start(found),
            agent=AGENT,
            goal=_goal(found, names),
            vocabulary=_vocabulary(found, names),
            plans=(_plan(found),),
            metadata={"release": "eai-eval 1.0.5", "scene": 1},
        )

    @cached_property
    def _names(self) -> dict[int, str]:
        return _named(self._shelf.scene.nodes)

    @cached_property
    def _types(self) -> dict[str, str]:
        return _typed(self._shelf.scene.nodes)

    @cached_property
    def _at(self) -> dict[int, int]:
        return {node[0]: at for at, node in enumerate(self._shelf.scene.nodes)}

    @cached_property
    def _base(self) -> State:
        scene = self._shelf.scene
        state = State(self._layout, Universe(self._layout.domain, self._types))
        _flip(state, scene.facts, self._at)
        _mark_classes(state, scene.nodes)
        return state

    def _start(self, task: CompactTask) -> State:
        types = {**self._types, **_typed(task.nodes)}
        state = self._base.enlarged(Universe(self._layout.domain, types))
        added = {node[0]: at for at, node in enumerate(task.nodes, start=len(self._types))}
        _flip(state, task.facts, {**self._at, **added})
        _mark_classes(state, task.nodes)
        return state


def _named(nodes: list[Listed]) -> dict[int, str]:
    return {number: f"{class_name}.{number}" for number, class_name, _ in nodes}


def _typed(nodes: list[Listed]) -> dict[str, str]:
    return {
        f"{class_name}.{number}": _TYPES.get(category, "thing")
        for number, class_name, category in nodes
    }


def _flip(state: State, facts: Facts, at: Mapping[int, int]) -> None:
    """Make the facts that hold false, and those that do not hold true."""
    for table in (facts.properties, facts.states):
        for name, numbers in table.items():
            mask = 0
            for number in numbers:
                mask ^= 1 << at[number]
            state.unary[_number(state, name.lower())] ^= mask
    for relation, ends in facts.edges.items():
        p = _number(state, RELATIONS.get(relation, relation))
        rows, cols = state.rows[p], state.cols[p]
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            a, b = at[start], at[end]
            rows[a] ^= 1 << b
            cols[b] ^= 1 << a


def _number(state: State, predicate: str) -> int:
    try:
        return state.layout.index[predicate]
    except KeyError:
        raise DataError(
            f"the scene graph has {predicate!r}, which the domain does not declare",
            expected=", ".join(state.layout.names),
        ) from None


def _mark_classes(state: State, nodes: list[Listed]) -> None:
    for number, class_name, _ in nodes:
        for predicate in class_predicates(class_name):
            state.add(predicate, (f"{class_name}.{number}",))


def _goal(task: CompactTask, names: Mapping[int, str]) -> Goal:
    """Return the goal; a condition or an action that is annotated twice is one."""
    final = dict.fromkeys(_condition(goal, names) for goal in task.goals)
    actions = dict.fromkeys(task.actions)
    return WrittenGoal(
        task.formula or "",
        (tuple(final),),
        tuple(ActionGoal(tuple(action.lower().split("|"))) for action in actions),
    )


def _condition(goal: Mapping[str, Any], names: Mapping[int, str]) -> tuple[str, Formula]:
    if "state" in goal:
        return "state", Atom(goal["state"].lower(), (names[goal["id"]],))
    ends = (names[goal["from_id"]], names[goal["to_id"]])
    return "relation", Atom(RELATIONS[goal["relation_type"]], ends)


def _vocabulary(task: CompactTask, names: Mapping[int, str]) -> Vocabulary:
    relevant = [names[number] for number in task.relevant]
    classes: dict[str, tuple[str, ...]] = {}
    for name in relevant:
        class_name = name.rpartition(".")[0]
        classes[class_name] = (*classes.get(class_name, ()), name)
    return Vocabulary(_actions(), _predicates(), frozenset(relevant), classes)


def _plan(task: CompactTask) -> tuple[Action, ...]:
    return tuple(
        Action(action.lower(), tuple(f"{name}.{number}" for name, number in objects))
        for action, objects in task.program
    )
