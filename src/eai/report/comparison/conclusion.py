"""What can and what cannot be concluded from a difference, in a plain sentence."""

from __future__ import annotations

import math

from eai.report.comparison.difference import Difference
from eai.report.statistics import Z_95

__all__ = ["conclusion", "smallest_visible"]

_LEVEL = 0.05
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the standard normal distribution."""


def conclusion(difference: Difference, comparisons: int = 1) -> str:
    """Say what a difference means.

    Args:
        difference: The difference.
        comparisons: For how many comparisons its p-value was adjusted.
    """
    apart, p_value = difference.difference, difference.adjusted
    names, label = f"{difference.first} and {difference.second}", difference.label
    if apart is None or p_value is None or difference.interval is None:
        return f"{names} cannot be compared in {label}: it is undefined for one of them."
    first, second = (f"{value:.1f} %" for value in difference.values if value is not None)
    low, high = difference.interval
    tasks = f"{difference.tasks} task{'' if difference.tasks == 1 else 's'}"
    said = f"{first} against {second} over {tasks}, {apart:+.1f} points"
    said += f" (95 % interval {low:+.1f} to {high:+.1f}), p {_p(p_value)}"
    if comparisons > 1:
        said += f" adjusted for {comparisons} comparisons"
    why = _disagreement(difference)
    if p_value < _LEVEL:
        more = difference.first if apart > 0 else difference.second
        return f"{names} differ in {label}, {more} has more: {said}.{why}"
    return f"{names} cannot be told apart in {label}: {said}.{why}{_reach(difference)}"


def _disagreement(difference: Difference) -> str:
    """Why the interval and the p-value seem to say different things, if they do."""
    if difference.interval is None or difference.adjusted is None or difference.p_value is None:
        return ""
    low, high = difference.interval
    apart, significant = low > 0 or high < 0, difference.adjusted < _LEVEL
    if apart == significant:
        return ""
    if apart and difference.p_value < _LEVEL:
        return (
            " The interval is for this comparison alone and leaves out 0, as does p "
            f"{_p(difference.p_value)} before it is adjusted; among so many comparisons that is "
            "not enough."
        )
    methods = ("a bootstrap", "a permutation test")
    if difference.pairs is not None:
        methods = ("Newcombe's method", "McNemar's exact test")
    beside = "leaves out" if apart else "holds"
    return (
        f" The interval ({methods[0]}) {beside} 0 and the p-value ({methods[1]}) does not agree: "
        "so near to the limit methods differ, and the p-value decides."
    )


def smallest_visible(difference: Difference) -> float | None:
    """Return the smallest true difference that so many tasks show in four of five cases.

    In points, two-sided at 5 %, for pairs of which as many differ as here
    (O. S. Miettinen, "The matched pairs design in the case of all-or-none responses",
    Biometrics 24, 1968). None if it is no rate over tasks, or if no pair differs.
    """
    if difference.pairs is None:
        return None
    _, first, second, _ = difference.pairs
    differ = (first + second) / difference.tasks
    if not differ:
        return None
    # Solves (z_a sqrt(d) + z_b sqrt(d - x^2)) / sqrt(n) = x for x.
    tasks, alpha, beta = difference.tasks, Z_95, _POWER_80
    root = beta * math.sqrt(max(0.0, differ * (tasks + beta**2 - alpha**2)))
    found = (alpha * math.sqrt(differ * tasks) + root) / (tasks + beta**2)
    return 100 * min(found, 1.0)


def _reach(difference: Difference) -> str:
    visible = smallest_visible(difference)
    if visible is None:
        return ""
    return f" A true difference of {visible:.0f} points would show in four of five such runs."


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
