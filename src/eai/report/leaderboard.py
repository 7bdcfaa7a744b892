"""A leaderboard: one row a model, one column a metric of a suite and ability."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from eai.errors import InputError, UnknownNameError
from eai.files import replacing
from eai.report.metric import Score
from eai.report.record import Record
from eai.report.results import Results, Setting
from eai.report.tables import from_to
from eai.semantics import worded
from eai.table import ELSEWHERE, UNREAD, Cell, Column, Measured, Table
from eai.table.latex import PREAMBLE, comment
from eai.text import short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

_NARROW = 11
"""So wide is a column of a terminal taken to be, with the blank beside it."""

_MOST_NAME = 22
"""So wide is a name of a model taken to be."""

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

_STARS = "* best, or tied with the best (not significantly worse: p >= 0.05, Holm)"
_NO_STARS = "none if all models tie"
_NONE_WORSE = "No model is significantly worse than the best (p >= 0.05, Holm)."
_OTHER_TASKS = "†"
_RANGES = "Ranges are 95 % intervals (Wilson's, or a bootstrap over tasks)."


class Published(NamedTuple):
    """A number that was printed elsewhere.

    Args:
        metric: Key of the metric.
        value: In percent; a mean of numbers as it is.
        semantics: Under which conditions, as a report spells them; empty if that is not known.
        source: Where it was printed.
    """

    model: str
    suite: str
    ability: str
    metric: str
    value: float
    semantics: str
    source: str


@dataclass(frozen=True)
class _Ranked:
    """One metric of a report.

    Args:
        tasks: Number of tasks of each model.
        sizes: What the values of each model are out of: goal conditions, or tasks.
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
        """What the values are out of; least and most, where not all count for all models."""
        least, most = min(self.sizes.values()), max(self.sizes.values())
        return str(most) if least == most else f"{least}-{most}"

    @property
    def is_of_conditions(self) -> bool:
        """Whether the values are out of goal conditions, not tasks."""
        return self.score.unit == "conditions"

    @property
    def conditions(self) -> str:
        unit = " conditions" if self.is_of_conditions else ""
        return f"{worded(self.setting.semantics)}, n = {self.size}{unit}"

    def column(self) -> Column:
        words = [_WORDS.get(w, w.capitalize()) for w in self.setting.ability.split("_")]
        head = [self.setting.suite, *words, *self.label.split(" ", 1)]
        semantics = worded(self.setting.semantics.partition(" (")[0])
        head += [semantics, f"n={self.size}"]
        what = self.setting.ability.replace("_", " ")
        return Column(
            self.name,
            f"{what}, {self.label} ({semantics}, n={self.size})",
            "\n".join(head),
            span=f"{self.setting.suite} {self.setting.version}",
            ranged=True,
            is_score=self.report.view.is_better_higher(self.score),
        )

    def print_column(self) -> Column:
        """Return the column with a heading for print, where conditions stand below the table."""
        words = [
            _PRINT_WORDS.get(word, word.capitalize()) for word in self.setting.ability.split("_")
        ]
        heading = "\n".join([*words, self.label, f"n = {self.size}"])
        return replace(self.column(), short=heading)


@dataclass(frozen=True)
class Leaderboard:
    """Models and their scores, the best in the first column first.

    A value is marked if its model is the best of the column or not significantly worse, and at
    least one other is significantly worse; errors and means of numbers are not marked. Intervals
    are of 95 %.

    Args:
        reports: The reports; of the same suite and ability there may be several.
        metrics: Keys of metrics; by default the headline metric of each ability.
        average: Whether a mean over all columns stands behind them.
        published: Numbers that were printed elsewhere, as rows of their own.
    """

    reports: Sequence[Results]
    metrics: Sequence[str] = ()
    average: bool = False
    published: Sequence[Published] = field(default=(), repr=False)

    @cached_property
    def _columns(self) -> list[_Ranked]:
        found = []
        known = {m.key for report in self.reports for m in report.view.scores()}
        for key in self.metrics:
            if key not in known:
                raise UnknownNameError("metric", key, sorted(known))
        for report in self.reports:
            scores = {score.key: place for place, score in enumerate(report.view.scores())}
            chosen = self.metrics or (report.view.main,)
            numbers = [scores[key] for key in chosen if key in scores and report.models]
            found += [_ranked(report, place) for place in numbers]
        if not found:
            raise InputError("there is nothing to rank", expected="at least one evaluated model")
        return found

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, the best in the first column first; without a value, last."""
        names = dict.fromkeys(chain.from_iterable(ranked.cells for ranked in self._columns))

        def place(model: str) -> list[float]:
            values = (ranked.cells.get(model, Measured(None)).value for ranked in self._columns)
            return [-1.0 if value is None else value for value in values]

        return tuple(sorted(names, key=place, reverse=True))

    @property
    def rows(self) -> Table:
        """The table as it is shown."""
        columns = [Column("model", "Model"), *(ranked.column() for ranked in self._columns)]
        rows: list[dict[str, Cell]] = []
        for model in self.models:
            cells = [ranked.cells.get(model, Measured(None)) for ranked in self._columns]
            row: dict[str, Cell] = {"model": short(model, 200)}
            row |= {ranked.name: cell for ranked, cell in zip(self._columns, cells, strict=True)}
            rows.append(row)
            if self.average:
                shares = [
                    cell.value
                    for ranked, cell in zip(self._columns, cells, strict=True)
                    if ranked.score.is_share
                ]
                values = [value for value in shares if value is not None]
                whole = 0 < len(values) == len(shares)
                row["average"] = Measured(sum(values) / len(values)) if whole else Measured(None)
        if self.average:
            columns.append(Column("average", "Mean", "Mean of\nall"))
        rows += self._printed()
        percent = any(ranked.score.is_share for ranked in self._columns)
        title = "Leaderboard (%)" if percent else "Leaderboard"
        legend, *others = self._legend
        notes = [f"{legend} {_RANGES}", *others]
        notes += [f"{each.name}: {each.conditions}{_unanswered(each)}." for each in self._columns]
        return Table(title, rows, tuple(notes), tuple(columns))

    @property
    def _legend(self) -> list[str]:
        """What stars, means and brackets mean."""
        has_stars = any(
            "*" in cell.mark for ranked in self._columns for cell in ranked.cells.values()
        )
        notes = [f"{_STARS}; {_NO_STARS}." if has_stars else _NONE_WORSE]
        if self.average:
            notes.append("The mean is over all columns of percentages, whatever their suites.")
        if self.published:
            under = f"{ELSEWHERE} under other conditions, so not comparable."
            notes.append(f"In brackets: published elsewhere. {under}")
        notes += [note for ranked in self._columns if (note := _other_tasks(ranked))]
        notes += [note for ranked in self._columns if (note := _unread(ranked))]
        for report in self.reports:
            part = f"{report.setting.suite} {report.setting.ability.replace('_', ' ')}"
            notes += [f"{part}: {warning}." for warning in report.warnings]
        return notes

    def _printed(self) -> Iterator[dict[str, Cell]]:
        """Rows of what was printed elsewhere; a dagger marks other conditions."""
        by_model: dict[tuple[str, str], dict[str, Cell]] = {}
        for each in self.published:
            for ranked in self._columns:
                setting = ranked.setting
                if each[1:4] != (setting.suite, setting.ability, ranked.key):
                    continue
                same = each.semantics == setting.semantics
                row = by_model.setdefault((each.model, each.source), {})
                row[ranked.name] = Measured(each.value, mark="" if same else ELSEWHERE)
        for (model, source), found in by_model.items():
            row = {"model": f"{short(model, 100)} [{short(source, 60)}]"}
            row |= {ranked.name: found.get(ranked.name, Measured(None)) for ranked in self._columns}
            yield row | ({"average": Measured(None)} if self.average else {})

    # Renderers.

    @property
    def counts(self) -> Table:
        """One row for each model and column, with counts and interval: for other programs."""
        rows: list[dict[str, Cell]] = [
            {
                "model": model,
                **ranked.setting._asdict(),
                "metric": ranked.key,
                "value": cell.value,
                **dict(zip(("low", "high"), cell.interval or (None, None), strict=True)),
                "counts": ranked.counts[model],
                "tasks": ranked.tasks[model],
                "best": int("*" in cell.mark),
            }
            for ranked in self._columns
            for model, cell in ranked.cells.items()
        ]
        return Table("Leaderboard", rows)

    def table(self) -> pd.DataFrame:
        """Return one row a model, one column a suite, ability and metric, in percent.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        frame = self.counts.table()
        keys = ["suite", "ability", "semantics", "metric"]
        wide = frame.pivot_table("value", "model", keys, sort=False)
        found: pd.DataFrame = wide.reindex([name for name in self.models if name in wide.index])
        return found

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

        It fits a column of a two-column paper, or both of them. Below it stand what the numbers
        are out of, the semantics, and how many tasks were not answered; comments of the file say
        that for each model.
        """
        rows = self.rows
        columns = [
            rows.columns[0],
            *(ranked.print_column() for ranked in self._columns),
            *rows.columns[1 + len(self._columns) :],
        ]
        notes = [*self._legend, self._sizes(), *self._conditions(), *self._unanswered_ranges()]
        table = replace(rows, columns=tuple(columns), notes=tuple(notes))
        text = table.latex(label="tab:leaderboard", ranges=_RANGES, wide=wide)
        details = [comment(note) for note in rows.notes[-len(self._columns) :]]
        return "\n".join([PREAMBLE, *details, text]) + "\n"

    def _sizes(self) -> str:
        """What n in the headings counts."""
        of_conditions = dict.fromkeys(r.label for r in self._columns if r.is_of_conditions)
        if not of_conditions:
            return "n: number of tasks."
        names = ", ".join(of_conditions)
        if all(ranked.is_of_conditions for ranked in self._columns):
            return "n: number of goal conditions."
        return f"n: number of goal conditions ({names}), or of tasks (all others)."

    def _conditions(self) -> Iterator[str]:
        """The semantics of each suite, or of each column where those of a suite differ."""
        names: dict[str, list[str]] = {}
        for ranked in self._columns:
            suite, _, ability, semantics = ranked.setting
            of_suite = {r.setting.semantics for r in self._columns if r.setting.suite == suite}
            name = suite if len(of_suite) == 1 else f"{suite} {ability.replace('_', ' ')}"
            alike = names.setdefault(worded(semantics), [])
            if name not in alike:
                alike.append(name)
        for semantics, of in names.items():
            yield f"{', '.join(of)}: semantics {semantics}."

    def _unanswered_ranges(self) -> Iterator[str]:
        """How many tasks were not answered, from the fewest of a model to the most."""
        by_range: dict[str, list[str]] = {}
        for ranked in self._columns:
            missing = [ranked.report.tally(model).missing for model in ranked.cells]
            if any(missing):
                name = f"{ranked.setting.suite} {ranked.setting.ability.replace('_', ' ')}"
                names = by_range.setdefault(from_to(missing), [])
                if name not in names:  # several columns may be of the same ability
                    names.append(name)
        if by_range:
            parts = [f"{number} ({', '.join(of)})" for number, of in by_range.items()]
            yield f"Unanswered tasks of a model, counted as failures: {'; '.join(parts)}."

    def to_markdown(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a Markdown table with its notes."""
        rows = self.rows
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
            pages: What it leads to: the name of a suite and ability, and the address of its page.
        """
        from eai.report.page import write_index  # takes jinja2

        write_index(self, path, pages or {}, force=force)

    def _repr_html_(self) -> str:
        return self.rows.html()

    def fitting(self, width: int) -> Table:
        """Return the table for a terminal: what has no room beside each other has no intervals.

        Its columns are then dealt out to several tables (:mod:`eai.table.terminal`).

        Args:
            width: Number of columns of the terminal.
        """
        rows = self.rows
        name = min(_MOST_NAME, max(len(str(row["model"])) for row in rows.rows))
        wide = name + (_NARROW + 1) * (len(rows.columns) - 1)
        if wide <= width:
            return rows
        columns = tuple(replace(column, ranged=False) for column in rows.columns)
        note = (
            f"No intervals are shown: with them the {len(columns) - 1} columns need {wide} "
            "characters a line. A wider terminal, --suite, --ability, --metric and files (--html, "
            "--csv, --latex, --markdown) have them."
        )
        return replace(rows, columns=columns, notes=(note, *rows.notes))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self.fitting(options.max_width)
        yield from table.blocks(encoding=options.encoding, width=options.max_width)

    def __str__(self) -> str:
        return str(self.rows)


def _other_tasks(ranked: _Ranked) -> str:
    """Say over how many tasks the marked models are; empty if none is marked."""
    sizes = [
        f"{short(model, 60)} (n = {ranked.tasks[model]})"
        for model, cell in ranked.cells.items()
        if _OTHER_TASKS in cell.mark
    ]
    if not sizes:
        return ""
    return f"{_OTHER_TASKS} over other tasks than the rest of {ranked.name}: {', '.join(sizes)}."


def _unread(ranked: _Ranked) -> str:
    """Say of which models answers were not read and count in no rate; empty if there are none."""
    shares = []
    for model, cell in ranked.cells.items():
        if UNREAD in cell.mark:
            counts = ranked.report.tally(model)
            share = f"read {counts.read} of {counts.read + counts.unread}"
            shares.append(f"{short(model, 60)} ({share})")
    if not shares:
        return ""
    return f"{UNREAD} answers that could not be read count in no rate: {', '.join(shares)}."


def _unanswered(ranked: _Ranked) -> str:
    """How many tasks models left without an answer, which fail, and how many are left out."""
    by_number: dict[tuple[str, int], list[str]] = {}
    for model in ranked.cells:
        counts = ranked.report.tally(model)
        by_number.setdefault(("unanswered", counts.missing), []).append(short(model, 60))
        if len(set(ranked.tasks.values())) > 1:
            by_number.setdefault(("left out", counts.excluded), []).append(short(model, 60))
    parts = [
        f"{number} {what}: {', '.join(names)}"
        for (what, number), names in sorted(by_number.items(), reverse=True)
        if number
    ]
    return f" ({'; '.join(parts)})" if parts else ""


def _cells(report: Results, place: int) -> dict[str, Measured]:
    """Return one metric of each model, with its interval and a star where none is better."""
    if len(report.models) == 1 and not report.view.own:
        (model,) = report.models
        alone = report.metrics(model)[place]
        # The rate of one model over its tasks has an interval of its own, and nothing to be
        # compared with: numpy, which is half of the memory of a run, is not asked for.
        if alone.interval is not None and report.samples(model) == 1:
            return {model: alone.cell("", "")}
    from eai.report.comparison import better_ones  # takes numpy
    from eai.report.intervals import interval_of

    ranked = report.view.is_better_higher(report.view.scores()[place])
    best = better_ones(report.view, place, [*report.sides.values()]) if ranked else ()
    cells: dict[str, Measured] = {}
    for side in report.sides.values():
        score = report.metrics(side.name)[place]
        found = interval_of(score, side.of(side.tasks, place))
        bounds = None if found is None else (found.low, found.high)
        mark = "*" if side.name in best else ""
        cells[side.name] = score.cell("", mark)._replace(interval=bounds)
    return cells


def _ranked(report: Results, place: int) -> _Ranked:
    """One metric of all models of a report, with intervals and marks."""
    usual = report.view.scores()[place]
    cells = _cells(report, place)
    counts = {model: report.metrics(model)[place].counts for model in cells}
    tasks = {model: report.tally(model).tasks // report.samples(model) for model in report.models}
    if usual.unit == "tasks":  # some are only asked of some tasks
        scored = {model: report.metrics(model)[place] for model in report.models}
        tasks = {m: s.denominator if s.unit == "tasks" else tasks[m] for m, s in scored.items()}
    # A model over other tasks than most is not ranked with the others as if it were over theirs.
    for model, cell in cells.items():
        if report.tally(model).unread:
            cells[model] = cell._replace(mark=f"{cell.mark}{UNREAD}")
    [(usual_size, _)] = Counter(tasks.values()).most_common(1) or [(0, 0)]
    for model, size in tasks.items():
        if size != usual_size:
            cells[model] = cells[model]._replace(mark=f"{cells[model].mark}{_OTHER_TASKS}")
    sizes = tasks
    if usual.unit == "conditions":
        sizes = {model: report.metrics(model)[place].denominator for model in report.models}
    return _Ranked(report, usual, cells, counts, tasks, sizes)


def merged(reports: Iterable[Results]) -> list[Results]:
    """Put reports of the same setting together; a model of the same name gets a number."""
    by_setting: dict[Setting, list[Results]] = {}
    for report in reports:
        by_setting.setdefault(report.setting, []).append(report)
    found = []
    for setting, same in by_setting.items():
        records, names = list[Record](), set[str]()
        for number, report in enumerate(same, 1):
            for model in report.models:
                name = f"{model} ({number})" if model in names else model
                names.add(name)
                records += (replace(record, model=name) for record in report.of(model))
        first = same[0]
        alone = len(same) == 1
        found.append(first if alone else Results(records, setting=setting, view=first.view))
    return found


def read_published(path: str | os.PathLike[str]) -> list[Published]:
    """Read numbers that were printed elsewhere from CSV.

    The columns are model, suite, ability, metric, value (percent), semantics and source.

    Raises:
        InputError: If the file cannot be read, or lacks a column or a number.
    """
    where, found = str(path), []
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            for line, row in enumerate(csv.DictReader(stream), 2):
                where = f"{path}:{line}"
                one, two, three, four, value, *rest = (
                    row[name] or "" for name in Published._fields
                )
                found.append(Published(one, two, three, four, float(value), *rest))
    except (OSError, KeyError, ValueError, csv.Error) as error:
        said = f"there is no column {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"cannot be read: {said}",
            where=where,
            expected=f"CSV with {', '.join(Published._fields)}",
        ) from error
    return found
