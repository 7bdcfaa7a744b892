"""Models compared task by task: what differs, how sure that is, and what it means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eai.errors import UnknownNameError
from eai.report.comparison.conclusion import conclusion
from eai.report.comparison.difference import Difference, differences
from eai.report.comparison.pairing import paired_models, paired_records
from eai.report.report import Report, require_results
from eai.report.statistics import holm
from eai.table import Cell, Table

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """Differences between models on the same tasks.

    Args:
        title: What was compared.
        differences: One for each pair of models and metric; p-values are adjusted for all.
        notes: What was left out.
    """

    title: str
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What can and cannot be concluded, one sentence for each difference."""
        tests = sum(each.p_value is not None for each in self.differences)
        return tuple(conclusion(each, tests) for each in self.differences)

    @property
    def rows(self) -> Table:
        """The differences as rows, the conclusions as notes."""
        rows = [_row(each) for each in self.differences]
        return Table(self.title, rows, (*self.conclusions, *self.notes))

    def table(self) -> pd.DataFrame:
        """Return the differences as a data frame.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        return self.rows.table()

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one row a difference, as CSV.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        self.rows.to_csv(path, force=force)

    def __str__(self) -> str:
        return str(self.rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.rows

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()


def compare(
    first: Report,
    second: Report | None = None,
    *,
    metrics: Sequence[str] | None = None,
    answered: bool = False,
    draws: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare models on the tasks that they share.

    A missing answer is a failed task, as in the scores; the notes say how many tasks only one of
    two models has answered.

    Within one report, every pair of models is compared; between two, each model that both have
    with itself, or if they share none, each of the first with each of the second.

    Args:
        first: A report.
        second: Another one of the same suite and ability.
        metrics: Keys of the metrics, or of one; by default those that the ability's tables show
            with an interval.
        answered: Whether only the tasks count that both models have answered.
        draws: How often tasks are drawn for the metrics that are no rates over tasks.
        seed: Seed of the draws.

    Raises:
        InputError: If the reports are of different suites or abilities, or if there is nothing
            to compare.
        UnknownNameError: If there is no such metric.
    """
    for report in (first,) if second is None else (first, second):
        require_results(report)
    keys = _keys(first, metrics)
    notes: list[str] = []
    found: list[Difference] = []
    for one, other in paired_models(first, second):
        records = paired_records(one, other, notes, answered=answered)
        names = (one[0], other[0])
        found += differences(first.view, *records, names=names, keys=keys, draws=draws, seed=seed)
    title = _title(first, second) + (", tasks that both answered" if answered else "")
    return Comparison(title, _adjusted(found), tuple(notes))


def _keys(report: Report, wanted: Sequence[str] | None) -> Sequence[str]:
    known = [metric.key for metric in report.view.metrics(report.tally(report.models[0]))]
    if wanted is None:
        return [c.key for table in report.view.tables for c in table.columns if c.ranged]
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        wanted = [wanted]
    for key in wanted:
        if key not in known:
            raise UnknownNameError("metric", key, known)
    return wanted


def _adjusted(found: Sequence[Difference]) -> tuple[Difference, ...]:
    tested = [each.p_value for each in found if each.p_value is not None]
    adjusted = iter(holm(tested))
    return tuple(
        each if each.p_value is None else replace(each, adjusted=next(adjusted)) for each in found
    )


def _title(first: Report, second: Report | None) -> str:
    settings = dict.fromkeys(
        str(report.setting) for report in (first, second) if report is not None
    )
    return f"Comparison: {' against '.join(settings)}"


def _row(difference: Difference) -> dict[str, Cell]:
    low, high = difference.interval or (None, None)
    _, only_first, only_second, _ = difference.pairs or (None,) * 4
    return {
        "metric": difference.label,
        "first": difference.first,
        "second": difference.second,
        "tasks": difference.tasks,
        "first %": difference.values[0],
        "second %": difference.values[1],
        "difference": difference.difference,
        "low": low,
        "high": high,
        "only first": only_first,
        "only second": only_second,
        "p": difference.p_value,
        "adjusted p": difference.adjusted,
        "effect": difference.effect,
    }
