"""Models with what each task adds to each metric: what comparisons of models are made of."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eai.report.intervals import Row, row_maker
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.statistics import Contributions

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Side:
    """A model, with the contribution of each task to each metric.

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
        return numerator / denominator if denominator else None

    def of(self, tasks: tuple[str, ...], index: int) -> Counts:
        """Return numerator and denominator that tasks add to a metric, one row per task.

        Args:
            tasks: Some of the tasks of the model.
            index: Index of the metric in the view.
        """
        of_metric: Counts = self.rows[self.numbers, index]
        if tasks is self.tasks:
            return of_metric
        return of_metric[[self._row_of[task] for task in tasks]]

    def contributions(self, index: int) -> Contributions:
        """Return the contributions of all tasks to the metric with an index."""
        tasks_of_row = np.bincount(self.numbers, minlength=len(self.rows)).tolist()
        parts: Counter[tuple[int, int]] = Counter()
        for (numerator, denominator), times in zip(
            self.rows[:, index].tolist(), tasks_of_row, strict=True
        ):
            # All models share the rows, so some are of other models only.
            if times:
                parts[numerator, denominator] += times
        return parts

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {task: row for row, task in enumerate(self.tasks)}


def sides_of(view: View, samples: Iterable[Sequence[Record]]) -> dict[str, Side]:
    """Return the models by name, with the contributions of their tasks to the metrics.

    Args:
        view: View that has the metrics.
        samples: The records of one model and task; those of all models and tasks, in any order.
    """
    # Tasks and different rows are numbered in the order in which they are first seen.
    task_numbers: dict[str, int] = {}
    row_numbers: dict[Row, int] = {}
    models: dict[str, _Contributing] = {}
    row_of = row_maker(view)
    for records in samples:
        model, task = records[0].model, records[0].task
        of_model = models.setdefault(model, _Contributing())
        counted = of_model.set_excluded_aside(records)
        if not counted:
            continue
        # Many tasks add the same numbers, so each different row is held once.
        row = row_of(counted)
        of_model.tasks.append(task_numbers.setdefault(task, len(task_numbers)))
        of_model.rows.append(row_numbers.setdefault(row, len(row_numbers)))
        if all(record.result.status == "missing" for record in counted):
            of_model.unanswered.add(task)
    return _make_sides(view, models, [*task_numbers], [*row_numbers])


def _make_sides(
    view: View,
    models: Mapping[str, _Contributing],
    task_names: Sequence[str],
    different_rows: Sequence[Row],
) -> dict[str, Side]:
    """Return the sides of models whose tasks are already read.

    Args:
        view: View that has the metrics.
        models: The input of each model.
        task_names: Name of each task, by its number.
        different_rows: The rows, by their numbers.
    """
    # Named in full, because numpy cannot tell the shape of no rows at all.
    rows = np.array(different_rows, dtype=np.int64).reshape(-1, len(view.scores()), 2)
    # Models mostly have the same tasks: they share one tuple, which :meth:`Side.of` knows again.
    shared_tasks: dict[tuple[str, ...], tuple[str, ...]] = {}
    sides = {}
    for model, of_model in models.items():
        tasks = tuple([task_names[number] for number in of_model.tasks])
        sides[model] = Side(
            name=model,
            tasks=shared_tasks.setdefault(tasks, tasks),
            unanswered=of_model.unanswered,
            excluded=of_model.excluded,
            numbers=np.array(of_model.rows, dtype=np.uint32),
            rows=rows,
        )
    return sides


@dataclass
class _Contributing:
    """Collects the counted tasks of a model.

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

    def set_excluded_aside(self, records: Sequence[Record]) -> list[Record]:
        """Return the records that count, and note why others are excluded."""
        counted = []
        for record in records:
            if record.result.status == "excluded":
                reason = next(iter(record.result.notes), "by the semantics")
                self.excluded[record.task] = reason
            else:
                counted.append(record)
        return counted
