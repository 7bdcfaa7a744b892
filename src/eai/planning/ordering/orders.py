"""Partial orders of steps, and random choices that are the same everywhere.

Idea: the possible orders of a partial order are counted over its *ideals*, the sets of steps that
can be done first: an ideal has as many orders as the ideals with one step less have together.
Components without any order between them are counted apart and interleaved.

Cost: one look-up for each ideal and step that can follow; there may be exponentially many ideals,
so their number is limited (:data:`MAX_IDEALS`). Counting is #P-complete (Brightwell & Winkler
1991).

Example:
    Two steps in any order after a first one, which can be done in two ways:

    >>> order = PartialOrder([0, 1, 2], [(0, 1), (0, 2)])
    >>> order.count()
    2
    >>> order.permits([1, 0, 2])
    False
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import comb
from typing import TypeVar

from eai.errors import InputError
from eai.world.bits import bits, union

T = TypeVar("T")


class Dice:
    """Random numbers from a seed, the same with every Python version."""

    def __init__(self, seed: int | str) -> None:
        # Of all methods, only this one is promised to stay as it is.
        self._random = random.Random(seed).random  # noqa: S311

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to below a bound, which may be of any size."""
        # A random fraction has 53 bits, so it is a whole number of 2 ** -53: no rounding is left.
        return int(self._random() * 2**53) * bound >> 53

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of some items."""
        return items[self.below(len(items))]

    def pick(self, weights: Mapping[int, int]) -> int:
        """Draw a key, with a probability in proportion to its weight."""
        sums = list(accumulate(weights.values()))
        return list(weights)[bisect_right(sums, self.below(sums[-1]))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Bring items into a random order (Fisher & Yates 1938)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


MAX_IDEALS = 200_000
"""Maximum number of ideals of one component that are examined."""


@dataclass(init=False, repr=False, unsafe_hash=True)
class PartialOrder:
    """A partial order of steps.

    Args:
        steps: Names of the steps (their numbers in a plan), in an order that is possible.
        before: Pairs of steps, the first of which comes before the second. Pairs that follow from
            others may be left out.

    Raises:
        InputError: If the order of ``steps`` violates a pair, or a pair names another step.
    """

    steps: tuple[int, ...]
    _before: tuple[int, ...]

    def __init__(self, steps: Iterable[int], before: Iterable[tuple[int, int]]) -> None:
        self.steps = tuple(steps)
        index_of = {step: index for index, step in enumerate(self.steps)}
        # By position of a step: the positions of the steps before it, as a mask.
        direct_predecessors = [0] * len(self.steps)
        for first, second in before:
            if (
                first not in index_of
                or second not in index_of
                or index_of[first] >= index_of[second]
            ):
                raise InputError(
                    f"step {first} cannot come before step {second}",
                    expected="pairs of the steps given, in their order",
                )
            direct_predecessors[index_of[second]] |= 1 << index_of[first]
        # The transitive closure; the order of the steps makes one pass enough.
        all_predecessors: list[int] = []
        for direct_mask in direct_predecessors:
            predecessors = direct_mask
            for index in bits(direct_mask):
                predecessors |= all_predecessors[index]
            all_predecessors.append(predecessors)
        self._before = tuple(all_predecessors)

    def __repr__(self) -> str:
        return f"PartialOrder({list(self.steps)}, {list(self.edges)})"

    def precedes(self, first: int, second: int) -> bool:
        """Return whether one step comes before another in every possible order."""
        index = self.steps.index
        return bool(self._before[index(second)] >> index(first) & 1)

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs from which all others follow (the transitive reduction).

        In "1 before 2, 2 before 3, 1 before 3", the last pair follows from the others.
        """
        edges = []
        for second, mask in enumerate(self._before):
            # A predecessor of a direct predecessor follows transitively and is not an edge.
            implied = union(self._before[i] for i in bits(mask))
            for first in bits(mask & ~implied):
                edges.append((self.steps[first], self.steps[second]))
        return tuple(edges)

    def permits(self, order: Sequence[int]) -> bool:
        """Return whether the partial order permits an order of all steps."""
        if sorted(order) != sorted(self.steps):
            return False
        index_of = {step: index for index, step in enumerate(self.steps)}
        # All predecessors of a step must be among the steps that are done.
        steps_done = 0
        for step in order:
            if self._before[index_of[step]] & ~steps_done:
                return False
            steps_done |= 1 << index_of[step]
        return True

    def count(self, *, most: int = MAX_IDEALS) -> int | None:
        """Return the number of linear extensions.

        Args:
            most: Maximum number of ideals of one component that are examined.

        Returns:
            The number; None if there are more ideals than that.
        """
        total, size = 1, 0
        for component in self._components:
            counts = self._count_orders_of_ideals(component, most)
            if counts is None:
                return None
            # The steps of the component may be anywhere among those of the components before.
            size += component.bit_count()
            total *= counts[component] * comb(size, component.bit_count())
        return total

    def sample(self, seed: int = 0, *, most: int = MAX_IDEALS) -> tuple[int, ...]:
        """Return a random linear extension.

        Every linear extension is equally likely unless there are too many ideals. Then the next
        step is drawn from the possible ones, which is not quite uniform.

        Args:
            seed: The same seed gives the same order.
            most: Maximum number of ideals of one component that are counted. An ideal is a set of
                steps that contains all predecessors of its steps.
        """
        dice = Dice(seed)
        orders = [self._sample_component(component, dice, most) for component in self._components]
        # The shuffled list says from which component each step comes.
        turns: list[int] = []
        for component_index, order in enumerate(orders):
            turns += [component_index] * len(order)
        dice.shuffle(turns)
        queues = [iter(order) for order in orders]
        return tuple([self.steps[next(queues[component_index])] for component_index in turns])

    def _sample_component(self, component: int, dice: Dice, max_ideals: int) -> list[int]:
        """Return a random linear extension of a component, as a list of steps.

        Steps are drawn backwards: a last step is drawn in proportion to the number of orders of the
        other steps, so that all orders are equally likely. If there are too many sets of steps to
        count, steps are drawn forwards, and all possible next steps are equally likely.

        Args:
            component: The steps, as a mask.
            dice: The source of random numbers.
            max_ideals: Maximum number of sets of steps that are counted.
        """
        counts = self._count_orders_of_ideals(component, max_ideals)
        order: list[int] = []
        if counts is None:
            steps_done = 0
            while steps_done != component:
                order.append(
                    dice.pick(dict.fromkeys(self._possible_next_steps(steps_done, component), 1))
                )
                steps_done |= 1 << order[-1]
            return order
        steps_left = component
        while steps_left:
            orders_before = {}
            for last in bits(steps_left):
                # This step cannot be the last if the others are no ideal. Their number of orders is
                # then missing, and so 0.
                orders_before[last] = counts.get(steps_left ^ 1 << last, 0)
            order.append(dice.pick(orders_before))
            steps_left ^= 1 << order[-1]
        return order[::-1]

    def _possible_next_steps(self, handled: int, component: int) -> list[int]:
        """Return the steps of a component that can be next."""
        return [i for i in bits(component & ~handled) if not self._before[i] & ~handled]

    def _count_orders_of_ideals(self, component: int, max_ideals: int) -> dict[int, int] | None:
        """Return the number of linear extensions of each ideal of a component, or None if too many.

        An ideal is a set of steps that contains all predecessors of its steps. Each ideal adds its
        number of orders to the ideals with one more step.

        Args:
            component: The steps of the component, as a mask.
            max_ideals: Maximum number of ideals.
        """
        # The empty ideal has one order. A layer has the ideals with the same number of steps.
        counts = {0: 1}
        layer = {0: 1}
        for _ in range(component.bit_count()):
            next_layer: dict[int, int] = {}
            for ideal, number_of_orders in layer.items():
                for step_index in self._possible_next_steps(ideal, component):
                    larger = ideal | 1 << step_index
                    next_layer[larger] = next_layer.get(larger, 0) + number_of_orders
            if len(counts) + len(next_layer) > max_ideals:
                return None
            counts.update(next_layer)
            layer = next_layer
        return counts

    @cached_property
    def _components(self) -> list[int]:
        """The connected components of the order, as masks of steps.

        Steps of different components can be interleaved freely, so extensions can be counted for
        each component.
        """
        components: list[int] = []
        for step_index, predecessors in enumerate(self._before):
            related = predecessors | 1 << step_index
            joined = related
            separate = []
            for component in components:
                if component & related:
                    joined |= component
                else:
                    separate.append(component)
            components = [*separate, joined]
        # The lowest bit of a component is its first step.
        return sorted(components, key=lambda component: component & -component)

    def as_dict(self) -> dict[str, object]:
        """Return the order as data for JSON: steps and edges."""
        return {"steps": list(self.steps), "edges": [list(edge) for edge in self.edges]}
