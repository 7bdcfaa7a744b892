"""Success by group of tasks: by family, by environment, whatever the suite says."""

from __future__ import annotations

from collections.abc import Iterator

from eai.report.report import Report, require_results
from eai.report.statistics import wilson
from eai.table import Cell, Table

__all__ = ["group_rates"]


def group_rates(report: Report, model: str | None = None) -> Table:
    """Return how many tasks of each group are solved, with Wilson 95 % intervals.

    Args:
        report: The judged answers. A task may count in several groups, or in none.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    models = report.models if model is None else (model,)
    rows = [row for each in models for row in _rows(report, each)]
    note = f"{report.setting}; percent with Wilson 95 % intervals"
    return Table.by_model("Success by group", rows, (note,))


def _rows(report: Report, model: str) -> Iterator[dict[str, Cell]]:
    counts = report.tally(model)
    for group, tasks in counts.grouped.items():
        solved = counts.grouped_success.get(group, 0)
        low, high = wilson(solved, tasks)
        yield {
            "model": model,
            "group": group,
            "tasks": tasks,
            "solved": solved,
            "%": 100 * solved / tasks,
            "low": low,
            "high": high,
        }
