"""Permutation tests: sums over random subsets of the tasks, drawn or counted exactly.

Two models that are equally good can be exchanged in any task. So the difference between them is
compared with those of all exchanges, or of many (B. Efron and R. J. Tibshirani, "An Introduction to
the Bootstrap", 1993, chapter 15).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

_MAX_RANDOM = 30_000
"""Maximum number of random numbers held at once: they fit into the cache of a processor.

The generator goes on where it stopped, so the sums are the same for any number.
"""


def draw_exchange_sums(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Return sums over random subsets of the tasks, each task chosen with probability 1/2.

    Args:
        parts: The summands of each task, a row for each task.
        draws: Number of subsets.
        seed: Seed of the draws.

    Returns:
        One row of sums for each draw.
    """
    tasks = len(parts)
    random = np.random.default_rng(seed)
    batch_size = max(1, _MAX_RANDOM // max(tasks, 1))
    sums = []
    for first_draw in range(0, draws, batch_size):
        draws_in_batch = min(batch_size, draws - first_draw)
        # A row for each draw: 1 for a task in the subset, 0 for any other.
        is_in_subset = random.integers(0, 2, size=(draws_in_batch, tasks))
        sums.append(is_in_subset.astype(np.float64) @ parts)
    return np.concatenate(sums)


_MAX_SUMS = 4_000_000
"""Maximum number of different sums of an exact test."""


def exchange_steps(parts: Counts) -> float:
    """Return about how many additions :func:`exchange_distribution` makes.

    The number is infinite if there are too many sums to compute the distribution.
    """
    divided = _divide_by_units(parts)[0]
    sums = float(np.prod(np.abs(divided).sum(axis=0, dtype=np.float64) + 1))
    return len(divided) * sums if sums <= _MAX_SUMS else math.inf


_CELLS_AT_ONCE = 1 << 16
"""Roughly the number of cells of a grid that are added at once: they fit into a cache."""

_TASKS_PER_SCALING = 500
"""Tasks after which a grid is scaled down: numbers of subsets grow up to 2**500 until then."""


def exchange_distribution(parts: Counts) -> tuple[Counts, Counts, Numbers]:
    """Return the distribution of the sum over a random subset of the tasks, exactly.

    The shift algorithm (M. Pagano and D. Tritchler, "On obtaining permutation distributions in
    polynomial time", Journal of the American Statistical Association 78, 1983). Each cell of a grid
    stands for a sum and counts the subsets with that sum. Each task adds the grid to itself,
    shifted by the task's parts. A subset and its complement add up to the sum of all tasks, so the
    second half of the grid mirrors the first and is not computed. :func:`exchange_steps` says how
    much work it is at most.

    Returns:
        The possible sums of the first parts, the possible sums of the second parts, and a matrix
        with the probability of each pair of sums: first sums are its rows, second sums its columns.
    """
    divided, units = _divide_by_units(parts)
    # Index (0, 0) of the grid is the least sum, the last index is the greatest.
    least = np.minimum(divided, 0).sum(axis=0)
    last_row, last_column = np.abs(divided).sum(axis=0).tolist()
    chances = np.zeros((last_row + 1, last_column + 1))
    half_of_rows = last_row // 2 + 1
    # A task that is in a subset with a negative part may as well be left out with the positive
    # one: that moves all sums by the same amount. So tasks only move sums to later rows.
    steps = np.where(divided[:, :1] < 0, -divided, divided)
    # Only the first `rows` rows, from column `left` up to `right`, can differ from 0 so far.
    left = -int(np.minimum(steps[:, 1], 0).sum())
    right = left + 1
    rows = 1
    chances[0, left] = 1
    for task_number, (row_shift, column_shift) in enumerate(steps.tolist(), 1):
        rows = min(half_of_rows, rows + row_shift)
        rows_at_once = max(1, _CELLS_AT_ONCE // (right - left))
        # From the last row upward, so that added rows are not changed yet by this task.
        for end in range(rows, row_shift, -rows_at_once):
            begin = max(row_shift, end - rows_at_once)
            shifted = chances[begin - row_shift : end - row_shift, left:right]
            chances[begin:end, left + column_shift : right + column_shift] += shifted
        left += min(column_shift, 0)
        right += max(column_shift, 0)
        if task_number % _TASKS_PER_SCALING == 0:
            chances[:half_of_rows] *= 2.0**-_TASKS_PER_SCALING
    chances[:half_of_rows] *= 2.0 ** -(len(steps) % _TASKS_PER_SCALING)
    # A subset and its complement have the same probability: the second half mirrors the first.
    chances[half_of_rows:] = chances[: last_row + 1 - half_of_rows][::-1, ::-1]
    first_sums = (np.arange(last_row + 1) + least[0]) * units[0]
    second_sums = (np.arange(last_column + 1) + least[1]) * units[1]
    return first_sums, second_sums, chances


def _divide_by_units(parts: Counts) -> tuple[Counts, Counts]:
    """Return the non-zero parts in units of their greatest common divisor, and the units.

    Small parts come first, so that the grid of :func:`exchange_distribution` grows late.
    """
    units = np.maximum(np.gcd.reduce(parts, axis=0), 1)
    divided = parts[parts.any(axis=1)] // units
    order = np.abs(divided).sum(axis=1).argsort(kind="stable")
    return divided[order], units
