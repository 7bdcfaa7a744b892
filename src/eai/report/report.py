"""A report: the results of a run, and the ways to look at them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from eai.contract import PLANS
from eai.errors import names_checked
from eai.files import replacing
from eai.report import tables
from eai.report.intervals import interval_table
from eai.report.records import RecordFile, read_records
from eai.report.results import Results, Setting, require_results
from eai.report.scoring import Metric
from eai.table import Table, plain

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

    from eai.report.comparison import Comparison
    from eai.report.frames import By
    from eai.report.metrics import View
    from eai.report.page import Reader

__all__ = ["Report", "Setting", "require_results"]


class Report(Results):
    """The records of one or more models on a suite, with their metrics and tables.

    Args:
        records: The records; models keep the order in which they appear.
        notes: Remarks on the run: what was left out and why.
        package_version: Version of ``eai`` that evaluated; by default the installed one.
        setting: The setting of the run; that of the records if there are any.
        view: View of the ability; by default that of the suite, if a package announces it.
        metrics: Metrics of your own, which stand beside those of the view.

    Attributes:
        hints: Those of the notes that say why numbers are low for a reason that is not the
            models'; :func:`eai.evaluate` finds them.
        evaluated_now: How many of the records were evaluated when the report was made; the others
            were in the folder of the run.

    Raises:
        InputError: If the records are of different suites, versions, abilities or semantics,
            or if a model has two records of one task.
    """

    def of_models(self, models: Iterable[str]) -> Report:
        """Return a report of some of the models, in the given order.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        records = [record for model in models for record in self.of(model)]
        return Report(records, self.notes, view=self._given_view, metrics=self._own_metrics)

    def with_metrics(self, metrics: Iterable[Metric]) -> Report:
        """Return the report with metrics of your own beside those that it has."""
        own_metrics = (*self._own_metrics, *metrics)
        return Report(self.records, self.notes, view=self._given_view, metrics=own_metrics)

    @names_checked
    def compare(
        self,
        other: Report | str | os.PathLike[str] | None = None,
        *,
        metrics: Sequence[str] | None = None,
        answered: bool = False,
        draws: int = 10_000,
        seed: int = 0,
    ) -> Comparison:
        """Compare models task by task: differences, intervals, tests, what they mean.

        Without another report, every pair of this report's models is compared. With another report,
        each common model is compared with itself, or if there is none, each model of one with each
        of the other.

        Args:
            other: Another report of the same suite and ability, or where it was written: the
                folder of a run, or a record file.
            metrics: Keys of the metrics, or of one; by default the headline metric.
            answered: Whether only the tasks count that both models have answered; by default
                a missing answer is a failed task, as in the scores.
            draws: Exchanges of the models that are drawn for a p-value, where all are too many.
            seed: Seed of the draws.

        Raises:
            InputError: If the reports are of different suites or abilities, if there is nothing
                to compare, or if the other one cannot be read.
            UnknownNameError: If there is no such metric.
        """
        from eai.report.comparison import compare

        if isinstance(other, (str, os.PathLike)):
            other = report_of(read_records(other))
        return compare(self, other, metrics=metrics, answered=answered, draws=draws, seed=seed)

    def intervals(self, model: str | None = None) -> Table:
        """Return a table of every metric with its counts and 95 % interval.

        Rates over tasks have Wilson's interval. All other metrics are ratios of sums over tasks,
        which are linearized, so that the parts of a task stay together
        (:mod:`eai.report.intervals`).

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return interval_table(self, model)

    def table(self, by: By = "model", *, intervals: bool = False) -> pd.DataFrame:
        """Return the metrics as a data frame with one row for each model or group.

        Values are in percent, with NaN for undefined ones, followed by the denominators. The
        frame's ``attrs`` have the setting, the package version and the notes.

        Args:
            by: ``"model"``; or rows for each model and ``"category"`` (a task's name),
                ``"goal_kind"`` (kinds of conditions in its goal), or what a function of the
                record returns (None leaves it out).
            intervals: Whether each metric's 95 % interval stands behind the denominators.

        Raises:
            MissingExtraError: If pandas is not installed.
            UnknownNameError: If there is no such group.
            InputError: If no record belongs to a group.
        """
        from eai.report.frames import frame  # few reports become frames

        return frame(self, by=by, with_intervals=intervals)

    def to_csv(
        self, path: str | os.PathLike[str], *, force: bool = False, intervals: bool = False
    ) -> None:
        """Write one row a model: every metric with numerator, denominator and interval.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.
            intervals: Whether metrics that are no rates over tasks have their intervals, too.

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        tables.counts_table(self, with_intervals=intervals).to_csv(path, force=force)

    def to_latex(
        self, path: str | os.PathLike[str], *, force: bool = False, wide: bool = False
    ) -> None:
        """Write the tables for the LaTeX packages booktabs, graphicx; see :meth:`to_csv`.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.
            wide: Whether tables span both columns of a two-column paper (``table*``).
        """
        with replacing(path, force=force) as stream:
            stream.write(tables.latex_text(self, wide=wide))

    def to_markdown(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the paper's tables as Markdown, for a README or an issue; see :meth:`to_csv`."""
        with replacing(path, force=force) as stream:
            stream.write(tables.markdown_text(self))

    def to_html(
        self, path: str | os.PathLike[str], *, force: bool = False, reader: Reader | None = None
    ) -> None:
        """Write one page that needs no network: overview, comparison, errors, every item.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.
            reader: Finds what is told of an item beyond its record, such as what each step
                changed. By default answers are run again in the suite that the report names, if
                it is there in the same version; for another suite
                :func:`eai.report.page.details_reader` makes one.

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        from eai.report.page.writer import write_html

        if reader is None and self.setting.ability == PLANS:
            from eai.report.page.details import reader_at_hand  # runs plans again

            reader = reader_at_hand(self)
        write_html(self, path, force=force, reader=reader)

    def _repr_html_(self) -> str:
        return tables.metrics_table(self).html()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from tables.blocks(self, encoding=options.encoding, width=options.max_width)

    def __str__(self) -> str:
        return plain(tables.blocks(self), width=100)


def report_of(file: RecordFile, view: View | None = None) -> Report:
    """Return the report of a run's records, with the run's notes.

    Args:
        file: The records, as :func:`eai.report.read_records` reads them.
        view: View of the ability; by default that of the suite, if a package announces it.
    """
    notes: list[str] = []
    if file.warning:
        notes.append(file.warning)
    stored = file.about.get("notes")
    if isinstance(stored, list):
        notes += map(str, stored)
    report = Report(file.records, notes, view=view)
    # A run writes task by task; reports of it go model by model.
    return report.of_models(report.models)
