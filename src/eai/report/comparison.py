"""Models compared task by task: what differs, how sure that is, and what it means."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

from eai.display import stacked
from eai.errors import InputError, check_name
from eai.report.intervals import (
    Counts,
    Draw,
    Numbers,
    Side,
    bootstrap,
    exchange,
    exchange_steps,
    exchanges,
    percentiles,
)
from eai.report.metric import Score
from eai.report.metrics import View
from eai.report.results import Results, require_results
from eai.report.statistics import Z_95, Pairs, holm, mcnemar, newcombe
from eai.report.tables import from_to
from eai.table import Cell, Points, Probability, Table
from eai.text import counted, short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult


_MOST_MODELS = 40
"""So many models stand in a matrix."""

MORE = "Intervals and conclusions are shown for two models: eai compare RUN --model A --model B"
"""What stands below a matrix."""

_FEW_PAIRS = 3
"""Of more pairs a matrix is printed, and one note of a kind, in place of one for each pair."""


@dataclass(frozen=True)
class Comparison:
    """Differences between models on the same tasks.

    Args:
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
        unit = " %" if all(each.is_share for each in self.differences) else " value"
        rows = [each.row(unit) for each in self.differences]
        return Table(self.title, rows, (*self.conclusions, *self.notes))

    def table(self) -> pd.DataFrame:
        """Return the differences as a data frame (see :meth:`eai.table.Table.table`)."""
        return self.rows.table()

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one row a difference, as CSV (see :meth:`eai.table.Table.to_csv`)."""
        self.rows.to_csv(path, force=force)

    @property
    def matrices(self) -> tuple[Table, ...]:
        """For each metric the differences of all pairs: the row's model minus the column's."""
        found: dict[str, list[Difference]] = {}
        for each in self.differences:
            found.setdefault(each.label, []).append(each)
        return tuple(self._matrix(label, of) for label, of in found.items())

    def _matrix(self, label: str, differences: Sequence[Difference]) -> Table:
        values: dict[str, float | None] = {}
        apart: dict[tuple[str, str], str] = {}
        for each in differences:
            values |= zip((each.first, each.second), each.values, strict=True)
            if each.difference is not None:
                sign = "*" if each.significant else ""
                apart[each.first, each.second] = Points(each.apart() + sign)
                apart[each.second, each.first] = Points(each.apart(-1) + sign)
        order = sorted(values, key=lambda name: -1.0 if (v := values[name]) is None else v)[::-1]
        unit, what = ("%", "Points") if differences[0].is_share else ("mean", "Numbers")
        left = len(order) - _MOST_MODELS
        order = order[:_MOST_MODELS]
        rows: list[dict[str, Cell]] = []
        for number, model in enumerate(order, 1):
            row: dict[str, Cell] = {"#": number, "model": short(model, 60), unit: values[model]}
            row |= {
                f"-{n}": apart.get((model, other), Points()) for n, other in enumerate(order, 1)
            }
            rows.append(row)
        tests = sum(each.p_value is not None for each in self.differences)
        note = (
            f"{what} by which the row's model is above the column's; * significant (p < 0.05, "
            f"adjusted for {tests} comparisons)."
        )
        others = f"{counted(left, 'more model')}: to_csv, --csv or --json lists all."
        more = (others,) if left > 0 else ()
        return Table(f"{self.title}: {label}", rows, (note, *more))

    @property
    def _blocks(self) -> list[Table | str]:
        pairs = dict.fromkeys((each.first, each.second) for each in self.differences)
        if len(pairs) <= _FEW_PAIRS:
            return [self.rows]
        return [*self.matrices, *self.notes, MORE]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self._blocks))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._blocks

    def _repr_html_(self) -> str:
        return stacked(
            *(
                each.html() if isinstance(each, Table) else Markup("<p>{}</p>").format(each)
                for each in self._blocks
            )
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two models over the same tasks.

    Args:
        unit: What it counts (see :class:`~eai.report.metric.Metric`).
        values: The metric of both, in percent (a mean of numbers as it is); None where it is
            undefined.
        interval: 95 % interval of the first minus the second, in points; None if undefined.
            For rates over tasks Newcombe's, else the percentiles of a bootstrap over tasks.
        p_value: Of McNemar's exact test for rates over tasks, else of a permutation test that
            exchanges the models task by task; None if undefined. See ``draws``.
        adjusted: The p-value adjusted for the number of comparisons (Holm).
        effect: How large the difference is beside how much tasks differ: Cohen's g for rates
            over tasks (0.05 small, 0.15 medium, 0.25 large), else the mean difference of a
            task over its standard deviation (d_z: 0.2, 0.5, 0.8); None if undefined.
        pairs: For rates over tasks: both, only the first, only the second, neither; else None.
        draws: How many ways to exchange the models were drawn for the p-value, which is at least 1
            out of one more; 0 if it is exact.
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
        """The first minus the second, in points; None if one is undefined."""
        first, second = self.values
        return None if first is None or second is None else first - second

    @property
    def significant(self) -> bool:
        """Whether the adjusted p-value is below 0.05."""
        return self.adjusted is not None and self.adjusted < _LEVEL

    @property
    def is_share(self) -> bool:
        """Whether values are percent and differences points; else they are numbers."""
        return self.unit != "numbers"

    def apart(self, sign: int = 1) -> str:
        """Return the difference as it stands in a matrix: whole points, or two decimals."""
        apart = sign * (self.difference or 0.0)
        return f"{round(apart):+d}" if self.is_share else f"{apart:+.2f}"

    def row(self, unit: str = " %") -> dict[str, Cell]:
        """Return the difference as a row of a table.

        Args:
            unit: What stands behind the headings of the two values.
        """
        low, high = self.interval or (None, None)
        _, only_first, only_second, _ = self.pairs or (None,) * 4
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
            "p": None if self.p_value is None else Probability(self.p_value),
            "adjusted p": None if self.adjusted is None else Probability(self.adjusted),
            "effect": self.effect,
        }


def compare(
    first: Results,
    second: Results | None = None,
    *,
    metrics: Sequence[str] | None = None,
    answered: bool = False,
    draws: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare models on the tasks that they share (see :meth:`eai.report.report.Report.compare`).

    A missing answer is a failed task, as in the scores; the notes say how many tasks only one of
    two models has answered.
    """
    reports = (first,) if second is None else (first, second)
    for report in reports:
        require_results(report)
    known = {metric.key: (place, metric) for place, metric in enumerate(first.view.scores())}
    if metrics is None:
        metrics = [first.view.main]
    elif isinstance(metrics, str) or not isinstance(metrics, Iterable):
        metrics = [metrics]
    for key in metrics:
        check_name("metric", key, known)
    unshared: list[_Unshared] = []
    refused: list[str] = []
    pairs = []
    all_pairs = list(paired_models(first, second))
    for one, other in all_pairs:
        tasks = shared_tasks(one, other, unshared, refused, answered=answered)
        if tasks:
            pairs.append((one, other, tasks))
    if not pairs:
        raise InputError(
            refused[0],
            expected="records of the same tasks",
            mend="compare them with missing answers as failures (the default)"
            if answered
            else None,
        )
    # Metric after metric, as draws are held for one at a time; shown pair after pair.
    tests = len(pairs) * len(metrics)
    columns = [
        _Metric(known[key], pairs, tests, draws=draws, seed=seed).differences() for key in metrics
    ]
    found = [each for of_pair in zip(*columns, strict=True) for each in of_pair]
    adjusted = iter(holm([each.p_value for each in found if each.p_value is not None]))
    found = [
        each if each.p_value is None else replace(each, adjusted=next(adjusted)) for each in found
    ]
    settings = dict.fromkeys(str(report.setting) for report in reports)
    title = f"Comparison: {' against '.join(settings)}"
    title += ", tasks that both answered" if answered else ""
    notes = [warning for report in reports for warning in report.warnings]
    notes += _notes(unshared, refused, len(all_pairs), answered=answered)
    return Comparison(title, tuple(found), tuple(notes))


# Which records are compared.


def paired_models(first: Results, second: Results | None) -> Iterator[tuple[Side, Side]]:
    """Yield which models are compared."""
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
        one, other = (getattr(report.setting, name) for report in (first, second))
        if one != other:
            raise InputError(
                f"the first report is of the {name} {one!r}, the second of {other!r}",
                expected="two reports of the same suite and ability",
                mend="compare models on the same tasks",
            )
    shared = [model for model in first.models if model in second.models]
    ours, theirs = first.sides, second.sides_for(first.view)
    if not shared:
        yield from product(ours.values(), theirs.values())
    for model in shared:
        yield (
            replace(ours[model], name=f"{model} (first)"),
            replace(theirs[model], name=f"{model} (second)"),
        )


@dataclass(frozen=True, slots=True)
class _Unshared:
    """How many tasks two models do not have, or have not answered, in common.

    Args:
        kind: ``"had by one"`` or ``"not answered by both"``: these are left out; or ``"answered
            by one"``: these are compared, with the missing answer as a failure.
        names: Both models.
        number: So many tasks.
        tasks: How many tasks both models have.
        answered: How many of them both have answered.
        why: Why tasks are excluded, where they are.
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
        # A difference may then be one between missing answers and given ones.
        return (
            f"Only one of {self.names} answered {number} of {self.tasks}. Missing answers count "
            "as failures, so they are part of the differences; answered=True (--answered) compares "
            f"the {_tasks(self.answered)} that both answered."
        )


def _notes(
    unshared: Sequence[_Unshared], refused: Sequence[str], pairs: int, *, answered: bool
) -> Iterator[str]:
    """Yield a sentence for each pair, or one with the range over all pairs if there are many."""
    if pairs <= _FEW_PAIRS:
        yield from (each.sentence() for each in unshared)
        yield from (f"{why}: left out." for why in refused)
        return
    by_kind: dict[str, list[_Unshared]] = {}
    for each in unshared:
        by_kind.setdefault(each.kind, []).append(each)
    for kind, alike in by_kind.items():
        number = f"{from_to(each.number for each in alike)} tasks"
        of_pairs = f"in {len(alike)} of {pairs} pairs of models"
        if kind == "had by one":
            yield f"Left out {of_pairs}: {number} that only one of the two has."
        elif kind == "not answered by both":
            yield f"Left out {of_pairs}: {number} that the two did not both answer."
        else:
            tasks = from_to(each.tasks for each in alike)
            both = from_to(each.answered for each in alike)
            yield (
                f"{of_pairs.capitalize()} only one of the two answered {number} of {tasks}. "
                "Missing answers count as failures, so they are part of the differences; "
                f"answered=True (--answered) compares the {both} tasks that both answered."
            )
    if refused:
        shared = "that both models answered" if answered else "that both models have"
        yield f"Left out: {len(refused)} of {pairs} pairs, as there is no task {shared}."


def shared_tasks(
    one: Side, other: Side, unshared: list[_Unshared], refused: list[str], *, answered: bool
) -> tuple[str, ...]:
    """Return the tasks that both models have, or have answered, in the order of the first.

    Tasks that only one has or answered are added to the unshared; if nothing is left, why is
    added to the refused.
    """
    names = f"{one.name} and {other.name}"
    there = frozenset(other.tasks)
    tasks = tuple(task for task in one.tasks if task in there)
    if not tasks:
        refused.append(f"{names} have no task in common")
        return tasks
    left_out = len(there.symmetric_difference(one.tasks))
    if left_out:
        why = _excluded(one, other) + _excluded(other, one)
        unshared.append(_Unshared("had by one", names, left_out, len(tasks), why=why))
    missing = one.unanswered | other.unanswered
    found = tuple(task for task in tasks if task not in missing)
    if answered:
        if not found:
            refused.append(f"{names} have answered no task in common")
        elif len(found) < len(tasks):
            without = len(tasks) - len(found)
            unshared.append(
                _Unshared("not answered by both", names, without, len(tasks), len(found))
            )
        return found
    alone = len((one.unanswered ^ other.unanswered) & {*tasks})
    if alone:
        unshared.append(_Unshared("answered by one", names, alone, len(tasks), len(found)))
    # One object for equal tasks: there are many pairs.
    return one.tasks if tasks == one.tasks else tasks


def _excluded(side: Side, other: Side) -> str:
    """How many tasks of another model are excluded here, and why."""
    why = [side.excluded[task] for task in other.tasks if task in side.excluded]
    more = "" if len({*why}) < 2 else ", and others"
    return f"; {len(why)} excluded for {side.name} ({why[0]}{more})" if why else ""


def _tasks(number: int) -> str:
    return counted(number, "task")


def better_ones(
    view: View, place: int, sides: Sequence[Side], *, draws: int = 2_000, seed: int = 0
) -> frozenset[str]:
    """Return the best model and those that are not significantly worse; none if that is all.

    Each model is compared with the best one over the tasks that both have; p-values are adjusted
    (Holm) for the number of these comparisons.
    """
    score = view.scores()[place]
    values = {side.name: side.value(place) for side in sides}
    ranked = [side for side in sides if values[side.name] is not None]
    if len(ranked) < 2:
        return frozenset()
    best = max(ranked, key=lambda side: values[side.name] or 0.0)
    others = [side for side in ranked if side is not best]
    pairs = [(best, side, shared_tasks(best, side, [], [], answered=False)) for side in others]
    pairs = [pair for pair in pairs if pair[2]]
    found = _Metric((place, score), pairs, len(pairs), draws=draws, seed=seed).differences()
    known = [each for each in found if each.p_value is not None]
    adjusted = holm([each.p_value for each in known if each.p_value is not None])
    worse = {each.second for each, p in zip(known, adjusted, strict=True) if p < _LEVEL}
    return (
        frozenset(side.name for side in ranked if side.name not in worse) if worse else frozenset()
    )


# Metrics of two models.

_MOST_STEPS = 2_000_000_000
"""Tests of a metric are exact if all of them together take no more additions (some seconds)."""

_MOST_DRAWN = 20_000_000
"""Draws may give so many numbers where the number of tests asks for more of them."""

_Pair = tuple[Side, Side, tuple[str, ...]]
"""Two models, and the tasks that are compared."""


class _Metric:
    """Compares pairs of models in one metric.

    If two models are equally good, whose part of a task is whose does not matter. Where the metric
    is no rate over tasks, all ways to exchange the models in tasks are looked at if their sums are
    few enough to be counted, else ways that are drawn. Then no p-value is below one out of their
    number, so more are drawn where even that would be too large once it is adjusted.
    """

    def __init__(
        self,
        metric: tuple[int, Score],
        pairs: Sequence[_Pair],
        tests: int,
        *,
        draws: int,
        seed: int,
    ) -> None:
        self._place, self._score = metric
        self._pairs, self._draws, self._seed = pairs, draws, seed
        self._sides = list({id(side): side for *two, _ in pairs for side in two}.values())
        self._sums: dict[object, dict[int, Numbers]] = {}
        enough = round(10 * tests / _LEVEL)
        reached = enough * 2 * len(self._sides) <= _MOST_DRAWN
        self._exchanges = max(draws, enough) if reached else draws

    def differences(self) -> list[Difference]:
        """Compare all pairs; p-values are not adjusted."""
        parts = []
        for *two, tasks in self._pairs:
            first, second = (side.of(tasks, self._place) for side in two)
            if self._score.unit == "tasks":  # tasks that it is not asked of are left out
                asked = (first[:, 1] > 0) | (second[:, 1] > 0)
                first, second = first[asked], second[asked]
            parts.append((first, second))
        rates = [_pairs(self._score, first, second) for first, second in parts]
        steps = [
            exchange_steps(second - first)
            for (first, second), rate in zip(parts, rates, strict=True)
            if rate is None
        ]
        exact = sum(filter(math.isfinite, steps)) <= _MOST_STEPS
        self._most_steps = _MOST_STEPS if exact else self._exchanges
        return list(map(self._difference, self._pairs, parts, rates))

    def _difference(
        self, pair: _Pair, parts: tuple[Counts, ...], pairs: Pairs | None
    ) -> Difference:
        one, other, _ = pair
        totals = [of.sum(axis=0).tolist() for of in parts]
        score = self._score
        first, second = (score.scale * top / bottom if bottom else None for top, bottom in totals)
        interval, p_value, effect, draws = None, None, None, 0
        if pairs is not None:
            _, only_first, only_second, _ = pairs
            apart = only_first + only_second
            interval, p_value = newcombe(pairs), mcnemar(pairs)
            effect = only_first / apart - 0.5 if apart else 0.0
        elif first is not None and second is not None:
            drawn = _apart(*self._drawn(bootstrap, self._draws, pair))
            interval = percentiles(score.scale * drawn)
            p_value, draws = self._exchanged(pair, *parts)
            effect = _standardised(*parts)
        about = (score.key, score.label, score.unit, one.name, other.name, len(parts[0]))
        values = first, second
        return Difference(*about, values, interval, p_value, p_value, effect, pairs, draws)

    def _exchanged(self, pair: _Pair, first: Counts, second: Counts) -> tuple[float, int]:
        """The two-sided p-value, and out of how many draws it is; 0 if it is exact."""
        one, other = first.sum(axis=0), second.sum(axis=0)
        far = abs(_apart(one[None, :], other[None, :])[0]) - 1e-11
        if exchange_steps(second - first) <= self._most_steps:
            moved, chances = exchanges(second - first)
            found = np.abs(_apart(one + moved, other - moved))
            return min(1.0, float(chances[found >= far].sum())), 0
        of_one, of_other = self._drawn(exchange, self._exchanges, pair)
        exchanged = of_other - of_one
        found = np.abs(_apart(one + exchanged, other - exchanged))
        # The observed order counts as one of the draws.
        return float((1 + (found >= far).sum()) / (1 + len(found))), len(found)

    def _drawn(self, draw: Draw, draws: int, pair: _Pair) -> list[Numbers]:
        """What the parts of both models add up to in every draw."""
        *two, tasks = pair
        known = self._sums.setdefault((draw, tasks), {})
        for side in two:
            if id(side) not in known:
                # The draws are the same for all models, and what takes time is to draw.
                alike = [each for each in self._sides if each.tasks == tasks]
                alike = alike if side in alike else [side]
                parts = np.hstack([each.of(tasks, self._place) for each in alike])
                drawn = draw(parts.astype(np.float64), draws=draws, seed=self._seed)
                for number, each in enumerate(alike):
                    known[id(each)] = drawn[:, 2 * number : 2 * number + 2]
        return [known[id(side)] for side in two]


def _pairs(score: Score, first: Counts, second: Counts) -> Pairs | None:
    """The four counts, if the metric is a rate over tasks: 0 or 1 out of 1 in every task."""
    both = np.vstack([first, second])
    if score.unit not in ("tasks", "occurrences") or (both[:, 1] != 1).any():
        return None
    if not np.isin(both[:, 0], (0, 1)).all():
        return None
    counts = np.bincount(2 * (1 - first[:, 0]) + (1 - second[:, 0]), minlength=4).tolist()
    return counts[0], counts[1], counts[2], counts[3]


def _apart(first: Counts | Numbers, second: Counts | Numbers) -> Numbers:
    """The differences, row by row; not a number where a denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        apart: Numbers = first[:, 0] / first[:, 1] - second[:, 0] / second[:, 1]
    return apart


def _standardised(first: Counts, second: Counts) -> float | None:
    """Mean over standard deviation of what each task adds to the difference (linearised)."""

    def shares(parts: Counts) -> Numbers:
        numerator, denominator = parts.sum(axis=0)
        rate = numerator / denominator
        linear: Numbers = rate + (parts[:, 0] - rate * parts[:, 1]) * len(parts) / denominator
        return linear

    apart = shares(first) - shares(second)
    spread = float(np.std(apart, ddof=1)) if len(apart) > 1 else 0.0
    return float(np.mean(apart)) / spread if spread else None


# What a difference means.

_LEVEL = 0.05
_FEWEST = 6
"""In fewer tasks McNemar's exact test reaches no p-value below 0.05: 2 / 2**5 is more."""
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the standard normal distribution."""


def conclusion(difference: Difference, comparisons: int = 1) -> str:
    """Say what a difference means, of which the p-value was adjusted for so many comparisons."""
    apart, p_value = difference.difference, difference.adjusted
    names, label = f"{difference.first} and {difference.second}", difference.label
    if apart is None or p_value is None or difference.interval is None:
        return f"{names} cannot be compared in {label}: it is undefined for one of them."
    percent, points, digits = (" %", " points", 1) if difference.is_share else ("", "", 2)
    first, second = (f"{v:.{digits}f}{percent}" for v in difference.values if v is not None)
    low, high = difference.interval
    winner = difference.first
    if p_value < _LEVEL and apart < 0:
        # The numbers stand as the sentence does: that of the winner first.
        winner = difference.second
        first, second, apart, low, high = second, first, -apart, -high, -low
    said = f"{first} against {second} over {_tasks(difference.tasks)}, {apart:+.{digits}f}{points}"
    said += f" (95 % interval {low:+.{digits}f} to {high:+.{digits}f}), p {_p(p_value)}"
    if comparisons > 1:
        said += f" adjusted for {comparisons} comparisons"
    why = _disagreement(difference)
    if difference.draws and difference.p_value == 1 / (1 + difference.draws):
        why += (
            f" None of {difference.draws:,} permutations drawn gives as large a difference, so p "
            "is at most this; draws= (--draws) draws more."
        )
    if p_value < _LEVEL:
        return f"{winner} has the higher {label} (significant): {said}.{why}"
    if difference.pairs is not None and difference.tasks < _FEWEST:
        few = f"With fewer than {_FEWEST} tasks no difference can be significant."
        return f"{names} do not differ significantly in {label}: {said}. {few}{why}"
    within = f"{max(abs(low), abs(high)):.{digits}f}{points}"
    why += f" The 95 % interval rules out a difference of more than {within}."
    visible = smallest_visible(difference)
    if visible is not None:
        why += f" Minimum detectable difference at 80 % power: {visible:.0f} points."
    return f"{names} do not differ significantly in {label}: {said}.{why}"


def _disagreement(difference: Difference) -> str:
    """Why the interval and the p-value seem to say different things, if they do."""
    if difference.interval is None or difference.adjusted is None or difference.p_value is None:
        return ""
    low, high = difference.interval
    apart, significant = low > 0 or high < 0, difference.adjusted < _LEVEL
    if apart == significant:
        return ""
    if apart and difference.p_value < _LEVEL:
        return (
            " The interval is for this comparison alone and excludes 0, as does p "
            f"{_p(difference.p_value)} before it is adjusted; among so many comparisons that is "
            "not enough."
        )
    methods = ("a bootstrap", "a permutation test")
    if difference.pairs is not None:
        methods = ("Newcombe's method", "McNemar's exact test")
    beside = "excludes" if apart else "contains"
    return (
        f" The interval ({methods[0]}) {beside} 0 and the p-value ({methods[1]}) does not agree: "
        "so close to the limit the two methods can disagree, and the p-value decides."
    )


def smallest_visible(difference: Difference) -> float | None:
    """Return the smallest true difference that so many tasks show in four of five cases.

    In points, two-sided at 5 %, for pairs of which as many differ as here
    (O. S. Miettinen, "The matched pairs design in the case of all-or-none responses",
    Biometrics 24, 1968). None if it is no rate over tasks, or if no pair differs.
    """
    if difference.pairs is None:
        return None
    _, first, second, _ = difference.pairs
    differ = (first + second) / difference.tasks
    if not differ:
        return None
    # Solves (z_a sqrt(d) + z_b sqrt(d - x^2)) / sqrt(n) = x for x.
    tasks, alpha, beta = difference.tasks, Z_95, _POWER_80
    root = beta * math.sqrt(max(0.0, differ * (tasks + beta**2 - alpha**2)))
    found = (alpha * math.sqrt(differ * tasks) + root) / (tasks + beta**2)
    return 100 * min(found, 1.0)


def _p(value: float) -> str:
    text = str(Probability(value))
    return text if text.startswith("<") else f"= {text}"
