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
        """Collect the objects that pass the static tests of each parameter."""
        # ``first_failure`` and the tests take object numbers: the agent's, then the others.
        compiled = world.operator(name)
        self.name = name
        self.agent = () if agent is None else (agent,)
        self.first_failure = compiled.first_failure
        self.fluent_tests, static_tests = _fluent_and_static_tests(world, name)
        parameters = compiled.operator.parameters[len(self.agent) :]
        self._candidates: list[list[int]] = []  # for each parameter the objects that it can take
        for parameter in parameters:
            self._candidates.append(list(bits(start.universe.mask(parameter.types) & objects)))
        # All argument tuples; None if any combination of the candidates may be drawn.
        self._combinations: list[tuple[int, ...]] | None = None
        self._combinations_with: dict[int, list[tuple[int, ...]]] = {}
        self.is_possible = all(self._candidates)
        self._apply_static_tests(start, [parameter.name for parameter in parameters], static_tests)
        self._candidate_masks = [mask_of(candidates) for candidates in self._candidates]

    def _apply_static_tests(
        self, start: State, parameters: Sequence[str], tests: Sequence[_StaticTest]
    ) -> None:
        """Remove the objects and combinations of objects that fail a static test.

        Args:
            start: The initial state; no action changes the outcome of a static test.
            parameters: Names of the parameters, without that of the agent.
            tests: The tests.
        """
        joint_tests: list[Callable[..., bool]] = []
        for names, function in tests:
            # Once a parameter has no candidate left, no further test matters.
            if not self.is_possible:
                return
            indices = [index for index, name in enumerate(parameters) if name in names]
            if len(indices) > 1:
                joint_tests.append(partial(function, start))
            else:
                self._filter_candidates(partial(function, start), indices)
        if joint_tests and self.is_possible:
            self._list_combinations(joint_tests)

    def _filter_candidates(self, test: Callable[..., bool], indices: Sequence[int]) -> None:
        """Remove the objects that fail a test of a single parameter or of none.

        Args:
            test: A function of the object numbers of all arguments.
            indices: The indices of the parameters on which it depends, at most one.
        """
        # The test does not look at the other arguments, so any objects will do for them.
        arguments = [candidates[0] for candidates in self._candidates]
        if not indices:
            self.is_possible = test(*self.agent, *arguments)
            return
        (index,) = indices
        passing: list[int] = []
        for candidate in self._candidates[index]:
            arguments[index] = candidate
            if test(*self.agent, *arguments):
                passing.append(candidate)
        self._candidates[index] = passing
        self.is_possible = bool(passing)

    def _list_combinations(self, tests: Sequence[Callable[..., bool]]) -> None:
        """List the argument tuples that pass tests of several arguments, unless they are many."""
        count = 1
        for candidates in self._candidates:
            count *= len(candidates)
        # Where there are too many to list, a drawn action is tested when it is tried.
        if count > _MAX_COMBINATIONS:
            return
        self._combinations = []
        for arguments in product(*self._candidates):
            if not all(test(*self.agent, *arguments) for test in tests):
                continue
            self._combinations.append(arguments)
            for object_number in arguments:
                self._combinations_with.setdefault(object_number, []).append(arguments)
        self.is_possible = bool(self._combinations)

    def draw(self, random: Random, nearby: Sequence[int]) -> tuple[int, ...]:
        """Draw arguments, preferably with one of the nearby objects among them.

        Args:
            random: The source of randomness.
            nearby: Numbers of the objects of the last step.

        Returns:
            The object numbers of all arguments, the agent's first. The action need not be
            applicable to them.
        """
        fraction = random.random
        preferred_object = -1  # no object has this number
        if nearby and fraction() < NEAR:
            preferred_object = nearby[int(fraction() * len(nearby))]
        if self._combinations is not None:
            combinations = self._combinations_with.get(preferred_object, self._combinations)
            return self.agent + drawn(random, combinations)
        # A walk draws about ten times for each step, so the items are drawn here without a call.
        arguments = [
            candidates[int(fraction() * len(candidates))] for candidates in self._candidates
        ]
        if preferred_object >= 0 and arguments:
            index = int(fraction() * len(arguments))
            if self._candidate_masks[index] >> preferred_object & 1:
                arguments[index] = preferred_object
        return (*self.agent, *arguments)


_FluentTest = tuple[int, Callable[..., bool]]
"""The predicates that a test depends on, as a mask (-1 if not known), and its function."""
_StaticTest = tuple[frozenset[str], Callable[..., bool]]
"""The parameters that a test mentions, and its function."""


@lru_cache(maxsize=1_000)
def _fluent_and_static_tests(
    world: World, name: str
) -> tuple[list[_FluentTest], list[_StaticTest]]:
    """Return the fluent and the static tests of an action, the same for all scenes of a world.

    A test is a condition of the precondition, or the condition of an effect without quantifiers.
    It is fluent if some action can change its outcome. Static conditions of effects are left out.
    """
    compiled = world.operator(name)
    parameters = compiled.operator.parameters
    fluent_tests: list[_FluentTest] = []
    static_tests: list[_StaticTest] = []
    for condition, function in zip(compiled.tests, compiled.test_functions, strict=True):
        if world.domain.is_static(condition):
            static_tests.append((frozenset(condition.free_names), function))
        else:
            fluent_tests.append((_predicate_mask(world, condition), function))
    effects = clauses(compiled.operator.effect, [parameter.name for parameter in parameters])
    # Effects of an action often share one condition, which is tested once.
    effect_conditions = dict.fromkeys(
        effect.condition for effect in effects if not effect.variables
    )
    for condition in effect_conditions:
        if not world.domain.is_static(condition):
            function = world.function_of(condition, parameters)
            fluent_tests.append((_predicate_mask(world, condition), function))
    return fluent_tests, static_tests


def _predicate_mask(world: World, condition: Formula) -> int:
    """Return the predicates that a condition depends on, as a mask; -1 if they are not known."""
    predicates = world.reads(condition)
    return -1 if predicates is None else mask_of(predicates)
