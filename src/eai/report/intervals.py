"""An interval for every metric: by a closed formula where there is one, else by drawing tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from eai.report.aggregate import tally
from eai.report.analysis_table import AnalysisTable, Cell
from eai.report.metric import Metric
from eai.report.metrics import View
from eai.report.paired import metrics_by_task
from eai.report.records import Record
from eai.report.resampling import bootstrap
from eai.report.statistics import wilson

if TYPE_CHECKING:
    from eai.report.report import Report

__all__ = ["DRAWS", "Interval", "interval_table", "intervals"]

DRAWS = 2_000
"""So often are tasks drawn for the percentiles of a bootstrap."""


class Interval(NamedTuple):
    """Where a metric lies with 95 % confidence.

    Args:
        low: Lower bound, in percent.
        high: Upper bound, in percent.
        method: ``"Wilson"`` or ``"bootstrap"``.
    """

    low: float
    high: float
    method: str


def intervals(
    view: View, records: Iterable[Record], *, draws: int = DRAWS, seed: int = 0
) -> dict[str, Interval]:
    """Return the 95 % intervals of the metrics of records, by key.

    A rate in which each task counts once, or not, has Wilson's score interval. The parts of any
    other metric belong together by tasks, so tasks are drawn with replacement and the interval is
    that of the percentiles (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap",
    1993, section 13.3). A metric that is undefined, or to which all tasks contribute the same,
    has none.

    Args:
        view: Which metrics there are.
        records: The records; excluded tasks do not count.
        draws: How often tasks are drawn.
        seed: Seed of the draws.
    """
    judged = [record for record in records if record.judgement.status != "excluded"]
    whole = view.metrics(tally(record.judgement for record in judged))
    found = {m.key: Interval(*m.interval, "Wilson") for m in whole if m.interval is not None}
    places = [place for place, m in enumerate(whole) if m.interval is None and m.denominator]
    if places:
        by_task = metrics_by_task(view, judged)
        columns = [[metrics[place] for metrics in by_task] for place in places]
        drawn = _drawn(columns, draws=draws, seed=seed)
        for column, of_draws in zip(columns, drawn, strict=True):
            interval = _counted(column) or of_draws
            if interval is not None:
                found[column[0].key] = interval
    return found


def _counted(column: Sequence[Metric]) -> Interval | None:
    """Wilson's interval if errors of a kind are 0 or 1 out of 1 in every task."""
    if column[0].unit != "occurrences" or any(
        m.denominator != 1 or m.numerator not in (0, 1) for m in column
    ):
        return None
    return Interval(*wilson(sum(m.numerator for m in column), len(column)), "Wilson")


def _drawn(
    columns: Sequence[Sequence[Metric]], *, draws: int, seed: int
) -> Iterator[Interval | None]:
    """The interval of each column, over the same draws; None if it does not vary."""
    import numpy as np

    counts = [[(m.numerator, m.denominator) for m in row] for row in zip(*columns, strict=True)]
    parts = np.array(counts, dtype=np.float64).reshape(len(counts), -1)
    sums = bootstrap(parts, draws=draws, seed=seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = 100 * sums[:, 0::2] / sums[:, 1::2]
    for column in values.T:
        defined = column[np.isfinite(column)]
        low, high = np.quantile(defined, (0.025, 0.975)) if len(defined) else (0.0, 0.0)
        yield Interval(float(low), float(high), "bootstrap") if low < high else None


def interval_table(
    report: Report, model: str | None = None, *, draws: int = DRAWS, seed: int = 0
) -> AnalysisTable:
    """Return every metric with its counts and its interval, a row each.

    Args:
        report: The judged answers.
        model: One model; by default all, one below the other.
        draws: How often tasks are drawn where there is no formula.
        seed: Seed of the draws.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    rows: list[dict[str, Cell]] = []
    for name in report.models if model is None else (model,):
        found = intervals(report.view, report.of(name), draws=draws, seed=seed)
        rows += (_row(name, metric, found.get(metric.key)) for metric in report.metrics(name))
    note = (
        f"{report.setting}; percent with 95 % intervals: Wilson's, or percentiles of {draws:,} "
        f"draws of tasks (seed {seed})"
    )
    return AnalysisTable.by_model("Metrics with intervals", rows, (note,))


def _row(model: str, metric: Metric, interval: Interval | None) -> dict[str, Cell]:
    low, high, method = interval or (None, None, None)
    return {
        "model": model,
        "group": metric.group,
        "metric": metric.label,
        "key": metric.key,
        "%": metric.value,
        "counts": metric.counts,
        "low": low,
        "high": high,
        "interval": method,
    }
