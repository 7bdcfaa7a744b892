"""An interval for every metric: by a closed formula where there is one, else by drawing tasks.

Goal conditions of one task depend on each other, so tasks are drawn, never conditions
(B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 8 and 15).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eai.errors import InputError
from eai.report.aggregate import tally
from eai.report.metric import Score
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.results import Results
from eai.report.statistics import wilson
from eai.table import Cell, Table

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

DRAWS = 2_000
"""So often are tasks drawn for the percentiles of a bootstrap."""


class Interval(NamedTuple):
    """Where a metric lies with 95 % confidence, in its unit."""

    low: float
    high: float
    method: str


def intervals(
    view: View, records: Iterable[Record], *, draws: int = DRAWS, seed: int = 0
) -> dict[str, Interval]:
    """Return the 95 % intervals of the metrics of records, by key.

    A rate in which each task counts once, or not, has Wilson's score interval. The parts of any
    other metric belong together by tasks, so tasks are drawn with replacement and the interval is
    that of the percentiles (Efron and Tibshirani, section 13.3). A metric that is undefined, or to
    which all tasks contribute the same, has none.
    """
    metrics = view.scores()
    # A row a task, with numerator and denominator of each metric.
    by_task: dict[str, list[Record]] = {}
    for record in records:
        if record.result.status != "excluded":
            by_task.setdefault(record.task, []).append(record)
    rows = [_row(view.scores(of_task)) for of_task in by_task.values()]
    counts = np.array(rows, dtype=np.int64).reshape(-1, 2 * len(metrics))
    totals = counts.sum(axis=0).tolist()
    found: dict[str, Interval] = {}
    drawn: list[int] = []
    for place, metric in enumerate(metrics):
        columns = slice(2 * place, 2 * place + 2)
        numerator, denominator = totals[columns]
        whole = metric._replace(numerator=numerator, denominator=denominator)
        known = _wilson(whole, counts[:, columns])
        if known is not None:
            found[metric.key] = known
        elif denominator:
            drawn.append(place)
    if drawn:
        # All over the same draws.
        locations = [column for place in drawn for column in (2 * place, 2 * place + 1)]
        sums = bootstrap(counts[:, locations].astype(float), draws=draws, seed=seed)
        with np.errstate(divide="ignore", invalid="ignore"):
            scales = [metrics[place].scale for place in drawn]
            values = np.array(scales) * sums[:, 0::2] / sums[:, 1::2]
        for place, column in zip(drawn, values.T, strict=True):
            low, high = percentiles(column) or (0.0, 0.0)
            if low < high:
                found[metrics[place].key] = Interval(low, high, "bootstrap")
    return found


@dataclass(frozen=True, eq=False)
class Side:
    """A model as it is compared.

    Many tasks add the same to all metrics, so a task has the number of a row, which all models
    share: a million answers take some megabytes.

    Args:
        name: As it is shown.
        tasks: The tasks that count, in order.
        unanswered: Those of them without an answer.
        excluded: Task to why it is excluded.
        numbers: For each task the number of its row.
        rows: What a task adds: rows x metrics x (numerator, denominator).
    """

    name: str
    tasks: tuple[str, ...]
    unanswered: AbstractSet[str]
    excluded: Mapping[str, str]
    numbers: NDArray[np.uint32]
    rows: Counts

    def value(self, place: int) -> float | None:
        """Return a metric over all its tasks; None if it is undefined."""
        numerator, denominator = self.of(self.tasks, place).sum(axis=0).tolist()
        return numerator / denominator if denominator else None

    def of(self, tasks: tuple[str, ...], place: int) -> Counts:
        """Return what tasks add to a metric, a row each: numerator and denominator."""
        of_metric: Counts = self.rows[self.numbers, place]
        return of_metric if tasks is self.tasks else of_metric[[self._row_of[t] for t in tasks]]

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {task: place for place, task in enumerate(self.tasks)}


def sides_of(view: View, samples: Iterable[Sequence[Record]]) -> dict[str, Side]:
    """Return the models as they are compared, by name.

    Args:
        view: Which metrics there are.
        samples: The records of one model and task; those of all models and tasks, in any order.
    """
    names: dict[str, int] = {}
    known: dict[tuple[int, ...], int] = {}
    tasks_of: dict[str, array[int]] = {}
    numbers_of: dict[str, array[int]] = {}
    unanswered: dict[str, set[str]] = {}
    excluded: dict[str, dict[str, str]] = {}
    # Models answer alike, and then it is the same what their answers add.
    of_result = lru_cache(maxsize=1 << 10)(lambda result: _row(view.metrics(tally([result]))))
    for records in samples:
        model, task = records[0].model, records[0].task
        tasks, numbers = (
            tasks_of.setdefault(model, array("I")),
            numbers_of.setdefault(model, array("I")),
        )
        left_out = [each.result for each in records if each.result.status == "excluded"]
        for result in left_out:
            why = next(iter(result.notes), "by the semantics")
            excluded.setdefault(model, {})[task] = why
        counted = [each for each in records if each.result.status != "excluded"]
        if not counted:
            continue
        alone = not view.own and len(counted) == 1
        row = of_result(counted[0].result) if alone else _row(view.scores(counted))
        tasks.append(names.setdefault(task, len(names)))
        numbers.append(known.setdefault(row, len(known)))
        if all(each.result.status == "missing" for each in counted):
            unanswered.setdefault(model, set()).add(task)
    rows = np.array([*known], dtype=np.int64).reshape(-1, len(view.scores()), 2)
    all_names = [*names]
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}  # one object for equal tasks
    found = {}
    for model, numbers in numbers_of.items():
        own = tuple(all_names[number] for number in tasks_of[model])
        found[model] = Side(
            model,
            shared.setdefault(own, own),
            unanswered.get(model, frozenset()),
            excluded.get(model, {}),
            np.array(numbers, dtype=np.uint32),
            rows,
        )
    return found


def _row(scores: Iterable[Score]) -> tuple[int, ...]:
    """Numerator and denominator of one metric after the other."""
    return tuple(part for score in scores for part in (score.numerator, score.denominator))


def interval_of(
    metric: Score, parts: Counts, *, draws: int = DRAWS, seed: int = 0
) -> Interval | None:
    """Return the 95 % interval of one metric; None if it has none (see :func:`intervals`)."""
    known = _wilson(metric, parts)
    if known is not None or not metric.denominator:
        return known
    sums = bootstrap(parts.astype(float), draws=draws, seed=seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = percentiles(metric.scale * sums[:, 0] / sums[:, 1]) or (0.0, 0.0)
    return Interval(low, high, "bootstrap") if low < high else None


def _wilson(metric: Score, parts: Counts) -> Interval | None:
    """Wilson's interval of a rate, also of errors that are 0 or 1 in every task."""
    if metric.interval is not None and (parts[:, 1] <= 1).all():
        return Interval(*metric.interval, "Wilson")
    once = (parts[:, 1] == 1).all() and ((parts[:, 0] == 0) | (parts[:, 0] == 1)).all()
    if metric.unit != "occurrences" or not metric.denominator or not once:
        return None
    return Interval(*wilson(metric.numerator, metric.denominator), "Wilson")


def rate_interval(outcomes: Iterable[tuple[str, bool]]) -> tuple[float, float]:
    """Return the 95 % interval of a share of tasks, in percent.

    Wilson's; where tasks have several answers, a bootstrap that draws tasks with all of theirs.

    Args:
        outcomes: For each answer its task, and whether it counts; at least one.
    """
    by_task: dict[str, list[bool]] = {}
    for task, counts in outcomes:
        by_task.setdefault(task, []).append(counts)
    parts = np.array([(sum(each), len(each)) for each in by_task.values()], dtype=np.float64)
    tasks, (counted, answers) = len(by_task), parts.sum(axis=0).tolist()
    if tasks < answers and 0 < counted < answers:
        sums = bootstrap(parts, draws=DRAWS, seed=0)
        found = percentiles(100 * sums[:, 0] / sums[:, 1])
        if found is not None and found[0] < found[1]:
            return found
    # Where all tasks have the same share, no draw of them tells anything: they count by that share.
    return wilson(tasks * counted / answers, tasks)


def percentiles(values: Numbers) -> tuple[float, float] | None:
    """Return the bounds that hold 95 % of the values that are defined; None if none is."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, (0.025, 0.975))
    return float(low), float(high)


def interval_table(
    report: Results, model: str | None = None, *, draws: int = DRAWS, seed: int = 0
) -> Table:
    """Return every metric with its counts and its interval, a row each.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    rows: list[dict[str, Cell]] = []
    heading = "%" if all(score.is_share for score in report.view.scores()) else "value"
    for name in report.models if model is None else (model,):
        found = intervals(report.view, report.of(name), draws=draws, seed=seed)
        for metric in report.metrics(name):
            low, high, method = found.get(metric.key) or (None, None, None)
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
    unit = "percent" if heading == "%" else "percent (means of numbers in their own unit)"
    note = (
        f"{report.setting}; {unit} with 95 % intervals: Wilson's, or percentiles of {draws:,} "
        f"draws of tasks (seed {seed})"
    )
    return Table.by_model("Metrics with intervals", rows, (note,))


# Resampling.

_CELLS = 4_000_000
"""So many random numbers are held at once."""


def bootstrap(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Draw as many tasks as there are, with replacement, and add up their parts.

    Returns:
        One row of sums for each draw.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    tasks = len(parts)
    sizes = list(_sizes(draws, seed, tasks))
    random = np.random.default_rng(seed)
    sums = []
    for size in sizes:
        # How often each task is drawn: to count drawn numbers is faster than multinomial numbers.
        drawn = random.integers(0, tasks, (size, tasks)) + tasks * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * tasks).reshape(size, tasks)
        sums.append(times.astype(np.float64) @ parts)
    return np.concatenate(sums)


def exchange(parts: Numbers, *, draws: int, seed: int) -> Numbers:
    """Add up the parts of tasks that are chosen by chance, each with one half.

    Returns:
        One row of sums for each draw.

    Raises:
        InputError: If ``draws`` is not positive, or the seed is negative.
    """
    sizes = list(_sizes(draws, seed, len(parts)))
    random = np.random.default_rng(seed)
    chosen = (random.integers(0, 2, size=(size, len(parts))) for size in sizes)
    return np.concatenate([each.astype(np.float64) @ parts for each in chosen])


Draw = Callable[..., Numbers]
"""One of the two."""

_MOST_SUMS = 4_000_000
"""So many different sums of parts are counted."""


def exchange_steps(parts: Counts) -> float:
    """Return about how many additions :func:`exchanges` takes; infinite for too many sums."""
    divided = _divided(parts)[0]
    sums = float(np.prod(np.abs(divided).sum(axis=0, dtype=np.float64) + 1))
    return len(divided) * sums if sums <= _MOST_SUMS else math.inf


def exchanges(parts: Counts) -> tuple[Counts, Numbers]:
    """Return every sum of the parts of chosen tasks, and how likely it is; each way is as likely.

    Task by task the chances of all sums so far are halved, and move by the task's parts or not
    (the shift algorithm: M. Pagano and D. Tritchler, "On obtaining permutation distributions in
    polynomial time", Journal of the American Statistical Association 78, 1983).
    """
    divided, units = _divided(parts)
    chances = np.ones((1, 1))
    for part in divided:
        grown = np.zeros(chances.shape + np.abs(part))
        for top, left in (np.maximum(part, 0), np.maximum(-part, 0)):
            grown[top : top + len(chances), left : left + chances.shape[1]] += chances / 2
        chances = grown
    least = np.minimum(divided, 0).sum(axis=0)
    sums = (np.argwhere(np.ones_like(chances)) + least) * units
    return sums, chances.ravel()


def _divided(parts: Counts) -> tuple[Counts, Counts]:
    """The parts that are not nothing, the small ones first, in the largest units that fit all."""
    units = np.maximum(np.gcd.reduce(parts, axis=0), 1)
    some = parts[parts.any(axis=1)] // units
    return some[np.abs(some).sum(axis=1).argsort(kind="stable")], units


def _sizes(draws: int, seed: int, tasks: int) -> Iterator[int]:
    """How many draws are made at once, again and again."""
    if not isinstance(draws, Integral) or draws < 1:
        raise InputError(f"{draws!r} draws", expected="a whole number from 1")
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"the seed {seed!r}", expected="a whole number from 0")
    most = max(1, _CELLS // max(tasks, 1))
    for done in range(0, draws, most):
        yield min(most, draws - done)
