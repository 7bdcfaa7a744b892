"""Pictures of reports: abilities, categories, comparisons, errors, success by length, truth."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from eai.contract import Suite
from eai.contract.registry import given_suite
from eai.diagnosis import ErrorKind
from eai.errors import InputError, reported
from eai.evaluation.overview import Overview
from eai.plots.drawing import (
    COLOURS,
    colour,
    empty_figure,
    name_bars,
    plain,
    require_records,
    title,
)
from eai.report import (
    Comparison,
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


def plot_abilities(overview: Overview, suite: str) -> Figure:
    """Draw the metrics of a run's table (:func:`eai.report.run_table`) for one suite.

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
    axes_of = [
        (column.ability, column.metric, f"{column.ability.replace('_', chr(10))}\n{column.heading}")
        for column in run_table().columns
        if column.ability in overview.reports.get(suite, {})
    ]
    if len(axes_of) < 3:
        raise InputError(
            f"the overview has {len(axes_of)} metrics of the suite {suite!r}",
            expected="at least three, so that they span an area",
            mend=f"evaluate more abilities of: {', '.join(overview.reports) or 'a suite'}",
        )
    figure, axes = empty_figure(7, 6.5, polar=True)
    angles = [2 * math.pi * place / len(axes_of) for place in range(len(axes_of))]
    for place, model in enumerate(overview.models):
        values = [overview.value(suite, ability, key, model=model) for ability, key, _ in axes_of]
        if all(value is None for value in values):
            continue
        line = [math.nan if value is None else value for value in values]
        axes.plot(
            [*angles, angles[0]],
            [*line, line[0]],
            marker="o",
            color=colour(place),
            label=plain(model),
        )
    axes.set_xticks(angles, [text for _, _, text in axes_of], fontsize="small")
    for label, angle in zip(axes.get_xticklabels(), angles, strict=True):
        side = round(math.cos(angle), 3)  # labels begin, or end, beside the circle
        label.set_horizontalalignment("left" if side > 0 else "right" if side < 0 else "center")
    axes.set_ylim(0, 100)
    title(figure, "Metrics of each ability (%)", suite, legend=3)
    return figure


def plot_categories(report: Report, *, most: int = 25) -> Figure:
    """Draw the success rate of each category of tasks (the tasks' name), the largest on top.

    Lines are 95 % intervals over tasks: a category with few tasks has a long one.

    Args:
        report: The evaluated answers.
        most: How many categories are drawn; those with the most items.

    Raises:
        InputError: If no item was evaluated.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    found: dict[str, dict[str, list[tuple[str, bool]]]] = defaultdict(lambda: defaultdict(list))
    for record in report.records:
        if record.result.status != "excluded":
            outcome = record.task, record.result.success
            found[record.name][record.model].append(outcome)
    require_records(report, list(found), "evaluated item")
    together = {name: [*chain.from_iterable(of.values())] for name, of in found.items()}
    names = sorted(found, key=lambda name: (-len(together[name]), name))[:most]
    figure, axes = empty_figure(7, 1.6 + (0.15 + 0.08 * len(report.models)) * len(names))
    for place, model in enumerate(report.models):
        shift = 0.6 * ((place + 0.5) / len(report.models) - 0.5)
        rows = [(row, found[name][model]) for row, name in enumerate(names) if found[name][model]]
        rates = [100 * sum(won for _, won in outcomes) / len(outcomes) for _, outcomes in rows]
        ranges = [rate_interval(outcomes) for _, outcomes in rows]
        axes.errorbar(
            rates,
            [row + shift for row, _ in rows],
            xerr=[
                [rate - low for rate, (low, _) in zip(rates, ranges, strict=True)],
                [high - rate for rate, (_, high) in zip(rates, ranges, strict=True)],
            ],
            fmt="o",
            markersize=4,
            color=colour(place),
            label=plain(model),
        )
    tasks = {name: len({task for task, _ in together[name]}) for name in names}
    name_bars(axes, [f"{name} ({tasks[name]})" for name in names])
    axes.set_xlim(-2, 102)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color="#eeeeee")
    axes.set_xlabel("tasks solved (%), 95 % interval; in brackets: tasks")
    left_out = len(found) - len(names)
    more = f" ({left_out} smaller ones not drawn)" if left_out else ""
    title(figure, f"Tasks solved in each category{more}", report.setting, legend=3)
    return figure


_COLOURS = {
    "solved": "#d9d9d9",
    # What cannot be read is blue, what cannot be done red, what misses the goal green.
    "parsing": "#08306b",
    "action_hallucination": "#2171b5",
    "object_hallucination": "#6baed6",
    "predicate_hallucination": "#9ecae1",
    "argument_number": "#c6dbef",
    "affordance": "#7f2704",
    "additional_step": "#fdd0a2",
    "missing_step": "#f16913",
    "wrong_order": "#fdae6b",
    "state_goal": "#00441b",
    "relation_goal": "#41ab5d",
    "action_goal": "#a1d99b",
    "no_answer": "#252525",
    "beyond_budget": "#bdbdbd",
    "unscorable": "#969696",
    "other": "#ffffff",
}


def plot_errors(report: Report) -> Figure:
    """Draw for every model which share of its items ends how (paper, Figure 5).

    An item that is not solved counts once, with its first error: that is the one that stopped
    it, or else the first goal condition that it left unmet.

    Args:
        report: The evaluated answers.

    Raises:
        InputError: If no item was evaluated.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    ends = {model: _ends(report, model) for model in report.models}
    require_records(report, [each for each in ends.values() if each], "evaluated item")
    total = sum(ends.values(), Counter[str]())
    kinds = [kind for kind in ("solved", *map(str, ErrorKind), "other") if total[kind]]
    figure, axes = empty_figure(8, 1.6 + 0.45 * len(ends))
    left = [0.0] * len(ends)
    for kind in kinds:
        widths = [100 * each[kind] / max(each.total(), 1) for each in ends.values()]
        shade, label = _COLOURS.get(kind, _COLOURS["other"]), kind.replace("_", " ")
        bars = axes.barh(
            range(len(ends)), widths, left=left, color=shade, edgecolor="white", label=label
        )
        texts = [f"{width:.0f}" if width >= 4 else "" for width in widths]
        red, green, blue = (int(shade[at : at + 2], 16) for at in (1, 3, 5))
        light = 0.299 * red + 0.587 * green + 0.114 * blue > 128
        ink = "black" if light else "white"
        axes.bar_label(bars, texts, label_type="center", fontsize="small", color=ink)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    name_bars(axes, report.models)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of items, by the first error")
    title(figure, "How answers end", report.setting, legend=4)
    return figure


def _ends(report: Report, model: str) -> Counter[str]:
    ends: Counter[str] = Counter()
    for record in report.of(model):
        result = record.result
        if result.status == "excluded":
            continue
        # A plan goes on after a step that changes nothing.
        stopped = [f for f in result.findings if not f.kind.is_harmless]
        first = (stopped or result.findings or (None,))[0]
        end = "other" if first is None else str(first.kind)
        ends["solved" if result.success else end] += 1
    return ends


def plot_success_by_length(report: Report, suite: str | Suite, *, bins: int = 6) -> Figure:
    """Draw the success rate against the number of steps of the reference plan.

    Tasks are put into bins with about as many tasks each; bars are 95 % intervals over tasks.

    Args:
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        bins: How many bins there are at most.

    Raises:
        InputError: If no evaluated task has a reference plan.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    chosen = given_suite(suite)
    items: dict[str, list[tuple[int, str, bool]]] = {model: [] for model in report.models}
    for record in report.records:
        if record.result.status != "excluded" and (plans := chosen.task(record.task).plans):
            items[record.model].append((len(plans[0]), record.task, record.result.success))
    lengths = sorted(length for each in items.values() for length, _, _ in each)
    require_records(report, lengths, "evaluated item with a reference plan")
    edges = length_bins(lengths, bins)
    figure, axes = empty_figure(7, 4)
    for place, (model, found) in enumerate(items.items()):
        shown = []
        for x, (first, last) in enumerate(edges):
            outcomes = [(task, won) for length, task, won in found if first <= length <= last]
            if outcomes:
                rate = 100 * sum(won for _, won in outcomes) / len(outcomes)
                shown.append((x, rate, *rate_interval(outcomes)))
        xs = [x + 0.08 * (place - (len(items) - 1) / 2) for x, *_ in shown]
        rates = [rate for _, rate, _, _ in shown]
        errors = [[r - low for _, r, low, _ in shown], [high - r for _, r, _, high in shown]]
        axes.errorbar(
            xs, rates, yerr=errors, marker="o", capsize=3, color=colour(place), label=plain(model)
        )
    axes.set_xticks(range(len(edges)), [range_text(*edge) for edge in edges])
    axes.set_ylim(-2, 102)
    axes.set_xlabel("steps of the reference plan")
    axes.set_ylabel("tasks solved (%), 95 % interval")
    title(figure, "Tasks solved by length of the reference plan", report.setting, legend=3)
    return figure


_MOST_INTERVALS = 12
"""Of more pairs of models a matrix is drawn."""


def plot_comparison(comparison: Comparison, *, metric: str | None = None) -> Figure:
    """Draw the differences of models: up to twelve pairs with intervals, else as a matrix.

    Full points, and bold numbers in the matrix, are significant (adjusted p < 0.05).

    Args:
        comparison: What ``report.compare()`` returns.
        metric: Key of the metric; by default the first one.

    Raises:
        InputError: If no difference in the metric is defined.
        MissingExtraError: If matplotlib is not installed.
    """
    key = metric or next((each.metric for each in comparison.differences), None)
    pairs = [
        each
        for each in comparison.differences
        if each.metric == key and each.difference is not None
    ]
    if not pairs:
        raise InputError(f"no difference in {metric or 'a metric'} is defined")
    what = f"Differences in {pairs[0].label}{' (points)' if pairs[0].is_share else ''}"
    if len(pairs) <= _MOST_INTERVALS:
        figure, axes = empty_figure(7, 1.4 + 0.4 * len(pairs))
        for row, each in enumerate(pairs):
            apart = each.difference or 0.0
            low, high = each.interval or (apart, apart)
            axes.plot([low, high], [row, row], color=COLOURS[0])
            filled = COLOURS[0] if each.significant else "white"
            axes.plot(apart, row, "o", color=COLOURS[0], markerfacecolor=filled)
        axes.axvline(0, color="#777777", linewidth=0.8)
        axes.set_yticks(
            range(len(pairs)), [f"{plain(e.first)}\n- {plain(e.second)}" for e in pairs]
        )
        axes.invert_yaxis()
        axes.set_xlabel("first minus second, 95 % interval; full: significant")
        title(figure, what, comparison.title)
        return figure
    values = {name: v for e in pairs for name, v in zip((e.first, e.second), e.values, strict=True)}
    names = sorted(values, key=lambda name: -(values[name] or 0.0))
    place = {name: number for number, name in enumerate(names)}
    grid = [[math.nan] * len(names) for _ in names]
    figure, axes = empty_figure(2.5 + 0.5 * len(names), 2 + 0.4 * len(names))
    for each in pairs:
        one, two, apart = place[each.first], place[each.second], each.difference or 0.0
        for row, column, sign in ((one, two, 1), (two, one, -1)):
            grid[row][column] = sign * apart
            weight = "bold" if each.significant else "normal"
            text = each.apart(sign)
            axes.text(column, row, text, ha="center", va="center", fontsize=7, weight=weight)
    most = max(abs(each.difference or 0.0) for each in pairs) or 1.0
    axes.imshow(grid, cmap="PuOr", vmin=-1.5 * most, vmax=1.5 * most, aspect="auto")
    shown = [plain(name) for name in names]
    axes.set_xticks(range(len(names)), shown, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), shown)
    title(figure, f"{what}: row minus column; bold: significant", comparison.title)
    return figure


def plot_truth(record: Record, *, suite: str | Suite | None = None) -> LogicFigure:
    """Draw for every step of an answer which parts of the goal are true after it.

    Args:
        record: One evaluated answer.
        suite: Its suite, if the record's name does not lead to it.

    Raises:
        InputError: If the answer is no plan, or if its goal or its plan is too long to be drawn.
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
