"""A leaderboard: one row a model, one column a metric of a suite and ability."""

from __future__ import annotations

import csv
import math
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from eai.errors import InputError, UnknownNameError
from eai.files import replacing
from eai.report.intervals import contributions_to, interval_of
from eai.report.record import Record
from eai.report.results import Results, Setting
from eai.report.scoring import Score
from eai.report.statistics import Contributions
from eai.report.tables import from_to, joined_notes
from eai.report.usage import COST, UsageSums, usage_counts
from eai.semantics import worded
from eai.table import ELSEWHERE, UNREAD, Cell, Column, Measured, Table
from eai.table.latex import PREAMBLE, comment
from eai.text import short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

_COLUMN_WIDTH = 11
"""Width of a column in a terminal, in characters, with the blank beside it."""

_MAX_NAME_WIDTH = 22
"""Maximum width of a model's name in a terminal, in characters."""

# Abbreviations of the words of an ability: headings are narrow.
_WORDS = {
    "goal": "Goal",
    "interpretation": "Int.",
    "decomposition": "Decomp.",
    "subgoal": "Subgoal",
}

_PRINT_WORDS = {
    **_WORDS,
    "sequencing": "Seq.",
    "transition": "Trans.",
    "modeling": "Modeling",
}
"""Words of a heading in print, where a column is narrower."""

# Notes below the table.
_STARS = "* best, or tied with the best (not significantly worse: p >= 0.05, Holm)"
_NO_STARS = "none if all models tie"
_NONE_WORSE = "No model is significantly worse than the best (p >= 0.05, Holm)."
_OTHER_TASKS = "†"
"""Mark of a value over other tasks than those of the other models."""
_RANGES = "Ranges are 95 % intervals over tasks (Wilson's, or linearized)."


class Published(NamedTuple):
    """A published number.

    Args:
        metric: Key of the metric.
        value: Value in percent; a mean of numbers as it is.
        semantics: Semantics that it was measured under, as a report spells it; empty if unknown.
        source: Publication that it is from.
    """

    model: str
    suite: str
    ability: str
    metric: str
    value: float
    semantics: str
    source: str


class _RankedColumn(NamedTuple):
    """One metric of a report.

    Args:
        cells: The value of each model, with its interval and mark.
        counts: The numerator and denominator of each model.
        tasks: Number of tasks of each model.
        sizes: Denominator of each model: number of goal conditions, or of tasks.
    """

    report: Results
    score: Score
    cells: Mapping[str, Measured]
    counts: Mapping[str, str]
    tasks: Mapping[str, int]
    sizes: Mapping[str, int]

    @property
    def setting(self) -> Setting:
        return self.report.setting

    @property
    def key(self) -> str:
        return self.score.key

    @property
    def label(self) -> str:
        return self.score.heading

    @property
    def name(self) -> str:
        return f"{self.setting.suite} {self.setting.ability} {self.key}"

    @property
    def size(self) -> str:
        """Denominator of the values; its range if it is not the same for all models."""
        least = min(self.sizes.values())
        most = max(self.sizes.values())
        if least == most:
            return str(most)
        return f"{least}-{most}"

    @property
    def is_of_conditions(self) -> bool:
        """Whether the values are out of goal conditions, not tasks."""
        return self.score.unit == "conditions"

    @property
    def conditions(self) -> str:
        """Semantics and denominator, in words."""
        unit = " conditions" if self.is_of_conditions else ""
        return f"{worded(self.setting.semantics)}, n = {self.size}{unit}"

    def cell(self, model: str) -> Measured:
        """Return the value of a model; an undefined one if the report has no such model."""
        return self.cells.get(model, Measured(None))

    def column(self) -> Column:
        """Return the column with a heading that says its setting."""
        ability = self.setting.ability
        ability_words = [_WORDS.get(word, word.capitalize()) for word in ability.split("_")]
        semantics = worded(self.setting.semantics.partition(" (")[0])
        size = f"n={self.size}"
        # One word on each line, since columns are narrow.
        heading = [self.setting.suite, *ability_words, *self.label.split(" ", 1), semantics, size]
        return Column(
            self.name,
            f"{ability.replace('_', ' ')}, {self.label} ({semantics}, {size})",
            "\n".join(heading),
            span=f"{self.setting.suite} {self.setting.version}",
            ranged=True,
            is_score=self.report.view.is_better_higher(self.score),
        )

    def print_column(self) -> Column:
        """Return the column with a heading for print, where conditions stand below the table."""
        ability_words = [
            _PRINT_WORDS.get(word, word.capitalize()) for word in self.setting.ability.split("_")
        ]
        heading = "\n".join([*ability_words, self.label, f"n = {self.size}"])
        return self.column()._replace(short=heading)


class Leaderboard:
    """Models and their scores, the best in the first column first.

    A value is marked if its model is the best of the column or not significantly worse, and at
    least one other is significantly worse. Errors and means of numbers are not marked. Intervals
    are 95 % intervals.

    Args:
        reports: The reports; of the same suite and ability there may be several.
        metrics: Keys of metrics; by default the headline metric of each ability.
        average: Whether the last column is the mean over all columns.
        published: Published numbers, shown as rows of their own.
    """

    def __init__(
        self,
        reports: Sequence[Results],
        metrics: Sequence[str] = (),
        average: bool = False,
        published: Sequence[Published] = (),
    ) -> None:
        """Take the reports as they are; models are compared when a table is asked for."""
        self.reports = reports
        self.metrics = metrics
        self.average = average
        self.published = published

    @cached_property
    def _columns(self) -> list[_RankedColumn]:
        """Columns of all reports.

        Raises:
            UnknownNameError: If no report has one of the metrics.
            InputError: If no report has a model.
        """
        known_keys: set[str] = set()
        reports_and_indices: list[tuple[Results, int]] = []
        for report in self.reports:
            index_of_key = {score.key: index for index, score in enumerate(report.view.scores())}
            known_keys.update(index_of_key)
            keys = self.metrics or (report.view.main,)
            for key in keys:
                if key in index_of_key and report.models:
                    reports_and_indices.append((report, index_of_key[key]))
        for key in self.metrics:
            if key not in known_keys:
                raise UnknownNameError("metric", key, sorted(known_keys))
        # Models are compared last, since that takes long.
        columns = [_make_column(report, index) for report, index in reports_and_indices]
        if not columns:
            raise InputError("there is nothing to rank", expected="at least one evaluated model")
        return columns

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, the best in the first column first; without a value, last."""
        names = dict.fromkeys(chain.from_iterable(column.cells for column in self._columns))
        return tuple(sorted(names, key=self._sort_key, reverse=True))

    def _sort_key(self, model: str) -> list[float]:
        """Return the values of a model, column by column; -1 is below each that is defined."""
        values = []
        for column in self._columns:
            value = column.cell(model).value
            values.append(-1.0 if value is None else value)
        return values

    @property
    def rows(self) -> Table:
        """Table of the leaderboard, with a row for each model and each publication."""
        columns = [Column("model", "Model"), *(ranked.column() for ranked in self._columns)]
        if self.average:
            columns.append(Column("average", "Mean", "Mean of\nall"))
        if self._has_costs:
            columns.append(Column(COST, "Cost"))
        rows: list[dict[str, Cell]] = []
        for model in self.models:
            row: dict[str, Cell] = {"model": short(model, 200)}
            for ranked in self._columns:
                row[ranked.name] = ranked.cell(model)
            if self.average:
                row["average"] = self._mean(model)
            if self._has_costs:
                row[COST] = self._usage(model).cell(COST)
            rows.append(row)
        # Below all models of our own: published numbers are not ranked.
        rows += self._published_rows()
        title = "Leaderboard"
        if any(ranked.score.is_share for ranked in self._columns):
            title = "Leaderboard (%)"
        star_note, *other_notes = self._legend
        notes = [f"{star_note} {_RANGES}", *other_notes]
        for ranked in self._columns:
            notes.append(f"{ranked.name}: {ranked.conditions}{_note_on_unanswered(ranked)}.")
        return Table(title, rows, tuple(notes), tuple(columns))

    @property
    def _ranked_reports(self) -> Iterable[Results]:
        """The reports that have a column, each once."""
        return dict.fromkeys(ranked.report for ranked in self._columns)

    def _usage(self, model: str) -> UsageSums:
        """Return what all answers of a model used in the reports that are ranked."""
        usage = UsageSums()
        for report in self._ranked_reports:
            if model in report.models:
                usage.include(report.usage(model))
        return usage

    @cached_property
    def _has_costs(self) -> bool:
        """Whether any answer states what it cost."""
        for report in self._ranked_reports:
            if any(report.usage(model).stated(COST) for model in report.models):
                return True
        return False

    def _mean(self, model: str) -> Measured:
        """Return the mean of a model over all columns of percentages; undefined if one is."""
        values = []
        for ranked in self._columns:
            if not ranked.score.is_share:
                continue
            value = ranked.cell(model).value
            if value is None:
                return Measured(None)
            values.append(value)
        if not values:
            return Measured(None)
        return Measured(sum(values) / len(values))

    @property
    def _legend(self) -> list[str]:
        """Explanations of all marks, followed by the warnings of the reports."""
        cells = chain.from_iterable(ranked.cells.values() for ranked in self._columns)
        # A table without a star says why it has none.
        notes = [_NONE_WORSE]
        if any("*" in cell.mark for cell in cells):
            notes = [f"{_STARS}; {_NO_STARS}."]
        if self.average:
            notes.append("The mean is over all columns of percentages, whatever their suites.")
        if self._has_costs:
            notes.append("Cost: the sum over all answers, as the endpoints state it.")
        if self.published:
            dagger_note = f"{ELSEWHERE} under other conditions, so not comparable."
            notes.append(f"In brackets: published elsewhere. {dagger_note}")
        for write_note in (_note_on_other_tasks, _note_on_unread):
            for ranked in self._columns:
                note = write_note(ranked)
                if note:
                    notes.append(note)
        for report in self.reports:
            part = f"{report.setting.suite} {report.setting.ability.replace('_', ' ')}"
            warnings = joined_notes(report, report.warnings)
            notes += [f"{part}: {warning}." for warning in warnings]
        return notes

    @property
    def unused(self) -> list[Published]:
        """Published numbers that belong to no column."""
        unused = []
        for number in self.published:
            if not any(_is_of_column(number, ranked) for ranked in self._columns):
                unused.append(number)
        return unused

    def _published_rows(self) -> Iterator[dict[str, Cell]]:
        """Yield a row for each model and source, with a dagger for other conditions."""
        by_model: dict[tuple[str, str], dict[str, Cell]] = {}
        for publication, ranked in product(self.published, self._columns):
            if not _is_of_column(publication, ranked):
                continue
            mark = ""
            if publication.semantics != ranked.setting.semantics:
                mark = ELSEWHERE
            # A publication may have numbers for several columns: they share one row.
            cells = by_model.setdefault((publication.model, publication.source), {})
            cells[ranked.name] = Measured(publication.value, mark=mark)
        for (model, source), cells in by_model.items():
            row: dict[str, Cell] = {"model": f"{short(model, 100)} [{short(source, 60)}]"}
            for ranked in self._columns:
                row[ranked.name] = cells.get(ranked.name, Measured(None))
            if self.average:
                row["average"] = Measured(None)
            if self._has_costs:
                row[COST] = None
            yield row

    # Renderers.

    @property
    def counts(self) -> Table:
        """A machine-readable table: a row for each model and column, with counts and interval."""
        rows: list[dict[str, Cell]] = []
        has_warnings = any(report.warnings for report in self._ranked_reports)
        for ranked in self._columns:
            for model, cell in ranked.cells.items():
                # A metric without an interval has two empty cells.
                low, high = cell.interval or (None, None)
                row: dict[str, Cell] = {
                    "model": model,
                    **ranked.setting._asdict(),
                    "metric": ranked.key,
                    "value": cell.value,
                    "low": low,
                    "high": high,
                    "counts": ranked.counts[model],
                    "tasks": ranked.tasks[model],
                    "best": int("*" in cell.mark),
                }
                if self._has_costs:
                    row.update(usage_counts(ranked.report.usage(model), [COST]))
                if has_warnings:
                    row["warning"] = _warning_on(ranked.report, model)
                rows.append(row)
        return Table("Leaderboard", rows)

    def table(self) -> pd.DataFrame:
        """Return a data frame with a row per model and a column per metric, in percent.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        frame = self.counts.table()
        keys = ["suite", "ability", "semantics", "metric"]
        # pandas would sort columns and models by name, and leave out models without any value.
        wide = frame.pivot_table("value", "model", keys, sort=False)
        ordered: pd.DataFrame = wide.reindex([name for name in self.models if name in wide.index])
        return ordered

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one row for each model and column (see :meth:`eai.table.Table.to_csv`)."""
        self.counts.to_csv(path, force=force)

    def to_latex(
        self, path: str | os.PathLike[str], *, force: bool = False, wide: bool = False
    ) -> None:
        """Write a table for the LaTeX packages booktabs and graphicx.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.
            wide: Whether the table spans both columns of a two-column paper (``table*``).

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        with replacing(path, force=force) as stream:
            stream.write(self.latex(wide=wide))

    def latex(self, *, wide: bool = False) -> str:
        """Return a table for the LaTeX packages booktabs and graphicx.

        It fits a column of a two-column paper, or both of them. The notes below it give the
        denominators, the semantics and the number of unanswered tasks; comments in the file give
        them for each model.
        """
        rows = self.rows
        columns = [
            # The model, the metrics with shorter headings, and the mean if there is one.
            rows.columns[0],
            *(ranked.print_column() for ranked in self._columns),
            *rows.columns[1 + len(self._columns) :],
        ]
        notes = [*self._legend, self._sizes(), *self._conditions(), *self._unanswered_ranges()]
        table = replace(rows, columns=tuple(columns), notes=tuple(notes))
        text = table.latex(label="tab:leaderboard", ranges=_RANGES, wide=wide)
        # The last notes of the table are about its columns, one each.
        details = [comment(note) for note in rows.notes[-len(self._columns) :]]
        return "\n".join([PREAMBLE, *details, text]) + "\n"

    def _sizes(self) -> str:
        """Return the meaning of n in the headings."""
        of_conditions = [ranked for ranked in self._columns if ranked.is_of_conditions]
        labels = dict.fromkeys(ranked.label for ranked in of_conditions)
        if not labels:
            return "n: number of tasks."
        if len(of_conditions) == len(self._columns):
            return "n: number of goal conditions."
        return f"n: number of goal conditions ({', '.join(labels)}), or of tasks (all others)."

    def _conditions(self) -> Iterator[str]:
        """Yield the semantics of each suite, or of each column if they differ within a suite."""
        semantics_of_suite: dict[str, set[str]] = {}
        for ranked in self._columns:
            setting = ranked.setting
            semantics_of_suite.setdefault(setting.suite, set()).add(setting.semantics)
        # Semantics to the names of suites or columns, each once and in their order.
        names_by_semantics: dict[str, dict[str, None]] = {}
        for ranked in self._columns:
            setting = ranked.setting
            name = setting.suite
            if len(semantics_of_suite[setting.suite]) > 1:
                name += f" {setting.ability.replace('_', ' ')}"
            names_by_semantics.setdefault(worded(setting.semantics), {})[name] = None
        for semantics, names in names_by_semantics.items():
            yield f"{', '.join(names)}: semantics {semantics}."

    def _unanswered_ranges(self) -> Iterator[str]:
        """Yield a sentence on the number of unanswered tasks, if there are any."""
        by_range: dict[str, dict[str, None]] = {}
        for ranked in self._columns:
            missing = [ranked.report.tally(model).missing for model in ranked.cells]
            if any(missing):
                # Several columns may be of the same ability: a dictionary names it once.
                name = f"{ranked.setting.suite} {ranked.setting.ability.replace('_', ' ')}"
                by_range.setdefault(from_to(missing), {})[name] = None
        if by_range:
            parts = [
                f"{count_range} ({', '.join(names)})" for count_range, names in by_range.items()
            ]
            yield f"Unanswered tasks of a model, counted as failures: {'; '.join(parts)}."

    def to_markdown(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a Markdown table with its notes."""
        rows = self.rows
        # The note on stars begins with one, which Markdown would take for a list in the list.
        notes = "\n".join(f"- {note}" for note in rows.notes).replace("- * ", r"- \* ")
        with replacing(path, force=force) as stream:
            stream.write(f"{rows.markdown()}\n\n{notes}\n")

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        pages: Mapping[str, str] | None = None,
    ) -> None:
        """Write a page that needs no network.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.
            pages: Links: the name of a suite and ability to the address of its page.
        """
        from eai.report.page import write_index

        write_index(self, path, pages or {}, force=force)

    def _repr_html_(self) -> str:
        return self.rows.html()

    def fitting(self, width: int) -> Table:
        """Return the table for a terminal, without intervals if it is too wide.

        Such a table is then split by columns into several ones (:mod:`eai.table.terminal`).

        Args:
            width: Width of the terminal, in characters.
        """
        rows = self.rows
        name_width = min(_MAX_NAME_WIDTH, max(len(str(row["model"])) for row in rows.rows))
        needed = name_width + (_COLUMN_WIDTH + 1) * (len(rows.columns) - 1)
        if needed <= width:
            return rows
        # Without them columns are narrower, and mostly all of them fit.
        columns = tuple(column._replace(ranged=False) for column in rows.columns)
        note = (
            f"No intervals are shown: with them the {len(columns) - 1} columns need {needed} "
            "characters a line. A wider terminal, --suite, --ability, --metric and files (--html, "
            "--csv, --latex, --markdown) have them."
        )
        return replace(rows, columns=columns, notes=(note, *rows.notes))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self.fitting(options.max_width)
        yield from table.blocks(encoding=options.encoding, width=options.max_width)

    def __str__(self) -> str:
        return str(self.rows)


def _warning_on(report: Results, model: str) -> str:
    """Return the warnings of a report that are about a model or about all; mostly ""."""
    texts = []
    for warning in report.warnings:
        name, text = report.about(warning)
        if name in ("", model):
            texts.append(text)
    return "; ".join(texts)


def _note_on_other_tasks(ranked: _RankedColumn) -> str:
    """Return a note on models with other numbers of tasks than most, or ""."""
    sizes = []
    for model, cell in ranked.cells.items():
        if _OTHER_TASKS in cell.mark:
            sizes.append(f"{short(model, 60)} (n = {ranked.tasks[model]})")
    if not sizes:
        return ""
    return f"{_OTHER_TASKS} over other tasks than the rest of {ranked.name}: {', '.join(sizes)}."


def _note_on_unread(ranked: _RankedColumn) -> str:
    """Return a note on models with unreadable answers, or ""."""
    shares = []
    for model, cell in ranked.cells.items():
        if UNREAD in cell.mark:
            counts = ranked.report.tally(model)
            share = f"read {counts.read} of {counts.read + counts.unread}"
            shares.append(f"{short(model, 60)} ({share})")
    if not shares:
        return ""
    return f"{UNREAD} answers that could not be read count in no rate: {', '.join(shares)}."


def _note_on_unanswered(ranked: _RankedColumn) -> str:
    """Return a note in brackets on unanswered tasks, or "".

    Empty if none are: else it is, for example, ``" (2 unanswered: first, second)"``.
    """
    models_by_count: dict[tuple[str, int], list[str]] = {}
    have_same_tasks = len(set(ranked.tasks.values())) == 1
    for model in ranked.cells:
        counts = ranked.report.tally(model)
        name = short(model, 60)
        models_by_count.setdefault(("unanswered", counts.missing), []).append(name)
        if not have_same_tasks:
            models_by_count.setdefault(("left out", counts.excluded), []).append(name)
    parts = []
    # "unanswered" before "left out", and of each the largest number first.
    for (reason, task_count), names in sorted(models_by_count.items(), reverse=True):
        if task_count:
            parts.append(f"{task_count} {reason}: {', '.join(names)}")
    if not parts:
        return ""
    return f" ({'; '.join(parts)})"


def _cells_of_metric(report: Results, index: int) -> dict[str, Measured]:
    """Return a metric's cell for each model, starred if no model is better."""
    if len(report.models) == 1:
        # One model is compared with nothing.
        [model] = report.models
        score = report.metrics(model)[index]
        # The interval of a rate is known from its counts, so no record is read again. A metric of
        # a user's own may count a task twice, which its counts do not tell.
        if score.group != "own" and score.interval is not None:
            return {model: score.cell("", "")}
        return {model: _cell(score, contributions_to(report.view, index, report.by_task()))}
    from eai.report.comparison import better_ones

    best: frozenset[str] = frozenset()
    if report.view.is_better_higher(report.view.scores()[index]):
        best = better_ones(report.view, index, [*report.sides.values()])
    cells: dict[str, Measured] = {}
    for model, side in report.sides.items():
        score = report.metrics(model)[index]
        cells[model] = _cell(score, side.contributions(index), "*" if model in best else "")
    return cells


def _cell(score: Score, tasks: Contributions, mark: str = "") -> Measured:
    """Return the metric of a model with its interval."""
    # Not the interval of the score itself, which only a rate over tasks has.
    interval = interval_of(score, tasks)
    bounds = None if interval is None else (interval.low, interval.high)
    return score.cell("", mark)._replace(interval=bounds)


def _make_column(report: Results, index: int) -> _RankedColumn:
    """Return a column with one metric of all models of a report.

    Args:
        report: The report.
        index: Index of the metric in the view of the report.
    """
    usual_score = report.view.scores()[index]
    cells = _cells_of_metric(report, index)
    scores = {model: report.metrics(model)[index] for model in cells}
    tasks = _scored_tasks(report, usual_score, scores)
    usual_task_count = _most_common(tasks.values())
    for model, cell in cells.items():
        mark = cell.mark
        if report.tally(model).unread:
            mark += UNREAD
        # A model over other tasks than most is marked, as it is not ranked over the same tasks.
        if tasks[model] != usual_task_count:
            mark += _OTHER_TASKS
        cells[model] = cell._replace(mark=mark)
    counts = {model: score.counts for model, score in scores.items()}
    sizes = tasks
    if usual_score.unit == "conditions":
        sizes = {model: report.metrics(model)[index].denominator for model in report.models}
    return _RankedColumn(report, usual_score, cells, counts, tasks, sizes)


def _most_common(numbers: Collection[int]) -> int:
    """Return the most common number; of several equally common ones the first, of none 0."""
    if not numbers:
        return 0
    [(number, _)] = Counter(numbers).most_common(1)
    return number


def _scored_tasks(
    report: Results, usual_score: Score, scores: Mapping[str, Score]
) -> dict[str, int]:
    """Return for each model the number of tasks for which a metric is defined.

    Args:
        report: The report.
        usual_score: The metric without a model's counts.
        scores: The metric of each model.
    """
    tasks = {}
    for model in report.models:
        tasks[model] = report.tally(model).tasks // report.samples(model)
        # A rate over tasks may be asked of some tasks only.
        if usual_score.unit == "tasks" and scores[model].unit == "tasks":
            tasks[model] = scores[model].denominator
    return tasks


def _is_of_column(number: Published, column: _RankedColumn) -> bool:
    """Return whether a published number is of the suite, ability and metric of a column."""
    setting = column.setting
    of_column = (setting.suite, setting.ability, column.key)
    return (number.suite, number.ability, number.metric) == of_column


def merged(reports: Iterable[Results]) -> list[Results]:
    """Return one report per setting. Models with the same name get numbers."""
    by_setting: dict[Setting, list[Results]] = {}
    for report in reports:
        by_setting.setdefault(report.setting, []).append(report)
    merged_reports = []
    for setting, reports_of_setting in by_setting.items():
        if len(reports_of_setting) == 1:
            merged_reports.append(reports_of_setting[0])
            continue
        merged_reports.append(_merged_report(setting, reports_of_setting))
    return merged_reports


def _merged_report(setting: Setting, reports: Sequence[Results]) -> Results:
    """Return one report of several of a setting, with their warnings.

    Two runs may have models of the same name: those that an earlier report has get a number.
    """
    records: list[Record] = []
    warnings: list[str] = []
    names: set[str] = set()
    for report_number, report in enumerate(reports, 1):
        for model in report.models:
            name = model
            # Two runs of one model are two rows: they are not the same answers.
            if model in names:
                name = f"{model} ({report_number})"
            names.add(name)
            for record in report.of(model):
                records.append(replace(record, model=name))
            warning = _warning_on(report, model)
            if warning:
                warnings.append(f"{name}: {warning}")
    return Results(records, warnings, setting=setting, view=reports[0].view)


def _finite(word: str) -> float:
    """Return the number that a word is; refuse NaN and infinity."""
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"the value is {value}")
    return value


def read_published(path: str | os.PathLike[str]) -> list[Published]:
    """Read published numbers from a CSV file.

    The columns are model, suite, ability, metric, value (percent), semantics and source.

    Raises:
        InputError: If the file cannot be read, or lacks a column or a number.
    """
    where = str(path)
    publications = []
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            # The heading is line 1.
            for line, row in enumerate(csv.DictReader(stream), 2):
                where = f"{path}:{line}"
                texts = {name: row[name] or "" for name in Published._fields}
                value = _finite(texts.pop("value"))
                publications.append(Published(value=value, **texts))
    except (OSError, KeyError, ValueError, csv.Error) as error:
        reason = str(error)
        if isinstance(error, KeyError):
            reason = f"there is no column {error}"
        raise InputError(
            f"cannot be read: {reason}",
            where=where,
            expected=f"CSV with {', '.join(Published._fields)}",
        ) from error
    return publications
