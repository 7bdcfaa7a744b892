"""Metrics: what is asked of every record, and what the answers of a model add up to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from math import comb
from typing import ClassVar, NamedTuple, Union, overload

from eai.diagnosis import PATH_GOAL
from eai.errors import InputError
from eai.report.aggregate import PARTS, Tally
from eai.report.record import Record
from eai.report.statistics import wilson
from eai.table import Measured
from eai.text import counted


class Score(NamedTuple):
    """One number of a report with what it was computed from.

    Args:
        group: What it belongs to (``"goal"``, ``"trajectory.grammar"``); see ``View.groups``.
        key: The key of the published evaluator (``"task_success_rate"``), unique in a view.
        label: The heading of the column in the paper's tables.
        denominator: Out of how many; the value is undefined if it is 0.
        unit: What the numerator counts: ``"tasks"``, ``"conditions"`` (goal conditions, out of
            all of that kind), ``"occurrences"`` (errors for each task: may exceed 100 %),
            ``"matches"`` (precision, recall and F1; F1 is ``2 tp / (2 tp + fp + fn)``) or
            ``"means"`` (of a ratio over tasks: numerator and denominator are in
            :data:`~eai.report.aggregate.PARTS`, so it may exceed 100 % too); ``"numbers"``, the
            same of what is no share, which is shown as it is; ``"samples"`` of a rate over several
            answers to each task.
        bounds: The 95 % interval of a rate over samples, in percent, where it is known.
    """

    group: str
    key: str
    label: str
    numerator: int
    denominator: int
    unit: str
    bounds: tuple[float, float] | None = None

    @classmethod
    def mean(cls, counts: Tally, group: str, key: str, label: str) -> Score:
        """The mean of the measure of a key, over the items that have it."""
        base = PARTS * counts.measured.get(key, 0)
        return cls(group, key, label, counts.amounts.get(key, 0), base, "means")

    @property
    def is_share(self) -> bool:
        """Whether it is shown in percent; a mean of numbers is shown as it is."""
        return self.unit != "numbers"

    @property
    def scale(self) -> float:
        """By which a ratio is multiplied: 100 makes it percent; a mean of numbers stays."""
        return 100.0 if self.is_share else 1.0

    @property
    def heading(self) -> str:
        """Its label, and that it is a mean where others beside it are percent."""
        return self.label if self.is_share else f"{self.label} (mean)"

    @property
    def value(self) -> float | None:
        """The metric in percent (a mean of numbers as it is), or None if it is undefined."""
        return self.scale * self.numerator / self.denominator if self.denominator else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The Wilson 95 % interval in percent of a rate over tasks, else None.

        Samples of one task depend on each other: of a rate over samples tasks are drawn
        (:mod:`eai.report.intervals`). Goal conditions of one task depend on each other, too, and
        occurrences are no proportion, so neither has this interval; nor has a rate in which tasks
        count more than once.
        """
        if self.unit == "samples":
            return self.bounds
        if self.unit != "tasks" or not self.numerator <= self.denominator > 0:
            return None
        return wilson(self.numerator, self.denominator)

    @property
    def counts(self) -> str:
        """What was counted out of how many; of a mean, over how many tasks it is taken."""
        if self.unit in ("means", "numbers"):
            tasks = self.denominator // PARTS
            return counted(tasks, "task")
        return f"{self.numerator}/{self.denominator}"

    def cell(self, counts: str | None = None, mark: str = "") -> Measured:
        """Return the metric as a cell of a table.

        Args:
            counts: What stands below it; by default what was counted.
            mark: What stands behind it.
        """
        below = self.counts if counts is None else counts
        return Measured(self.value, below, self.interval, mark, 1 if self.is_share else 2)

    def rounded(self, digits: int = 4) -> float | None:
        """Return the value with so many decimals, or None if it is undefined."""
        return None if self.value is None else round(self.value, digits)


class Ratio(NamedTuple):
    """What one record adds to a metric that is counted in parts of tasks.

    Args:
        numerator: So many parts count (goal conditions that are met).
    """

    numerator: int
    denominator: int


class Metric(ABC):
    """A metric of your own: a key, a heading, and what it says of one record.

    Attributes:
        key: Its key, unlike those of other metrics (``"sound_plans"``).
        unit: What is counted: ``"tasks"`` if a record is right or wrong, ``"means"`` if it has a
            share, ``"numbers"`` if it has another number (steps, seconds), and for ratios what
            their parts are, for instance ``"conditions"``.
    """

    key: ClassVar[str]
    label: ClassVar[str]
    unit: ClassVar[str] = "tasks"

    @abstractmethod
    def evaluate(self, record: Record) -> bool | float | Ratio | None:
        """Say what a record counts for.

        Returns:
            Whether it is right; or a number, of which the mean is shown (of ``"means"`` in
            percent, 1 is 100 %); or a ratio, whose parts are added up over records; or None if the
            record is not in the denominator. Records that are excluded are not asked for; a task
            without an answer is, and stays in the denominator unless the definition says otherwise.
        """

    def score(self, records: Iterable[Record]) -> Score:
        """Add up what records count for.

        Raises:
            InputError: If a value does not fit the unit.
        """
        numerator = denominator = 0
        for record in records:
            if record.result.status == "excluded":
                continue
            value = self.evaluate(record)
            if value is None:
                continue
            if isinstance(value, bool):
                value = Ratio(int(value), 1)
            elif not isinstance(value, Ratio):
                if self.unit not in ("means", "numbers"):
                    raise InputError(
                        f"the metric {self.key!r} is {value!r} for a record",
                        expected="True or False, a Ratio, or None",
                        mend='unit = "numbers" shows the mean as it is, unit = "means" in percent',
                    )
                # In whole parts, so that sums are exact in any order.
                value = Ratio(round(PARTS * value), PARTS)
            numerator += value.numerator
            denominator += value.denominator
        return Score("own", self.key, self.label, numerator, denominator, self.unit)


class PassAt(Metric):
    """The chance that one of k answers that are drawn from those to a task solves it.

    Of n answers of which c are right it is ``1 - C(n - c, k) / C(n, k)``, which is unbiased
    (M. Chen et al., "Evaluating Large Language Models Trained on Code", 2021, equation 1); the mean
    over tasks is shown. A task with fewer than k answers is not in the denominator.

    Args:
        k: How many are drawn.

    Raises:
        InputError: If that is no positive number.
    """

    unit: ClassVar[str] = "means"

    def __init__(self, k: int) -> None:
        if k < 1:
            raise InputError(f"pass@{k}", expected="a whole number from 1", mend="pass@1")
        self.k = k
        # What is a constant of other metrics depends on k here.
        vars(self).update(key=f"pass@{k}", label=f"pass@{k}")

    def evaluate(self, record: Record) -> bool:
        """Whether the answer is right."""
        return record.result.success

    def score(self, records: Iterable[Record]) -> Score:
        """Return the mean over tasks."""
        tasks: dict[str, list[bool]] = {}
        for record in records:
            if record.result.status != "excluded":
                tasks.setdefault(record.task, []).append(self.evaluate(record))
        several = [right for right in tasks.values() if len(right) >= self.k]
        failed = (comb(len(r) - sum(r), self.k) / comb(len(r), self.k) for r in several)
        passed = sum(round(PARTS * (1 - each)) for each in failed)
        return Score("own", self.key, self.label, passed, PARTS * len(several), self.unit)


class PathGoal(Metric):
    """Whether the goal about the way is met, of tasks that have one."""

    key, label = PATH_GOAL, "Path Goal"

    def evaluate(self, record: Record) -> bool | None:
        """Whether it is met."""
        measures = record.result.measures
        return next((bool(each.amount) for each in measures if each.kind == PATH_GOAL), None)


class RulesKept(Metric):
    """Whether no rule beside the goal was broken, of answers for which any was evaluated."""

    key, label = "rules_kept", "Rules Kept"

    def evaluate(self, record: Record) -> bool | None:
        """Whether none was broken."""
        return record.result.keeps_rules


Value = Union[bool, float, Ratio, None]
"""What a metric says of a record (see :meth:`Metric.evaluate`)."""


@overload
def metric(evaluate: Callable[[Record], Value]) -> Metric: ...


@overload
def metric(
    evaluate: None = None, *, key: str = "", label: str = "", unit: str = "tasks"
) -> Callable[[Callable[[Record], Value]], Metric]: ...


def metric(
    evaluate: Callable[[Record], Value] | None = None,
    *,
    key: str = "",
    label: str = "",
    unit: str = "tasks",
) -> Metric | Callable[[Callable[[Record], Value]], Metric]:
    """Make a metric of a function of a record; use it as a decorator.

    Args:
        evaluate: Says what a record counts for (see :meth:`Metric.evaluate`).
        key: Its key; by default the name of the function.
        label: Its heading; by default the key in words.
        unit: What is counted (see :class:`Metric`).
    """

    def made(function: Callable[[Record], Value]) -> Metric:
        name = key or function.__name__
        heading = label or name.replace("_", " ").capitalize()
        parts = {
            "key": name,
            "label": heading,
            "unit": unit,
            "__doc__": function.__doc__,
            "evaluate": lambda _self, record: function(record),
        }
        own: Metric = type(function.__name__, (Metric,), parts)()
        return own

    return made if evaluate is None else made(evaluate)
