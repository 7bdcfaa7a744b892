"""Confidence intervals of metrics, by closed formulas.

A rate over tasks has Wilson's interval. All other metrics are ratios of sums over tasks, which are
linearized. Goal conditions of one task depend on each other, so whole tasks are taken to be drawn,
never conditions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from eai.report.aggregate import tally
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.scoring import Score
from eai.report.statistics import Contributions, ratio_interval, wilson
from eai.table import Cell, Table

if TYPE_CHECKING:
    from eai.report.results import Results

_MAX_RESULTS = 1 << 14
"""Maximum number of results whose contributions are held: those of one model after the other, so
that models which answer some thousand tasks alike find each other's."""

Row = tuple[int, ...]
"""Contributions of one task: numerator and denominator of one metric after the other."""


class Interval(NamedTuple):
    """A 95 % confidence interval of a metric, in its unit."""

    low: float
    high: float
    method: str


def intervals(view: View, records: Iterable[Record]) -> dict[str, Interval]:
    """Return the 95 % intervals of the metrics of one model, by key (see :func:`interval_of`)."""
    by_task: dict[str, list[Record]] = {}
    for record in records:
        by_task.setdefault(record.task, []).append(record)
    rows = rows_of(view, by_task.values())
    by_key: dict[str, Interval] = {}
    for index, metric in enumerate(view.scores()):
        interval = interval_of(metric, contributions(rows, index))
        if interval is not None:
            by_key[metric.key] = interval
    return by_key


def interval_of(metric: Score, tasks: Contributions) -> Interval | None:
    """Return the 95 % interval of one metric.

    A rate in which each task counts once, or not, has Wilson's score interval. All other metrics
    are linearized (:func:`eai.report.statistics.ratio_interval`). A metric that is undefined, or
    to which all tasks contribute the same ratio, has none.

    Args:
        metric: The metric; its own numerator and denominator are not read.
        tasks: The amounts that the tasks add to it.
    """
    numerator_sum = denominator_sum = 0
    for (numerator, denominator), times in tasks.items():
        numerator_sum += times * numerator
        denominator_sum += times * denominator
    if not denominator_sum:
        return None
    total = metric._replace(numerator=numerator_sum, denominator=denominator_sum)
    # Wilson's formula is for independent trials, so no task may count twice in the denominator.
    counts_once = all(denominator <= 1 for _, denominator in tasks)
    if total.interval is not None and counts_once:
        return Interval(*total.interval, "Wilson")
    # Occurrences of an error are such a rate if every task has none or one of them.
    if total.unit == "occurrences" and tasks.keys() <= {(0, 1), (1, 1)}:
        return Interval(*wilson(numerator_sum, denominator_sum), "Wilson")
    bounds = ratio_interval(tasks)
    if bounds is None:
        return None
    low, high = bounds
    return Interval(total.scale * low, total.scale * high, "linearization")


def rate_interval(outcomes: Iterable[tuple[str, bool]]) -> tuple[float, float]:
    """Return the 95 % interval of a share of tasks, in percent.

    It is Wilson's interval. If tasks have several answers, it is the interval of a ratio of sums
    over tasks, to which a task contributes all its answers.

    Args:
        outcomes: For each answer its task, and whether it is a success; at least one.
    """
    successes_of_task: dict[str, list[bool]] = {}
    answer_count = 0
    success_count = 0
    for task, success in outcomes:
        successes_of_task.setdefault(task, []).append(success)
        answer_count += 1
        success_count += success
    task_count = len(successes_of_task)
    # Wilson's formula takes answers to be independent, which several to one task are not.
    if task_count < answer_count:
        # (1, 3) is a task with one success among three answers; the value counts such tasks.
        shares = Counter((sum(answers), len(answers)) for answers in successes_of_task.values())
        bounds = ratio_interval(shares)
        if bounds is not None:
            return 100 * bounds[0], 100 * bounds[1]
    # If all tasks have the same share, their ratio does not vary: take each task for one trial.
    return wilson(task_count * success_count / answer_count, task_count)


def interval_table(report: Results, model: str | None = None) -> Table:
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
        # All intervals of a model at once, as its records are gone through only once.
        by_key = intervals(report.view, report.of(name))
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
    note = f"{report.setting}; {unit} with 95 % intervals over tasks: Wilson's, or linearized"
    return Table.by_model("Metrics with intervals", rows, (note,))


# The amounts that tasks add to metrics.


def row_maker(view: View) -> Callable[[Sequence[Record]], Row]:
    """Return a function that computes the row of one task from its records, none excluded.

    Models answer alike, and equal results add the same: results are computed once.
    """
    of_result = lru_cache(maxsize=_MAX_RESULTS)(lambda result: _row(view.metrics(tally([result]))))

    def row(records: Sequence[Record]) -> Row:
        # Metrics of a user's own look at the whole record, so equal results may differ in them.
        if len(records) == 1 and not view.own:
            return of_result(records[0].result)
        return _row(view.scores(records))

    return row


def rows_of(view: View, samples: Iterable[Sequence[Record]]) -> Counter[Row]:
    """Return the rows of the tasks of one model, with how many tasks have each of them.

    Args:
        view: View that has the metrics.
        samples: The records of one task; those of all tasks of the model.
    """
    row_of = row_maker(view)
    rows: Counter[Row] = Counter()
    for records in samples:
        counted = [record for record in records if record.result.status != "excluded"]
        if counted:
            rows[row_of(counted)] += 1
    return rows


def contributions(rows: Mapping[Row, int], index: int) -> Contributions:
    """Return what tasks add to one metric, by its index in the view.

    Example:
        >>> contributions({(1, 1, 2, 5): 10, (1, 1, 0, 5): 3}, 0)  # ten tasks and three
        Counter({(1, 1): 13})
    """
    parts: Counter[tuple[int, int]] = Counter()
    for row, times in rows.items():
        parts[row[2 * index], row[2 * index + 1]] += times
    return parts


def contributions_to(view: View, index: int, samples: Iterable[Sequence[Record]]) -> Contributions:
    """Return what the tasks of one model add to one metric, by its index in the view.

    Args:
        view: View that has the metric.
        index: Index of the metric.
        samples: The records of one task; those of all tasks of the model.
    """
    if view.adds is None or view.scores()[index].key != view.main:
        return contributions(rows_of(view, samples), index)
    # A row has all metrics of a task, of which the headline alone is asked for.
    parts: Counter[tuple[int, int]] = Counter()
    for records in samples:
        counted = [record.result for record in records if record.result.status != "excluded"]
        added = [view.adds(result) for result in counted]
        if added:
            parts[sum(part[0] for part in added), sum(part[1] for part in added)] += 1
    return parts


def _row(scores: Iterable[Score]) -> Row:
    """Return numerator and denominator of one metric after the other."""
    row: list[int] = []
    for score in scores:
        row += (score.numerator, score.denominator)
    return tuple(row)
