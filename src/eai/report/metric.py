"""One number of a report, with what it was computed from."""

from __future__ import annotations

from typing import NamedTuple

from eai.report.aggregate import PARTS
from eai.report.statistics import wilson

__all__ = ["Metric"]


class Metric(NamedTuple):
    """One number of a report with what it was computed from.

    Args:
        group: What it belongs to (``"goal"``, ``"trajectory.grammar"``); see ``View.groups``.
        key: The key of the published evaluator (``"task_success_rate"``), unique in a view.
        label: The heading of the column in the paper's tables.
        numerator: What was counted.
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
