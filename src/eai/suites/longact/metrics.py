"""Metrics of LongAct (arXiv 2605.14504, section 3): steps, goal conditions, improvement rate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Literal

from eai.acting import Episode, Turn
from eai.diagnosis import Condition, Measure
from eai.errors import InputError, check_name
from eai.simulators.thor.houses import HouseStep

CAP = 16_000
"""An episode ends with so many atomic steps."""

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
    """Return how much the progress of an episode accelerates (positive) or slows down.

    For every k from 2 to ``levels`` the scores are cut into k equal segments; a_k is the slope,
    over their numbers, of the slopes of the segments; the rate is the mean of the a_k. Slopes are
    those of least squares. It is linear in the scores. The paper does not say which levels,
    scales and units it takes, so published values are not comparable.

    Args:
        scores: Share of the goal that is reached, after every counted step, from 0 to 1.
        levels: The largest number of segments.
        score: Whether slopes are of fractions or of percent.
        x: Whether time goes from 0 to 1 (``"unit"``), or by 1 with every score (``"step"``).
        mode: Whether the score counts as it is, or the best so far.

    Raises:
        InputError: If there are fewer than two levels, fewer than two scores for a segment, or
            a score that is no finite number.
        UnknownNameError: If a choice is not known.
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
    values = [float(each) * _SCALES[score] for each in scores]
    if not all(map(math.isfinite, values)):
        raise InputError("a score is not a finite number", expected="scores from 0 to 1")
    if mode == "best":
        values = list(accumulate(values, max))
    width = 1 / len(values) if x == "unit" else 1.0
    rates = []
    for k in range(2, levels + 1):
        edges = [len(values) * j // k for j in range(k + 1)]
        segments = [values[a:b] for a, b in pairwise(edges)]
        rates.append(_slope([_slope(each) / width for each in segments]))
    return math.fsum(rates) / len(rates)


def _slope(values: Sequence[float]) -> float:
    """Slope of least squares over the numbers of the values."""
    middle = (len(values) - 1) / 2
    top = math.fsum((i - middle) * value for i, value in enumerate(values))
    return top / math.fsum((i - middle) ** 2 for i in range(len(values)))


def atomic_steps(turn: Turn) -> int:
    """Atomic steps of a turn; an answer that no action is read out of takes one."""
    return turn.result.atomic if isinstance(turn.result, HouseStep) else 1


def curve(episode: Episode) -> list[float]:
    """Share of the checklist that is met, after every counted step."""
    scores: list[float] = []
    share = episode.begun.share if episode.begun else 0.0
    taken = 0.0
    for turn in episode.turns:
        if isinstance(turn.result, HouseStep):
            # Going changes nothing, so the score of an action is that of its last step.
            taken += turn.result.navigation + turn.result.interactions
            scores += [share] * (round(taken) - len(scores) - turn.result.interactions)
            share = turn.goal.share if turn.goal else share
            scores += [share] * (round(taken) - len(scores))
    return scores


KINDS = {"position": "PP", "on": "TO", "open": "OC", "sliced": "Sl", "cooked": "CK", "filled": "FW"}
"""Kind of a condition to its column in the paper's tables."""


@dataclass(frozen=True, slots=True)
class ItemStatus(Condition):
    """One item of a checklist and whether it was met.

    Args:
        kinds: Kind of each of its conditions, and whether as many objects as it asks for meet
            that condition, whatever the others.
    """

    kinds: tuple[tuple[str, bool], ...] = field(default=(), compare=False)  # records leave it out


def measures(episode: Episode) -> tuple[Measure, ...]:
    """Measure an episode; numbers that are no shares are out of 100, to be shown as they are."""
    steps = [turn.result for turn in episode.turns if isinstance(turn.result, HouseStep)]
    conditions = episode.goal.conditions
    found = [
        Measure("nav", round(sum(step.navigation for step in steps) * 100), 10_000),
        Measure("manip", sum(step.interactions for step in steps), 100),
        Measure("atomic", sum(map(atomic_steps, episode.turns)), 100),
        Measure("gc", sum(each.met for each in conditions), max(len(conditions), 1)),
    ]
    asked, fulfilled = Counter[str](), Counter[str]()
    for condition in conditions:
        for kind, met in condition.kinds if isinstance(condition, ItemStatus) else ():
            asked[kind] += 1
            fulfilled[kind] += met
    found += (Measure(f"gc_{kind}", fulfilled[kind], of) for kind, of in asked.items())
    scores = curve(episode)
    if len(scores) >= 10:
        found.append(Measure("ir", round(improvement_rate(scores) * 10**6), 10**8))
    return tuple(found)
