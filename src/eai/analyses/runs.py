"""Several runs of one model: median, mean and spread of every metric."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator

from eai.errors import InputError
from eai.report.report import Report, require_results
from eai.table import Cell, Table

__all__ = ["run_statistics"]


def run_statistics(report: Report, runs: Iterable[str] | None = None) -> Table:
    """Return median, mean and standard deviation of every metric over runs.

    Models answer differently when asked again. AsgardBench publishes medians over runs (appendix
    A.6), its script means and standard deviations.

    Args:
        report: The judged answers; every run is a model of its own.
        runs: Names of the models that are runs of the same one; by default all.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If there is no run.
    """
    require_results(report)
    names = report.models if runs is None else tuple(runs)
    if not names:
        raise InputError("no runs to take together", expected="at least one model")
    rows = list(_rows(report, names))
    note = f"{report.setting}; percent, over {len(names)} runs: {', '.join(names)}"
    return Table("Metrics over runs", rows, (note,))


def _rows(report: Report, names: tuple[str, ...]) -> Iterator[dict[str, Cell]]:
    for metrics in zip(*(report.metrics(name) for name in names), strict=True):
        values = [metric.value for metric in metrics if metric.value is not None]
        yield {
            "metric": metrics[0].label,
            "runs": len(values),
            "median": statistics.median(values) if values else None,
            "mean": statistics.fmean(values) if values else None,
            "sd": statistics.stdev(values) if len(values) > 1 else None,
            "least": min(values, default=None),
            "most": max(values, default=None),
        }
