"""Success against the length of the reference plan, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eai.contract import Suite
from eai.plots.drawing import colour, empty_figure, plain, require_records, title
from eai.registry import given_suite
from eai.report.groups import length_bins, range_text
from eai.report.report import Report, require_results
from eai.report.statistics import wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_success_by_length"]


def plot_success_by_length(report: Report, suite: str | Suite, *, bins: int = 6) -> Figure:
    """Draw the success rate against the number of steps of the reference plan.

    Tasks are put into bins with about as many tasks each; bars are Wilson 95 % intervals.

    Args:
        report: The judged answers.
        suite: The suite that they are about, or its name.
        bins: How many bins there are at most.

    Raises:
        InputError: If no judged task has a reference plan.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    chosen = given_suite(suite)
    items = {model: _items(report, model, chosen) for model in report.models}
    lengths = sorted(length for each in items.values() for length, _ in each)
    require_records(report, lengths, "judged item with a reference plan")
    edges = length_bins(lengths, bins)
    figure, axes = empty_figure(7, 4)
    for place, (model, found) in enumerate(items.items()):
        points = [_point([s for n, s in found if low <= n <= high]) for low, high in edges]
        shown = [(x, *point) for x, point in enumerate(points) if point]
        xs = [x + 0.08 * (place - (len(items) - 1) / 2) for x, *_ in shown]
        rates = [rate for _, rate, _, _ in shown]
        errors = [[r - low for _, r, low, _ in shown], [high - r for _, r, _, high in shown]]
        axes.errorbar(
            xs, rates, yerr=errors, marker="o", capsize=3, color=colour(place), label=plain(model)
        )
    axes.set_xticks(range(len(edges)), [range_text(*edge) for edge in edges])
    axes.set_ylim(-2, 102)
    axes.set_xlabel("steps of the reference plan")
    axes.set_ylabel("tasks solved (%), Wilson 95 % interval")
    title(figure, str(report.setting))
    figure.legend(loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    return figure


def _items(report: Report, model: str, suite: Suite) -> list[tuple[int, bool]]:
    found = []
    for record in report.of(model):
        if record.judgement.status != "excluded":
            plans = suite.task(record.task).plans
            if plans:
                found.append((len(plans[0]), record.judgement.success))
    return found


def _point(outcomes: Sequence[bool]) -> tuple[float, float, float] | None:
    if not outcomes:
        return None
    low, high = wilson(sum(outcomes), len(outcomes))
    return 100 * sum(outcomes) / len(outcomes), low, high
