"""Pictures of reports: abilities, categories, comparisons, errors, success by length, truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from eai.contract import Suite
from eai.contract.registry import given_suite
from eai.diagnosis import ErrorKind, Result
from eai.errors import InputError, reported
from eai.evaluation.overview import Overview
from eai.plots.drawing import (
    COLOURS,
    add_title,
    colour,
    empty_figure,
    name_bars,
    plain_label,
    require_records,
)
from eai.report import (
    Comparison,
    Difference,
    Record,
    Report,
    explain,
    length_bins,
    range_text,
    rate_interval,
    require_results,
    run_table,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from eai.logic import Figure as LogicFigure


class _RadarAxis(NamedTuple):
    """One metric of a radar chart: its ability, its key, and its label."""

    ability: str
    key: str
    label: str


def plot_abilities(overview: Overview, suite: str) -> Figure:
    """Draw a radar chart of a run's overview table for one suite.

    Each model is a line.

    Args:
        overview: The reports of all abilities (see :func:`eai.evaluate_outputs`).
        suite: Name of the suite.

    Raises:
        InputError: If the overview has fewer than three metrics of the suite.
        MissingExtraError: If matplotlib is not installed.
    """
    if not isinstance(overview, Overview):
        raise InputError(
            f"{reported(overview)} is not an overview",
            expected="what eai.evaluate_outputs returns: the reports of all abilities",
        )
    metrics = _radar_axes(overview, suite)
    if len(metrics) < 3:
        raise InputError(
            f"the overview has {len(metrics)} metrics of the suite {suite!r}",
            expected="at least three, so that they span an area",
            mend=f"evaluate more abilities of: {', '.join(overview.reports) or 'a suite'}",
        )
    figure, axes = empty_figure(7, 6.5, polar=True)
    # Axes are spread over the circle; a line comes back to its first point.
    angles = [2 * math.pi * axis / len(metrics) for axis in range(len(metrics))]
    for model_index, model in enumerate(overview.models):
        line = []
        for metric in metrics:
            value = overview.value(suite, metric.ability, metric.key, model=model)
            # NaN is a gap in the line, not a point in the middle.
            line.append(math.nan if value is None else value)
        if all(math.isnan(value) for value in line):
            continue  # no answers of this model for the suite
        axes.plot(
            [*angles, angles[0]],
            [*line, line[0]],
            marker="o",
            color=colour(model_index),
            label=plain_label(model),
        )
    axes.set_xticks(angles, [metric.label for metric in metrics], fontsize="small")
    for label, angle in zip(axes.get_xticklabels(), angles, strict=True):
        label.set_horizontalalignment(_alignment_at(angle))
    axes.set_ylim(0, 100)
    add_title(figure, "Metrics of each ability (%)", suite, legend=3)
    return figure


def _radar_axes(overview: Overview, suite: str) -> list[_RadarAxis]:
    """Return the overview table's metrics whose abilities were evaluated for a suite."""
    metrics = []
    for column in run_table().columns:
        if column.ability in overview.reports.get(suite, {}):
            ability_lines = column.ability.replace("_", "\n")
            label = f"{ability_lines}\n{column.heading}"
            metrics.append(_RadarAxis(column.ability, column.metric, label))
    return metrics


def _alignment_at(angle: float) -> Literal["left", "center", "right"]:
    """Return the text alignment of a label at an angle, so that it stays outside the circle."""
    # Rounded: the cosine of a right angle is not exactly 0.
    side = round(math.cos(angle), 3)
    if side > 0:
        return "left"
    if side < 0:
        return "right"
    return "center"


def plot_categories(report: Report, *, most: int = 25) -> Figure:
    """Draw the success rate of each category of tasks, the largest at the top.

    Lines are 95 % intervals over tasks: a category with few tasks has a long one.

    Args:
        report: The evaluated answers.
        most: Maximum number of categories; those with the most items are drawn.

    Raises:
        InputError: If no item was evaluated.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    categories = _group_by_category(report)
    require_records(report, categories, "evaluated item")
    categories.sort(key=lambda category: (-category.items, category.name))
    drawn_categories = categories[:most]
    figure, axes = empty_figure(7, 1.6 + (0.15 + 0.08 * len(report.models)) * len(drawn_categories))
    for model_index, model in enumerate(report.models):
        # The models of a category are drawn next to each other in its row.
        shift = 0.6 * ((model_index + 0.5) / len(report.models) - 0.5)
        points = []
        for row, category in enumerate(drawn_categories):
            outcomes = category.outcomes.get(model)
            if outcomes:
                points.append(_Point.from_outcomes(row + shift, outcomes))
        axes.errorbar(
            [point.rate for point in points],
            [point.position for point in points],
            xerr=_error_bars(points),
            fmt="o",
            markersize=4,
            color=colour(model_index),
            label=plain_label(model),
        )
    name_bars(axes, [f"{category.name} ({category.tasks})" for category in drawn_categories])
    # A little more than 0 to 100, so that points at the ends are whole.
    axes.set_xlim(-2, 102)
    axes.set_ylim(len(drawn_categories) - 0.5, -0.5)
    axes.grid(axis="x", color="#eeeeee")
    axes.set_xlabel("tasks solved (%), 95 % interval; in brackets: tasks")
    heading = "Tasks solved in each category"
    if len(categories) > len(drawn_categories):
        heading += f" ({len(categories) - len(drawn_categories)} smaller ones not drawn)"
    add_title(figure, heading, report.setting, legend=3)
    return figure


@dataclass
class _Category:
    """The tasks with one name.

    Args:
        name: The name.
        outcomes: The outcomes of the answers of each model.
    """

    name: str
    outcomes: dict[str, list[_Outcome]] = field(default_factory=dict)

    @property
    def items(self) -> int:
        """Number of answers, of all models together."""
        return sum(map(len, self.outcomes.values()))

    @property
    def tasks(self) -> int:
        """Number of different tasks."""
        all_outcomes = chain.from_iterable(self.outcomes.values())
        return len({task for task, _ in all_outcomes})


def _group_by_category(report: Report) -> list[_Category]:
    """Return the categories of the items that count."""
    categories: dict[str, _Category] = {}
    for record in report.records:
        if record.result.status != "excluded":
            category = categories.setdefault(record.name, _Category(record.name))
            outcomes = category.outcomes.setdefault(record.model, [])
            outcomes.append((record.task, record.result.success))
    return list(categories.values())


_Outcome = tuple[str, bool]
"""A task, and whether an answer solves it."""


class _Point(NamedTuple):
    """A rate with its 95 % interval, in percent, as a point of a plot.

    Args:
        position: Position on the axis without percent.
        rate: The rate.
        low: Lower bound of the interval.
        high: Upper bound of the interval.
    """

    position: float
    rate: float
    low: float
    high: float

    @classmethod
    def from_outcomes(cls, position: float, outcomes: Sequence[_Outcome]) -> _Point:
        """Return the success rate of one or more outcomes as a point."""
        rate = 100 * sum(success for _, success in outcomes) / len(outcomes)
        return cls(position, rate, *rate_interval(outcomes))


def _error_bars(points: Sequence[_Point]) -> list[list[float]]:
    """Return the lengths of the error bars below and above points, as matplotlib takes them."""
    below = [point.rate - point.low for point in points]
    above = [point.high - point.rate for point in points]
    return [below, above]


_COLOURS = {
    "solved": "#d9d9d9",
    **{kind.value: kind.colour for kind in ErrorKind},
    "other": "#ffffff",
}
"""Ways in which an item ends, in the order of a bar, with the colour of each."""


_MIN_LABELLED = 4
"""Minimum width of a bar with a number in it, in percent."""


def plot_errors(report: Report) -> Figure:
    """Draw how the items of every model end: solved, or with which error (Figure 5).

    An item that is not solved counts once, with its first error: that is the one that stopped
    it, or else the first goal condition that it left unmet.

    Args:
        report: The evaluated answers.

    Raises:
        InputError: If no item was evaluated.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    counts_by_model = [_count_ends(report, model) for model in report.models]
    total_counts = Counter[str]()
    for counts in counts_by_model:
        total_counts += counts
    require_records(report, list(total_counts), "evaluated item")
    figure, axes = empty_figure(8, 1.6 + 0.45 * len(counts_by_model))
    # Each kind of end adds a part to the bar of every model, where the part before it ended.
    begins = [0.0] * len(counts_by_model)
    for kind, shade in _COLOURS.items():
        if not total_counts[kind]:
            continue
        widths = [100 * counts[kind] / max(counts.total(), 1) for counts in counts_by_model]
        bars = axes.barh(
            range(len(widths)),
            widths,
            left=begins,
            color=shade,
            edgecolor="white",
            label=kind.replace("_", " "),
        )
        # A narrow bar has no room for its number.
        texts = [f"{width:.0f}" if width >= _MIN_LABELLED else "" for width in widths]
        text_colour = "black" if _is_light(shade) else "white"
        axes.bar_label(bars, texts, label_type="center", fontsize="small", color=text_colour)
        begins = [begin + width for begin, width in zip(begins, widths, strict=True)]
    name_bars(axes, report.models)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of items, by the first error")
    add_title(figure, "How answers end", report.setting, legend=4)
    return figure


def _is_light(shade: str) -> bool:
    """Return whether a colour (``"#9ecae1"``) is light, by its luma (ITU-R BT.601)."""
    red, green, blue = (int(shade[start : start + 2], 16) for start in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 128


def _count_ends(report: Report, model: str) -> Counter[str]:
    """Return how many counted items of a model end in each way."""
    counts: Counter[str] = Counter()
    for record in report.of(model):
        if record.result.status != "excluded":
            counts[_name_end(record.result)] += 1
    return counts


def _name_end(result: Result) -> str:
    """Return how an item ends: ``"solved"``, the kind of its first error, or ``"other"``."""
    if result.success:
        return "solved"
    # A step without effect does not end a plan, so this error only counts if it is the only one.
    for finding in result.findings:
        if not finding.kind.is_harmless:
            return str(finding.kind)
    if result.findings:
        return str(result.findings[0].kind)
    return "other"


def plot_success_by_length(report: Report, suite: str | Suite, *, bins: int = 6) -> Figure:
    """Draw the success rate against the length of the reference plan.

    Tasks are put into bins with about as many tasks each; bars are 95 % intervals over tasks.

    Args:
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        bins: Maximum number of bins.

    Raises:
        InputError: If no evaluated task has a reference plan.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    outcomes_by_model = _outcomes_by_length(report, given_suite(suite))
    lengths = []
    for lengths_and_outcomes in outcomes_by_model.values():
        lengths += [length for length, _ in lengths_and_outcomes]
    # Bins are cut from the sorted lengths of all items, so that they have similar sizes.
    lengths.sort()
    require_records(report, lengths, "evaluated item with a reference plan")
    edges = length_bins(lengths, bins)
    figure, axes = empty_figure(7, 4)
    for model_index, (model, lengths_and_outcomes) in enumerate(outcomes_by_model.items()):
        # The points of different models are drawn next to each other.
        shift = 0.08 * (model_index - (len(outcomes_by_model) - 1) / 2)
        points = []
        for bin_index, (shortest, longest) in enumerate(edges):
            outcomes = []
            for length, outcome in lengths_and_outcomes:
                if shortest <= length <= longest:
                    outcomes.append(outcome)
            if outcomes:
                points.append(_Point.from_outcomes(bin_index + shift, outcomes))
        axes.errorbar(
            [point.position for point in points],
            [point.rate for point in points],
            yerr=_error_bars(points),
            marker="o",
            capsize=3,
            color=colour(model_index),
            label=plain_label(model),
        )
    axes.set_xticks(range(len(edges)), [range_text(*edge) for edge in edges])
    axes.set_ylim(-2, 102)
    axes.set_xlabel("steps of the reference plan")
    axes.set_ylabel("tasks solved (%), 95 % interval")
    add_title(figure, "Tasks solved by length of the reference plan", report.setting, legend=3)
    return figure


def _outcomes_by_length(report: Report, suite: Suite) -> dict[str, list[tuple[int, _Outcome]]]:
    """Return (length of the reference plan, outcome) for the answers of each model.

    Excluded answers and answers to tasks without a reference plan are left out.
    """
    outcomes: dict[str, list[tuple[int, _Outcome]]] = {model: [] for model in report.models}
    for record in report.records:
        if record.result.status == "excluded":
            continue
        plans = suite.task(record.task).plans
        if plans:
            outcome = (record.task, record.result.success)
            outcomes[record.model].append((len(plans[0]), outcome))
    return outcomes


_MAX_INTERVALS = 12
"""Maximum number of pairs of models drawn with intervals; of more a matrix is drawn."""


def plot_comparison(comparison: Comparison, *, metric: str | None = None) -> Figure:
    """Draw the differences of up to twelve pairs with intervals, or a matrix of all.

    Full points, and bold numbers in the matrix, are significant (adjusted p < 0.05).

    Args:
        comparison: The comparison, as ``report.compare()`` returns it.
        metric: Key of the metric; by default the first one.

    Raises:
        InputError: If no difference in the metric is defined.
        MissingExtraError: If matplotlib is not installed.
    """
    differences = _defined_differences(comparison, metric)
    if not differences:
        raise InputError(f"no difference in {metric or 'a metric'} is defined")
    heading = f"Differences in {differences[0].label}"
    if differences[0].is_share:
        heading += " (points)"
    if len(differences) <= _MAX_INTERVALS:
        figure = _interval_figure(differences)
    else:
        figure = _matrix_figure(differences)
        heading += ": row minus column; bold: significant"
    add_title(figure, heading, comparison.title)
    return figure


def _defined_differences(comparison: Comparison, metric: str | None) -> list[Difference]:
    """Return the differences in a metric, by default the first one, that have a value."""
    if not comparison.differences:
        return []
    key = metric or comparison.differences[0].metric
    differences: list[Difference] = []
    for difference in comparison.differences:
        if difference.metric == key and difference.difference is not None:
            differences.append(difference)
    return differences


def _interval_figure(differences: Sequence[Difference]) -> Figure:
    """Return a figure with a row for each difference and its interval."""
    figure, axes = empty_figure(7, 1.4 + 0.4 * len(differences))
    names = []
    for row, difference in enumerate(differences):
        value = difference.difference or 0.0
        low, high = difference.interval or (value, value)
        axes.plot([low, high], [row, row], color=COLOURS[0])
        fill = COLOURS[0] if difference.significant else "white"
        axes.plot(value, row, "o", color=COLOURS[0], markerfacecolor=fill)
        names.append(f"{plain_label(difference.first)}\n- {plain_label(difference.second)}")
    axes.axvline(0, color="#777777", linewidth=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel("first minus second, 95 % interval; full: significant")
    return figure


def _matrix_figure(differences: Sequence[Difference]) -> Figure:
    """Return a figure with a matrix of all differences, the best model first."""
    values: dict[str, float | None] = {}
    for difference in differences:
        values[difference.first], values[difference.second] = difference.values
    # The best model first; a model without a value comes last, as if it had 0.
    models = sorted(values, key=lambda model: -(values[model] or 0.0))
    row_of_model = {model: row for row, model in enumerate(models)}
    # Cells with NaN stay empty: the diagonal, and pairs without a difference.
    grid = [[math.nan] * len(models) for _ in models]
    figure, axes = empty_figure(2.5 + 0.5 * len(models), 2 + 0.4 * len(models))
    largest_difference = 0.0
    for difference in differences:
        points = difference.difference or 0.0
        largest_difference = max(largest_difference, abs(points))
        first_row = row_of_model[difference.first]
        second_row = row_of_model[difference.second]
        weight = "bold" if difference.significant else "normal"
        # The same difference stands above and below the diagonal, with the other sign.
        for row, column, sign in ((first_row, second_row, 1), (second_row, first_row, -1)):
            grid[row][column] = sign * points
            text = difference.as_text(sign=sign)
            axes.text(column, row, text, ha="center", va="center", fontsize=7, weight=weight)
    # The scale goes half beyond the largest difference: numbers on darker colours are unreadable.
    limit = 1.5 * (largest_difference or 1.0)
    axes.imshow(grid, cmap="PuOr", vmin=-limit, vmax=limit, aspect="auto")
    labels = [plain_label(model) for model in models]
    axes.set_xticks(range(len(models)), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(models)), labels)
    return figure


def plot_truth(record: Record, *, suite: str | Suite | None = None) -> LogicFigure:
    """Draw the truth of a goal's parts after every step of an answer.

    Args:
        record: One evaluated answer.
        suite: Its suite, if the record's name does not lead to it.

    Raises:
        InputError: If the answer is not a plan, or if its goal or its plan is too long to be drawn.
        MissingExtraError: If matplotlib is not installed.
    """
    picture = explain(record, suite=suite).picture
    if picture is None:
        raise InputError(
            f"there is no picture of {record.task}",
            expected="an answer that is a plan, and a goal formula with few parts",
            mend="draw a part: eai.logic.truth_table(formula, trajectory).plot()",
        )
    return picture.plot()
