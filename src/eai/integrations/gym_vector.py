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
from eai.task import Task
from eai.world import Action, State

_MOST_BITS = 100_000
"""Maximum number of facts: each is a bit of every observation."""
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
        """Collect the facts and goal conditions of all tasks, and number them as bits."""
        # Empty until all facts are known: resetting the tasks below makes observations already.
        self._index_of_fact: dict[tuple[str, ...], int] = {}
        self._index_of_condition: dict[str, int] = {}
        self.facts: tuple[str, ...] = ()
        super().__init__(suite, task, actions="discrete", **options)
        self._restrict_to_objects(objects)
        # Dictionaries serve as ordered sets, so that every process has the same bits.
        facts: dict[tuple[str, ...], None] = {}
        conditions: dict[str, None] = {}
        for name in self._names:
            self.reset(options={"task": name})
            for condition in self._running_episode().goal.conditions:
                conditions[condition.text] = None
            facts.update(dict.fromkeys(_changeable_facts(self._environment.state(), self._objects)))
            if len(facts) > _MOST_BITS:
                raise InputError(
                    f"there are more than {_MOST_BITS} facts",
                    expected="fewer objects or tasks",
                    mend="objects=... names those that matter",
                )
        self._acting = None  # the first episode begins with a reset by the caller
        # First a bit for each fact, then one for each condition of the goals.
        fact_texts = [f"{predicate}({', '.join(names)})" for predicate, *names in facts]
        self.facts = (*fact_texts, *conditions)
        self._index_of_fact = {fact: index for index, fact in enumerate(facts)}
        self._index_of_condition = {
            text: index for index, text in enumerate(conditions, len(facts))
        }
        self.observation_space = spaces.MultiBinary(len(self.facts))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return for each action whether it can be done now, as MaskablePPO asks for it."""
        mask = np.zeros(len(self.actions), dtype=np.bool_)
        mask[[self._index_of_action[action] for action in self._applicable_actions()]] = True
        return mask

    def _restrict_to_objects(self, objects: str | Sequence[str]) -> None:
        """Restrict facts and actions to some objects.

        Args:
            objects: As for the class; agents are among them in any case.

        Raises:
            UnknownNameError: If an object is in none of the tasks.
        """
        all_objects: set[str] = set()
        agents: set[str] = set()
        named_objects: set[str] = set()
        for name in self._names:
            task, _, _ = self._load_task(name)
            all_objects.update(task.vocabulary.objects)
            agents.add(task.agent)
            named_objects |= _objects_named_by(task)
        # Plans leave the agent out, but facts and actions have it as an argument.
        all_objects |= agents
        if objects == "all":
            chosen_objects = all_objects
        elif objects == "named":
            chosen_objects = (agents | named_objects) & all_objects
        else:
            chosen_objects = agents.union(objects)
        unknown = chosen_objects - all_objects
        if unknown:
            raise UnknownNameError("object", min(unknown), sorted(all_objects))
        self._objects = chosen_objects
        self.actions = tuple(
            action for action in self.actions if chosen_objects.issuperset(action.arguments)
        )
        self._index_of_action = {action: index for index, action in enumerate(self.actions)}
        self.action_space = spaces.Discrete(len(self.actions))

    def _applicable_actions(self) -> Sequence[Action]:
        """Return the actions on the chosen objects whose precondition holds now."""
        return [
            action for action in super()._applicable_actions() if action in self._index_of_action
        ]

    def _observe(self) -> Any:  # noqa: ANN401  # text in the base class, bits here
        if self.render_mode is not None:
            super()._observe()  # kept as text, to be rendered
        bits = np.zeros(len(self.facts), dtype=np.int8)
        for atom in self._environment.state().atoms():
            index = self._index_of_fact.get((atom.predicate, *map(str, atom.terms)))
            if index is not None:
                bits[index] = 1
        for condition in self._running_episode().goal.conditions:
            # While the constructor collects the conditions, they have no bits yet.
            if condition.text in self._index_of_condition:
                bits[self._index_of_condition[condition.text]] = not condition.met
        return bits


def _objects_named_by(task: Task) -> set[str]:
    """Return the objects in a task's goal or reference plans.

    Every word of the goal that names an object counts, in any notation of goals.
    """
    names: set[str] = set()
    for plan in task.plans:
        for step in plan:
            names.update(step.arguments)
    words_of_goal = set(re.findall(r"[\w.-]+", task.goal.text))
    return names | words_of_goal.intersection(task.vocabulary.objects)


def _changeable_facts(state: State, objects: set[str]) -> Iterator[tuple[str, ...]]:
    """Yield the changeable facts about some objects as (predicate, arguments)."""
    domain = state.layout.domain
    universe = state.universe
    for predicate_name, predicate in domain.predicates.items():
        if predicate_name not in domain.fluents or predicate_name in domain.derived:
            continue
        # For each parameter the chosen objects of its types.
        argument_choices = []
        for parameter in predicate.parameters:
            typed_objects = universe.of_types(parameter.types)
            argument_choices.append([name for name in typed_objects if name in objects])
        for arguments in product(*argument_choices):
            yield predicate_name, *arguments
