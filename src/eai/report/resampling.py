"""Intervals and tests for ratios whose parts come from whole tasks, by resampling tasks.

Goal conditions of one task depend on each other, so tasks are drawn, never conditions
(B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 8 and 15).
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import TYPE_CHECKING

from eai.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

__all__ = ["bootstrap", "permutation"]

_CELLS = 4_000_000
"""So many random numbers are held at once."""


def _check(draws: int, seed: int) -> None:
    if not isinstance(draws, Integral) or draws < 1:
        raise InputError(f"{draws!r} draws", expected="a whole number from 1")
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"the seed {seed!r}", expected="a whole number from 0")


def bootstrap(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Draw as many tasks as there are, with replacement, and add up their parts.

    Args:
        parts: One row a task, any number of columns (numerators and denominators).
        draws: How often.
        seed: Seed of the random numbers.

    Returns:
        One row of sums for each draw.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    import numpy as np

    _check(draws, seed)
    random = np.random.default_rng(seed)
    tasks = len(parts)
    chances = np.full(tasks, 1 / tasks)
    sums = [random.multinomial(tasks, chances, size=size) @ parts for size in _sizes(draws, tasks)]
    return np.concatenate(sums)


def permutation(first: Numbers, second: Numbers, *, draws: int, seed: int) -> Numbers:
    """Exchange the parts of two models in tasks chosen by chance, and add them up.

    If the models are equally good, whose part is whose does not matter.

    Args:
        first: One row a task, the columns of the first model.
        second: The same of the second.
        draws: How often.
        seed: Seed of the random numbers.

    Returns:
        One row for each draw: the sums of the first, then those of the second.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    import numpy as np

    _check(draws, seed)
    random = np.random.default_rng(seed)
    apart = second - first
    sums = []
    for size in _sizes(draws, len(first)):
        moved = random.integers(0, 2, size=(size, len(first))).astype(np.float64) @ apart
        sums.append(np.hstack([first.sum(axis=0) + moved, second.sum(axis=0) - moved]))
    return np.concatenate(sums)


def _sizes(draws: int, tasks: int) -> Iterator[int]:
    most = max(1, _CELLS // max(tasks, 1))
    for done in range(0, draws, most):
        yield min(most, draws - done)
