"""What a report shows of an ability: its metrics, and the tables that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from eai.report.aggregate import Tally
from eai.report.metric import Metric

__all__ = ["Column", "Table", "View"]


class Column(NamedTuple):
    """A column of a table.

    Args:
        key: Key of the metric.
        head: Its heading in a terminal; short, lines separated by a line break.
        span: A heading that neighbouring columns share in print; empty if there is none.
        label: Its heading in print, if that is not the metric's own label.
        ranged: Whether the interval is shown.
    """

    key: str
    head: str
    span: str = ""
    label: str = ""
    ranged: bool = False


class Table(NamedTuple):
    """A table of a report.

    Args:
        title: Its title in a terminal.
        caption: Its caption in print.
        columns: Its columns after the model's name.
    """

    title: str
    caption: str
    columns: tuple[Column, ...]


class View(NamedTuple):
    """How an ability is reported.

    Args:
        metrics: Computes its metrics from the counts, in a fixed order whatever was counted.
        tables: Its tables.
        groups: Group of metrics to heading, in the order of the metrics.
        errors: Those groups that count errors.
        basis: Says what the metrics that are not rates over tasks are out of.
        summary: The summary as the published evaluator nests and rounds it.
    """

    metrics: Callable[[Tally], list[Metric]]
    tables: tuple[Table, ...]
    groups: Mapping[str, str]
    errors: tuple[str, ...]
    basis: Callable[[Tally], str]
    summary: Callable[[Tally], dict[str, dict[str, object]]]
