"""Views: the metrics of an ability, and the tables of a report that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from eai.diagnosis import Result
from eai.report.aggregate import Tally, tally
from eai.report.record import Record
from eai.report.scoring import Metric, Score
from eai.table import Column, Table


class View(NamedTuple):
    """How an ability is reported: its metrics and tables.

    Args:
        metrics: Returns the metrics of the counts, always the same ones in the same order.
        tables: Tables without rows: titles, and a column for each key of a metric, whose heading
            is the metric's own label if it has none.
        groups: Group of metrics to heading, in the order of the metrics.
        errors: Groups whose metrics count errors.
        basis: Returns the denominators of metrics that are not rates over tasks, in words.
        summary: Returns the metrics as the published evaluator nests and rounds them.
        own: Additional metrics, each computed from the records themselves.
        headline: Key of the headline metric; the first metric if empty.
        adds: Returns the numerator and denominator that one result adds to the headline metric,
            where they are known without all metrics of the result; None elsewhere.
    """

    metrics: Callable[[Tally], list[Score]]
    tables: tuple[Table, ...]
    groups: Mapping[str, str]
    errors: tuple[str, ...]
    basis: Callable[[Tally], str]
    summary: Callable[[Tally], dict[str, dict[str, object]]]
    own: tuple[Metric, ...] = ()
    headline: str = ""
    adds: Callable[[Result], tuple[int, int]] | None = None

    @property
    def main(self) -> str:
        """Key of the headline metric."""
        return self.headline or self.scores()[0].key

    @property
    def ranged(self) -> list[str]:
        """Keys of the metrics that tables show with an interval."""
        keys = []
        for table in self.tables:
            keys += [column.key for column in table.columns if column.ranged]
        return keys

    def with_metrics(self, own: Iterable[Metric]) -> View:
        """Return the view with additional metrics, shown in an extra table."""
        metrics = tuple(own)
        if not metrics:
            return self
        # Scores of no records, of which only headings and units are read.
        scores = [metric.score(()) for metric in metrics]
        columns = []
        for score in scores:
            columns.append(Column(score.key, score.heading, ranged=score.unit == "tasks"))
        title = "More metrics (counts below)"
        if any(score.is_share for score in scores):
            title = "More metrics (%, counts below)"
        table = Table(title, columns=tuple(columns), caption="More metrics")
        return self._replace(
            own=(*self.own, *metrics),
            tables=(*self.tables, table),
            groups={**self.groups, "own": "More metrics"},
        )

    def is_better_higher(self, score: Score) -> bool:
        """Return whether a higher number is better: not of errors, steps or seconds."""
        return score.is_share and score.group not in self.errors

    def scores(self, records: Sequence[Record] = (), counts: Tally | None = None) -> list[Score]:
        """Return all metrics of records, in a fixed order."""
        if counts is None:
            counts = tally(record.result for record in records)
        return [*self.metrics(counts), *(metric.score(records) for metric in self.own)]


def by_group(metrics: Iterable[Score]) -> dict[str, dict[str, object]]:
    """Return the rounded metrics by group and key."""
    summary: dict[str, dict[str, object]] = {}
    for metric in metrics:
        summary.setdefault(metric.group, {})[metric.key] = metric.rounded()
    return summary
