"""Models with what each task adds to each metric: what comparisons of models are made of."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from eai.report.intervals import Row, contributions, row_maker
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.statistics import Contributions, PairedContributions


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
        rows: The different contributions.
    """

    name: str
    tasks: tuple[str, ...]
    unanswered: AbstractSet[str]
    excluded: Mapping[str, str]
    numbers: array[int]
    rows: Sequence[Row]

    def value(self, index: int) -> float | None:
        """Return a metric over all tasks, by its index in the view; None if it is undefined."""
        numerator = denominator = 0
        for (task_numerator, task_denominator), times in self.contributions(index).items():
            numerator += times * task_numerator
            denominator += times * task_denominator
        if not denominator:
            return None
        return numerator / denominator

    def contributions(self, index: int) -> Contributions:
        """Return what all tasks add to a metric, by its index in the view."""
        return contributions(self._tasks_of_row, index)

    def numbers_of(self, tasks: tuple[str, ...]) -> Sequence[int]:
        """Return the numbers of the rows of some of the tasks of the model."""
        if tasks is self.tasks:
            return self.numbers
        return [self.numbers[self._position_of[task]] for task in tasks]

    @cached_property
    def _tasks_of_row(self) -> Counter[Row]:
        """The different rows, with how many tasks have each of them."""
        times = Counter(self.numbers)
        return Counter({self.rows[number]: times[number] for number in times})

    @cached_property
    def _position_of(self) -> dict[str, int]:
        return {task: position for position, task in enumerate(self.tasks)}


class Pair(NamedTuple):
    """Two models, and the tasks on which they are compared; both have them."""

    first: Side
    second: Side
    tasks: tuple[str, ...]

    def contributions(self, index: int) -> PairedContributions:
        """Return what the tasks add to a metric of both models, by its index in the view."""
        row_indices = zip(
            self.first.numbers_of(self.tasks), self.second.numbers_of(self.tasks), strict=True
        )
        numerator = 2 * index
        denominator = numerator + 1
        contributions: Counter[tuple[int, int, int, int]] = Counter()
        # Many tasks have the same pair of rows, which is looked up once.
        for (index_1, index_2), times in Counter(row_indices).items():
            row_1 = self.first.rows[index_1]
            row_2 = self.second.rows[index_2]
            key = (row_1[numerator], row_1[denominator], row_2[numerator], row_2[denominator])
            contributions[key] += times
        return contributions


def sides_of(view: View, samples: Iterable[Sequence[Record]]) -> dict[str, Side]:
    """Return the models with what their tasks add to the metrics, by name.

    Args:
        view: View that has the metrics.
        samples: For each model and task its records, in any order of models and tasks.
    """
    # Tasks and different rows are numbered in the order in which they are first seen.
    task_numbers: dict[str, int] = {}
    row_numbers: dict[Row, int] = {}
    models: dict[str, _Contributing] = {}
    row_of = row_maker(view)
    for records in samples:
        model, task = records[0].model, records[0].task
        contributing = models.setdefault(model, _Contributing())
        counted_records = contributing.separate_excluded(records)
        if not counted_records:
            continue
        # Many tasks add the same numbers, so each different row is held once.
        row = row_of(counted_records)
        contributing.tasks.append(task_numbers.setdefault(task, len(task_numbers)))
        contributing.rows.append(row_numbers.setdefault(row, len(row_numbers)))
        if all(record.result.status == "missing" for record in counted_records):
            contributing.unanswered.add(task)
    return _make_sides(models, [*task_numbers], [*row_numbers])


def _make_sides(
    models: Mapping[str, _Contributing],
    task_names: Sequence[str],
    different_rows: Sequence[Row],
) -> dict[str, Side]:
    """Return the sides of models whose tasks have been read.

    Args:
        models: The input of each model.
        task_names: Name of each task, by its number.
        different_rows: The rows, by their numbers.
    """
    # Models mostly have the same tasks: they share one tuple, which :meth:`Side.of` knows again.
    shared_tasks: dict[tuple[str, ...], tuple[str, ...]] = {}
    sides = {}
    for model, contributing in models.items():
        tasks = tuple([task_names[task_number] for task_number in contributing.tasks])
        sides[model] = Side(
            name=model,
            tasks=shared_tasks.setdefault(tasks, tasks),
            unanswered=contributing.unanswered,
            excluded=contributing.excluded,
            numbers=contributing.rows,
            rows=different_rows,
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

    def separate_excluded(self, records: Sequence[Record]) -> list[Record]:
        """Store why records of a task are excluded, and return the records that count."""
        counted_records = []
        for record in records:
            if record.result.status == "excluded":
                reason = next(iter(record.result.notes), "by the semantics")
                self.excluded[record.task] = reason
            else:
                counted_records.append(record)
        return counted_records
