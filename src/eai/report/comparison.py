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
from functools import cached_property
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from markupsafe import Markup

from eai.display import stacked
from eai.errors import InputError, check_name
from eai.report.metrics import View
from eai.report.results import Results, require_results
from eai.report.scoring import Score
from eai.report.sides import Pair, Side
from eai.report.statistics import (
    Z_95,
    PairedContributions,
    Pairs,
    check_draws,
    exchange_bounds,
    holm,
    mcnemar,
    newcombe,
)
from eai.report.tables import from_to
from eai.table import Cell, Points, Probability, Table
from eai.text import counted, short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

    from eai.report.pair_tests import PairTests

_MAX_MODELS = 40
"""Maximum number of models in a matrix."""

MORE = "Intervals and conclusions are shown for two models: eai compare RUN --model A --model B"
"""Note below a matrix."""

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
        """Table with a row for each difference and the conclusions as notes."""
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
        """A table for each metric, with the differences of all pairs: row minus column."""
        by_metric: dict[str, list[Difference]] = {}
        for difference in self.differences:
            by_metric.setdefault(difference.label, []).append(difference)
        tables = []
        for label, differences in by_metric.items():
            tables.append(self._matrix(label, differences))
        return tuple(tables)

    def _matrix(self, label: str, differences: Sequence[Difference]) -> Table:
        """Return the matrix of one metric, the best model first.

        Args:
            label: Name of the metric.
            differences: The differences of all pairs of models.
        """
        values: dict[str, float | None] = {}
        for difference in differences:
            values[difference.first], values[difference.second] = difference.values
        ranked = _rank_models(values)
        models = ranked[:_MAX_MODELS]
        cells = _cells_of_pairs(differences)
        unit = "mean"
        amounts = "Numbers"
        # All differences are of one metric, so the first one tells the unit.
        if differences[0].is_share:
            unit = "%"
            amounts = "Points"
        rows: list[dict[str, Cell]] = []
        for number, model in enumerate(models, 1):
            row: dict[str, Cell] = {"#": number, "model": short(model, 60), unit: values[model]}
            for column, compared_with in enumerate(models, 1):
                row[f"-{column}"] = cells.get((model, compared_with), Points())
            rows.append(row)
        notes = [
            f"{amounts} by which the row's model is above the "
            "column's; * significant (p < 0.05, adjusted for "
            f"{_number_of_tests(self.differences)} comparisons)."
        ]
        not_shown = len(ranked) - len(models)
        if not_shown:
            more_models = counted(not_shown, "more model")
            notes.append(f"{more_models}: to_csv, --csv or --json lists all.")
        return Table(f"{self.title}: {label}", rows, tuple(notes))

    @property
    def _blocks(self) -> list[Table | str]:
        """Return the tables and notes to show: rows for a few pairs, matrices for many."""
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
    """Return the models by their values, the best first and those without a value last."""

    def value_or_last(model: str) -> float:
        value = values[model]
        if value is None:
            return -1.0  # below every value
        return value

    # Reversed after sorting, so that of equal models the later one comes first.
    return sorted(values, key=value_or_last)[::-1]


def _cells_of_pairs(differences: Iterable[Difference]) -> dict[tuple[str, str], Points]:
    """Return the difference of each pair of models, and with the other sign of the pair reversed.

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
    """One metric of two models over the same tasks.

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
        """First value minus second, in points; None if one is undefined."""
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
        # The table counts both solved, only one, only the other, and none.
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
    only_significance: bool = False,
) -> Comparison:
    """Compare models on the tasks that they share (see :meth:`eai.report.report.Report.compare`).

    A missing answer is a failed task, as in the scores; the notes say how many tasks only one of
    two models has answered. With ``only_significance`` the differences tell what is significant,
    and no intervals and effect sizes; a bound may stand for a p-value.
    """
    check_draws(draws, seed)
    reports = [first]
    if second is not None:
        reports.append(second)
    for report in reports:
        require_results(report)
    chosen = _chosen_metrics(first.view, metrics)
    overlaps: list[_TaskOverlap] = []
    pairs: list[Pair] = []
    for first_side, second_side in paired_models(first, second):
        overlap = _task_overlap(first_side, second_side, answered=answered)
        overlaps.append(overlap)
        if overlap.tasks:
            pairs.append(Pair(first_side, second_side, overlap.tasks))
    if not pairs:
        mend = None
        if answered:
            mend = "compare them with missing answers as failures (the default)"
        raise InputError(overlaps[0].refusal, expected="records of the same tasks", mend=mend)
    differences = _differences(
        pairs, chosen, draws=draws, seed=seed, only_significance=only_significance
    )

    # Two reports of the same setting are named once.
    settings = dict.fromkeys(str(report.setting) for report in reports)
    title = f"Comparison: {' against '.join(settings)}"
    if answered:
        title += ", tasks that both answered"
    notes: list[str] = []
    for report in reports:
        notes += report.warnings
    notes += _notes_on_tasks(overlaps, answered=answered)
    return Comparison(title, differences, tuple(notes))


def _differences(
    pairs: Sequence[Pair],
    metrics: Sequence[tuple[int, Score]],
    *,
    draws: int,
    seed: int,
    only_significance: bool,
) -> tuple[Difference, ...]:
    """Return the difference of each pair in each metric, pair after pair.

    Args:
        pairs: The pairs of models.
        metrics: The metrics, each with its index in the view.
        draws: Exchanges that are drawn where they are too many to be counted.
        seed: Seed of the draws.
        only_significance: Whether to leave out intervals and effect sizes.
    """
    tests = len(pairs) * len(metrics)
    by_metric = []
    # Metric after metric, because draws are held in memory for one metric at a time.
    for metric in metrics:
        comparison = _MetricComparison(
            metric, pairs, tests, draws=draws, seed=seed, only_significance=only_significance
        )
        by_metric.append(comparison.differences())
    by_pair = zip(*by_metric, strict=True)
    return _adjust_p_values(list(chain.from_iterable(by_pair)))


def _chosen_metrics(view: View, keys: Sequence[str] | None) -> list[tuple[int, Score]]:
    """Return metrics of a view, each with its index; the headline metric if no keys are given."""
    if keys is None:
        keys = [view.main]
    elif isinstance(keys, str) or not isinstance(keys, Iterable):
        keys = [keys]
    numbered = {score.key: (number, score) for number, score in enumerate(view.scores())}
    chosen = []
    for key in keys:
        check_name("metric", key, numbered)
        chosen.append(numbered[key])
    return chosen


def _adjust_p_values(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return the differences with p-values adjusted for the number of tests (Holm)."""
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
    _require_same_subject(first, second)
    first_sides = first.sides
    # By the metrics of the first report: the second may have been read with different ones.
    second_sides = second.sides_for(first.view)
    shared_models = [model for model in first.models if model in second.models]
    if not shared_models:
        yield from product(first_sides.values(), second_sides.values())
    for model in shared_models:
        yield (
            replace(first_sides[model], name=f"{model} (first)"),
            replace(second_sides[model], name=f"{model} (second)"),
        )


def _require_same_subject(first: Results, second: Results) -> None:
    """Refuse two reports that are not of the same suite and ability.

    Raises:
        InputError: If they differ in one of these.
    """
    for name in ("suite", "ability"):
        value = getattr(first.setting, name)
        second_value = getattr(second.setting, name)
        if value != second_value:
            raise InputError(
                f"the first report is of the {name} {value!r}, the second of {second_value!r}",
                expected="two reports of the same suite and ability",
                mend="compare models on the same tasks",
            )


@dataclass(frozen=True, slots=True)
class _Unshared:
    """Number of tasks that two models do not have, or have not answered, in common.

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


def _notes_on_tasks(overlaps: Sequence[_TaskOverlap], *, answered: bool) -> Iterator[str]:
    """Yield notes on tasks that pairs of models do not share.

    For few pairs there is a sentence for each pair; ten models are 45 pairs, whose sentences would
    hide all other notes, so that one sentence gives the range over all pairs.

    Args:
        overlaps: The tasks of each pair.
        answered: Whether only tasks are compared that both models have answered.
    """
    pairs = len(overlaps)
    unshared = list(chain.from_iterable(overlap.unshared for overlap in overlaps))
    refusals = [overlap.refusal for overlap in overlaps if overlap.refusal]
    if pairs <= _FEW_PAIRS:
        for count in unshared:
            yield count.sentence()
        for refusal in refusals:
            yield f"{refusal}: left out."
        return
    # One sentence for each kind of gap, with the range of the numbers.
    by_kind: dict[str, list[_Unshared]] = {}
    for count in unshared:
        by_kind.setdefault(count.kind, []).append(count)
    for kind, concerned in by_kind.items():
        yield _range_sentence(kind, concerned, pairs)
    if refusals:
        verb = "answered" if answered else "have"
        yield (
            f"Left out: {len(refusals)} of {pairs} pairs, as there is no task "
            f"that both models {verb}."
        )


def _range_sentence(kind: str, concerned: Sequence[_Unshared], pairs: int) -> str:
    """Return a sentence about all pairs of models that do not share tasks for the same reason.

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
    # These tasks are compared, so the sentence says how, and how to do otherwise.
    tasks = from_to(pair.tasks for pair in concerned)
    both = from_to(pair.answered for pair in concerned)
    return (
        f"{of_pairs.capitalize()} only one of the two answered {number} of {tasks}. "
        "Missing answers count as failures, so they are part of the differences; "
        f"answered=True (--answered) compares the {both} tasks that both answered."
    )


@dataclass(frozen=True, slots=True)
class _TaskOverlap:
    """The tasks on which two models are compared.

    Args:
        tasks: The tasks, in the order of the first model; empty if the models share none.
        refusal: Why there is no task to compare; empty if there is one.
        unshared: The numbers of tasks that the models do not have, or have not answered, in common.
    """

    tasks: tuple[str, ...]
    refusal: str = ""
    unshared: tuple[_Unshared, ...] = ()


def _task_overlap(first: Side, second: Side, *, answered: bool) -> _TaskOverlap:
    """Return the tasks that two models have in common, and count the remaining ones.

    Args:
        first: One model.
        second: The model that it is compared with.
        answered: Whether to take only tasks that both models have answered.
    """
    names = f"{first.name} and {second.name}"
    tasks = _common_tasks(first, second)
    if not tasks:
        return _TaskOverlap((), f"{names} have no task in common")
    unshared: list[_Unshared] = []
    had_by_one = len(frozenset(second.tasks).symmetric_difference(first.tasks))
    if had_by_one:
        why = _why_excluded(first, second) + _why_excluded(second, first)
        unshared.append(_Unshared("had by one", names, had_by_one, len(tasks), why=why))

    # A task without an answer of one model still counts, unless the caller leaves it out.
    missing = first.unanswered | second.unanswered
    by_both = tuple(task for task in tasks if task not in missing)
    if not answered:
        by_one = len((first.unanswered ^ second.unanswered) & {*tasks})
        if by_one:
            kind = "answered by one"
            unshared.append(_Unshared(kind, names, by_one, len(tasks), len(by_both)))
        return _TaskOverlap(tasks, unshared=tuple(unshared))
    if not by_both:
        refusal = f"{names} have answered no task in common"
        return _TaskOverlap((), refusal, tuple(unshared))
    not_by_both = len(tasks) - len(by_both)
    if not_by_both:
        kind = "not answered by both"
        unshared.append(_Unshared(kind, names, not_by_both, len(tasks), len(by_both)))
    return _TaskOverlap(by_both, unshared=tuple(unshared))


def _common_tasks(first: Side, second: Side) -> tuple[str, ...]:
    """Return the tasks that both models have, in the order of the first."""
    tasks_of_second = frozenset(second.tasks)
    tasks = tuple(task for task in first.tasks if task in tasks_of_second)
    # Equal tasks are one object: there are many pairs, and Side.of compares by identity.
    if tasks == first.tasks:
        return first.tasks
    return tasks


def _why_excluded(side: Side, compared_with: Side) -> str:
    """Return how many tasks of the compared model are excluded for this one, and why."""
    reasons = [side.excluded[task] for task in compared_with.tasks if task in side.excluded]
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
    """Return the best model and those that are not significantly worse; none if that is all.

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
    # A model alone is neither better nor worse.
    if len(ranked) < 2:
        return frozenset()
    best = max(ranked, key=lambda side: values[side.name])
    pairs: list[Pair] = []
    for side in ranked:
        tasks = _common_tasks(best, side)
        if side is not best and tasks:
            pairs.append(Pair(best, side, tasks))
    metric = (index, view.scores()[index])
    differences = _differences(pairs, [metric], draws=draws, seed=seed, only_significance=True)
    # The best model is the first of every pair.
    worse = {difference.second for difference in differences if difference.significant}
    if not worse:
        return frozenset()
    return frozenset(values) - worse


# Metrics of two models.

_MAX_DRAWN = 20_000_000
"""Maximum number of numbers drawn where the number of tests asks for more draws than given."""


class _MetricComparison:
    """Comparison of pairs of models in one metric.

    Where each task is solved or not, the four counts of pairs have exact methods. Any other metric
    is a ratio of sums, whose difference is linearized and permuted
    (:class:`eai.report.pair_tests.PairTests`). Of n draws no p-value is below ``1 / (1 + n)``, so
    more are drawn where even that would not be significant once adjusted.

    Args:
        metric: Index of the metric in its view, and the metric.
        pairs: Pairs of models, with the tasks to compare.
        tests: Number of tests that p-values will be adjusted for.
        draws: Exchanges that are drawn where they are too many to be counted.
        seed: Seed of the draws.
        only_significance: Whether only the significance is asked for: a bound that decides it then
            stands for the p-value, and ratios have no interval and no effect size.
    """

    def __init__(
        self,
        metric: tuple[int, Score],
        pairs: Sequence[Pair],
        tests: int,
        *,
        draws: int,
        seed: int,
        only_significance: bool = False,
    ) -> None:
        self._index, self._score = metric
        self._pairs = pairs
        self._number_of_tests = tests
        self._draws = draws
        self._seed = seed
        self._only_significance = only_significance
        self._contributions = list(map(self._contributions_of, pairs))
        self._tables = [paired_counts(self._score, tasks) for tasks in self._contributions]

    def differences(self) -> list[Difference]:
        """Compare all pairs; p-values are not adjusted."""
        return list(map(self._difference, self._pairs, self._contributions, self._tables))

    def _contributions_of(self, pair: Pair) -> PairedContributions:
        """Return what the tasks of a pair add to the metric of both models."""
        tasks = pair.contributions(self._index)
        if self._score.unit != "tasks":
            return tasks
        # A rate may be defined for some tasks only: it leaves out the others.
        return {parts: times for parts, times in tasks.items() if parts[1] > 0 or parts[3] > 0}

    def _difference(
        self, pair: Pair, tasks: PairedContributions, table: Pairs | None
    ) -> Difference:
        """Compare one pair of models.

        Args:
            pair: The models and tasks.
            tasks: What the tasks add to the metric.
            table: The four counts of a paired rate over tasks; None for other metrics.
        """
        score = self._score
        values = self._value(tasks, 0), self._value(tasks, 2)
        interval: tuple[float, float] | None = None
        p_value: float | None = None
        effect: float | None = None
        draws = 0
        # Without any task in the table there is nothing to test, as without a value.
        if table is not None and any(table):
            interval = newcombe(table)
            p_value = mcnemar(table)
            effect = _cohens_g(table)
        # The bound is free, and the test takes long: often the bound alone decides.
        elif None not in values:
            if self._only_significance:
                p_value = self._deciding_bound(tasks)
            if p_value is None:
                p_value, draws = self._pair_tests.permutation_test(pair)
            if not self._only_significance:
                interval = self._pair_tests.interval(pair)
                effect = self._pair_tests.effect(pair)
        return Difference(
            metric=score.key,
            label=score.label,
            unit=score.unit,
            first=pair.first.name,
            second=pair.second.name,
            tasks=sum(tasks.values()),
            values=values,
            interval=interval,
            p_value=p_value,
            adjusted=p_value,
            effect=effect,
            pairs=table,
            draws=draws,
        )

    def _value(self, tasks: PairedContributions, column: int) -> float | None:
        """Return the metric of one model; None if its denominator is 0.

        Args:
            tasks: What the tasks add to the metric of both models.
            column: Where the numerator of the model stands; its denominator is the next.
        """
        numerator = denominator = 0
        for parts, times in tasks.items():
            numerator += times * parts[column]
            denominator += times * parts[column + 1]
        if not denominator:
            return None
        value: float = self._score.scale * numerator / denominator
        return value

    def _deciding_bound(self, tasks: PairedContributions) -> float | None:
        """Return a bound of the p-value that decides on significance; None if neither does.

        Holm multiplies a p-value by the number of tests at most, and by 1 at least. So an upper
        bound that is below the level after that, or a lower one above the level, may stand for the
        p-value: the same differences are significant.
        """
        lower, upper = exchange_bounds(tasks)
        if upper * self._number_of_tests < _LEVEL:
            return upper
        if lower >= _LEVEL:
            return lower
        return None

    @cached_property
    def _pair_tests(self) -> PairTests:
        """The tests of all pairs that have no table, prepared when the first of them is needed."""
        from eai.report.pair_tests import PairTests  # takes numpy

        sides = dict.fromkeys(
            chain.from_iterable((first, second) for first, second, _ in self._pairs)
        )
        # Ten times as many draws as the smallest p-value needs to be significant after Holm.
        draws = round(10 * self._number_of_tests / _LEVEL)
        # Two numbers a draw and side: a numerator and a denominator.
        if 2 * draws * len(sides) > _MAX_DRAWN:
            draws = 0
        return PairTests(
            (self._index, self._score),
            [pair for pair, table in zip(self._pairs, self._tables, strict=True) if table is None],
            list(sides),
            draws=max(self._draws, draws),
            seed=self._seed,
        )


def paired_counts(score: Score, tasks: PairedContributions) -> Pairs | None:
    """Return how many tasks both models, only the first, only the second and neither solve.

    None if the metric is no rate over tasks, that is 0 or 1 out of 1 in every task.
    """
    if score.unit not in ("tasks", "occurrences"):
        return None
    outcomes = {(1, 1): 0, (1, 0): 0, (0, 1): 0, (0, 0): 0}
    for (first, first_out_of, second, second_out_of), times in tasks.items():
        if (first_out_of, second_out_of) != (1, 1) or (first, second) not in outcomes:
            return None
        outcomes[first, second] += times
    both, only_first, only_second, neither = outcomes.values()
    return both, only_first, only_second, neither


def _cohens_g(table: Pairs) -> float:
    """Return Cohen's g: the share of the first among tasks that one model solves, minus a half."""
    _, only_first, only_second, _ = table
    discordant = only_first + only_second
    if not discordant:
        return 0.0
    return only_first / discordant - 0.5


# Conclusions in words.

_LEVEL = 0.05
"""Significance level."""

_MIN_TASKS = 6
"""With fewer tasks McNemar's exact test reaches no p-value below 0.05: 2 / 2**5 is more."""
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the standard normal distribution."""


def conclusion(difference: Difference, comparisons: int = 1) -> str:
    """Return what a difference means, in one or a few sentences.

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
    remarks = _why_methods_disagree(difference) + _limit_of_draws(difference)
    if difference.significant:
        winner = difference.first if difference.difference >= 0 else difference.second
        return f"{winner} has the higher {label} (significant): {figures}.{remarks}"
    tie = f"{names} do not differ significantly in {label}: {figures}."
    # An exact test of so few pairs has no p-value below the level.
    if difference.pairs is not None and difference.tasks < _MIN_TASKS:
        few = f"With fewer than {_MIN_TASKS} tasks no difference can be significant."
        return f"{tie} {few}{remarks}"
    return f"{tie}{remarks}{_ruled_out(difference, difference.interval)}"


def _ruled_out(difference: Difference, interval: tuple[float, float]) -> str:
    """Return which larger differences a comparison rules out, and which it could have found."""
    low, high = interval
    points, digits = _unit_and_decimals(difference)
    bound = f"{max(abs(low), abs(high)):.{digits}f}{points}"
    text = f" The 95 % interval rules out a difference of more than {bound}."
    visible = smallest_visible(difference)
    if visible is not None:
        text += f" Minimum detectable difference at 80 % power: {visible:.0f} points."
    return text


def _unit_and_decimals(difference: Difference) -> tuple[str, int]:
    """Return the unit of differences with a blank before it, and the number of decimals."""
    if difference.is_share:
        return " points", 1
    return "", 2


def _figures(difference: Difference, comparisons: int) -> str:
    """Return the values, the interval and the p-value in words; empty if they are undefined."""
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
    """Return a sentence on a p-value that is the smallest its draws allow; empty for others."""
    draws = difference.draws
    if not draws or difference.p_value != 1 / (1 + draws):
        return ""
    return (
        f" None of {draws:,} permutations drawn gives as large a difference, so p is at most this; "
        "draws= (--draws) draws more."
    )


def _why_methods_disagree(difference: Difference) -> str:
    """Return why the interval and the p-value seem to disagree; empty if they agree."""
    if difference.interval is None or difference.adjusted is None or difference.p_value is None:
        return ""
    low, high = difference.interval
    excludes_0 = low > 0 or high < 0
    if excludes_0 == difference.significant:
        return ""
    # Without the adjustment both methods agree, so the adjustment is the reason.
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
    """Return the minimum detectable difference at 80 % power, in points, two-sided at 5 %.

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
    """Return a p-value with its relation: ``"= 0.012"`` or ``"< 0.001"``."""
    text = str(Probability(value))
    if text.startswith("<"):
        return text
    return f"= {text}"
