"""Models compared task by task: what differs, how sure that is, and what it means."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from eai.errors import InputError, UnknownNameError
from eai.report.intervals import Numbers, bootstrap, percentiles, permutation
from eai.report.metric import Score
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.results import Results, require_results
from eai.report.statistics import Z_95, Pairs, holm, mcnemar, newcombe
from eai.table import Cell, Table

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult


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
        rows = [each.row for each in self.differences]
        return Table(self.title, rows, (*self.conclusions, *self.notes))

    def table(self) -> pd.DataFrame:
        """Return the differences as a data frame (see :meth:`eai.table.Table.table`)."""
        return self.rows.table()

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one row a difference, as CSV (see :meth:`eai.table.Table.to_csv`)."""
        self.rows.to_csv(path, force=force)

    def __str__(self) -> str:
        return str(self.rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.rows

    def _repr_html_(self) -> str:
        return self.rows.html()


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two models over the same tasks.

    Args:
        unit: What it counts (see :class:`~eai.report.metric.Metric`).
        values: The metric of both, in percent; None where it is undefined.
        interval: 95 % interval of the first minus the second, in points; None if undefined.
            For rates over tasks Newcombe's, else the percentiles of a bootstrap over tasks.
        p_value: Of McNemar's exact test for rates over tasks, else of a permutation test that
            exchanges the models task by task; None if undefined.
        adjusted: The p-value adjusted for the number of comparisons (Holm).
        effect: How large the difference is beside how much tasks differ: Cohen's g for rates
            over tasks (0.05 small, 0.15 medium, 0.25 large), else the mean difference of a
            task over its standard deviation (d_z: 0.2, 0.5, 0.8); None if undefined.
        pairs: For rates over tasks: both, only the first, only the second, neither; else None.
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

    @property
    def difference(self) -> float | None:
        """The first minus the second, in points; None if one is undefined."""
        first, second = self.values
        return None if first is None or second is None else first - second

    @property
    def row(self) -> dict[str, Cell]:
        """The difference as a row of a table."""
        low, high = self.interval or (None, None)
        _, only_first, only_second, _ = self.pairs or (None,) * 4
        return {
            "metric": self.label,
            "first": self.first,
            "second": self.second,
            "tasks": self.tasks,
            "first %": self.values[0],
            "second %": self.values[1],
            "difference": self.difference,
            "low": low,
            "high": high,
            "only first": only_first,
            "only second": only_second,
            "p": self.p_value,
            "adjusted p": self.adjusted,
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
    known = [metric.key for metric in first.view.scores()]
    if metrics is None:
        metrics = [c.key for table in first.view.tables for c in table.columns if c.ranged]
    elif isinstance(metrics, str) or not isinstance(metrics, Iterable):
        metrics = [metrics]
    for key in metrics:
        if key not in known:
            raise UnknownNameError("metric", key, known)
    notes: list[str] = []
    found: list[Difference] = []
    for one, other in paired_models(first, second):
        records = paired_records(one, other, notes, answered=answered)
        names = (one[0], other[0])
        found += differences(
            first.view, *records, names=names, keys=metrics, draws=draws, seed=seed
        )
    adjusted = iter(holm([each.p_value for each in found if each.p_value is not None]))
    found = [
        each if each.p_value is None else replace(each, adjusted=next(adjusted)) for each in found
    ]
    settings = dict.fromkeys(str(report.setting) for report in reports)
    title = f"Comparison: {' against '.join(settings)}"
    title += ", tasks that both answered" if answered else ""
    return Comparison(title, tuple(found), tuple(notes))


# Which records are compared.

_Side = tuple[str, Sequence[Record]]
"""A model's name as it is shown, and its records."""


def paired_models(first: Results, second: Results | None) -> Iterator[tuple[_Side, _Side]]:
    """Yield which models are compared, each with its records.

    Args:
        first: A report.
        second: Another one; None to compare the models of the first with each other.

    Raises:
        InputError: If the reports are of different suites or abilities, or if there is nothing
            to compare.
    """
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
    for name in ("suite", "ability"):
        one, other = (getattr(report.setting, name) for report in (first, second))
        if one != other:
            raise InputError(
                f"the first report is of the {name} {one!r}, the second of {other!r}",
                expected="two reports of the same suite and ability",
                mend="compare models on the same tasks",
            )
    shared = [model for model in first.models if model in second.models]
    for one, other in (
        zip(shared, shared, strict=True) if shared else product(first.models, second.models)
    ):
        names = (f"{one} (first)", f"{other} (second)") if shared else (one, other)
        yield (names[0], first.of(one)), (names[1], second.of(other))


def paired_records(
    one: _Side, other: _Side, notes: list[str], *, answered: bool
) -> tuple[list[Record], list[Record]]:
    """Return the records of the tasks that both models have, in the order of the first.

    Args:
        one: A model.
        other: Another one.
        notes: What is left out is said here.
        answered: Whether only the tasks count that both have answered.

    Raises:
        InputError: If there is no such task.
    """
    names = f"{one[0]} and {other[0]}"
    first, second = (
        {r.task: r for r in records if r.result.status != "excluded"} for _, records in (one, other)
    )
    found = [(record, second[task]) for task, record in first.items() if task in second]
    if not found:
        raise InputError(f"{names} have no task in common", expected="records of the same tasks")
    left_out = len(first.keys() ^ second.keys())
    if left_out:
        notes.append(f"{_tasks(left_out)} that only one of {names} has: left out.")
    missing = [[r.result.status == "missing" for r in pair] for pair in found]
    both = [pair for pair, absent in zip(found, missing, strict=True) if not any(absent)]
    alone = sum(absent[0] != absent[1] for absent in missing)
    if answered:
        if not both:
            raise InputError(
                f"{names} have answered no task in common",
                expected="at least one task that both answered",
                mend="compare them with missing answers as failures (the default)",
            )
        if len(both) < len(found):
            without = _tasks(len(found) - len(both))
            notes.append(f"{without} that not both of {names} answered: left out.")
        found = both
    elif alone:
        # A difference may then be one between missing answers and given ones.
        notes.append(
            f"{_tasks(alone)} of {len(found)} that only one of {names} answered: missing answers "
            "count as failed, so they are a part of the differences; answered=True (--answered) "
            f"leaves {_tasks(len(both))} that both answered."
        )
    return [pair[0] for pair in found], [pair[1] for pair in found]


def _tasks(number: int) -> str:
    return f"{number} task{'' if number == 1 else 's'}"


# One metric of two models.


def metrics_by_task(view: View, records: Sequence[Record]) -> list[list[Score]]:
    """Return the metrics of every record by itself; their parts add up to those of all."""
    return [view.scores((record,)) for record in records]


def differences(
    view: View,
    first: Sequence[Record],
    second: Sequence[Record],
    *,
    names: tuple[str, str],
    keys: Sequence[str],
    draws: int,
    seed: int,
) -> list[Difference]:
    """Compare two models on the same tasks, in the same order.

    Returns:
        One difference for each key, p-values not adjusted.
    """
    columns = [metrics_by_task(view, records) for records in (first, second)]
    locations = {metric.key: place for place, metric in enumerate(view.scores())}
    found = []
    for key in keys:
        one, other = ([metrics[locations[key]] for metrics in of] for of in columns)
        pairs = _pairs(one, other)
        parts = [
            np.array([(m.numerator, m.denominator) for m in of], dtype=np.float64)
            for of in (one, other)
        ]
        values = _percent(one), _percent(other)
        interval, p_value, effect = None, None, None
        if pairs is not None:
            _, only_first, only_second, _ = pairs
            apart = only_first + only_second
            interval, p_value = newcombe(pairs), mcnemar(pairs)
            effect = only_first / apart - 0.5 if apart else 0.0
        elif None not in values:
            drawn = bootstrap(np.hstack(parts), draws=draws, seed=seed)
            interval = percentiles(_apart(drawn))
            p_value = _permuted(*parts, draws=draws, seed=seed)
            effect = _standardised(*parts)
        about = (key, one[0].label, one[0].unit, *names, len(one), values)
        found.append(Difference(*about, interval, p_value, p_value, effect, pairs))
    return found


def _pairs(first: Sequence[Score], second: Sequence[Score]) -> Pairs | None:
    """The four counts, if the metric is a rate over tasks: 0 or 1 out of 1 in every task."""
    if first[0].unit not in ("tasks", "occurrences"):
        return None
    counts = [0, 0, 0, 0]
    for one, other in zip(first, second, strict=True):
        for metric in (one, other):
            if metric.denominator != 1 or metric.numerator not in (0, 1):
                return None
        counts[2 * (1 - one.numerator) + (1 - other.numerator)] += 1
    return counts[0], counts[1], counts[2], counts[3]


def _percent(metrics: Sequence[Score]) -> float | None:
    denominator = sum(metric.denominator for metric in metrics)
    return 100 * sum(m.numerator for m in metrics) / denominator if denominator else None


def _permuted(first: Numbers, second: Numbers, *, draws: int, seed: int) -> float:
    """Two-sided; the observed order counts as one of the draws."""
    observed = _apart(np.hstack([first.sum(axis=0), second.sum(axis=0)])[None, :])[0]
    found = _apart(permutation(first, second, draws=draws, seed=seed))
    as_far = np.abs(found) >= abs(observed) - 1e-9
    return float((1 + as_far.sum()) / (1 + len(found)))


def _apart(sums: Numbers) -> Numbers:
    """The differences in points; not a number where a denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        apart: Numbers = 100 * (sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3])
    return apart


def _standardised(first: Numbers, second: Numbers) -> float | None:
    """Mean over standard deviation of what each task adds to the difference (linearised)."""

    def shares(parts: Numbers) -> Numbers:
        numerator, denominator = parts.sum(axis=0)
        rate = numerator / denominator
        linear: Numbers = rate + (parts[:, 0] - rate * parts[:, 1]) * len(parts) / denominator
        return linear

    apart = shares(first) - shares(second)
    spread = float(np.std(apart, ddof=1)) if len(apart) > 1 else 0.0
    return float(np.mean(apart)) / spread if spread else None


# What a difference means.

_LEVEL = 0.05
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the standard normal distribution."""


def conclusion(difference: Difference, comparisons: int = 1) -> str:
    """Say what a difference means.

    Args:
        difference: The difference.
        comparisons: For how many comparisons its p-value was adjusted.
    """
    apart, p_value = difference.difference, difference.adjusted
    names, label = f"{difference.first} and {difference.second}", difference.label
    if apart is None or p_value is None or difference.interval is None:
        return f"{names} cannot be compared in {label}: it is undefined for one of them."
    first, second = (f"{value:.1f} %" for value in difference.values if value is not None)
    low, high = difference.interval
    said = f"{first} against {second} over {_tasks(difference.tasks)}, {apart:+.1f} points"
    said += f" (95 % interval {low:+.1f} to {high:+.1f}), p {_p(p_value)}"
    if comparisons > 1:
        said += f" adjusted for {comparisons} comparisons"
    why = _disagreement(difference)
    if p_value < _LEVEL:
        more = difference.first if apart > 0 else difference.second
        return f"{names} differ in {label}, {more} has more: {said}.{why}"
    visible = smallest_visible(difference)
    if visible is not None:
        why += f" A true difference of {visible:.0f} points would show in four of five such runs."
    return f"{names} cannot be told apart in {label}: {said}.{why}"


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
            " The interval is for this comparison alone and leaves out 0, as does p "
            f"{_p(difference.p_value)} before it is adjusted; among so many comparisons that is "
            "not enough."
        )
    methods = ("a bootstrap", "a permutation test")
    if difference.pairs is not None:
        methods = ("Newcombe's method", "McNemar's exact test")
    beside = "leaves out" if apart else "holds"
    return (
        f" The interval ({methods[0]}) {beside} 0 and the p-value ({methods[1]}) does not agree: "
        "so near to the limit methods differ, and the p-value decides."
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
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
