"""How reliable each category of tasks is."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from eai.plots.drawing import colour, empty_figure, name_bars, plain, require_records, title
from eai.report.report import Report, require_results
from eai.report.statistics import wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_categories"]


def plot_categories(report: Report, *, most: int = 25) -> Figure:
    """Draw the success rate of each category of tasks (the tasks' name), the best on top.

    Lines are Wilson 95 % intervals: a category with few tasks has a long one.

    Args:
        report: The judged answers.
        most: How many categories are drawn; those with the most items.

    Raises:
        InputError: If no item was judged.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for record in report.records:
        if record.judgement.status != "excluded":
            found[record.name][record.model].append(record.judgement.success)
    require_records(report, list(found), "judged item")
    counted = sorted(found, key=lambda name: (-sum(map(len, found[name].values())), name))
    names = sorted(counted[:most], key=lambda name: (-_rate(found[name]), name))
    figure, axes = empty_figure(7, 1.6 + (0.15 + 0.08 * len(report.models)) * len(names))
    for place, model in enumerate(report.models):
        shift = 0.6 * ((place + 0.5) / len(report.models) - 0.5)
        rows = [(row, found[name][model]) for row, name in enumerate(names) if found[name][model]]
        rates = [100 * sum(outcomes) / len(outcomes) for _, outcomes in rows]
        ranges = [wilson(sum(outcomes), len(outcomes)) for _, outcomes in rows]
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
    name_bars(axes, [f"{name} ({_tasks(found[name])})" for name in names])
    axes.set_xlim(-2, 102)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color="#eeeeee")
    axes.set_xlabel("tasks solved (%), Wilson 95 % interval; in brackets: tasks")
    left_out = len(found) - len(names)
    more = f"; {left_out} smaller categories not drawn" if left_out else ""
    title(figure, f"{report.setting}{more}")
    figure.legend(loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    return figure


def _rate(of_models: dict[str, list[bool]]) -> float:
    outcomes = [outcome for each in of_models.values() for outcome in each]
    return sum(outcomes) / len(outcomes)


def _tasks(of_models: dict[str, list[bool]]) -> int:
    return max(map(len, of_models.values()))
