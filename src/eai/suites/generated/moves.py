"""Actions from one initial state, and how one is drawn.

Objects that fail a static condition are left out beforehand. Where a static condition is about
several objects at once, the combinations that meet it are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import lru_cache, partial
from itertools import product
from random import Random
from typing import NamedTuple, TypeVar

from eai.logic import Formula
from eai.pddl import clauses
from eai.world import Action, State, World, mask_of
from eai.world.bits import bits

_MAX_COMBINATIONS = 50_000
"""Maximum number of combinations of objects that are listed for an action."""
NEAR = 0.7
"""How often an action is drawn that names an object of the step before."""

_T = TypeVar("_T")


class Fact(NamedTuple):
    """A literal over object numbers."""

    predicate: str
    numbers: tuple[int, ...]
    value: bool

    def is_mirrored_in(self, facts: Container[Fact]) -> bool:
        """Return whether the same with its objects in ascending order is among other facts."""
        if len(self.numbers) != 2 or self.numbers[0] < self.numbers[1]:
            return False
        return self._replace(numbers=self.numbers[::-1]) in facts


class Move:
    """An occurrence of an action in a walk. Two occurrences of the same action are different moves.

    Args:
        action: The action, as plans write it.
        objects: Object numbers of its arguments, the agent's not among them.
    """

    __slots__ = ("action", "objects")

    def __init__(self, action: Action, objects: tuple[int, ...]) -> None:
        self.action = action
        self.objects = objects


def drawn(random: Random, items: Sequence[_T]) -> _T:
    """Draw an item; a third of the time of ``random.choice``."""
    return items[int(random.random() * len(items))]


class Schema:
    """An action schema, with the objects that each of its parameters can take.

    Args:
        world: The world.
        start: The initial state.
        name: The action.
        agent: Number of the agent, if there is one.
        objects: Objects that plans may name, as a mask.

    Attributes:
        is_possible: Whether any objects are left.
        fluent_tests: The tests of its precondition, and the conditions of its effects that do not
            quantify, as far as some action changes them.
    """

    def __init__(
        self, world: World, start: State, name: str, agent: int | None, objects: int
    ) -> None:
        # ``first_failure`` and the tests take object numbers: the agent's, then the others.
        compiled = world.operator(name)
        self.name = name
        self.agent = () if agent is None else (agent,)
        self.first_failure = compiled.first_failure
        self.fluent_tests, static_tests = _sorted_tests(world, name)
        parameters = compiled.operator.parameters[len(self.agent) :]
        self._ranges: list[list[int]] = []  # for each argument the objects that it may be
        for parameter in parameters:
            self._ranges.append(list(bits(start.universe.mask(parameter.types) & objects)))
        self._combinations: list[tuple[int, ...]] | None = None  # None: all of the ranges
        self._with_object: dict[int, list[tuple[int, ...]]] = {}
        self.is_possible = all(self._ranges)
        self._apply_static_tests(start, [parameter.name for parameter in parameters], static_tests)
        self._masks = [mask_of(numbers) for numbers in self._ranges]

    def _apply_static_tests(
        self, start: State, parameters: Sequence[str], tests: Sequence[_StaticTest]
    ) -> None:
        """Remove the objects and combinations of objects that no static test lets pass.

        Args:
            start: The initial state; no action changes the outcome of a static test.
            parameters: Names of the parameters, without that of the agent.
            tests: The tests.
        """
        joint_tests: list[Callable[..., bool]] = []
        for names, function in tests:
            # Some argument has no object left, so that no further test matters.
            if not self.is_possible:
                return
            mentioned = [index for index, name in enumerate(parameters) if name in names]
            if len(mentioned) > 1:
                joint_tests.append(partial(function, start))
            else:
                self._restrict(partial(function, start), mentioned)
        if joint_tests and self.is_possible:
            self._list_combinations(joint_tests)

    def _restrict(self, test: Callable[..., bool], mentioned: Sequence[int]) -> None:
        """Remove the objects that fail a test of a single argument or of none."""
        # The test does not look at the other arguments: any objects will do for them.
        numbers = [numbers[0] for numbers in self._ranges]
        if not mentioned:
            self.is_possible = test(*self.agent, *numbers)
            return
        (position,) = mentioned
        passing: list[int] = []
        for number in self._ranges[position]:
            numbers[position] = number
            if test(*self.agent, *numbers):
                passing.append(number)
        self._ranges[position] = passing
        self.is_possible = bool(passing)

    def _list_combinations(self, tests: Sequence[Callable[..., bool]]) -> None:
        """List the argument tuples that pass tests of several arguments, unless they are many."""
        count = 1
        for numbers in self._ranges:
            count *= len(numbers)
        # Very many are not listed: whoever draws one finds out whether it can be taken.
        if count > _MAX_COMBINATIONS:
            return
        self._combinations = []
        for objects in product(*self._ranges):
            if not all(test(*self.agent, *objects) for test in tests):
                continue
            self._combinations.append(objects)
            for number in objects:
                self._with_object.setdefault(number, []).append(objects)
        self.is_possible = bool(self._combinations)

    def draw(self, random: Random, nearby: Sequence[int]) -> tuple[int, ...]:
        """Draw arguments, preferably with one of the nearby objects among them.

        Args:
            random: The source of randomness.
            nearby: Numbers of the objects of the last step.

        Returns:
            The object numbers of all arguments, the agent's first. No test has to hold for them.
        """
        fraction = random.random
        preferred = -1  # no object's number: none is preferred
        if nearby and fraction() < NEAR:
            preferred = nearby[int(fraction() * len(nearby))]
        if self._combinations is not None:
            combinations = self._with_object.get(preferred, self._combinations)
            return self.agent + drawn(random, combinations)
        # Most draws come to nothing, so this is most of the work: nothing in it is a call of ours.
        arguments = [numbers[int(fraction() * len(numbers))] for numbers in self._ranges]
        if preferred >= 0 and arguments:
            position = int(fraction() * len(arguments))
            if self._masks[position] >> preferred & 1:
                arguments[position] = preferred
        return (*self.agent, *arguments)


_FluentTest = tuple[int, Callable[..., bool]]
"""The predicates that a test depends on, as a mask (-1 if not known), and its function."""
_StaticTest = tuple[frozenset[str], Callable[..., bool]]
"""The parameters that a test mentions, and its function."""


@lru_cache(maxsize=1_000)
def _sorted_tests(world: World, name: str) -> tuple[list[_FluentTest], list[_StaticTest]]:
    """Return the fluent tests and the static tests of an action. All scenes of a world share both.

    Fluent are the tests of the precondition whose outcome an action can change, and likewise the
    conditions of effects that do not quantify. Static are all other tests of the precondition.
    """
    compiled = world.operator(name)
    parameters = compiled.operator.parameters
    fluent: list[_FluentTest] = []
    static: list[_StaticTest] = []
    for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
        if world.domain.is_static(test):
            static.append((frozenset(test.free_names), function))
        else:
            fluent.append((_reads(world, test), function))
    effects = clauses(compiled.operator.effect, [parameter.name for parameter in parameters])
    conditions = [effect.condition for effect in effects if not effect.variables]
    # Many effects of an action share one condition.
    for condition in dict.fromkeys(conditions):
        if not world.domain.is_static(condition):
            fluent.append((_reads(world, condition), world.function_of(condition, parameters)))
    return fluent, static


def _reads(world: World, condition: Formula) -> int:
    """Return the predicates that a condition depends on, as a mask; -1 if they are not known."""
    predicates = world.reads(condition)
    return -1 if predicates is None else mask_of(predicates)
