"""Comparison of models task by task: differences, intervals, tests, conclusions in words.

Rates over tasks are compared with exact methods for paired proportions (Newcombe's interval,
McNemar's test). All other metrics are ratios of sums over tasks: linearized, they have an interval
(:func:`eai.report.statistics.ratio_interval`), and a permutation test gives the p-value. The
p-values of one comparison are adjusted together (Holm).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from markupsafe import Markup

from eai.display import stacked
from eai.errors import InputError, check_name
from eai.report.metrics import View
from eai.report.permutations import check_draws, exchange, exchange_steps, exchanges
from eai.report.results import Results, require_results
from eai.report.scoring import Score
from eai.report.sides import Counts, Numbers, Side
from eai.report.statistics import Z_95, Pairs, holm, mcnemar, newcombe, student
from eai.report.tables import from_to
from eai.table import Cell, Points, Probability, Table
from eai.text import counted, short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult


_MAX_MODELS = 40
"""Maximum number of models in a matrix."""

MORE = "Intervals and conclusions are shown for two models: eai compare RUN --model A --model B"
"""Note below a matrix."""

_MAX_PAIRS = 100_000
"""Maximum number of pairs of sums that are compared at once."""

_FEW_PAIRS = 3
"""Above this many pairs a matrix is printed, and one note of each kind instead of one a pair."""


@dataclass(frozen=True)
class Comparison:
    """Differences between models on the same tasks.

    Args:
        differences: One for each pair of models and metric; p-values are adjusted for all.
        notes: Notes on omitted parts.
    """

    title: str
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()

    @property
    def conclusions(self) -> tuple[str, ...]:
        """Conclusions in words, one sentence for each difference."""
        tests = _number_of_tests(self.differences)
        return tuple(conclusion(difference, tests) for difference in self.differences)

    @property
    def rows(self) -> Table:
        """A table with a row for each difference, and the conclusions as notes."""
        only_shares = all(difference.is_share for difference in self.differences)
        unit = " %" if only_shares else " value"
        rows = [difference.row(unit) for difference in self.differences]
        return Table(self.title, rows, (*self.conclusions, *self.notes))

    def table(self) -> pd.DataFrame:
        """Return the differences as a data frame (see :meth:`eai.table.Table.table`)."""
        return self.rows.table()

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one row a difference, as CSV (see :meth:`eai.table.Table.to_csv`)."""
        self.rows.to_csv(path, force=force)

    @property
    def matrices(self) -> tuple[Table, ...]:
        """A table for each metric with the differences of all pairs (row minus column)."""
        by_metric: dict[str, list[Difference]] = {}
        for difference in self.differences:
            by_metric.setdefault(difference.label, []).append(difference)
        tables = []
        for label, differences in by_metric.items():
            tables.append(self._matrix(label, differences))
        return tuple(tables)

    def _matrix(self, label: str, differences: Sequence[Difference]) -> Table:
        """Return the matrix of one metric, the best model first."""
        values: dict[str, float | None] = {}
        for difference in differences:
            values[difference.first], values[difference.second] = difference.values
        ranked = _rank_models(values)
        models = ranked[:_MAX_MODELS]
        cells = _cells_of_pairs(differences)
        unit = "mean"
        amounts = "Numbers"
        if differences[0].is_share:
            unit = "%"
            amounts = "Points"
        rows: list[dict[str, Cell]] = []
        for number, model in enumerate(models, 1):
            row: dict[str, Cell] = {"#": number, "model": short(model, 60), unit: values[model]}
            for column, other in enumerate(models, 1):
                row[f"-{column}"] = cells.get((model, other), Points())
            rows.append(row)
        notes = [
            f"{amounts} by which the row's model is above the "
            "column's; * significant (p < 0.05, adjusted for "
            f"{_number_of_tests(self.differences)} comparisons)."
        ]
        not_shown = len(ranked) - len(models)
        if not_shown:
            more = counted(not_shown, "more model")
            notes.append(f"{more}: to_csv, --csv or --json lists all.")
        return Table(f"{self.title}: {label}", rows, tuple(notes))

    @property
    def _blocks(self) -> list[Table | str]:
        """Return the tables and notes to show: rows for few pairs, matrices for many."""
        pairs = {(difference.first, difference.second) for difference in self.differences}
        if len(pairs) <= _FEW_PAIRS:
            return [self.rows]
        return [*self.matrices, *self.notes, MORE]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self._blocks))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._blocks

    def _repr_html_(self) -> str:
        parts = []
        for block in self._blocks:
            if isinstance(block, Table):
                parts.append(block.html())
            else:
                parts.append(Markup("<p>{}</p>").format(block))
        return stacked(*parts)


def _rank_models(values: Mapping[str, float | None]) -> list[str]:
    """Return the models by value, the best first and those without a value last."""

    def value_or_last(model: str) -> float:
        value = values[model]
        if value is None:
            return -1.0  # below every value
        return value

    # Reversed after sorting, so that of equal models the later one comes first.
    return sorted(values, key=value_or_last)[::-1]


def _cells_of_pairs(differences: Iterable[Difference]) -> dict[tuple[str, str], Points]:
    """Return the difference of each ordered pair of models, negated for the reverse.

    A significant one has a star; an undefined one has no cell.
    """
    cells: dict[tuple[str, str], Points] = {}
    for difference in differences:
        if difference.difference is None:
            continue
        star = ""
        if difference.significant:
            star = "*"
        first, second = difference.first, difference.second
        cells[first, second] = Points(difference.as_text() + star)
        cells[second, first] = Points(difference.as_text(sign=-1) + star)
    return cells


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two models in one metric over the same tasks.

    Args:
        unit: Unit of the metric (see :class:`~eai.report.scoring.Metric`).
        values: The metric of both, in percent (a mean of numbers as it is); None where it is
            undefined.
        interval: 95 % interval of the first minus the second, in points; None if undefined.
            For rates over tasks Newcombe's, else that of the linearized difference.
        p_value: Of McNemar's exact test for rates over tasks, else of a permutation test that
            exchanges the models task by task; None if undefined. See ``draws``.
        adjusted: The p-value adjusted for the number of comparisons (Holm).
        effect: Effect size: Cohen's g for rates over tasks (0.05 small, 0.15 medium, 0.25 large),
            else the mean difference of a task over its standard deviation (d_z: 0.2, 0.5, 0.8);
            None if undefined.
        pairs: For rates over tasks: number of tasks solved by both, only the first, only the
            second, neither; else None.
        draws: Number of permutations drawn for the p-value, which is then at least
            ``1 / (1 + draws)``; 0 if the p-value is exact.
    """

    metric: str
    label: str
    unit: str
    first: str
    second: str
    tasks: int
    values: tuple[float | None, float | None]
    interval: tuple[float, float] | None
    p_value: float | None
    adjusted: float | None
    effect: float | None
    pairs: Pairs | None
    draws: int = 0

    @property
    def difference(self) -> float | None:
        """First value minus second, in points, or None if one is undefined."""
        first, second = self.values
        if first is None or second is None:
            return None
        return first - second

    @property
    def significant(self) -> bool:
        """Whether the adjusted p-value is below 0.05."""
        return self.adjusted is not None and self.adjusted < _LEVEL

    @property
    def is_share(self) -> bool:
        """Whether values are percent and differences points; else they are numbers."""
        return self.unit != "numbers"

    def as_text(self, *, sign: int = 1) -> str:
        """Return the difference as a matrix shows it: ``"+12"`` points, or ``"+0.25"``.

        Args:
            sign: -1 for the second model minus the first.
        """
        value = sign * (self.difference or 0.0)
        if self.is_share:
            return f"{round(value):+d}"
        return f"{value:+.2f}"

    def row(self, unit: str = " %") -> dict[str, Cell]:
        """Return the difference as a row of a table.

        Args:
            unit: Suffix of the headings of the two values.
        """
        low, high = self.interval or (None, None)
        _, only_first, only_second, _ = self.pairs or (None, None, None, None)
        return {
            "metric": self.label,
            "first": self.first,
            "second": self.second,
            "tasks": self.tasks,
            f"first{unit}": self.values[0],
            f"second{unit}": self.values[1],
            "difference": self.difference,
            "low": low,
            "high": high,
            "only first": only_first,
            "only second": only_second,
            "p": _probability(self.p_value),
            "adjusted p": _probability(self.adjusted),
            "effect": self.effect,
        }


def _probability(p_value: float | None) -> Probability | None:
    """Return a p-value as the cell of a table; None if it is undefined."""
    if p_value is None:
        return None
    return Probability(p_value)


def _number_of_tests(differences: Sequence[Difference]) -> int:
    """Return the number of differences that have a p-value."""
    return sum(difference.p_value is not None for difference in differences)


def compare(
    first: Results,
    second: Results | None = None,
    *,
    metrics: Sequence[str] | None = None,
    answered: bool = False,
    draws: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare models on their common tasks (see :meth:`eai.report.report.Report.compare`).

    A missing answer is a failed task, as in the scores; the notes say how many tasks only one of
    two models has answered.
    """
    check_draws(draws, seed)
    reports = [first]
    if second is not None:
        reports.append(second)
    for report in reports:
        require_results(report)
    chosen = _chosen_metrics(first.view, metrics)
    unshared: list[_Unshared] = []
    refused: list[str] = []
    pairs: list[_Pair] = []
    all_pairs = list(paired_models(first, second))
    for first_side, second_side in all_pairs:
        tasks = shared_tasks(first_side, second_side, unshared, refused, answered=answered)
        if tasks:
            pairs.append(_Pair(first_side, second_side, tasks))
    if not pairs:
        mend = None
        if answered:
            mend = "compare them with missing answers as failures (the default)"
        raise InputError(refused[0], expected="records of the same tasks", mend=mend)

    # Metric after metric, because draws are held in memory for one metric at a time; shown pair
    # after pair.
    tests = len(pairs) * len(chosen)
    by_metric = []
    for metric in chosen:
        comparison = _MetricComparison(metric, pairs, tests, draws=draws, seed=seed)
        by_metric.append(comparison.differences())
    by_pair = zip(*by_metric, strict=True)
    differences = _adjust_p_values(list(chain.from_iterable(by_pair)))

    settings = dict.fromkeys(str(report.setting) for report in reports)
    title = f"Comparison: {' against '.join(settings)}"
    if answered:
        title += ", tasks that both answered"
    notes: list[str] = []
    for report in reports:
        notes += report.warnings
    notes += _notes_on_tasks(unshared, refused, len(all_pairs), answered=answered)
    return Comparison(title, differences, tuple(notes))


def _chosen_metrics(view: View, keys: Sequence[str] | None) -> list[tuple[int, Score]]:
    """Return the metrics with some keys and their indices, by default the headline metric."""
    if keys is None:
        keys = [view.main]
    elif isinstance(keys, str) or not isinstance(keys, Iterable):
        keys = [keys]
    numbered = {score.key: (number, score) for number, score in enumerate(view.scores())}
    selected = []
    for key in keys:
        check_name("metric", key, numbered)
        selected.append(numbered[key])
    return selected


def _adjust_p_values(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return the differences with p-values adjusted for multiple tests (Holm)."""
    # A difference that is undefined was not tested, so it does not count among the tests.
    p_values = []
    for difference in differences:
        if difference.p_value is not None:
            p_values.append(difference.p_value)
    adjusted = iter(holm(p_values))
    all_differences = []
    for difference in differences:
        if difference.p_value is None:
            all_differences.append(difference)
        else:
            all_differences.append(replace(difference, adjusted=next(adjusted)))
    return tuple(all_differences)


# Pairs of models, and the tasks that both have.


def paired_models(first: Results, second: Results | None) -> Iterator[tuple[Side, Side]]:
    """Yield the pairs of models to compare.

    All pairs of one report; with a second report, each model that both reports have with itself,
    or if they share none, each model of the first with each of the second.

    Raises:
        InputError: If a single report has only one model, or if two reports are not of the same
            suite and ability.
    """
    if second is None:
        if len(first.models) < 2:
            raise InputError(
                "there is one model only, so there is nothing to compare",
                expected="a report with two models, or a second report",
                mend="give the report of another run: eai compare RUN OTHER",
            )
        yield from combinations(first.sides.values(), 2)
        return
    for name in ("suite", "ability"):
        value = getattr(first.setting, name)
        other_value = getattr(second.setting, name)
        if value != other_value:
            raise InputError(
                f"the first report is of the {name} {value!r}, the second of {other_value!r}",
                expected="two reports of the same suite and ability",
                mend="compare models on the same tasks",
            )
    first_sides = first.sides
    # By the metrics of the first: the other report may have been read with other ones.
    second_sides = second.sides_for(first.view)
    shared = [model for model in first.models if model in second.models]
    if not shared:
        yield from product(first_sides.values(), second_sides.values())
    for model in shared:
        yield (
            replace(first_sides[model], name=f"{model} (first)"),
            replace(second_sides[model], name=f"{model} (second)"),
        )


@dataclass(frozen=True, slots=True)
class _Unshared:
    """The number of tasks that two models do not share, or have not both answered.

    Args:
        kind: ``"had by one"`` or ``"not answered by both"``: these are left out; or ``"answered
            by one"``: these are compared, with the missing answer as a failure.
        names: Both models.
        number: Number of these tasks.
        tasks: Number of tasks that both models have.
        answered: Number of tasks that both models have answered.
        why: Reason in words why tasks are excluded; empty if none is.
    """

    kind: str
    names: str
    number: int
    tasks: int
    answered: int = 0
    why: str = ""

    def sentence(self) -> str:
        """Return the note on one pair."""
        number = _tasks(self.number)
        if self.kind == "had by one":
            return f"Left out: {number} that only one of {self.names} has{self.why}."
        if self.kind == "not answered by both":
            return f"Left out: {number} that {self.names} did not both answer."
        # The difference may come from missing answers alone.
        return (
            f"Only one of {self.names} answered {number} of {self.tasks}. Missing answers count "
            "as failures, so they are part of the differences; answered=True (--answered) compares "
            f"the {_tasks(self.answered)} that both answered."
        )


def _notes_on_tasks(
    unshared: Sequence[_Unshared], refused: Sequence[str], pairs: int, *, answered: bool
) -> Iterator[str]:
    """Yield a sentence for each pair, or one with the range for many pairs."""
    if pairs <= _FEW_PAIRS:
        for pair in unshared:
            yield pair.sentence()
        for why in refused:
            yield f"{why}: left out."
        return
    # Ten models are 45 pairs: a sentence for each would hide all other notes.
    by_kind: dict[str, list[_Unshared]] = {}
    for pair in unshared:
        by_kind.setdefault(pair.kind, []).append(pair)
    for kind, concerned in by_kind.items():
        yield _range_sentence(kind, concerned, pairs)
    if refused:
        verb = "answered" if answered else "have"
        yield (
            f"Left out: {len(refused)} of {pairs} pairs, as there is no task "
            f"that both models {verb}."
        )


def _range_sentence(kind: str, concerned: Sequence[_Unshared], pairs: int) -> str:
    """Return one sentence on all pairs that lack common tasks for the same reason.

    Args:
        kind: The reason, one of those of :class:`_Unshared`.
        concerned: The pairs.
        pairs: Number of all pairs.
    """
    number = f"{from_to(pair.number for pair in concerned)} tasks"
    of_pairs = f"in {len(concerned)} of {pairs} pairs of models"
    if kind == "had by one":
        return f"Left out {of_pairs}: {number} that only one of the two has."
    if kind == "not answered by both":
        return f"Left out {of_pairs}: {number} that the two did not both answer."
    tasks = from_to(pair.tasks for pair in concerned)
    both = from_to(pair.answered for pair in concerned)
    return (
        f"{of_pairs.capitalize()} only one of the two answered {number} of {tasks}. "
        "Missing answers count as failures, so they are part of the differences; "
        f"answered=True (--answered) compares the {both} tasks that both answered."
    )


def shared_tasks(
    first: Side, second: Side, unshared: list[_Unshared], refused: list[str], *, answered: bool
) -> tuple[str, ...]:
    """Return the tasks that both models have, or have answered, in the first's order.

    Args:
        first: A model.
        second: Another one.
        unshared: Tasks that only one model has or answered are added here.
        refused: If no task is left, the reason is added here.
        answered: Whether only tasks that both have answered are returned.
    """
    names = f"{first.name} and {second.name}"
    tasks_of_second = frozenset(second.tasks)
    tasks = tuple(task for task in first.tasks if task in tasks_of_second)
    if not tasks:
        refused.append(f"{names} have no task in common")
        return tasks
    had_by_one = len(tasks_of_second.symmetric_difference(first.tasks))
    if had_by_one:
        why = _why_excluded(first, second) + _why_excluded(second, first)
        unshared.append(_Unshared("had by one", names, had_by_one, len(tasks), why=why))

    missing = first.unanswered | second.unanswered
    by_both = tuple(task for task in tasks if task not in missing)
    if answered:
        not_by_both = len(tasks) - len(by_both)
        if not by_both:
            refused.append(f"{names} have answered no task in common")
        elif not_by_both:
            kind = "not answered by both"
            unshared.append(_Unshared(kind, names, not_by_both, len(tasks), len(by_both)))
        return by_both
    by_one = len((first.unanswered ^ second.unanswered) & {*tasks})
    if by_one:
        unshared.append(_Unshared("answered by one", names, by_one, len(tasks), len(by_both)))
    # Equal tasks are one object: there are many pairs, and Side.of compares by identity.
    if tasks == first.tasks:
        return first.tasks
    return tasks


def _why_excluded(side: Side, other: Side) -> str:
    """Return how many of the other model's tasks are excluded for this one, and why."""
    reasons = [side.excluded[task] for task in other.tasks if task in side.excluded]
    if not reasons:
        return ""
    reason = reasons[0]
    if len(set(reasons)) > 1:
        reason += ", and others"
    return f"; {len(reasons)} excluded for {side.name} ({reason})"


def _tasks(number: int) -> str:
    return counted(number, "task")


def better_ones(
    view: View, index: int, sides: Sequence[Side], *, draws: int = 2_000, seed: int = 0
) -> frozenset[str]:
    """Return the best model and those not significantly worse, or none if that is all.

    Each model is compared with the best one over the tasks that both have; p-values are adjusted
    (Holm) for the number of these comparisons.

    Args:
        view: The view whose metric is compared.
        index: Index of the metric in the view.
        sides: The models.
        draws: Exchanges that are drawn where they are too many to be counted.
        seed: Seed of the draws.
    """
    values: dict[str, float] = {}
    for side in sides:
        value = side.value(index)
        if value is not None:
            values[side.name] = value
    ranked = [side for side in sides if side.name in values]
    if len(ranked) < 2:
        return frozenset()
    best = max(ranked, key=lambda side: values[side.name])
    pairs: list[_Pair] = []
    for side in ranked:
        # Unshared tasks are not listed here: a leaderboard lists them for each model.
        tasks = () if side is best else shared_tasks(best, side, [], [], answered=False)
        if tasks:
            pairs.append(_Pair(best, side, tasks))
    metric = (index, view.scores()[index])
    comparison = _MetricComparison(
        metric, pairs, len(pairs), draws=draws, seed=seed, only_significance=True
    )
    # A bound may stand for a p-value that is less: Holm finds the same ones significant.
    differences = _adjust_p_values(comparison.differences())
    worse = {difference.second for difference in differences if difference.significant}
    if not worse:
        return frozenset()
    return frozenset(values) - worse


# Metrics of two models.

_MAX_STEPS = 2_000_000_000
"""Tests of a metric are exact if all of them together take no more additions (some seconds)."""

_MAX_DRAWN = 20_000_000
"""Maximum number of numbers drawn where the number of tests asks for more draws than given."""

_CLEAR = 1e-9
"""Where only significance is asked for, no test is made whose p-value is surely below this."""


class _Pair(NamedTuple):
    """Two models with the tasks on which they are compared."""

    first: Side
    second: Side
    tasks: tuple[str, ...]


class _MetricComparison:
    """The comparison of several pairs of models in one metric.

    The permutation test rests on this: if two models are equally good, exchanging their
    contributions in any task changes nothing. The test is exact if the sums of all exchanges are
    few enough to be counted, else exchanges are drawn. Of n draws no p-value is below
    ``1 / (1 + n)``, so more are drawn where even that would not be significant once adjusted.

    Args:
        metric: Index of the metric in its view, and the metric.
        pairs: Pairs of models, with the tasks to compare.
        tests: Number of tests that p-values will be adjusted for.
        draws: Exchanges that are drawn where they are too many to be counted.
        seed: Seed of the draws.
        only_significance: Take an upper bound for a p-value that is surely below ``_CLEAR``.
    """

    def __init__(
        self,
        metric: tuple[int, Score],
        pairs: Sequence[_Pair],
        tests: int,
        *,
        draws: int,
        seed: int,
        only_significance: bool = False,
    ) -> None:
        self._index, self._score = metric
        self._only_significance = only_significance
        self._pairs = pairs
        self._seed = seed
        # Sides contain arrays, which are not hashable, so they are identified by ``id``.
        sides: dict[int, Side] = {}
        for pair in pairs:
            sides[id(pair.first)] = pair.first
            sides[id(pair.second)] = pair.second
        self._sides = list(sides.values())
        # Tasks to the sums of each side (by identity) over them, a row a draw.
        self._sums: dict[tuple[str, ...], dict[int, Numbers]] = {}
        # Ten times as many draws as the smallest p-value needs to be significant after Holm.
        enough = round(10 * tests / _LEVEL)
        self._exchanges = draws
        # Two numbers a draw and side: a numerator and a denominator.
        if 2 * enough * len(self._sides) <= _MAX_DRAWN:
            self._exchanges = max(draws, enough)

    def differences(self) -> list[Difference]:
        """Return the difference of each pair, with unadjusted p-values."""
        contributions = [self._contributions(pair) for pair in self._pairs]
        tables = [_paired_counts(self._score, first, second) for first, second in contributions]
        steps = 0.0
        for (first, second), table in zip(contributions, tables, strict=True):
            if table is not None:
                continue  # McNemar's test of a rate over tasks costs nothing
            cost = exchange_steps(second - first)
            if math.isfinite(cost):
                steps += cost
        # All pairs are tested alike, whichever of them would be cheap enough alone.
        self._max_steps = _MAX_STEPS
        if steps > _MAX_STEPS:
            self._max_steps = self._exchanges
        return list(map(self._difference, self._pairs, contributions, tables))

    def _contributions(self, pair: _Pair) -> tuple[Counts, Counts]:
        """Return what each task contributes to the metric of either model.

        A row a task, with two columns: numerator and denominator.
        """
        first = pair.first.of(pair.tasks, self._index)
        second = pair.second.of(pair.tasks, self._index)
        if self._score.unit != "tasks":
            return first, second
        # A rate may be defined for some tasks only: it leaves out the others.
        is_defined = (first[:, 1] > 0) | (second[:, 1] > 0)
        return first[is_defined], second[is_defined]

    def _difference(
        self, pair: _Pair, contributions: tuple[Counts, Counts], table: Pairs | None
    ) -> Difference:
        """Compare one pair of models.

        Args:
            pair: The models and tasks.
            contributions: Numerators and denominators of either model, a row a task.
            table: The four counts of a paired rate over tasks; None for other metrics.
        """
        score = self._score
        values = self._value(contributions[0]), self._value(contributions[1])
        interval: tuple[float, float] | None = None
        p_value: float | None = None
        effect: float | None = None
        draws = 0
        # Where each task is solved or not, the four counts of pairs have exact methods; any other
        # metric is a ratio of sums, whose difference is linearized and permuted.
        if table is not None:
            interval = newcombe(table)
            p_value = mcnemar(table)
            effect = _cohens_g(table)
        elif None not in values:
            interval = _interval(*contributions, scale=score.scale)
            p_value, draws = self._permutation_test(pair, *contributions)
            effect = _standardised_difference(*contributions)
        return Difference(
            metric=score.key,
            label=score.label,
            unit=score.unit,
            first=pair.first.name,
            second=pair.second.name,
            tasks=len(contributions[0]),
            values=values,
            interval=interval,
            p_value=p_value,
            adjusted=p_value,
            effect=effect,
            pairs=table,
            draws=draws,
        )

    def _value(self, contributions: Counts) -> float | None:
        """Return the metric of one model, or None if its denominator is 0."""
        numerator, denominator = contributions.sum(axis=0).tolist()
        if not denominator:
            return None
        value: float = self._score.scale * numerator / denominator
        return value

    def _permutation_test(self, pair: _Pair, first: Counts, second: Counts) -> tuple[float, int]:
        """Return the two-sided p-value and the number of draws, or 0 if it is exact."""
        first_sum = first.sum(axis=0)
        second_sum = second.sum(axis=0)
        [difference] = _ratio_differences(first_sum[None, :], second_sum[None, :])
        # A little less than observed, so that rounding does not make equal differences smaller.
        observed = abs(difference) - 1e-11
        if self._only_significance:
            bound = p_value_bound(first, second, observed)
            if bound < _CLEAR:
                return bound, 0
        if exchange_steps(second - first) <= self._max_steps:
            return _exact_p_value(first, second, observed), 0
        first_drawn, second_drawn = self._resampled_sums(pair)
        moved = second_drawn - first_drawn
        permuted = np.abs(_ratio_differences(first_sum + moved, second_sum - moved))
        # The observed order counts as one of the draws.
        return float((1 + (permuted >= observed).sum()) / (1 + len(permuted))), len(permuted)

    def _resampled_sums(self, pair: _Pair) -> tuple[Numbers, Numbers]:
        """Return both models' sums in every draw, one row for each draw.

        Args:
            pair: The models and tasks.
        """
        tasks = pair.tasks
        sums = self._sums.setdefault(tasks, {})
        for side in (pair.first, pair.second):
            if id(side) in sums:
                continue
            # Drawing takes the time, and the draws are the same for all models with these
            # tasks: their contributions stand side by side and are summed in one go.
            with_tasks = [candidate for candidate in self._sides if candidate.tasks == tasks]
            if side not in with_tasks:
                with_tasks = [side]
            columns = np.hstack([candidate.of(tasks, self._index) for candidate in with_tasks])
            drawn = exchange(columns.astype(np.float64), draws=self._exchanges, seed=self._seed)
            for number, candidate in enumerate(with_tasks):
                sums[id(candidate)] = drawn[:, 2 * number : 2 * number + 2]
        return sums[id(pair.first)], sums[id(pair.second)]


def p_value_bound(first: Counts, second: Counts, observed: float) -> float:
    """Return a quickly computed upper bound on :func:`_exact_p_value`.

    Of two ratios x1 / y1 and x2 / y2, which exchanges change to (x1 + m) / (y1 + n) and
    (x2 - m) / (y2 - n), the difference is L / ((y1 + n) (y2 - n)), where
    L = x1 y2 - x2 y1 + m (y1 + y2) - n (x1 + x2). The product is least at one end of the range of
    n, since it is concave in n. L is a sum over the tasks, each with probability 1/2, and its mean
    is 0, so Hoeffding's inequality bounds its tails (W. Hoeffding, "Probability inequalities for
    sums of bounded random variables", Journal of the American Statistical Association 58, 1963).

    Args:
        first: Contributions of the first model, a row a task: numerator and denominator, which is
            not negative.
        second: Contributions of the second model.
        observed: The difference of the ratios, without sign.
    """
    first_sum = first.sum(axis=0)
    second_sum = second.sum(axis=0)
    parts = (second - first).astype(np.float64)
    # The range of n: all exchanges that make y1 smaller, or all that make it larger.
    ends = np.minimum(parts[:, 1], 0).sum(), np.maximum(parts[:, 1], 0).sum()
    least_product = min((first_sum[1] + end) * (second_sum[1] - end) for end in ends)
    # A task adds one of two values to L, which are this far apart (Hoeffding's ranges).
    numerators, denominators = (first_sum + second_sum).astype(np.float64)
    ranges = parts[:, 0] * denominators - parts[:, 1] * numerators
    squares = float((ranges**2).sum())
    distance = observed * float(least_product)
    # Without a distance, or without anything to exchange, nothing is ruled out.
    if distance <= 0 or not squares:
        return 1.0
    return min(1.0, 2 * math.exp(-2 * distance**2 / squares))


def _exact_p_value(first: Counts, second: Counts, observed: float) -> float:
    """Return the exact p-value of a permutation test on the difference of two ratios.

    Args:
        first: Contributions of the first model, a row a task: numerator and denominator.
        second: Contributions of the second model.
        observed: The difference of the ratios, without sign.
    """
    first_sum = first.sum(axis=0)
    second_sum = second.sum(axis=0)
    # Element [i, j] of the probabilities is that of moving numerators[i] and denominators[j].
    numerators, denominators, probabilities = exchanges(second - first)
    is_as_far = np.empty(probabilities.shape, dtype=bool)
    # There may be millions of pairs of sums: some rows of them at a time.
    rows_at_once = max(1, _MAX_PAIRS // len(denominators))
    for begin in range(0, len(numerators), rows_at_once):
        rows = slice(begin, begin + rows_at_once)
        moved = numerators[rows, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            first_ratios = (first_sum[0] + moved) / (first_sum[1] + denominators)
            second_ratios = (second_sum[0] - moved) / (second_sum[1] - denominators)
            is_as_far[rows] = np.abs(first_ratios - second_ratios) >= observed
    return min(1.0, float(probabilities[is_as_far].sum()))


def _cohens_g(table: Pairs) -> float:
    """Return Cohen's g: the first model's share of the discordant tasks, minus a half."""
    _, only_first, only_second, _ = table
    discordant = only_first + only_second
    if not discordant:
        return 0.0
    return only_first / discordant - 0.5


def _paired_counts(score: Score, first: Counts, second: Counts) -> Pairs | None:
    """Return the 2x2 table of solved tasks of two models, or None if they are not rates.

    The result is None if the metric is not a rate over tasks, with 0 or 1 out of 1 in every task.
    """
    numerators, denominators = np.vstack([first, second]).T
    if score.unit not in ("tasks", "occurrences") or (denominators != 1).any():
        return None
    if not np.isin(numerators, (0, 1)).all():
        return None
    # 0 if both solve a task, 1 if only the first does, 2 if only the second, 3 if neither.
    outcomes = 2 * (1 - first[:, 0]) + (1 - second[:, 0])
    both, only_first, only_second, neither = np.bincount(outcomes, minlength=4).tolist()
    return both, only_first, only_second, neither


def _ratio_differences(first: Counts | Numbers, second: Counts | Numbers) -> Numbers:
    """Return the differences of two ratios, NaN where a denominator is 0.

    Args:
        first: Numerators and denominators, along the last axis.
        second: The same of the other ratio.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        differences: Numbers = first[..., 0] / first[..., 1] - second[..., 0] / second[..., 1]
    return differences


def _shares(contributions: Counts) -> Numbers:
    """Return a value of each task such that the mean of the values is the ratio.

    A ratio of sums R = sum(x) / sum(y) is not a mean over tasks. By its first-order (Taylor)
    expansion, task i has the share R + (x_i - R y_i) / mean(y).
    """
    numerator, denominator = contributions.sum(axis=0)
    ratio = numerator / denominator
    residuals = contributions[:, 0] - ratio * contributions[:, 1]
    shares: Numbers = ratio + residuals * len(contributions) / denominator
    return shares


def _interval(first: Counts, second: Counts, *, scale: float) -> tuple[float, float] | None:
    """Return the 95 % interval of the difference of two ratios, or None below two tasks.

    Args:
        first: Numerators and denominators of a model, a row a task.
        second: Those of the other model, over the same tasks.
        scale: Factor of the ratios.
    """
    counts = (first != 0).any(axis=1) | (second != 0).any(axis=1)
    first, second = first[counts], second[counts]
    tasks = len(first)
    if tasks < 2:
        return None
    shares = _shares(first) - _shares(second)
    difference = float(np.mean(shares))
    half = student(tasks - 1) * float(np.std(shares, ddof=1)) / math.sqrt(tasks)
    low, high = difference - half, difference + half
    both = np.vstack([first, second])
    if ((both[:, 0] >= 0) & (both[:, 0] <= both[:, 1])).all():
        # Proportions are at most 1 apart.
        low, high = max(-1.0, low), min(1.0, high)
    return scale * low, scale * high


def _standardised_difference(first: Counts, second: Counts) -> float | None:
    """Return the standardised mean difference d_z of the tasks' shares, or None.

    None if it is undefined: for one task, or if all tasks have the same share.
    """
    differences = _shares(first) - _shares(second)
    if len(differences) < 2:
        return None
    deviation = float(np.std(differences, ddof=1))
    if not deviation:
        return None
    return float(np.mean(differences)) / deviation


# Conclusions in words.

_LEVEL = 0.05
"""Significance level."""

_MIN_TASKS = 6
"""With fewer tasks McNemar's exact test reaches no p-value below 0.05: 2 / 2**5 is more."""
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the standard normal distribution."""


def conclusion(difference: Difference, comparisons: int = 1) -> str:
    """Return the meaning of a difference in one or a few sentences.

    Args:
        difference: The difference.
        comparisons: Number of comparisons that its p-value was adjusted for.
    """
    names = f"{difference.first} and {difference.second}"
    label = difference.label
    if difference.difference is None:
        return f"{names} cannot be compared in {label}: it is undefined for one of them."
    if difference.interval is None or difference.adjusted is None:
        return f"{names} cannot be compared in {label}: only one task counts."
    figures = _figures(difference, comparisons)
    why = _why_methods_disagree(difference) + _limit_of_draws(difference)
    if difference.significant:
        winner = difference.first
        if (difference.difference or 0.0) < 0:
            winner = difference.second
        return f"{winner} has the higher {label} (significant): {figures}.{why}"
    if difference.pairs is not None and difference.tasks < _MIN_TASKS:
        few = f"With fewer than {_MIN_TASKS} tasks no difference can be significant."
        return f"{names} do not differ significantly in {label}: {figures}. {few}{why}"
    low, high = difference.interval
    points, digits = _unit_and_decimals(difference)
    bound = f"{max(abs(low), abs(high)):.{digits}f}{points}"
    why += f" The 95 % interval rules out a difference of more than {bound}."
    visible = smallest_visible(difference)
    if visible is not None:
        why += f" Minimum detectable difference at 80 % power: {visible:.0f} points."
    return f"{names} do not differ significantly in {label}: {figures}.{why}"


def _unit_and_decimals(difference: Difference) -> tuple[str, int]:
    """Return the unit of differences with a blank before it, and the number of decimals."""
    if difference.is_share:
        return " points", 1
    return "", 2


def _figures(difference: Difference, comparisons: int) -> str:
    """Return the values, the interval and the p-value in words, or "" if undefined."""
    value = difference.difference
    p_value = difference.adjusted
    interval = difference.interval
    if value is None or p_value is None or interval is None:
        return ""
    points, digits = _unit_and_decimals(difference)
    percent = " %" if difference.is_share else ""
    values = [f"{number:.{digits}f}{percent}" for number in difference.values]
    low, high = interval
    if p_value < _LEVEL and value < 0:
        # The sentence begins with the winner, so its value comes first.
        values.reverse()
        value = -value
        low, high = -high, -low
    text = (
        f"{values[0]} against {values[1]} over {_tasks(difference.tasks)}, "
        f"{value:+.{digits}f}{points} "
        f"(95 % interval {low:+.{digits}f} to {high:+.{digits}f}), p {_p_in_words(p_value)}"
    )
    if comparisons > 1:
        text += f" adjusted for {comparisons} comparisons"
    return text


def _limit_of_draws(difference: Difference) -> str:
    """Return a sentence if a p-value is the least that its draws permit, or ""."""
    draws = difference.draws
    if not draws or difference.p_value != 1 / (1 + draws):
        return ""
    return (
        f" None of {draws:,} permutations drawn gives as large a difference, so p is at most this; "
        "draws= (--draws) draws more."
    )


def _why_methods_disagree(difference: Difference) -> str:
    """Return why the interval and the p-value seem to disagree, or "" if they agree."""
    if difference.interval is None or difference.adjusted is None or difference.p_value is None:
        return ""
    low, high = difference.interval
    excludes_0 = low > 0 or high < 0
    if excludes_0 == difference.significant:
        return ""
    # Both agree on this comparison alone: then it is the adjustment that makes the difference.
    if excludes_0 and difference.p_value < _LEVEL:
        p_value = _p_in_words(difference.p_value)
        return (
            " The interval is for this comparison alone and excludes 0, as does p "
            f"{p_value} before it is adjusted; among so many comparisons that is not enough."
        )
    methods = ("linearization", "a permutation test")
    if difference.pairs is not None:
        methods = ("Newcombe's method", "McNemar's exact test")
    verb = "excludes" if excludes_0 else "contains"
    return (
        f" The interval ({methods[0]}) {verb} 0 and the p-value ({methods[1]}) does not agree: "
        "so close to the limit the two methods can disagree, and the p-value decides."
    )


def smallest_visible(difference: Difference) -> float | None:
    """Return the minimum detectable difference at 80 % power in points, or None.

    As many pairs are taken to differ as here (O. S. Miettinen, "The matched pairs design in the
    case of all-or-none responses", Biometrics 24, 1968). None if it is no rate over tasks, or if
    no pair differs.
    """
    if difference.pairs is None:
        return None
    tasks = difference.tasks
    _, only_first, only_second, _ = difference.pairs
    discordant = (only_first + only_second) / tasks
    if not discordant:
        return None
    # Solves (z_a sqrt(d) + z_b sqrt(d - x^2)) / sqrt(n) = x for x, where d is the share of
    # discordant tasks, n the number of tasks, z_a and z_b the quantiles for level and power.
    z_a = Z_95
    z_b = _POWER_80
    root = z_b * math.sqrt(max(0.0, discordant * (tasks + z_b**2 - z_a**2)))
    smallest = (z_a * math.sqrt(discordant * tasks) + root) / (tasks + z_b**2)
    return 100 * min(smallest, 1.0)


def _p_in_words(value: float) -> str:
    """Return a p-value with a relation sign: ``"= 0.012"`` or ``"< 0.001"``."""
    text = str(Probability(value))
    if text.startswith("<"):
        return text
    return f"= {text}"
