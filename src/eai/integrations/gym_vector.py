"""Suites as environments of Gymnasium whose observations are numbers, for trainers of networks.

``gymnasium.make("eai/Household-Vector-v0", task="studio-05")`` makes one: facts as bits, actions by
number, and those that can be done now as a mask. Importing :mod:`eai.integrations.gym` registers
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from eai.contract import Suite
from eai.errors import InputError, UnknownNameError
from eai.integrations.gym import SuiteEnv
from eai.simulators import Environment
from eai.task import Task
from eai.world import Action, State

_MOST_BITS = 100_000
Bits = NDArray[np.int8]
"""An observation."""


class VectorEnv(SuiteEnv):
    """The tasks of a suite with observations and actions as numbers.

    An observation has a bit for each fact that actions can change, and one for each condition of
    the goals, which is 1 while the episode demands it and it is not met.

    Args:
        suite: The suite, or its name.
        task: As for :class:`~eai.integrations.gym.SuiteEnv`; name one, or a few.
        objects: The objects that facts and actions are about: ``"named"``: those that a goal or a
            reference plan of the tasks names, a small part of a home; ``"all"``; or their names.
        **options: Further arguments of :class:`~eai.integrations.gym.SuiteEnv`.

    Attributes:
        facts: The meaning of the bits, in order.

    Raises:
        UnknownNameError: If there is no such object.
        InputError: If there are too many facts.
    """

    def __init__(
        self,
        suite: str | Suite,
        task: str | Sequence[str] | None = None,
        *,
        objects: Literal["named", "all"] | Sequence[str] = "named",
        **options: Any,  # noqa: ANN401
    ) -> None:
        self._places: dict[tuple[str, ...], int] = {}
        self._conditions: dict[str, int] = {}
        self.facts: tuple[str, ...] = ()
        super().__init__(suite, task, actions="discrete", **options)
        loaded = [self._task(name)[:2] for name in self._names]
        self._keep(loaded, objects)
        facts: dict[tuple[str, ...], None] = {}
        conditions: dict[str, None] = {}
        for name in self._names:
            self.reset(options={"task": name})
            conditions.update(dict.fromkeys(each.text for each in self._begun().goal.conditions))
            facts.update(dict.fromkeys(_facts(self._environment.state(), self._objects)))
            if len(facts) > _MOST_BITS:
                raise InputError(
                    f"there are more than {_MOST_BITS} facts",
                    expected="fewer objects or tasks",
                    mend="objects=... names those that matter",
                )
        self._acting = None  # the first episode begins with a reset by the caller
        # First a bit for each fact, then one for each condition of the goals.
        texts = [f"{predicate}({', '.join(names)})" for predicate, *names in facts]
        self.facts = (*texts, *conditions)
        self._places = {fact: place for place, fact in enumerate(facts)}
        self._conditions = {text: place for place, text in enumerate(conditions, len(facts))}
        self.observation_space = spaces.MultiBinary(len(self.facts))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return for each action whether it can be done now, as MaskablePPO asks for it."""
        mask = np.zeros(len(self.actions), dtype=np.bool_)
        mask[[self._numbers[action] for action in self._valid()]] = True
        return mask

    def _keep(
        self, loaded: Sequence[tuple[Task, Environment]], objects: str | Sequence[str]
    ) -> None:
        """Keep the actions on some objects."""
        tasks = [task for task, _ in loaded]
        agents = {task.agent for task in tasks}
        known = agents.union(*(task.vocabulary.objects for task in tasks))
        if objects == "all":
            names = known
        elif objects == "named":
            names = agents.union(*map(_named, tasks)) & known
        else:
            names = agents.union(objects)
        unknown = names - known
        if unknown:
            raise UnknownNameError("object", min(unknown), sorted(known))
        self._objects = names
        self.actions = tuple(each for each in self.actions if names.issuperset(each.arguments))
        self._numbers = {action: number for number, action in enumerate(self.actions)}
        self.action_space = spaces.Discrete(len(self.actions))

    def _valid(self) -> Sequence[Action]:
        return [action for action in super()._valid() if action in self._numbers]

    def _observed(self) -> Any:  # noqa: ANN401  # text in the base class, bits here
        if self.render_mode is not None:
            super()._observed()  # kept as text, to be rendered
        found = np.zeros(len(self.facts), dtype=np.int8)
        for atom in self._environment.state().atoms():
            place = self._places.get((atom.predicate, *map(str, atom.terms)))
            if place is not None:
                found[place] = 1
        for condition in self._begun().goal.conditions:
            if condition.text in self._conditions:  # not yet while these are collected
                found[self._conditions[condition.text]] = not condition.met
        return found


def _named(task: Task) -> set[str]:
    """Return the objects that a task's goal or its reference plans name."""
    found = {name for plan in task.plans for step in plan for name in step.arguments}
    return found | set(re.findall(r"[\w.-]+", task.goal.text)).intersection(task.vocabulary.objects)


def _facts(state: State, objects: set[str]) -> Iterator[tuple[str, ...]]:
    """Yield the facts about some objects that actions can change: predicate and arguments."""
    domain, universe = state.layout.domain, state.universe
    for name, predicate in domain.predicates.items():
        if name not in domain.fluents or name in domain.derived:
            continue
        ranges = []
        for parameter in predicate.parameters:
            known = universe.of_types(parameter.types)
            ranges.append([each for each in known if each in objects])
        yield from ((name, *arguments) for arguments in product(*ranges))
