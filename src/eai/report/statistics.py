"""Intervals and tests for the rates of a report, by closed formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence

from eai.errors import InputError

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution: two-sided 95 % intervals."""


Pairs = tuple[int, int, int, int]
"""How often both succeed, only the first, only the second, and neither."""


def wilson(successes: float, trials: int, *, z: float = Z_95) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion, in percent.

    With p = successes / trials, the bounds are the two solutions q of
    ``(p - q)**2 == z**2 * q * (1 - q) / trials``, that is
    ``(p + z**2/2n +- z * sqrt(p*(1-p)/n + z**2/4n**2)) / (1 + z**2/n)``
    (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22, 1927). The trials are taken to be
    independent.

    Args:
        successes: Number of successes, or their sum where a trial succeeds in part.
        trials: Number of trials, at least 1.
        z: Quantile of the standard normal distribution; the default gives 95 %.

    Raises:
        InputError: If there are no trials, or not 0 <= successes <= trials.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise InputError(
            f"there is no interval for {successes:g} successes in {trials} trials",
            expected="at least one trial, and 0 to that many successes",
        )
    rate = successes / trials
    square = z * z / trials
    middle = rate + square / 2
    half = math.sqrt(square * (rate * (1 - rate) + square / 4))
    low = (middle - half) / (1 + square)
    high = (middle + half) / (1 + square)
    # Rounding must not move a bound over the rate (0 and 1 are exact bounds of 0 and n).
    return 100 * max(0.0, min(low, rate)), 100 * min(1.0, max(high, rate))


def mcnemar(pairs: Pairs) -> float:
    """Return the two-sided p-value of McNemar's exact test.

    Of the b + c pairs in which one of the two succeeds, either would win half if they were
    equally good: ``p = min(1, 2 * P(X <= min(b, c)))`` with X binomial, ``n = b + c``, rate 1/2
    (Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12, 1947; in its exact form).
    """
    _, only_first, only_second, _ = pairs
    discordant = only_first + only_second
    # Exact in whole numbers: the ways to win at most so seldom, out of all 2^n. The binomial
    # coefficient C(n, k + 1) is C(n, k) * (n - k) / (k + 1).
    ways = 1
    coefficient = 1
    for wins in range(min(only_first, only_second)):
        coefficient = coefficient * (discordant - wins) // (wins + 1)
        ways += coefficient
    return min(1.0, 2 * ways / (1 << discordant))


def newcombe(pairs: Pairs) -> tuple[float, float]:
    """Return the 95 % interval of a difference between two rates over the same items, in percent.

    The difference is the first minus the second. Square-and-add from the Wilson intervals of both
    rates, with the correlation of the pairs (R. G. Newcombe, "Improved confidence intervals for
    the difference between binomial proportions based on paired data", Statistics in Medicine 17,
    1998, method 10).

    Raises:
        InputError: If there are no items.
    """
    both, only_first, only_second, _ = pairs
    items = sum(pairs)
    low_1, high_1 = wilson(both + only_first, items)
    low_2, high_2 = wilson(both + only_second, items)
    rate_1 = 100 * (both + only_first) / items
    rate_2 = 100 * (both + only_second) / items
    phi = _phi_coefficient(pairs)
    # The distances of the bounds of each rate from it, combined as those of a difference.
    below_1, above_1 = rate_1 - low_1, high_1 - rate_1
    below_2, above_2 = rate_2 - low_2, high_2 - rate_2
    down = math.sqrt(max(0.0, below_1**2 - 2 * phi * below_1 * above_2 + above_2**2))
    up = math.sqrt(max(0.0, above_1**2 - 2 * phi * above_1 * below_2 + below_2**2))
    difference = rate_1 - rate_2
    return difference - down, difference + up


def _phi_coefficient(pairs: Pairs) -> float:
    """Return the correlation of paired outcomes; 0 if one of the two has only one outcome.

    It is corrected for continuity if positive, as Newcombe's method 10 has it.
    """
    both, only_first, only_second, neither = pairs
    margins = (
        (both + only_first)
        * (only_second + neither)
        * (both + only_second)
        * (only_first + neither)
    )
    if not margins:
        return 0.0
    determinant = float(both * neither - only_first * only_second)
    if determinant > 0:
        determinant = max(determinant - sum(pairs) / 2, 0.0)
    return determinant / math.sqrt(margins)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number, in the same order.

    The k-th smallest of m is multiplied by m - k + 1, and none may be smaller than one before it
    (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979).
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = largest
    return adjusted
