"""Tests of the difference between two models in a metric that is a ratio of sums over tasks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from eai.report.intervals import Row
from eai.report.permutations import (
    Counts,
    Numbers,
    draw_exchange_sums,
    exchange_distribution,
    exchange_steps,
)
from eai.report.scoring import Score
from eai.report.sides import Pair, Side
from eai.report.statistics import ROUNDING, student

_MAX_STEPS = 2_000_000_000
"""Tests of a metric are exact if all of them together take no more additions (some seconds)."""

_MAX_PAIRS = 100_000
"""Maximum number of pairs of sums that are compared at once."""


class PairTests:
    """Permutation tests, intervals and effect sizes of pairs of models in one metric.

    The permutation test rests on this: if two models are equally good, exchanging their
    contributions in any task changes nothing. The test is exact if the sums of all exchanges are
    few enough to be counted, else exchanges are drawn.

    Args:
        metric: Index of the metric in its view, and the metric.
        pairs: Pairs of models that are tested, with the tasks to compare.
        sides: All models that are compared in the metric.
        draws: Exchanges that are drawn where they are too many to be counted.
        seed: Seed of the draws.
    """

    def __init__(
        self,
        metric: tuple[int, Score],
        pairs: Sequence[Pair],
        sides: Sequence[Side],
        *,
        draws: int,
        seed: int,
    ) -> None:
        """Take the contributions to the metric, and decide whether all tests can be exact."""
        self._index, self._score = metric
        self._sides = sides
        self._exchanges = draws
        self._seed = seed
        # Tasks to the sums of each side over them, a row a draw.
        self._sums: dict[tuple[str, ...], dict[Side, Numbers]] = {}
        # All models of a report share one list of rows. Its columns are taken once, by identity.
        self._rows: dict[int, Counts] = {}
        for side in sides:
            self._rows[id(side.rows)] = _metric_columns(side.rows, self._index)
        # All pairs are tested alike, whichever of them would be cheap enough alone.
        self._max_steps = _MAX_STEPS
        if self._cost_of_exact_tests(pairs) > _MAX_STEPS:
            self._max_steps = draws

    def _cost_of_exact_tests(self, pairs: Iterable[Pair]) -> float:
        """Return the number of steps of the exact tests of all pairs that can be tested exactly."""
        total = 0.0
        for pair in pairs:
            first, second = self._contributions(pair)
            steps = exchange_steps(second - first)
            if math.isfinite(steps):
                total += steps
        return total

    def permutation_test(self, pair: Pair) -> tuple[float, int]:
        """Return the two-sided p-value and the number of draws behind it; 0 if it is exact."""
        first, second = self._contributions(pair)
        first_sum = first.sum(axis=0)
        second_sum = second.sum(axis=0)
        [difference] = _ratio_differences(first_sum[None, :], second_sum[None, :])
        observed = abs(difference) - ROUNDING
        if exchange_steps(second - first) <= self._max_steps:
            return _exact_p_value(first, second, observed), 0
        first_drawn, second_drawn = self._resampled_sums(pair)
        moved = second_drawn - first_drawn
        permuted = np.abs(_ratio_differences(first_sum + moved, second_sum - moved))
        # The observed order counts as one of the draws.
        return float((1 + (permuted >= observed).sum()) / (1 + len(permuted))), len(permuted)

    def interval(self, pair: Pair) -> tuple[float, float] | None:
        """Return the 95 % interval of a difference, in points; None for fewer than two tasks."""
        return _linearized_interval(*self._contributions(pair), scale=self._score.scale)

    def effect(self, pair: Pair) -> float | None:
        """Return the mean over the standard deviation of the tasks' shares in a difference (d_z).

        None if it is undefined: for one task, or if all tasks have the same share.
        """
        first, second = self._contributions(pair)
        differences = _shares(first) - _shares(second)
        if len(differences) < 2:
            return None
        deviation = float(np.std(differences, ddof=1))
        if not deviation:
            return None
        return float(np.mean(differences)) / deviation

    def _contributions(self, pair: Pair) -> tuple[Counts, Counts]:
        """Return the contributions of tasks to the metric of either model.

        A row a task, with two columns: numerator and denominator.
        """
        first = self._contributions_of_side(pair.first, pair.tasks)
        second = self._contributions_of_side(pair.second, pair.tasks)
        if self._score.unit != "tasks":
            return first, second
        # A rate may be defined for some tasks only: it leaves out the others.
        is_defined = (first[:, 1] > 0) | (second[:, 1] > 0)
        return first[is_defined], second[is_defined]

    def _contributions_of_side(self, side: Side, tasks: tuple[str, ...]) -> Counts:
        """Return numerator and denominator that tasks add to the metric of a model, a row a task.

        Args:
            side: The model.
            tasks: Some of its tasks.
        """
        row_indices = np.asarray(side.numbers_of(tasks), dtype=np.intp)
        contributions: Counts = self._rows[id(side.rows)][row_indices]
        return contributions

    def _resampled_sums(self, pair: Pair) -> tuple[Numbers, Numbers]:
        """Return the sums of both models' contributions in every draw, a row a draw.

        Args:
            pair: The models and tasks.
        """
        tasks = pair.tasks
        sums = self._sums.setdefault(tasks, {})
        for side in (pair.first, pair.second):
            if side in sums:
                continue
            # Drawing takes long, and the draws are the same for all models with these tasks. So
            # the contributions of all of them are summed at once, two columns for each model.
            drawn_sides = [candidate for candidate in self._sides if candidate.tasks == tasks]
            if side not in drawn_sides:
                drawn_sides = [side]
            columns = np.hstack(
                [self._contributions_of_side(candidate, tasks) for candidate in drawn_sides]
            )
            drawn = draw_exchange_sums(
                columns.astype(np.float64), draws=self._exchanges, seed=self._seed
            )
            for side_index, candidate in enumerate(drawn_sides):
                sums[candidate] = drawn[:, 2 * side_index : 2 * side_index + 2]
        return sums[pair.first], sums[pair.second]


def _metric_columns(rows: Sequence[Row], index: int) -> Counts:
    """Return the two columns of a metric: numerators and denominators."""
    parts = [row[2 * index : 2 * index + 2] for row in rows]
    return np.array(parts, dtype=np.int64).reshape(-1, 2)


def _exact_p_value(first: Counts, second: Counts, observed: float) -> float:
    """Return the probability that exchanges move two ratios at least as far apart as observed.

    Args:
        first: Contributions of the first model, a row a task: numerator and denominator.
        second: Contributions of the second model.
        observed: The difference of the ratios, without sign.
    """
    first_sum = first.sum(axis=0)
    second_sum = second.sum(axis=0)
    # Element [i, j] of the probabilities is that of moving numerators[i] and denominators[j].
    numerators, denominators, probabilities = exchange_distribution(second - first)
    is_as_far = np.empty(probabilities.shape, dtype=bool)
    # There may be millions of pairs of sums: some rows of them at a time.
    rows_at_once = max(1, _MAX_PAIRS // len(denominators))
    for begin in range(0, len(numerators), rows_at_once):
        rows = slice(begin, begin + rows_at_once)
        moved = numerators[rows, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            first_ratios = (first_sum[0] + moved) / (first_sum[1] + denominators)
            second_ratios = (second_sum[0] - moved) / (second_sum[1] - denominators)
            is_as_far[rows] = np.abs(first_ratios - second_ratios) >= observed
    return min(1.0, float(probabilities[is_as_far].sum()))


def _ratio_differences(first: Counts | Numbers, second: Counts | Numbers) -> Numbers:
    """Return the differences of two ratios; not a number where a denominator is 0.

    Args:
        first: Numerators and denominators, along the last axis.
        second: The same of the other ratio.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        differences: Numbers = first[..., 0] / first[..., 1] - second[..., 0] / second[..., 1]
    return differences


def _shares(contributions: Counts) -> Numbers:
    """Return a share of each task in a ratio of sums, such that their mean is the ratio.

    A ratio of sums R = sum(x) / sum(y) is no mean over tasks. Its first-order (Taylor) expansion
    is: task i has the share R + (x_i - R y_i) / mean(y).
    """
    numerator, denominator = contributions.sum(axis=0)
    ratio = numerator / denominator
    residuals = contributions[:, 0] - ratio * contributions[:, 1]
    shares: Numbers = ratio + residuals * len(contributions) / denominator
    return shares


def _linearized_interval(
    first: Counts, second: Counts, *, scale: float
) -> tuple[float, float] | None:
    """Return the 95 % interval of the difference of two ratios; None for fewer than two tasks.

    Args:
        first: Numerators and denominators of a model, a row a task.
        second: Those of the other model, over the same tasks.
        scale: Factor of the ratios.
    """
    adds_something = (first != 0).any(axis=1) | (second != 0).any(axis=1)
    first = first[adds_something]
    second = second[adds_something]
    task_count = len(first)
    if task_count < 2:
        return None
    shares = _shares(first) - _shares(second)
    difference = float(np.mean(shares))
    deviation = float(np.std(shares, ddof=1))
    half_width = student(task_count - 1) * deviation / math.sqrt(task_count)
    low = difference - half_width
    high = difference + half_width
    numerators, denominators = np.vstack([first, second]).T
    is_proportion = (numerators >= 0) & (numerators <= denominators)
    if is_proportion.all():
        # Proportions are at most 1 apart.
        low = max(-1.0, low)
        high = min(1.0, high)
    return scale * low, scale * high
