"""Metrics: what is asked of every record, and what the answers of a model add up to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from eai.errors import InputError
from eai.report.aggregate import PARTS
from eai.report.record import Record
from eai.report.statistics import wilson


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
            :data:`~eai.report.aggregate.PARTS`, so it may exceed 100 % too).
    """

    group: str
    key: str
    label: str
    numerator: int
    denominator: int
    unit: str

    @property
    def value(self) -> float | None:
        """The metric in percent, or None if it is undefined."""
        return 100.0 * self.numerator / self.denominator if self.denominator else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The Wilson 95 % interval in percent of a rate over tasks, else None.

        Goal conditions of one task depend on each other, and occurrences are no proportion,
        so neither has this interval; nor has a rate in which tasks count more than once.
        """
        if self.unit != "tasks" or not self.numerator <= self.denominator > 0:
            return None
        return wilson(self.numerator, self.denominator)

    @property
    def counts(self) -> str:
        """What was counted out of how many; of a mean, over how many tasks it is taken."""
        if self.unit == "means":
            tasks = self.denominator // PARTS
            return f"{tasks} task{'' if tasks == 1 else 's'}"
        return f"{self.numerator}/{self.denominator}"

    def rounded(self, digits: int = 4) -> float | None:
        """Return the value in percent with so many decimals, or None if it is undefined."""
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
            number, and for ratios what their parts are, for instance ``"conditions"``.
    """

    key: ClassVar[str]
    label: ClassVar[str]
    unit: ClassVar[str] = "tasks"

    @abstractmethod
    def evaluate(self, record: Record) -> bool | float | Ratio | None:
        """Say what a record counts for.

        Returns:
            Whether it is right; or a number (1 is shown as 100 %), of which the mean is shown; or
            a ratio, whose parts are added up over records; or None if the record is not in the
            denominator. Records that are excluded are not asked for; a task without an answer is,
            and stays in the denominator unless the definition says otherwise.
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
            ratio = value if isinstance(value, Ratio) else self._ratio(value)
            numerator += ratio.numerator
            denominator += ratio.denominator
        return Score("own", self.key, self.label, numerator, denominator, self.unit)

    def _ratio(self, value: bool | float) -> Ratio:
        if isinstance(value, bool):
            return Ratio(int(value), 1)
        if self.unit != "means":
            raise InputError(
                f"the metric {self.key!r} is {value!r} for a record",
                expected="True or False, a Ratio, or None",
                mend='unit = "means" makes it one of numbers',
            )
        # In whole parts, so that sums are exact in any order.
        return Ratio(round(PARTS * value), PARTS)
