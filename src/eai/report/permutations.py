"""Permutation tests: sums over random subsets of the tasks, drawn or counted exactly.

Two models that are equally good can be exchanged in any task. So the difference between them is
compared with those of all exchanges, or of many (B. Efron and R. J. Tibshirani, "An Introduction to
the Bootstrap", 1993, chapter 15).
"""

from __future__ import annotations

import math
from numbers import Integral

import numpy as np

from eai.errors import InputError
from eai.report.sides import Counts, Numbers

_MAX_RANDOM = 100_000
"""Maximum number of random numbers held at once: they fit into the cache of a processor.

The generator goes on where it stopped, so the sums are the same for any number.
"""


def check_draws(draws: int, seed: int) -> None:
    """Refuse numbers that no draws can be made with.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    if not isinstance(draws, Integral) or draws < 1:
        raise InputError(f"{draws!r} draws", expected="a whole number from 1")
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"the seed {seed!r}", expected="a whole number from 0")


def exchange(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Return sums over random subsets of the tasks, each task chosen with probability 1/2.

    Returns:
        One row of sums for each draw.
    """
    tasks = len(parts)
    random = np.random.default_rng(seed)
    at_once = max(1, _MAX_RANDOM // max(tasks, 1))
    sums = []
    for done in range(0, draws, at_once):
        chosen = random.integers(0, 2, size=(min(at_once, draws - done), tasks))
        sums.append(chosen.astype(np.float64) @ parts)
    return np.concatenate(sums)


_MAX_SUMS = 4_000_000
"""Maximum number of different sums of an exact test."""


def exchange_steps(parts: Counts) -> float:
    """Return roughly the number of additions in :func:`exchanges`; infinite for too many sums."""
    divided = _divided(parts)[0]
    sums = float(np.prod(np.abs(divided).sum(axis=0, dtype=np.float64) + 1))
    return len(divided) * sums if sums <= _MAX_SUMS else math.inf


def exchanges(parts: Counts) -> tuple[Counts, Counts, Numbers]:
    """Return the distribution of the sum over a random subset of the tasks, exactly.

    The shift algorithm (M. Pagano and D. Tritchler, "On obtaining permutation distributions in
    polynomial time", Journal of the American Statistical Association 78, 1983). A grid holds the
    probability of every sum over subsets of the tasks so far. Each task makes the new grid the mean
    of the old one and the old one shifted by the task's parts. The grid only covers sums that can
    occur, so it grows by the size of each task; :func:`exchange_steps` says how much work that is.

    Returns:
        The sums of the first parts, those of the second parts, and the probability of each pair of
        them: a row for each of the former, a column for each of the latter.
    """
    divided, units = _divided(parts)
    chances = np.ones((1, 1))
    for part in divided:
        grown = np.zeros(chances.shape + np.abs(part))
        # A negative part moves the sums without the task, not those with it: indices stay positive.
        with_task, without_task = np.maximum(part, 0), np.maximum(-part, 0)
        chances /= 2
        for top, left in (with_task, without_task):
            grown[top : top + len(chances), left : left + chances.shape[1]] += chances
        chances = grown
    # Index (0, 0) of the grid is the least sum.
    least = np.minimum(divided, 0).sum(axis=0)
    first_sums = (np.arange(chances.shape[0]) + least[0]) * units[0]
    second_sums = (np.arange(chances.shape[1]) + least[1]) * units[1]
    return first_sums, second_sums, chances


def _divided(parts: Counts) -> tuple[Counts, Counts]:
    """Return the non-zero parts in units of their greatest common divisor, and the units.

    Small parts come first, so that the grid of :func:`exchanges` is small for long.
    """
    units = np.maximum(np.gcd.reduce(parts, axis=0), 1)
    divided = parts[parts.any(axis=1)] // units
    order = np.abs(divided).sum(axis=1).argsort(kind="stable")
    return divided[order], units
