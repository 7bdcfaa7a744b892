"""Confidence intervals of metrics, and resampling of tasks.

A rate over tasks has Wilson's interval, which is a closed formula. All other metrics are ratios of
sums over tasks; tasks are drawn with replacement and the interval is that of the percentiles.

Goal conditions of one task depend on each other, so tasks are drawn, never conditions
(B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 8 and 15).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eai.errors import InputError
from eai.report.aggregate import tally
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.results import Results
from eai.report.scoring import Score
from eai.report.statistics import wilson
from eai.table import Cell, Table

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

DRAWS = 2_000
"""Number of resamples of a bootstrap."""


class Interval(NamedTuple):
    """A 95 % confidence interval of a metric, in its unit."""

    low: float
    high: float
    method: str


def intervals(
    view: View, records: Iterable[Record], *, draws: int = DRAWS, seed: int = 0
) -> dict[str, Interval]:
    """Return the 95 % intervals of the metrics of records, by key.

    A rate in which each task counts once, or not, has Wilson's score interval. For all other
    metrics tasks are drawn with replacement, with all that belongs to them, and the interval is
    that of the percentiles (Efron and Tibshirani, section 13.3). A metric that is undefined, or to
    which all tasks contribute the same, has none.
    """
    metrics = view.scores()
    by_task: dict[str, list[Record]] = {}
    for record in records:
        if record.result.status != "excluded":
            by_task.setdefault(record.task, []).append(record)
    # A row a task; columns 2 i and 2 i + 1 are the numerator and denominator of metric i.
    rows = [_row(view.scores(of_task)) for of_task in by_task.values()]
    counts = np.array(rows, dtype=np.int64).reshape(-1, 2 * len(metrics))
    totals = counts.sum(axis=0).tolist()
    by_key: dict[str, Interval] = {}
    to_resample: list[int] = []
    for index, metric in enumerate(metrics):
        columns = slice(2 * index, 2 * index + 2)
        numerator, denominator = totals[columns]
        total = metric._replace(numerator=numerator, denominator=denominator)
        closed = _wilson_interval(total, counts[:, columns])
        if closed is not None:
            by_key[metric.key] = closed
        elif denominator:
            to_resample.append(index)
    if not to_resample:
        return by_key
    # All metrics are computed over the same draws: drawing takes the time.
    columns_drawn: list[int] = []
    for index in to_resample:
        columns_drawn += (2 * index, 2 * index + 1)
    sums = bootstrap(counts[:, columns_drawn].astype(float), draws=draws, seed=seed)
    scales = np.array([metrics[index].scale for index in to_resample])
    with np.errstate(divide="ignore", invalid="ignore"):
        values = scales * sums[:, 0::2] / sums[:, 1::2]
    for index, of_metric in zip(to_resample, values.T, strict=True):
        interval = _bootstrap_interval(of_metric)
        if interval is not None:
            by_key[metrics[index].key] = interval
    return by_key


@dataclass(frozen=True, eq=False)
class Side:
    """A model with what each task adds to each metric.

    Many tasks add the same to all metrics. So a task has the number of a row, and all models share
    the rows: a million answers take some megabytes.

    Args:
        name: Name of the model as it is shown.
        tasks: The tasks that count, in order.
        unanswered: Those of them without an answer.
        excluded: Excluded task to the reason.
        numbers: For each task the number of its row.
        rows: The different contributions: rows x metrics x (numerator, denominator).
    """

    name: str
    tasks: tuple[str, ...]
    unanswered: AbstractSet[str]
    excluded: Mapping[str, str]
    numbers: NDArray[np.uint32]
    rows: Counts

    def value(self, index: int) -> float | None:
        """Return a metric over all tasks, by its index in the view; None if it is undefined."""
        numerator, denominator = self.of(self.tasks, index).sum(axis=0).tolist()
        if not denominator:
            return None
        ratio: float = numerator / denominator
        return ratio

    def of(self, tasks: tuple[str, ...], index: int) -> Counts:
        """Return numerator and denominator that tasks add to a metric, a row a task.

        Args:
            tasks: Some of the tasks of the model.
            index: Index of the metric in the view.
        """
        of_metric: Counts = self.rows[self.numbers, index]
        if tasks is self.tasks:
            return of_metric
        return of_metric[[self._row_of[task] for task in tasks]]

    @cached_property
    def _row_of(self) -> dict[str, int]:
        """Index of each task."""
        return {task: row for row, task in enumerate(self.tasks)}


def sides_of(view: View, samples: Iterable[Sequence[Record]]) -> dict[str, Side]:
    """Return the models with what their tasks add to the metrics, by name.

    Args:
        view: View that has the metrics.
        samples: The records of one model and task; those of all models and tasks, in any order.
    """
    task_numbers: dict[str, int] = {}
    row_numbers: dict[tuple[int, ...], int] = {}
    models: dict[str, _Contributions] = {}
    # Models answer alike, and equal results add the same.
    of_result = lru_cache(maxsize=1 << 10)(lambda result: _row(view.metrics(tally([result]))))
    for records in samples:
        model = records[0].model
        task = records[0].task
        of_model = models.setdefault(model, _Contributions())
        counted = []
        for record in records:
            if record.result.status == "excluded":
                of_model.excluded[task] = next(iter(record.result.notes), "by the semantics")
            else:
                counted.append(record)
        if not counted:
            continue
        if len(counted) == 1 and not view.own:
            row = of_result(counted[0].result)
        else:
            row = _row(view.scores(counted))
        of_model.tasks.append(task_numbers.setdefault(task, len(task_numbers)))
        of_model.rows.append(row_numbers.setdefault(row, len(row_numbers)))
        if all(record.result.status == "missing" for record in counted):
            of_model.unanswered.add(task)
    rows = np.array([*row_numbers], dtype=np.int64).reshape(-1, len(view.scores()), 2)
    names = [*task_numbers]
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}  # one object for equal tasks
    sides = {}
    for model, of_model in models.items():
        tasks = tuple(names[number] for number in of_model.tasks)
        sides[model] = Side(
            name=model,
            tasks=shared.setdefault(tasks, tasks),
            unanswered=of_model.unanswered,
            excluded=of_model.excluded,
            numbers=np.array(of_model.rows, dtype=np.uint32),
            rows=rows,
        )
    return sides


@dataclass
class _Contributions:
    """The tasks of a model while they are read.

    Args:
        tasks: Number of each task that counts.
        rows: For each of them the number of its row.
        unanswered: Tasks without an answer.
        excluded: Excluded task to the reason.
    """

    tasks: array[int] = field(default_factory=lambda: array("I"))
    rows: array[int] = field(default_factory=lambda: array("I"))
    unanswered: set[str] = field(default_factory=set)
    excluded: dict[str, str] = field(default_factory=dict)


def _row(scores: Iterable[Score]) -> tuple[int, ...]:
    """Return numerator and denominator of one metric after the other, as one row."""
    row: list[int] = []
    for score in scores:
        row += (score.numerator, score.denominator)
    return tuple(row)


def interval_of(
    metric: Score, parts: Counts, *, draws: int = DRAWS, seed: int = 0
) -> Interval | None:
    """Return the 95 % interval of one metric; None if it has none (see :func:`intervals`)."""
    closed = _wilson_interval(metric, parts)
    if closed is not None or not metric.denominator:
        return closed
    sums = bootstrap(parts.astype(float), draws=draws, seed=seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _bootstrap_interval(metric.scale * sums[:, 0] / sums[:, 1])


def _bootstrap_interval(values: Numbers) -> Interval | None:
    """Return the interval of resampled values; None if all are equal, or none is defined."""
    bounds = percentiles(values)
    if bounds is None:
        return None
    low, high = bounds
    if low == high:
        return None
    return Interval(low, high, "bootstrap")


def _wilson_interval(metric: Score, parts: Counts) -> Interval | None:
    """Return Wilson's interval of a rate over tasks; None for other metrics.

    Occurrences of an error are such a rate if every task has none or one of them.
    """
    if metric.interval is not None and (parts[:, 1] <= 1).all():
        return Interval(*metric.interval, "Wilson")
    if metric.unit != "occurrences" or not metric.denominator:
        return None
    is_rate = (parts[:, 1] == 1).all() and np.isin(parts[:, 0], (0, 1)).all()
    if not is_rate:
        return None
    return Interval(*wilson(metric.numerator, metric.denominator), "Wilson")


def rate_interval(outcomes: Iterable[tuple[str, bool]]) -> tuple[float, float]:
    """Return the 95 % interval of a share of tasks, in percent.

    Wilson's; where tasks have several answers, a bootstrap that draws tasks with all of theirs.

    Args:
        outcomes: For each answer its task, and whether it is a success; at least one.
    """
    by_task: dict[str, list[bool]] = {}
    for task, success in outcomes:
        by_task.setdefault(task, []).append(success)
    parts = np.array([(sum(of_task), len(of_task)) for of_task in by_task.values()], np.float64)
    tasks = len(by_task)
    successes, answers = parts.sum(axis=0).tolist()
    if tasks < answers and 0 < successes < answers:
        sums = bootstrap(parts, draws=DRAWS, seed=0)
        interval = _bootstrap_interval(100 * sums[:, 0] / sums[:, 1])
        if interval is not None:
            return interval.low, interval.high
    # If all tasks have the same share, all draws are equal: take each task for one trial.
    return wilson(tasks * successes / answers, tasks)


def percentiles(values: Numbers) -> tuple[float, float] | None:
    """Return the 2.5 and 97.5 % quantiles of the finite values; None if there are none."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return None
    # As numpy.quantile interpolates; that function imports masked arrays, which takes 15 ms.
    positions = np.array((0.025, 0.975)) * (len(defined) - 1)
    low, high = np.interp(positions, np.arange(len(defined)), np.sort(defined))
    return float(low), float(high)


def interval_table(
    report: Results, model: str | None = None, *, draws: int = DRAWS, seed: int = 0
) -> Table:
    """Return a table of every metric with its counts and its interval, a row each.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    heading = "value"
    unit = "percent (means of numbers in their own unit)"
    if all(score.is_share for score in report.view.scores()):
        heading = "%"
        unit = "percent"
    rows: list[dict[str, Cell]] = []
    models = report.models if model is None else (model,)
    for name in models:
        by_key = intervals(report.view, report.of(name), draws=draws, seed=seed)
        for metric in report.metrics(name):
            low, high, method = by_key.get(metric.key) or (None, None, None)
            rows.append(
                {
                    "model": name,
                    "group": metric.group,
                    "metric": metric.label,
                    "key": metric.key,
                    heading: metric.value,
                    "counts": metric.counts,
                    "low": low,
                    "high": high,
                    "interval": method,
                }
            )
    note = (
        f"{report.setting}; {unit} with 95 % intervals: Wilson's, or percentiles of {draws:,} "
        f"draws of tasks (seed {seed})"
    )
    return Table.by_model("Metrics with intervals", rows, (note,))


# Resampling.

_MAX_RANDOM = 100_000
"""Maximum number of random numbers held at once: they fit into the cache of a processor.

The generator goes on where it stopped, so the sums are the same for any number.
"""


def bootstrap(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Return sums over resampled tasks: as many as there are, drawn with replacement.

    Returns:
        One row of sums for each draw.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    tasks = len(parts)
    sizes = list(_batch_sizes(draws, seed, tasks))
    random = np.random.default_rng(seed)
    sums = []
    for size in sizes:
        # How often each task is drawn: to count drawn numbers is faster than multinomial numbers.
        drawn = random.integers(0, tasks, (size, tasks)) + tasks * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * tasks).reshape(size, tasks)
        sums.append(times.astype(np.float64) @ parts)
    return np.concatenate(sums)


def exchange(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Return sums over random subsets of the tasks, each task chosen with probability 1/2.

    Returns:
        One row of sums for each draw.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    sizes = list(_batch_sizes(draws, seed, len(parts)))
    random = np.random.default_rng(seed)
    sums = []
    for size in sizes:
        chosen = random.integers(0, 2, size=(size, len(parts)))
        sums.append(chosen.astype(np.float64) @ parts)
    return np.concatenate(sums)


Draw = Callable[..., Numbers]
"""Type of :func:`bootstrap` and :func:`exchange`."""

_MAX_SUMS = 4_000_000
"""Maximum number of different sums of an exact test."""


def exchange_steps(parts: Counts) -> float:
    """Return roughly the number of additions in :func:`exchanges`; infinite for too many sums."""
    divided, _ = _in_common_units(parts)
    sums = float(np.prod(np.abs(divided).sum(axis=0, dtype=np.float64) + 1))
    if sums > _MAX_SUMS:
        return math.inf
    return len(divided) * sums


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
    divided, units = _in_common_units(parts)
    grid = np.ones((1, 1))
    for part in divided:
        grown = np.zeros(grid.shape + np.abs(part))
        # A negative part moves the sums without the task, not those with it: indices stay positive.
        with_task = np.maximum(part, 0)
        without_task = np.maximum(-part, 0)
        grid /= 2
        rows, columns = grid.shape
        for top, left in (with_task, without_task):
            grown[top : top + rows, left : left + columns] += grid
        grid = grown
    # Index (0, 0) of the grid is the least sum.
    rows, columns = grid.shape
    least = np.minimum(divided, 0).sum(axis=0)
    first_sums = (np.arange(rows) + least[0]) * units[0]
    second_sums = (np.arange(columns) + least[1]) * units[1]
    return first_sums, second_sums, grid


def _in_common_units(parts: Counts) -> tuple[Counts, Counts]:
    """Return the non-zero parts in units of their greatest common divisor, and the units.

    Small parts come first, so that the grid of :func:`exchanges` is small for long.
    """
    units = np.maximum(np.gcd.reduce(parts, axis=0), 1)
    divided = parts[parts.any(axis=1)] // units
    order = np.abs(divided).sum(axis=1).argsort(kind="stable")
    return divided[order], units


def _batch_sizes(draws: int, seed: int, tasks: int) -> Iterator[int]:
    """Yield how many draws to make at once, until all are made."""
    if not isinstance(draws, Integral) or draws < 1:
        raise InputError(f"{draws!r} draws", expected="a whole number from 1")
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"the seed {seed!r}", expected="a whole number from 0")
    at_once = max(1, _MAX_RANDOM // max(tasks, 1))
    for done in range(0, draws, at_once):
        yield min(at_once, draws - done)
