"""Intervals for the numbers of a report, by closed formulas."""

from __future__ import annotations

import math

from eai.errors import InputError

__all__ = ["Z_95", "wilson"]

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution: two-sided 95 % intervals."""


def wilson(successes: int, trials: int, *, z: float = Z_95) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion, in percent.

    With p = successes / trials, the bounds are the two solutions q of
    ``(p - q)**2 == z**2 * q * (1 - q) / trials``, that is
    ``(p + z**2/2n +- z * sqrt(p*(1-p)/n + z**2/4n**2)) / (1 + z**2/n)``
    (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22, 1927). The trials are taken to be
    independent.

    Args:
        successes: Number of successes.
        trials: Number of trials, at least 1.
        z: Quantile of the standard normal distribution; the default gives 95 %.

    Raises:
        InputError: If there are no trials, or not 0 <= successes <= trials.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise InputError(
            f"there is no interval for {successes} successes in {trials} trials",
            expected="at least one trial, and 0 to that many successes",
        )
    rate = successes / trials
    square = z * z / trials
    middle = rate + square / 2
    half = math.sqrt(square * (rate * (1 - rate) + square / 4))
    low, high = (middle - half) / (1 + square), (middle + half) / (1 + square)
    # Rounding must not move a bound over the rate (0 and 1 are exact bounds of 0 and n).
    return 100 * max(0.0, min(low, rate)), 100 * min(1.0, max(high, rate))
