"""Metrics of LongAct (arXiv 2605.14504, section 3): steps, goal conditions, improvement rate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Literal

from eai.acting import Episode, Turn
from eai.diagnosis import Condition, Measure
from eai.errors import InputError, check_name
from eai.simulators.thor.houses import HouseStep

CAP = 16_000
"""Maximum number of atomic steps of an episode."""

_MIN_SCORES = 10
"""Minimum number of scores for which the improvement rate of five levels is defined."""

# The factor by which a share is multiplied, by the scale of scores.
_SCALES = {"fraction": 1.0, "percent": 100.0}
_UNITS = ("unit", "step")
_MODES = ("current", "best")


def improvement_rate(
    scores: Sequence[float],
    levels: int = 5,
    score: Literal["fraction", "percent"] = "fraction",
    x: Literal["unit", "step"] = "unit",
    mode: Literal["current", "best"] = "current",
) -> float:
    """Return how much the progress of an episode speeds up (positive) or slows down.

    For every k from 2 to ``levels`` the scores are cut into k equal segments, and each segment is
    fitted by a line (least squares). The slopes of these lines, in their order, are fitted by
    another line, whose slope is a_k. The rate is the mean of all a_k.

    The rate is linear in the scores and takes time proportional to the number of scores times
    ``levels``. The paper does not give its levels, scales and units, so published values are not
    comparable.

    Args:
        scores: Share of the goal that is reached, after every counted step, from 0 to 1.
        levels: The largest number of segments.
        score: Whether slopes are of fractions or of percent.
        x: Whether time goes from 0 to 1 (``"unit"``), or by 1 with every score (``"step"``).
        mode: Whether the score counts as it is, or the best so far.

    Raises:
        InputError: If there are fewer than two levels, fewer than two scores for a segment, or
            a score that is no finite number.
        UnknownNameError: If a choice is unknown.

    >>> steady = [step / 20 for step in range(1, 21)]
    >>> round(improvement_rate(steady), 6)
    0.0
    >>> improvement_rate([share**2 for share in steady]) > 0
    True
    """
    check_name("score", score, _SCALES)
    check_name("unit of x", x, _UNITS)
    check_name("mode", mode, _MODES)
    if levels < 2:
        raise InputError(f"{levels} levels", expected="a whole number from 2")
    if len(scores) < 2 * levels:
        raise InputError(
            f"{len(scores)} scores", expected=f"at least two for each of {levels} segments"
        )
    values = [float(value) * _SCALES[score] for value in scores]
    if not all(map(math.isfinite, values)):
        raise InputError("a score is not a finite number", expected="scores from 0 to 1")
    if mode == "best":
        values = list(accumulate(values, max))
    time_per_score = 1 / len(values) if x == "unit" else 1.0
    rates = []
    for n_segments in range(2, levels + 1):
        # If the scores cannot be divided evenly, some segments have one score more than others.
        edges = [len(values) * index // n_segments for index in range(n_segments + 1)]
        slopes = [_slope(values[start:end]) / time_per_score for start, end in pairwise(edges)]
        rates.append(_slope(slopes))
    return math.fsum(rates) / len(rates)


def _slope(values: Sequence[float]) -> float:
    """Return the slope of a least-squares line through values at 0, 1, 2, ..."""
    middle = (len(values) - 1) / 2
    covariance = math.fsum((index - middle) * value for index, value in enumerate(values))
    variance = math.fsum((index - middle) ** 2 for index in range(len(values)))
    return covariance / variance


def atomic_steps(turn: Turn) -> int:
    """Return the atomic steps of a turn; an answer that no action is read out of takes one."""
    return turn.result.atomic if isinstance(turn.result, HouseStep) else 1


def curve(episode: Episode) -> list[float]:
    """Return the share of the checklist that is satisfied after each counted step."""
    scores: list[float] = []
    share = episode.begun.share if episode.begun else 0.0
    n_counted = 0.0  # movements are fractions of a step
    for turn in episode.turns:
        step = turn.result
        if not isinstance(step, HouseStep):
            continue
        n_counted += step.navigation + step.interactions
        # The agent moves first, which changes nothing, so these steps have the share before.
        n_movements = round(n_counted) - len(scores) - step.interactions
        scores += [share] * n_movements
        if turn.goal:
            share = turn.goal.share
        scores += [share] * (round(n_counted) - len(scores))
    return scores


KINDS = {"position": "PP", "on": "TO", "open": "OC", "sliced": "Sl", "cooked": "CK", "filled": "FW"}
"""Kind of a condition to its column in the paper's tables."""


@dataclass(frozen=True, slots=True)
class ItemStatus(Condition):
    """The status of one item of a checklist.

    Args:
        kinds: Pairs of the kind of a condition and whether as many objects as the item asks for
            meet that condition, whatever the others.
    """

    kinds: tuple[tuple[str, bool], ...] = field(default=(), compare=False)  # records leave it out


def measures(episode: Episode) -> tuple[Measure, ...]:
    """Return the measures of an episode.

    Reports multiply measures by 100, so counts of steps are given out of 100.
    """
    navigation = 0.0
    interactions = 0
    for turn in episode.turns:
        if isinstance(turn.result, HouseStep):
            navigation += turn.result.navigation
            interactions += turn.result.interactions
    conditions = episode.goal.conditions
    n_met = sum(condition.met for condition in conditions)
    all_measures = [
        Measure("nav", round(navigation * 100), 10_000),
        Measure("manip", interactions, 100),
        Measure("atomic", sum(map(atomic_steps, episode.turns)), 100),
        Measure("gc", n_met, max(len(conditions), 1)),
        *_measures_by_kind(conditions),
    ]
    # Short episodes have no improvement rate, so they do not count in its mean.
    scores = curve(episode)
    if len(scores) >= _MIN_SCORES:
        rate = improvement_rate(scores)
        all_measures.append(Measure("ir", round(rate * 10**6), 10**8))
    return tuple(all_measures)


def _measures_by_kind(conditions: Iterable[Condition]) -> Iterator[Measure]:
    """Yield the share of met conditions for each kind of condition.

    An item may have conditions of several kinds: "mug on the table, filled" has two.
    """
    n_conditions = Counter[str]()
    n_met = Counter[str]()
    for condition in conditions:
        if not isinstance(condition, ItemStatus):
            continue
        for kind, is_met in condition.kinds:
            n_conditions[kind] += 1
            n_met[kind] += int(is_met)
    for kind, total in n_conditions.items():
        yield Measure(f"gc_{kind}", n_met[kind], total)
