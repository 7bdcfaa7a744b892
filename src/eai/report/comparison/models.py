"""Models compared task by task: what differs, how sure that is, and what it means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

from eai.errors import InputError, UnknownNameError
from eai.report.analysis_table import AnalysisTable, Cell
from eai.report.comparison.conclusion import conclusion
from eai.report.comparison.paired import Difference, differences
from eai.report.record import Record
from eai.report.results import Results, require_results
from eai.report.statistics import holm

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult


__all__ = ["Comparison", "compare"]

_Side = tuple[str, Sequence[Record]]
"""A model's name as it is shown, and its records."""


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
    def rows(self) -> AnalysisTable:
        """The differences as rows, the conclusions as notes."""
        rows = [_row(each) for each in self.differences]
        return AnalysisTable(self.title, rows, (*self.conclusions, *self.notes))

    def table(self) -> pd.DataFrame:
        """Return the differences as a data frame.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        return self.rows.table()

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one row a difference.

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
    first: Results,
    second: Results | None = None,
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
    for one, other in _sides(first, second):
        records = _shared(one, other, notes, answered=answered)
        names = (one[0], other[0])
        found += differences(first.view, *records, names=names, keys=keys, draws=draws, seed=seed)
    title = _title(first, second) + (", tasks that both answered" if answered else "")
    return Comparison(title, _adjusted(found), tuple(notes))


def _keys(report: Results, wanted: Sequence[str] | None) -> Sequence[str]:
    known = [metric.key for metric in report.view.metrics(report.tally(report.models[0]))]
    if wanted is None:
        return [c.key for table in report.view.tables for c in table.columns if c.ranged]
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        wanted = [wanted]
    for key in wanted:
        if key not in known:
            raise UnknownNameError("metric", key, known)
    return wanted


def _sides(first: Results, second: Results | None) -> Iterator[tuple[_Side, _Side]]:
    if second is None:
        if len(first.models) < 2:
            raise InputError(
                "there is one model only, so there is nothing to compare",
                expected="a report with two models, or a second report",
                mend="give the report of another run: eai compare RUN OTHER",
            )
        for one, other in combinations(first.models, 2):
            yield (one, first.of(one)), (other, first.of(other))
        return
    _check(first, second)
    shared = [model for model in first.models if model in second.models]
    for one, other in (
        zip(shared, shared, strict=True) if shared else product(first.models, second.models)
    ):
        names = (f"{one} (first)", f"{other} (second)") if shared else (one, other)
        yield (names[0], first.of(one)), (names[1], second.of(other))


def _check(first: Results, second: Results) -> None:
    for name in ("suite", "ability"):
        one, other = (getattr(report.setting, name) for report in (first, second))
        if one != other:
            raise InputError(
                f"the first report is of the {name} {one!r}, the second of {other!r}",
                expected="two reports of the same suite and ability",
                mend="compare models on the same tasks",
            )


def _shared(
    one: _Side, other: _Side, notes: list[str], *, answered: bool
) -> tuple[list[Record], list[Record]]:
    """The records of the tasks that both have, in the order of the first."""
    names = f"{one[0]} and {other[0]}"
    judged = [
        {r.task: r for r in records if r.judgement.status != "excluded"}
        for _, records in (one, other)
    ]
    tasks = [task for task in judged[0] if task in judged[1]]
    if not tasks:
        raise InputError(
            f"{names} have no task in common",
            expected="records of the same tasks",
        )
    left_out = len(judged[0].keys() ^ judged[1].keys())
    if left_out:
        notes.append(f"{_tasks(left_out)} that only one of {names} has: left out.")
    found = [(judged[0][task], judged[1][task]) for task in tasks]
    both = [pair for pair in found if not any(map(_is_missing, pair))]
    if answered:
        found = _of_both(found, both, names, notes)
    else:
        notes += _weighed(found, len(both), names)
    return [pair[0] for pair in found], [pair[1] for pair in found]


_Pairs = list[tuple[Record, Record]]


def _of_both(found: _Pairs, both: _Pairs, names: str, notes: list[str]) -> _Pairs:
    if not both:
        raise InputError(
            f"{names} have answered no task in common",
            expected="at least one task that both answered",
            mend="compare them with missing answers as failures (the default)",
        )
    if len(both) < len(found):
        notes.append(
            f"{_tasks(len(found) - len(both))} that not both of {names} answered: left out."
        )
    return both


def _weighed(found: _Pairs, both: int, names: str) -> Iterator[str]:
    """What to say if a difference may be one between missing answers and given ones."""
    alone = sum(_is_missing(one) != _is_missing(other) for one, other in found)
    if alone:
        yield (
            f"{_tasks(alone)} of {len(found)} that only one of {names} answered: missing answers "
            "count as failed, so they are a part of the differences; answered=True (--answered) "
            f"leaves {_tasks(both)} that both answered."
        )


def _is_missing(record: Record) -> bool:
    return record.judgement.status == "missing"


def _tasks(number: int) -> str:
    return f"{number} task{'' if number == 1 else 's'}"


def _adjusted(found: Sequence[Difference]) -> tuple[Difference, ...]:
    tested = [each.p_value for each in found if each.p_value is not None]
    adjusted = iter(holm(tested))
    return tuple(
        each if each.p_value is None else replace(each, adjusted=next(adjusted)) for each in found
    )


def _title(first: Results, second: Results | None) -> str:
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
