"""Random choices that are the same in every version of Python and on every platform."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Mapping, MutableSequence, Sequence
from itertools import accumulate
from typing import TypeVar

__all__ = ["Dice"]

T = TypeVar("T")


class Dice:
    """Dice with a seed.

    Args:
        seed: With the same seed, the same numbers.
    """

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
