"""Random choices that are the same in every version of Python and on every platform."""

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
    """Dice with a seed."""

    def __init__(self, seed: int | str) -> None:
        # Of all methods, only this one is promised to stay as it is.
        self._random = random.Random(seed).random  # noqa: S311

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to below a bound, which may be of any size."""
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


MOST_IDEALS = 200_000
"""So many ideals of one component are looked at."""


@dataclass(init=False, repr=False, unsafe_hash=True)
class PartialOrder:
    """A partial order of steps.

    Args:
        steps: Names of the steps (their numbers in a plan), in an order that is possible.
        before: Pairs of steps, the first of which comes before the second. What follows from
            them need not be there.

    Raises:
        InputError: If the order of ``steps`` violates a pair, or a pair names another step.
    """

    steps: tuple[int, ...]
    _before: tuple[int, ...]

    def __init__(self, steps: Iterable[int], before: Iterable[tuple[int, int]]) -> None:
        self.steps = tuple(steps)
        place = {step: i for i, step in enumerate(self.steps)}
        direct = [0] * len(self.steps)
        for first, second in before:
            if first not in place or second not in place or place[first] >= place[second]:
                raise InputError(
                    f"step {first} cannot come before step {second}",
                    expected="pairs of the steps given, in their order",
                )
            direct[place[second]] |= 1 << place[first]
        closed: list[int] = []
        for mask in direct:
            for i in bits(mask):
                mask |= closed[i]  # noqa: PLW2901 - closed while it is walked
            closed.append(mask)
        self._before = tuple(closed)

    def __repr__(self) -> str:
        return f"PartialOrder({list(self.steps)}, {list(self.edges)})"

    def precedes(self, first: int, second: int) -> bool:
        """Whether one step comes before another in every possible order."""
        place = self.steps.index
        return bool(self._before[place(second)] >> place(first) & 1)

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs from which all others follow (the transitive reduction)."""
        found = []
        for second, mask in enumerate(self._before):
            implied = union(self._before[i] for i in bits(mask))
            found += [(self.steps[i], self.steps[second]) for i in bits(mask & ~implied)]
        return tuple(found)

    def permits(self, order: Sequence[int]) -> bool:
        """Whether an order of all steps is possible."""
        if sorted(order) != sorted(self.steps):
            return False
        place = {step: i for i, step in enumerate(self.steps)}
        done = 0
        for step in order:
            if self._before[place[step]] & ~done:
                return False
            done |= 1 << place[step]
        return True

    def count(self, *, most: int = MOST_IDEALS) -> int | None:
        """Return how many orders are possible.

        Args:
            most: So many ideals of one component are looked at.

        Returns:
            The number; None if there are more ideals than that.
        """
        total, size = 1, 0
        for component in self._components:
            ways = self._ways(component, most)
            if ways is None:
                return None
            size += component.bit_count()
            total *= ways[component] * comb(size, component.bit_count())
        return total

    def sample(self, seed: int = 0, *, most: int = MOST_IDEALS) -> tuple[int, ...]:
        """Return a random possible order.

        Every order is equally likely, unless there are more ideals than are looked at: then the
        next step is drawn from those that can be next, which prefers some orders to others.

        Args:
            seed: With the same seed, the same order.
            most: So many ideals of one component are looked at.
        """
        dice = Dice(seed)
        parts = [self._sampled(component, dice, most) for component in self._components]
        locations = [number for number, part in enumerate(parts) for _ in part]
        dice.shuffle(locations)
        queues = [iter(part) for part in parts]
        return tuple([self.steps[next(queues[number])] for number in locations])

    def _sampled(self, component: int, dice: Dice, most: int) -> list[int]:
        ways = self._ways(component, most)
        order: list[int] = []
        if ways is None:
            done = 0
            while done != component:
                order.append(dice.pick(dict.fromkeys(self._next(done, component), 1)))
                done |= 1 << order[-1]
            return order
        left = component
        while left:
            order.append(dice.pick({i: ways.get(left ^ 1 << i, 0) for i in bits(left)}))
            left ^= 1 << order[-1]
        return order[::-1]

    def _next(self, done: int, component: int) -> list[int]:
        return [i for i in bits(component & ~done) if not self._before[i] & ~done]

    def _ways(self, component: int, most: int) -> dict[int, int] | None:
        """For every ideal of a component, how many orders its steps have; None if too many."""
        found = {0: 1}
        layer = {0: 1}
        for _ in range(component.bit_count()):
            following: dict[int, int] = {}
            for ideal, ways in layer.items():
                for i in self._next(ideal, component):
                    larger = ideal | 1 << i
                    following[larger] = following.get(larger, 0) + ways
            if len(found) + len(following) > most:
                return None
            found.update(following)
            layer = following
        return found

    @cached_property
    def _components(self) -> list[int]:
        """The sets of steps between which there is any order, as masks."""
        found: list[int] = []
        for i, mask in enumerate(self._before):
            own = mask | 1 << i
            apart = [component for component in found if not component & own]
            found = [*apart, own | union(component for component in found if component & own)]
        return sorted(found, key=lambda component: component & -component)

    def as_dict(self) -> dict[str, object]:
        """Return the order as data for JSON: steps and edges."""
        return {"steps": list(self.steps), "edges": [list(edge) for edge in self.edges]}
