"""A report: the records of a run, what they add up to, and the ways to look at them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from eai.errors import InputError, UnknownNameError, told
from eai.files import replacing
from eai.report import tables
from eai.report.aggregate import Tally, tally
from eai.report.groups import By
from eai.report.metric import Metric, Score
from eai.report.metrics import View, view_of
from eai.report.record import Record
from eai.report.records import read_records
from eai.table import Table, plain
from eai.version import __version__

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

    from eai.contract import Suite
    from eai.report.comparison import Comparison
    from eai.report.page import Reader

__all__ = ["Report", "Setting", "require_results"]


class Setting(NamedTuple):
    """What all records of a report have in common.

    Args:
        version: Version of the suite's tasks.
    """

    suite: str = ""
    version: str = ""
    ability: str = ""
    semantics: str = ""

    def __str__(self) -> str:
        suite = f"{self.suite} {self.version}".strip()
        return f"suite {suite}, ability {self.ability}, semantics {self.semantics}"


def _common_setting(records: tuple[Record, ...], given: Setting | None) -> Setting:
    """Return the setting of all records.

    Args:
        records: The records.
        given: What they should be of; the setting of a report without records.

    Raises:
        InputError: If the records are of different runs, or not of the given one.
    """
    found = map(Setting._make, dict.fromkeys(map(attrgetter(*Setting._fields), records)))
    settings = dict.fromkeys([*([given] if given else []), *found])
    if len(settings) > 1:
        first, second, *_ = settings
        raise InputError(
            "a report cannot mix records of different runs",
            where="report",
            expected=f"{first}, as at the start (found too: {second})",
            mend="make one report for each",
        )
    return next(iter(settings), Setting())


class Report:
    """Records of one or more models on one suite, what they add up to, and ways to look at them.

    Args:
        records: The records; models keep the order in which they appear.
        notes: Remarks on the run: what was left out and why.
        package_version: Version of ``eai`` that evaluated; by default the installed one.
        setting: What was run; read from the records if there are any.
        view: How the ability is reported; by default as the suite says, if it is announced.
        metrics: Metrics of your own, which stand beside those of the view.

    Attributes:
        hints: Those of the notes that say why numbers are low for a reason that is not the
            models'; :func:`eai.evaluate` finds them.

    Raises:
        InputError: If the records are of different suites, versions, abilities or semantics,
            or if a model has two records of one task.
    """

    hints: tuple[str, ...] = ()

    def __init__(
        self,
        records: Iterable[Record],
        notes: Iterable[str] = (),
        *,
        package_version: str | None = None,
        setting: Setting | None = None,
        view: View | None = None,
        metrics: Iterable[Metric] = (),
    ) -> None:
        given = _records(records)
        self.records: Sequence[Record] = given
        self.notes = tuple(notes)
        self.package_version = __version__ if package_version is None else package_version
        self.setting = _common_setting(given, setting)
        self._by_model = _by_model(given)
        self._given_view = view
        self._own_metrics = tuple(metrics)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of their first records."""
        return tuple(self._by_model)

    @cached_property
    def view(self) -> View:
        """Which metrics and tables there are: those that the suite brings, or the usual ones."""
        known = self._given_view or view_of(self.setting.ability, self.setting.suite)
        return known.with_metrics(self._own_metrics)

    def of(self, model: str) -> Sequence[Record]:
        """Return the records of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return tuple(self._by_model[self._known(model)].values())

    def _known(self, model: str) -> str:
        if not isinstance(model, str) or model not in self.models:
            raise UnknownNameError("model", model, self.models, where="report")
        return model

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        return {
            model: tally(record.result for record in records.values())
            for model, records in self._by_model.items()
        }

    def tally(self, model: str) -> Tally:
        """Return the counts of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._tallies[self._known(model)]

    def metrics(self, model: str) -> list[Score]:
        """Return the metrics of one model, each with its denominator.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self.view.scores(self.of(model) if self.view.own else (), self.tally(model))

    def official_summary(self, model: str) -> dict[str, dict[str, object]]:
        """Return one model's metrics as the published evaluator nests and rounds them.

        Percent; where the published evaluator would divide by zero, the value is None.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self.view.summary(self.tally(model))

    def failures(self, model: str | None = None, *, missing: bool = True) -> list[Record]:
        """Return the records of tasks that were not solved: those with an answer come first.

        A task without an answer is a failure, too; an excluded one is none. The page of a report
        lists the two kinds of failures as "failed" and "missing".

        Args:
            model: One model; all of them if None.
            missing: Whether tasks without an answer are among them, behind all others.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        records = self.records if model is None else self.of(model)
        found = [
            record
            for record in records
            if record.result.status != "excluded" and not record.result.success
        ]
        unanswered = [record for record in found if record.result.status == "missing"]
        answered = [record for record in found if record.result.status != "missing"]
        return [*answered, *unanswered] if missing else answered

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

        Every pair of this report's models; with another report, each model that both have with
        itself, or if they share none, each of this one with each of the other.

        Args:
            other: Another report of the same suite and ability, or where it was written: the
                folder of a run, or a record file.
            metrics: Keys of the metrics, or of one; by default those that are shown with an
                interval.
            answered: Whether only the tasks count that both models have answered; by default
                a missing answer is a failed task, as in the scores.
            draws: How often tasks are drawn for metrics that are no rates over tasks.
            seed: Seed of the draws.

        Raises:
            InputError: If the reports are of different suites or abilities, if there is nothing
                to compare, or if the other one cannot be read.
            UnknownNameError: If there is no such metric.
        """
        from eai.report.comparison import compare

        if isinstance(other, (str, os.PathLike)):
            other = Report(read_records(other).records)
        return compare(self, other, metrics=metrics, answered=answered, draws=draws, seed=seed)

    def intervals(self, model: str | None = None, *, draws: int = 2_000, seed: int = 0) -> Table:
        """Return every metric with its counts and its 95 % interval; print it, or make a frame.

        Rates over tasks have Wilson's interval. For all others tasks are drawn, so what belongs
        to one task stays together (:mod:`eai.report.intervals`).

        Raises:
            UnknownNameError: If the report has no such model.
        """
        from eai.report.intervals import interval_table

        return interval_table(self, model, draws=draws, seed=seed)

    def table(
        self, by: By = "model", *, suite: str | Suite | None = None, intervals: bool = False
    ) -> pd.DataFrame:
        """Return the metrics as a data frame: one row a model or group, columns as in the paper.

        Values are in percent, undefined ones NaN. Behind them stand the denominators; the
        frame's ``attrs`` hold the setting, the package version and the notes.

        Args:
            by: ``"model"``; or rows for each model and ``"category"`` (a task's name),
                ``"length"`` (steps of its reference plan), ``"goal_kind"`` (kinds of conditions
                in its goal), or what a function of the record returns (None leaves it out).
            suite: The suite, for lengths; by default the one that the records name.
            intervals: Whether each metric's 95 % interval stands behind the denominators.

        Raises:
            MissingExtraError: If pandas is not installed.
            UnknownNameError: If there is no such group.
            InputError: If no record belongs to a group, or if the suite is not known.
        """
        return tables.frame(self, by=by, suite=suite, with_intervals=intervals)

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

    def to_latex(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the paper's tables for the LaTeX package booktabs.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        with replacing(path, force=force) as stream:
            stream.write(tables.latex_text(self))

    def to_markdown(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the paper's tables as Markdown, for a README, an issue or a model card.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        with replacing(path, force=force) as stream:
            stream.write(tables.markdown_text(self))

    def to_parquet(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the records as rows: names, answer, verdict, counts, kinds of errors.

        The column ``record`` holds the whole record (see
        :func:`eai.report.records.record_from_json`).

        Args:
            path: The file.
            force: Whether an existing file may be replaced.

        Raises:
            MissingExtraError: If pyarrow is not installed.
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        tables.write_parquet(self, path, force=force)

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        reader: Reader | None = None,
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
        from eai.report.page import reader_at_hand, write_html

        write_html(self, path, force=force, reader=reader or reader_at_hand(self))

    def _repr_html_(self) -> str:
        return tables.metrics_table(self).html()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from tables.blocks(self, encoding=options.encoding, width=options.max_width)

    def __str__(self) -> str:
        from rich.box import ASCII

        return plain(tables.blocks(self, box=ASCII), width=100)

    def __repr__(self) -> str:
        models = "1 model" if len(self.models) == 1 else f"{len(self.models)} models"
        return f"<Report: {len(self.records)} records of {models}, {self.setting}>"


def require_results(value: object) -> None:
    """Refuse what is no report.

    Raises:
        InputError: If it is something else.
    """
    if not isinstance(value, Report):
        raise InputError(
            f"{told(value)} is no report",
            expected="what eai.evaluate returns",
            mend="of a run, eai.Report(eai.read_records(path)) makes one",
        )


def _records(given: Iterable[Record]) -> tuple[Record, ...]:
    """The records that a caller gave.

    Raises:
        InputError: If these are none.
    """
    listed = tuple(given) if isinstance(given, Iterable) else (given,)
    others = [each for each in listed if not isinstance(each, Record)]
    if others:
        raise InputError(
            f"{told(given if isinstance(given, str) else others[0])} is no record",
            where="report",
            expected="records: evaluated answers, as eai.read_records(path) reads them",
            mend="eai.evaluate(suite, answers) evaluates answers and returns a report",
        )
    return listed


def _by_model(records: tuple[Record, ...]) -> dict[str, dict[str, Record]]:
    grouped: dict[str, dict[str, Record]] = {}
    for record in records:
        of_model = grouped.setdefault(record.model, {})
        if record.task in of_model:
            raise InputError(
                f"the model {record.model!r} has two records of the task {record.task!r}",
                where="report",
                expected="one record for each task",
                mend="remove one of them, or give the runs different model names",
            )
        of_model[record.task] = record
    return grouped
