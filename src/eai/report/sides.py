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
        return numerator / denominator if denominator else None

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

    def contributions(self, index: int) -> Contributions:
        """Return what all tasks add to a metric, by its index in the view."""
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
    """Return the models with what their tasks add to the metrics, by name.

    Args:
        view: View that has the metrics.
        samples: The records of one model and task; those of all models and tasks, in any order.
    """
    task_numbers: dict[str, int] = {}
    row_numbers: dict[Row, int] = {}
    models: dict[str, _Contributing] = {}
    row_of = row_maker(view)
    for records in samples:
        model, task = records[0].model, records[0].task
        of_model = models.setdefault(model, _Contributing())
        counted = []
        for record in records:
            if record.result.status == "excluded":
                of_model.excluded[task] = next(iter(record.result.notes), "by the semantics")
            else:
                counted.append(record)
        if not counted:
            continue
        row = row_of(counted)
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
class _Contributing:
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
