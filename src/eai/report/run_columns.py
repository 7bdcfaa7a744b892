"""Tables over all abilities of a run: a row for each model, as papers print them.

Packages announce theirs as entry points of the group ``eai.run_tables``; the first is the table
that a run has by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from eai.errors import InputError, check_name
from eai.plugins import announced, find_object
from eai.report.report import Report

GROUP = "eai.run_tables"

Reports = Mapping[str, Mapping[str, Report]]
"""Reports by suite and ability."""


class RunColumn(NamedTuple):
    """A column of a run's overview table.

    Args:
        ability: The ability.
        metric: Key of the metric (``"task_success_rate"``).
        span: Heading over the columns of the ability.
        heading: Heading of the column.
        weight: Its weight in the average; 0 if it is not part of it.
    """

    ability: str
    metric: str
    span: str
    heading: str
    weight: float = 0.0


@dataclass(frozen=True)
class RunTable:
    """An overview table over the abilities of several suites.

    Args:
        title: Its title, and where it was printed.
        columns: Its columns, which stand in it once for each suite.
        average: Headings of the weighted mean, which is the last column of each suite.
    """

    title: str
    columns: tuple[RunColumn, ...]
    average: tuple[str, str] = ("Average", "Module SR")

    def mean(self, reports: Reports, suite: str, model: str) -> float | None:
        """Return the weighted mean of a model's metrics in percent, or None if one is missing.

        Args:
            reports: Suite to ability to report.
            suite: Name of the suite.
            model: Name of the model.
        """
        weight_sum = 0.0
        weighted_sum = 0.0
        for column in self.columns:
            if not column.weight:
                continue
            value = metric_value(reports, suite, column.ability, column.metric, model=model)
            # A mean without one of its metrics is not comparable with those of other models.
            if value is None:
                return None
            weighted_sum += column.weight * value
            weight_sum += column.weight
        return weighted_sum / weight_sum

    def row(self, reports: Reports, model: str) -> dict[tuple[str, str, str], float | None]:
        """Return the percentages of a model by (span, heading, suite)."""
        row: dict[tuple[str, str, str], float | None] = {}
        for column in self.columns:
            for suite in reports:
                value = metric_value(reports, suite, column.ability, column.metric, model=model)
                row[column.span, column.heading, suite] = value
        for suite in reports:
            span, heading = self.average
            row[span, heading, suite] = self.mean(reports, suite, model)
        return row


def metric_value(
    reports: Reports, suite: str, ability: str, key: str, *, model: str
) -> float | None:
    """Return a metric in percent, or None if it is undefined or not measured.

    Args:
        reports: Suite to ability to report.
        suite: Name of the suite.
        ability: Name of the ability.
        key: Key of the metric.
        model: Name of the model.
    """
    report = reports.get(suite, {}).get(ability)
    if report is None or model not in report.models:
        return None
    return next(metric.value for metric in report.metrics(model) if metric.key == key)


def run_table(name: str | None = None) -> RunTable:
    """Return a registered overview table, by default the first.

    Raises:
        UnknownNameError: If there is no table of this name.
        InputError: If it cannot be imported.
    """
    tables = announced(GROUP)
    if name is None:
        name = next(iter(tables), "")
    check_name("table of runs", name, tables)
    table = find_object(tables[name].target, what=f"the table {name!r}")
    if not isinstance(table, RunTable):
        raise InputError(
            f"the table {name!r} is a {type(table).__name__}", expected="an eai.report.RunTable"
        )
    return table
